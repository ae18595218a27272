// Survey: a query that outlasts frames: the ground around the player, cell by cell.
//
// A cell is 12.8 m to a side. For each 0.4 m of it a capsule is let down from above, to see whether
// a character could stand there. Ground is a static body: no body that moves, no rider (folk.h) and
// not the player. All of a cell is looked at through one view, so that it is one moment's shape of
// the tree, while frames go on and tiles come and go.
//
// Thread safety: Slice by one thread at a time (background.h); LookAround by any thread; report
// after the last slice.
// Test: tests/apps/openworld/survey_test.cc.
// Source: [rouwe2022], the navigation mesh job, which is such a query.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_SURVEY_H_
#define NOWAIT_SRC_APPS_OPENWORLD_SURVEY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "src/bodies/body_id.h"
#include "src/bodies/layers.h"
#include "src/math/vec3.h"
#include "src/streaming/retired_shapes.h"
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

  using Pin = std::function<RetiredShapes::Guard()>;

  // pin: for the shapes that a cell may look at. player: its body.
  Survey(const World& world, Pin pin, BodyId player)
      : world_(world),
        pin_(std::move(pin)),
        ground_({.dynamics = false, .ignore = player, .layers = {Layer::kStatic}}) {}

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
  const Pin pin_;
  const QueryFilter ground_;
  std::optional<Cell> cell_;
  std::uint32_t ring_ = 0;  // which cell around the player is next
  SurveyReport report_;
  EngineSync::mutex mutex_;  // what follows
  Vec3 player_;
  std::uint64_t frame_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_SURVEY_H_
