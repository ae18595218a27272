// Survey: a query that outlasts frames: the ground around the player, cell by cell.
//
// A cell is 12.8 m to a side. For each 0.4 m of it a capsule is let down from above, to see whether
// a character could stand there. All of a cell is looked at through one view, so that it is one
// moment's shape of the tree, while frames go on and tiles come and go.
//
// Thread safety: Slice by one thread at a time (background.h); LookAround by any thread; report
// after the last slice.
// Source: [rouwe2022], the navigation mesh job, which is such a query.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_SURVEY_H_
#define NOWAIT_SRC_APPS_OPENWORLD_SURVEY_H_

#include <cstdint>
#include <optional>

#include "src/math/vec3.h"
#include "src/streaming/streamer.h"
#include "src/sync/policy.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"
#include "src/world/world_view.h"

namespace nowait {

struct SurveyReport {
  std::uint64_t cells = 0;
  std::uint64_t places = 0;
  std::uint64_t walkable = 0;      // of these
  std::uint64_t longest_cell = 0;  // frames that began during it
  WaitTime wait;
};

class Survey {
 public:
  static constexpr float kCellSide = 12.8f;  // metres
  static constexpr std::uint32_t kRows = 32;

  Survey(const World& world, Streamer& streamer) : world_(world), streamer_(streamer) {}

  // Once a frame: the player is there.
  void LookAround(Vec3 player);
  // Some rows of a cell. False at its end.
  bool Slice();
  // Drops the view of a cell that is not finished. After the last slice, before the streamer stops.
  void End() { cell_.reset(); }

  const SurveyReport& report() const { return report_; }

 private:
  // The guard outlives the view.
  struct Cell {
    RetiredShapes::Guard guard;
    WorldView view;
    Vec3 corner;
    std::uint64_t begun;  // the frame
    std::uint32_t row = 0;
  };
  void BeginCell();
  bool IsWalkable(float x, float z);

  const World& world_;
  Streamer& streamer_;
  std::optional<Cell> cell_;
  std::uint32_t ring_ = 0;  // which cell around the player is next
  SurveyReport report_;
  EngineSync::mutex mutex_;  // what follows
  Vec3 player_;
  std::uint64_t frame_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_SURVEY_H_
