// WorldView: a moment of the broad phase that can be queried for as long as the view lives.
//
// Thread safety: one thread at a time; any number of views at once, in any phase. Blocking: body
// locks, one at a time, only to copy a body. The World must outlive the view, which debug builds
// assert (~ReaderEpochs); a view that a task holds is gone when the pool is closed
// (models/world/views_and_close.cc). A view keeps replaced tree nodes from being reused: drop it
// when done (src/sync/reader_epochs.h).
#ifndef NOWAIT_SRC_WORLD_WORLD_VIEW_H_
#define NOWAIT_SRC_WORLD_WORLD_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/bodies/body_snapshot.h"
#include "src/bodies/layers.h"
#include "src/bodies/shape.h"
#include "src/collision/ray_cast.h"
#include "src/math/bounds.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"
#include "src/sync/rw_lock.h"

namespace nowait {

// Which bodies a query looks at: those that pass every part.
struct QueryFilter {
  bool statics = true;
  bool dynamics = true;  // and kinematic ones
  bool sensors = false;  // what passes through bodies is no obstacle
  BodyId ignore{};       // one body that is left out; by default no body
  // An excluded layer costs nothing: its tree is not entered. Layers that the world does not have
  // are empty.
  LayerSet layers = LayerSet::All();
  // Asked last, on the querying thread, with a copy of the body that was taken under its lock; the
  // lock has been released by then. So it may take its time and make every call that the querying
  // thread may make; and the body may have changed, or be gone, when it answers. It may change
  // layers itself. It is asked twice about a body where bodies change their layers meanwhile: the
  // query walks again. Empty: all pass.
  std::function<bool(const BodySnapshot&)> accept{};
};

struct RayHit {
  BodyId body;
  float fraction = 1.0f;  // of the ray's translation
  Vec3 point;
  Vec3 normal;
  std::uint32_t child = 0;  // of a compound: the number of the child that was met
  // Of a mesh or a height field: the number of the material (src/collision/surface_materials.h).
  std::uint8_t material = 0;
};

// The area of a collecting query. A point is a box without extent.
struct Ball {
  Vec3 centre;
  float radius = 0.0f;
};
struct OrientedBox {
  Vec3 centre;
  Vec3 half;      // half the extents along its own axes
  Quat rotation;  // of unit length
};
// An axis-aligned box on its way from `centre` to `centre + translation`.
struct SweptBox {
  Vec3 centre;
  Vec3 half;
  Vec3 translation;
};
using QueryArea = std::variant<Bounds<3>, Ball, OrientedBox, SweptBox, RayCast>;

struct NearBody {
  BodyId body;
  float distance = 0.0f;  // from the point to the body's box; 0 inside
};
struct NearSnapshot {
  BodySnapshot body;
  float distance = 0.0f;  // likewise
};

// A convex shape somewhere (IsConvex).
struct PlacedShape {
  Shape shape;
  Vec3 position;
  Quat rotation;  // of unit length
};

// A body that a point lies in.
struct BodyAt {
  BodyId body;
  std::uint32_t child = 0;    // of a compound: the number of a child that the point lies in
  std::uint8_t material = 0;  // of a height field: the number of the material above the point
};

// The body that is closest to a shape.
struct ClosestBody {
  BodyId body;
  float distance = 0.0f;      // metres; negative: how deep the shape is in the body
  Vec3 on_shape, on_body;     // the closest points of both surfaces
  Vec3 normal;                // of length one, from the shape to the body
  std::uint32_t child = 0;    // of a compound: the number of the child that is closest
  std::uint8_t material = 0;  // as a RayHit's
};

class WorldView {
 public:
  WorldView(WorldView&&) noexcept;
  WorldView& operator=(WorldView&&) noexcept;
  ~WorldView();

  // As World::CastRay.
  std::optional<RayHit> CastRay(const RayCast& ray, const QueryFilter& filter,
                                WaitTime& wait) const;

  // Whether the ray meets a body that passes: what CastRay hits, if anything. It stops at the first
  // body that it comes upon, which is not always the nearest one.
  bool IsBlocked(const RayCast& ray, const QueryFilter& filter, WaitTime& wait) const;

  // Where the ray enters each body on its way: one hit a body, at the place that a CastRay for this
  // body alone would give; the nearest first, at the same distance lower ids first. Replaces what
  // is in `out`. Keeps the nearest `limit` of them, and does not look behind those. Complexity:
  // n log n for n bodies that are met, beside the walk; it allocates room for the hits.
  void CollectHits(const RayCast& ray, const QueryFilter& filter, std::vector<RayHit>& out,
                   WaitTime& wait,
                   std::size_t limit = std::numeric_limits<std::size_t>::max()) const;

  // The bodies that `point` lies in, exactly (IsInside, src/collision/ray_cast.h); each once, by
  // ascending id. Replaces what is in `out`. A mesh has no inside; a point that is not finite is in
  // no body. Stops early at `limit` bodies, as Collect does.
  void FindAt(Vec3 point, const QueryFilter& filter, std::vector<BodyAt>& out, WaitTime& wait,
              std::size_t limit = std::numeric_limits<std::size_t>::max()) const;

  // Bodies whose box, with the tree's margin, overlaps `bounds`; each once, by ascending id.
  // Replaces what is in `out`. They were there when they were looked at; they may be gone by the
  // time they are used.
  void FindInBox(const Bounds<3>& bounds, const QueryFilter& filter, std::vector<BodyId>& out,
                 WaitTime& wait) const;

  // Copies of the bodies whose box, with the tree's margin, touches `area`; each once, by ascending
  // id. Replaces what is in `out`. Each copy is taken under its body's lock, and only if the body
  // is still there then: a narrow phase can go on with them without any lock. An area with a value
  // that is not finite, or inside out, touches nothing. Half extents and radii above 1e15 metres
  // count as 1e15, and an area centred farther out than that touches nothing; a Bounds may be of
  // any size. Stops early at `limit` bodies: which ones is then unspecified, and one is enough to
  // know that a place is not free.
  void Collect(const QueryArea& area, const QueryFilter& filter, std::vector<BodySnapshot>& out,
               WaitTime& wait, std::size_t limit = std::numeric_limits<std::size_t>::max()) const;

  // The body whose box is nearest to `point` and not farther than `distance`, which is cut to 1e15
  // metres; of several, the one with the lowest id. The box is the smallest axis-aligned one around
  // its shape. That of a plane which is not along an axis has no end (half_space.h): no body is
  // nearer. `filter` can leave it out.
  std::optional<NearBody> FindNearest(Vec3 point, float distance, const QueryFilter& filter,
                                      WaitTime& wait) const;

  // Copies of the `count` bodies whose boxes are nearest to `point` and not farther than
  // `distance`, the nearest first; at the same distance, lower ids first. Copied as by Collect.
  void CollectNearest(Vec3 point, float distance, std::size_t count, const QueryFilter& filter,
                      std::vector<NearSnapshot>& out, WaitTime& wait) const;

  // As CastRay, for each ray. hits: as long as rays.
  void CastRays(std::span<const RayCast> rays, const QueryFilter& filter,
                std::span<std::optional<RayHit>> hits, WaitTime& wait) const;

  // The first body that the shape touches on its way, exactly, without turning. The hit's point
  // lies on the body, and its normal leads out of the body. A body that the shape overlaps at the
  // beginning is hit at fraction zero, with the shortest way out as the normal; one that it touches
  // and leaves is not hit. The ground is met from above alone. Of bodies at the same fraction the
  // one with the lowest id. kInvalidArgument names "radius", "half height", "half extents", "shape
  // kind", "position" (within 1e6 metres), "rotation" or "translation" (within kFarthestCast).
  Result<std::optional<RayHit>> CastShape(const PlacedShape& shape, Vec3 translation,
                                          const QueryFilter& filter, WaitTime& wait) const;

  // The body whose surface is closest to the shape's, and not farther than `distance` metres; of
  // several, the one with the lowest id. Of bodies that overlap the shape, the one that the shape
  // is deepest in: an answer without a distance above zero says that the place is not free.
  // kInvalidArgument as for CastShape, and "distance" (0 .. kFarthestCast).
  Result<std::optional<ClosestBody>> FindClosest(const PlacedShape& shape, float distance,
                                                 const QueryFilter& filter, WaitTime& wait) const;

  static constexpr float kFarthestCast = 1e7f;  // metres

 private:
  friend class World;
  struct Parts;
  explicit WorldView(std::unique_ptr<const Parts> parts);

  std::unique_ptr<const Parts> parts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_VIEW_H_
