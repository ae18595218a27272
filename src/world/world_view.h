// WorldView: a moment of the broad phase that can be queried for as long as one likes.
//
// Thread safety: one thread at a time; any number of views at once, in any phase. Blocking: body
// locks, one at a time, only to copy a body. The World must outlive the view.
// A view keeps replaced tree nodes from being reused: drop it when done (src/sync/reader_epochs.h).
#ifndef NOWAIT_SRC_WORLD_WORLD_VIEW_H_
#define NOWAIT_SRC_WORLD_WORLD_VIEW_H_

#include <memory>
#include <optional>
#include <vector>

#include "src/bodies/body_id.h"
#include "src/collision/ray_cast.h"
#include "src/math/bounds.h"
#include "src/sync/rw_lock.h"

namespace nowait {

// Which bodies a query looks at.
struct QueryFilter {
  bool statics = true;
  bool dynamics = true;
  BodyId ignore;  // one body that is left out; none by default
};

struct RayHit {
  BodyId body;
  float fraction = 1.0f;  // of the ray's translation
  Vec3 point;
  Vec3 normal;
};

class WorldView {
 public:
  WorldView(WorldView&&) noexcept;
  WorldView& operator=(WorldView&&) noexcept;
  ~WorldView();

  // As World::CastRay.
  std::optional<RayHit> CastRay(const RayCast& ray, const QueryFilter& filter,
                                WaitTime& wait) const;

  // Bodies whose box, with the tree's margin, overlaps `bounds`; each once, by ascending id.
  // Replaces what is in `out`. They were there when they were looked at; they may be gone by the
  // time they are used.
  void FindInBox(const Bounds<3>& bounds, const QueryFilter& filter, std::vector<BodyId>& out,
                 WaitTime& wait) const;

 private:
  friend class World;
  struct Parts;
  explicit WorldView(std::unique_ptr<const Parts> parts);

  std::unique_ptr<const Parts> parts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_VIEW_H_
