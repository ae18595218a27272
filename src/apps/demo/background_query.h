// BackgroundQuery: one long query that runs across frames, beside updates of either kind.
//
// It looks at the whole ground, cell by cell, for places where a character could walk: a capsule
// that is let down from above finds the ground, no body is close to it there, and the slope is not
// too steep. One pass keeps
// one view of the broad phase from its first cell to its last, over as many frames as that takes;
// no thread waits for it, and old tree nodes are kept for it. The navigation mesh job of
// [rouwe2022] is of this kind.
//
// Thread safety: BeginFrame and the report from one thread; the report after Stop.
// Blocking: Stop waits for the row of cells in progress.
#ifndef NOWAIT_SRC_APPS_DEMO_BACKGROUND_QUERY_H_
#define NOWAIT_SRC_APPS_DEMO_BACKGROUND_QUERY_H_

#include <cstdint>

#include "src/apps/demo/scene.h"
#include "src/base/result.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"
#include "src/world/world_view.h"

namespace nowait {

struct BackgroundReport {
  std::uint64_t passes = 0;            // finished ones
  std::uint64_t frames_of_passes = 0;  // frames that began during them, summed
  std::uint64_t longest_pass = 0;      // in frames
  std::uint64_t cells = 0;             // examined in the last finished pass
  std::uint64_t walkable = 0;          // of these
  WaitTime wait;
};

class BackgroundQuery {
 public:
  // The world and the ground must outlive this. lane: the profile's lane of its thread; may be
  // null.
  BackgroundQuery(World& world, const Ground& ground, Lane* lane)
      : world_(world), ground_(ground), lane_(lane) {}
  ~BackgroundQuery() { Stop(); }

  BackgroundQuery(const BackgroundQuery&) = delete;
  BackgroundQuery& operator=(const BackgroundQuery&) = delete;

  // Called once. kCapacity "threads".
  Result<void> Start();

  // Counts a frame that begins, for the report.
  void BeginFrame();

  void Stop();
  const BackgroundReport& report() const { return report_; }

 private:
  std::uint64_t Frame();
  bool Stopping();
  void Work();
  // False when it was stopped half-way.
  bool Pass();
  bool IsWalkable(const WorldView& view, float x, float z);

  World& world_;
  const Ground& ground_;
  Lane* const lane_;
  BackgroundReport report_;
  EngineSync::mutex mutex_;  // what follows
  std::uint64_t frame_ = 0;
  bool stopping_ = false;

  EngineSync::thread thread_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_BACKGROUND_QUERY_H_
