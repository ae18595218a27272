// RoadBlob: the roads of a tile as a blob, used where they lie.
//
//   RoadHeader    which tile
//   roads         each names a run of points; runs may share points
//   points        in the world's frame, metres
//
// Thread safety: a view of bytes that others own; any number of readers.
// Errors: a tile comes from outside. Open checks all of it, so that no reader has to check
// anything: kCorrupt "blob" (src/resource/blob.h) or "road" with the reason.
#ifndef NOWAIT_LECTURES_A_TILE_BEFORE_IT_IS_WHOLE_ROAD_BLOB_H_
#define NOWAIT_LECTURES_A_TILE_BEFORE_IT_IS_WHOLE_ROAD_BLOB_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "src/base/result.h"
#include "src/math/vec3.h"
#include "src/resource/blob.h"
#include "src/streaming/placed_object.h"
#include "src/streaming/tile_grid.h"

namespace nowait {

inline constexpr std::uint32_t kRoadKind = FourCharacters("ROAD");
inline constexpr std::uint32_t kRoadVersion = 1;

struct Road {
  std::uint32_t first = 0;   // its first point
  std::uint32_t points = 0;  // at least two
  float width = 0.0f;        // metres, above 0 and at most RoadBlob::kMostWidth
};
static_assert(BlobData<Road> && sizeof(Road) == 12);

struct RoadHeader {
  std::int32_t column = 0;
  std::int32_t row = 0;
  BlobArray<Road> roads;
  BlobArray<Vec3> points;
};
static_assert(BlobData<RoadHeader>);

class RoadBlob {
 public:
  static constexpr float kMostWidth = 32.0f;  // metres
  static constexpr float kMostPlace = 1e6f;   // metres from the origin, along each axis

  // The roads at the beginning of `bytes`. `expected`: those of another tile are refused.
  static Result<RoadBlob> Open(std::span<const std::byte> bytes, TileCoord expected) {
    const auto blob = Blob::Open(bytes);
    if (!blob) return std::unexpected(blob.error());
    const auto header = blob->First<RoadHeader>();
    if (!header) return std::unexpected(header.error());
    if (TileCoord{(*header)->column, (*header)->row} != expected) return Wrong(0, "another tile");
    const auto roads = blob->Get((*header)->roads);
    if (!roads) return std::unexpected(roads.error());
    const auto points = blob->Get((*header)->points);
    if (!points) return std::unexpected(points.error());
    for (std::size_t i = 0; i < roads->size(); ++i) {
      const Road& road = (*roads)[i];
      if (road.first + road.points > points->size()) return Wrong(i, "its points");
      if (road.width <= 0.0f || road.width > kMostWidth) return Wrong(i, "its width");
    }
    return RoadBlob(*roads, *points);
  }

  std::span<const Road> roads() const { return roads_; }
  // Checks nothing: Open has.
  std::span<const Vec3> PointsOf(const Road& road) const {
    return points_.subspan(road.first, road.points);
  }

 private:
  RoadBlob(std::span<const Road> roads, std::span<const Vec3> points)
      : roads_(roads), points_(points) {}

  static std::unexpected<Error> Wrong(std::size_t number, const char* why) {
    return Fail(ErrorCode::kCorrupt, "road", static_cast<std::int64_t>(number), why);
  }

  std::span<const Road> roads_;
  std::span<const Vec3> points_;
};

}  // namespace nowait

#endif  // NOWAIT_LECTURES_A_TILE_BEFORE_IT_IS_WHOLE_ROAD_BLOB_H_
