// Play: a world with a streamer on a pool, and the updates of both, for tests.
//
// Thread safety: one thread, which is the pool's main thread.
#ifndef NOWAIT_TESTS_STREAMING_PLAY_H_
#define NOWAIT_TESTS_STREAMING_PLAY_H_

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/streaming/streamer.h"
#include "src/world/world.h"
#include "tests/streaming/small_world.h"

namespace nowait {

inline WorldDef WorldOf(std::uint32_t bodies) {
  WorldDef def;
  def.max_bodies = bodies;
  def.max_contacts = 4 * bodies;
  return def;
}

struct PlayDef {
  std::optional<std::uint32_t> replay = {};
  std::uint32_t workers = 1;
  Parcel::ReadFunction read = &ReadParcelFile;
  std::uint32_t bodies = 8192;
  std::uint32_t removals_per_update = StreamerDef{}.removals_per_update;
};

class Play {
 public:
  explicit Play(const SmallWorld& small, const PlayDef& play = {}) {
    auto pool =
        TaskPool::Create({.main_threads = {"main"}, .devices = {"disk"}, .workers = play.workers});
    REQUIRE(pool);
    pool_ = *std::move(pool);
    auto here = pool_->Register("main");
    REQUIRE(here);
    here_.emplace(*std::move(here));
    auto world = World::Create(WorldOf(play.bodies));
    REQUIRE(world);
    world_ = *std::move(world);
    StreamerDef def;
    def.folder = small.folder.path();
    def.index = small.index;
    def.replay = play.replay;
    def.read = play.read;
    def.removals_per_update = play.removals_per_update;
    auto streamer = Streamer::Create(def, *pool_, *world_);
    REQUIRE(streamer);
    streamer_ = *std::move(streamer);
  }
  ~Play() {
    CHECK(streamer_->Stop());
    world_.reset();  // before the shapes
    streamer_.reset();
  }

  void Update(const PlayerMotion& motion, bool physics = true) {
    // Asked once a round: the load may be complete the next time, and no task is due then.
    for (TaskId due = streamer_->Due(); due.IsTask(); due = streamer_->Due()) {
      ++waits_;
      REQUIRE(pool_->Wait(due));
    }
    WaitTime wait;
    REQUIRE(streamer_->Update(motion, wait));
    for (const StreamEvent& event : streamer_->events()) events_.push_back(event);
    if (physics) REQUIRE(world_->Update(1.0f / 30, *pool_, 1));
  }
  // Updates, until nothing has loaded and left for a while. Help is what loads where no worker is.
  void Settle(const PlayerMotion& motion) {
    for (int quiet = 0; quiet < 3;) {
      Update(motion, false);
      REQUIRE(pool_->DoWorkWhileWaitingFor([&] { return true; }));
      const bool changes = Count(ParcelState::kLoading) + Count(ParcelState::kLeaving) > 0 ||
                           !streamer_->events().empty();
      quiet = changes ? 0 : quiet + 1;
    }
  }
  std::size_t Count(ParcelState state) const {
    std::size_t count = 0;
    for (std::int32_t row = 0; row < 8; ++row) {
      for (std::int32_t column = 0; column < 10; ++column) {
        if (streamer_->StateOf(TileCoord{column, row}) == state) ++count;
      }
    }
    for (std::uint32_t i = 0; i < streamer_->index().scenes.size(); ++i) {
      if (streamer_->StateOf(SceneNumber{i}) == state) ++count;
    }
    return count;
  }
  std::size_t Said(StreamEvent::Kind kind) const {
    return static_cast<std::size_t>(std::count_if(
        events_.begin(), events_.end(), [kind](const auto& event) { return event.kind == kind; }));
  }

  TaskPool& pool() { return *pool_; }
  World& world() { return *world_; }
  Streamer& streamer() { return *streamer_; }
  const std::vector<StreamEvent>& events() const { return events_; }
  std::uint64_t waits() const { return waits_; }  // for a load of a replay

 private:
  std::unique_ptr<TaskPool> pool_;
  std::optional<TaskPool::Registration> here_;
  std::unique_ptr<Streamer> streamer_;
  std::unique_ptr<World> world_;
  std::vector<StreamEvent> events_;
  std::uint64_t waits_ = 0;
};

// Made once for all tests of a program.
inline const SmallWorld& Small() {
  static const SmallWorld small;
  return small;
}

inline constexpr PlayerMotion kWest{.x = 700, .z = 1000};
inline constexpr PlayerMotion kEast{.x = 1900, .z = 1000};

}  // namespace nowait

#endif  // NOWAIT_TESTS_STREAMING_PLAY_H_
