// GameThreads: a stand-in for a game that uses the world from several threads between updates.
//
// Each thread owns some movers, static spheres that circle above the ground: in every game update
// it moves them and casts rays from them, downwards and to the sides. From time to time it drops a
// batch of crates in a corner of the ground, and it removes each batch after its lifetime. So rays,
// moves, insertions and removals of all threads overlap: the broad phase is made for this.
//
// Game objects (src/game/object_table.h): each mover has one, a scout, which its thread writes and
// all threads read, to count the scouts near their own. One more object, the score, is written by
// every thread in every update.
//
// The threads' bodies are a population of their own (Owner::kGameMover, kGameBatch), away from the
// middle of the ground where the scene's bodies come to rest.
//
// Thread safety: one thread calls Update. The reports are read while no Update runs.
// Blocking: Update returns when all threads have finished their part.
#ifndef NOWAIT_SRC_APPS_DEMO_GAME_THREADS_H_
#define NOWAIT_SRC_APPS_DEMO_GAME_THREADS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "src/apps/demo/scene.h"
#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/events/lanes.h"
#include "src/game/object_table.h"
#include "src/math/random.h"
#include "src/math/vec3.h"
#include "src/profile/profile.h"
#include "src/sync/barrier.h"
#include "src/sync/policy.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"
#include "src/world/world_batch.h"

namespace nowait {

// The counts of one thread.
struct GameReport {
  std::string name;
  std::uint64_t rays = 0;
  std::uint64_t hits = 0;
  std::uint64_t moved = 0;
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::uint64_t deferred = 0;  // insertions that found no tree nodes and were retried later
  std::uint64_t views = 0;     // of scouts
  std::uint64_t near = 0;      // scouts of other threads near its own
  std::uint64_t commits = 0;
  std::uint64_t commits_in_vain = 0;  // another thread's came first; tried again
  WaitTime wait;
  std::optional<Error> error;  // the first; the thread does nothing after it
};

struct Scout {
  Vec3 place;
  std::uint32_t frame = 0;
};

// Of all threads, all updates.
struct Score {
  std::uint64_t hits = 0;  // of rays
  std::uint64_t updates = 0;
};

class GameThreads {
 public:
  static constexpr std::uint32_t kMovers = 12;
  static constexpr std::uint32_t kCrates = 8;      // a batch
  static constexpr std::uint32_t kBatchEvery = 6;  // frames
  static constexpr std::uint32_t kBatchLife = 60;  // frames
  // The bodies that a thread can have in the world at once, including the batch that it is adding.
  static constexpr std::uint32_t kMaxBodies = kMovers + kCrates * (kBatchLife / kBatchEvery + 2);

  // When the system refuses a thread, error() reports it. profile: gets a lane a thread; null to
  // measure nothing. events: has a lane for each thread, which posts to the section with its
  // number. The world, the ground, the profile and the lanes must outlive this.
  GameThreads(std::uint32_t count, World& world, const Ground& ground, Profile* profile,
              EventLanes& events, std::uint64_t seed);
  ~GameThreads();

  GameThreads(const GameThreads&) = delete;
  GameThreads& operator=(const GameThreads&) = delete;

  // One game update on all threads.
  void Update(std::uint32_t frame);

  std::vector<GameReport> reports() const;
  // Between updates.
  Score score();
  // The first error of a thread, if there is one.
  std::optional<Error> error() const;

 private:
  struct Batch {
    std::vector<BodyId> bodies;
    std::uint32_t until;  // the frame in which it is removed
  };

  // The data of one thread; no other thread touches it during an update.
  struct alignas(64) Player {
    explicit Player(std::uint64_t seed) : random(seed) {}

    std::uint32_t index = 0;
    Lane* lane = nullptr;
    Random random;
    std::vector<BodyId> movers;
    std::vector<ObjectHandle> scouts;  // of the movers
    std::deque<Batch> batches;
    WorldBatch prepared;           // empty, or waiting to be inserted
    bool prepared_movers = false;  // otherwise crates
    GameReport report;
  };

  void Play(Player& player);
  Result<void> Turn(Player& player);
  Result<void> Prepare(Player& player);
  Result<void> Insert(Player& player, EventLanes::Section& events);
  Result<void> Move(Player& player);
  // Returns the rays that hit.
  std::uint64_t Look(Player& player, EventLanes::Section& events);
  Result<void> LookAround(Player& player);
  Result<void> CreateObjects();
  void RemoveBatches(Player& player, EventLanes::Section& events);
  std::vector<BodyDef> Movers(const Player& player) const;
  std::vector<BodyDef> Crates(Player& player) const;
  Vec3 PlaceOf(const Player& player, std::uint32_t mover) const;

  World& world_;
  const Ground& ground_;
  EventLanes& events_;
  ObjectTable<Scout> scouts_;
  ObjectTable<Score> score_;
  ObjectHandle score_handle_;
  std::deque<Player> players_;
  // Written by the thread that calls Update; the barrier orders it before the players.
  std::uint32_t frame_ = 0;
  bool closing_ = false;
  Barrier<> start_;
  Barrier<> end_;
  std::vector<EngineSync::thread> threads_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_GAME_THREADS_H_
