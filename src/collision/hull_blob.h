// HullBlob: a convex hull as a blob, which opens without a search for the hull.
//
//   const auto bytes = MakeHullBlob(*hull);                       // once, in a tool
//   if (!bytes) return std::unexpected(bytes.error());
//   const auto opened = OpenHullBlob(*file);
//   if (!opened) return std::unexpected(opened.error());
//
// A hull is small: it is copied out of the blob, which may go. Its planes and its radius are made
// anew from the vertices, as Create makes them. So a hull that was opened answers as the one that
// was saved, bit by bit.
//
// It is checked that the faces are one closed surface whose edges lie between two of them, that no
// vertex is above a plane and each corner of a face is in its plane within 1e-3 of the radius, that
// volume, inertia and centre are those of that surface, and that Create takes points of this size,
// thickness and distance from their origin. So any bytes that open are a convex body.
//
// Thread safety: pure functions; any thread.
// Errors: kInvalidArgument "blob" for the bytes' alignment (16). kCorrupt: those of blob.h, or
// "hull vertices", "hull faces", "hull vertex", "hull face", "hull volume", "hull inertia", "hull
// centre" or "hull rotation" with the place in the list or the number. kCapacity "blob bytes" or
// "memory".
// Complexity: of opening, vertices times faces.
// Source: [bitsquid2010], "The Blob and I". Test: tests/collision/hull_blob_test.cc.
#ifndef NOWAIT_SRC_COLLISION_HULL_BLOB_H_
#define NOWAIT_SRC_COLLISION_HULL_BLOB_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/collision/convex_hull.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"
#include "src/resource/blob.h"

namespace nowait {

inline constexpr std::uint32_t kHullKind = FourCharacters("HULL");
inline constexpr std::uint32_t kHullVersion = 1;

struct HullBlobHeader {
  BlobArray<Vec3> vertices;         // in the body's frame
  BlobArray<std::uint16_t> first;   // of each face in `corners`, and one more at the end
  BlobArray<std::uint8_t> corners;  // counter-clockwise seen from outside
  float volume = 0.0f;
  Vec3 inertia;  // of a density of one
  Vec3 centre;   // where the frame is, seen from the points
  Quat rotation;
};
static_assert(BlobData<HullBlobHeader>);

Result<std::vector<std::byte>> MakeHullBlob(const ConvexHull& hull);

Result<std::unique_ptr<const ConvexHull>> OpenHullBlob(std::span<const std::byte> bytes);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_HULL_BLOB_H_
