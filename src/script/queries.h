// ScriptQueries: the questions that scripts may ask the world while it stands still.
//
//   WorldQueries queries(world, workers, rays, boxes);   // from here on nothing changes the world
//   if (auto ran = system.RunPhase(pool, phase, &queries); !ran) return ran;
//   // queries ends: from here on the world may change again
//
// Thread safety: each of a system's workers asks with its own number.
// Test: tests/apps/game/game_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_QUERIES_H_
#define NOWAIT_SRC_SCRIPT_QUERIES_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "src/bodies/body_id.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"

namespace nowait {

class ScriptQueries {
 public:
  virtual ~ScriptQueries() = default;
  // The fraction of the ray at which it first meets a body.
  virtual std::optional<float> CastRay(std::uint32_t worker, Vec3 from, Vec3 to) = 0;
  // The number of bodies whose boxes overlap `box`.
  virtual std::uint32_t CountIn(std::uint32_t worker, const Bounds<3>& box) = 0;
  // Metres from the point to the nearest box of a body; nothing if it is farther than `reach`.
  virtual std::optional<float> Nearest(std::uint32_t worker, Vec3 point, float reach) = 0;
};

class WorldQueries final : public ScriptQueries {
 public:
  // rays: the bodies that CastRay considers; boxes: those of CountIn and Nearest. The world must
  // outlive this.
  WorldQueries(const World& world, std::uint32_t workers, QueryFilter rays, QueryFilter boxes)
      : rays_(std::move(rays)), boxes_(std::move(boxes)) {
    for (std::uint32_t i = 0; i < workers; ++i) asking_.push_back({world.ReadNoLock(), {}, {}});
  }

  std::optional<float> CastRay(std::uint32_t worker, Vec3 from, Vec3 to) override {
    Asking& asking = asking_[worker];
    const auto hit = asking.view.CastRay({from, to - from}, rays_, asking.wait);
    if (!hit) return {};
    return hit->fraction;
  }
  std::uint32_t CountIn(std::uint32_t worker, const Bounds<3>& box) override {
    Asking& asking = asking_[worker];
    asking.view.FindInBox(box, boxes_, asking.found, asking.wait);
    return static_cast<std::uint32_t>(asking.found.size());
  }
  std::optional<float> Nearest(std::uint32_t worker, Vec3 point, float reach) override {
    Asking& asking = asking_[worker];
    const auto near = asking.view.FindNearest(point, reach, boxes_, asking.wait);
    if (!near) return {};
    return near->distance;
  }

 private:
  struct alignas(64) Asking {
    WorldView view;
    WaitTime wait;
    std::vector<BodyId> found;
  };
  const QueryFilter rays_;
  const QueryFilter boxes_;
  std::deque<Asking> asking_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_QUERIES_H_
