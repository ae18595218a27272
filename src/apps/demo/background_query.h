// BackgroundQuery: one long query that runs across frames, beside updates of either kind.
//
// It looks at the whole ground, cell by cell, for places where something could walk: a ray from
// above finds the ground, a box on it finds no body, and the slope is not too steep. One pass keeps
// one view of the broad phase from its first cell to its last, over as many frames as that takes;
// nobody waits for it, and old tree nodes are kept for it. The talk's navigation mesh job is of
// this kind.
//
// Thread safety: BeginFrame and the report from one thread; the report after Stop.
// Blocking: Stop waits for the row of cells that is being looked at.
#ifndef NOWAIT_SRC_APPS_DEMO_BACKGROUND_QUERY_H_
#define NOWAIT_SRC_APPS_DEMO_BACKGROUND_QUERY_H_

#include <cstdint>
#include <vector>

#include "src/apps/demo/scene.h"
#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"
#include "src/world/world_view.h"

namespace nowait {

struct BackgroundReport {
  std::uint64_t passes = 0;            // finished ones
  std::uint64_t frames_of_passes = 0;  // frames that began during them, added up
  std::uint64_t longest_pass = 0;      // in frames
  std::uint64_t cells = 0;             // looked at in the last finished pass
  std::uint64_t walkable = 0;          // of them
  WaitTime wait;
};

class BackgroundQuery {
 public:
  // The world and the ground must outlive this. lane: where it is measured; may be null.
  BackgroundQuery(World& world, const Ground& ground, Lane* lane)
      : world_(world), ground_(ground), lane_(lane) {}
  ~BackgroundQuery() { Stop(); }

  BackgroundQuery(const BackgroundQuery&) = delete;
  BackgroundQuery& operator=(const BackgroundQuery&) = delete;

  // Once. kCapacity "threads".
  Result<void> Start();

  // Tells it that another frame begins, for the report.
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
  std::vector<BodyId> found_;
  EngineSync::mutex mutex_;  // what follows
  std::uint64_t frame_ = 0;
  bool stopping_ = false;

  EngineSync::thread thread_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_BACKGROUND_QUERY_H_
