// Frames like the engine's: game threads change bodies and query at once, then a physics update
// rebuilds, swaps and moves bodies, while a loading thread prepares batches and background threads
// query through it all, one of them holding single queries open across frames.
//
// Every body keeps to a lane of its own, so each query has an exact answer: a query of lane L may
// report the body of L and no other, must report it if the body was there throughout, and exactly
// once.
#include <atomic>
#include <barrier>
#include <catch2/catch.hpp>
#include <mutex>
#include <thread>
#include <vector>

#include "src/broadphase/broad_phase.h"
#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

constexpr std::uint32_t kGameThreads = 3;
constexpr std::uint32_t kFrames = 60;
constexpr std::uint32_t kStepsPerFrame = 60;
constexpr std::uint32_t kWitnesses = 40;  // bodies that nobody ever touches, lanes from 0
constexpr std::uint32_t kOwned = 60;      // bodies of each game thread, lanes after those
constexpr std::uint32_t kLoaded = 20;     // bodies in a batch of the loading thread
constexpr std::uint32_t kFirstOwned = kWitnesses;
constexpr std::uint32_t kFirstLoaded = kFirstOwned + kGameThreads * kOwned;
constexpr std::uint32_t kLanes = kFirstLoaded + kLoaded;

Box InLane(std::uint32_t lane, float x) { return Cube(x, 10.0f * static_cast<float>(lane), 0, 2); }
Box WholeLane(std::uint32_t lane) {
  Box box = InLane(lane, 0);
  box.min[0] = -1000;
  box.max[0] = 1000;
  return box;
}
Layer LayerOf(std::uint32_t lane) { return lane % 3 == 0 ? Layer::kStatic : Layer::kDynamic; }

// Catch2's assertions are for one thread; the others count.
class Verdict {
 public:
  void Check(bool ok, int line) {
    int none = 0;
    if (!ok) first_line_.compare_exchange_strong(none, line);
  }
  int first_line() const { return first_line_; }

 private:
  std::atomic<int> first_line_{0};
};
#define CHECK_THAT_IT(verdict, condition) (verdict).Check((condition), __LINE__)

struct World {
  explicit World(RebuildPolicy dynamic)
      : broad_phase(std::move(*BroadPhase::Create(Def(dynamic)))) {}

  // A reader keeps the nodes of its frame for as long as it lingers, and how long that is depends
  // on when it gets a core. So there are nodes for a reader that stays all the time: in each frame
  // every step may attach a new root, or a staging tree under it, and the rebuild makes both trees
  // anew.
  static BroadPhaseDef Def(RebuildPolicy dynamic) {
    BroadPhaseDef def = BroadPhaseDef::ForBodies(kLanes);
    def.rebuild[IndexOf(Layer::kDynamic)] = dynamic;
    def.max_nodes += kFrames * 2 * (kGameThreads * kStepsPerFrame + kLanes);
    return def;
  }

  // The reports of one query of a lane, by the reader of `view`.
  std::vector<ProxyId> Query(const BroadPhase::View& view, std::uint32_t lane) {
    std::vector<ProxyId> found;
    view.QueryBox(WholeLane(lane), [&](ProxyId id) {
      found.push_back(id);
      return true;
    });
    for (ProxyId id : found) CHECK_THAT_IT(verdict, id.slot() == lane);
    return found;
  }
  std::vector<ProxyId> QueryByRay(const BroadPhase::View& view, std::uint32_t lane) {
    std::vector<ProxyId> found;
    const float y = 10.0f * static_cast<float>(lane);
    view.QueryRay({{-1000, y, 0}, {2000, 0, 0}}, [&](ProxyId id, float max_fraction) {
      found.push_back(id);
      return max_fraction;
    });
    for (ProxyId id : found) CHECK_THAT_IT(verdict, id.slot() == lane);
    return found;
  }

  std::unique_ptr<BroadPhase> broad_phase;
  Verdict verdict;
  std::atomic<std::uint32_t> frame{0};
  std::atomic<bool> over{false};

  std::mutex loaded_mutex;
  std::vector<BroadPhase::Batch> loaded;  // from the loading thread to a game thread
  std::atomic<bool> batch_wanted{true};
};

// One game thread's bodies and what it does with them.
class Game {
 public:
  Game(World& world, std::uint32_t number)
      : world_(world), random_(number + 1), first_(kFirstOwned + number * kOwned), ids_(kOwned) {}

  void Step() {
    BroadPhase& broad_phase = *world_.broad_phase;
    const std::uint32_t i = random_.Below(kOwned);
    const std::uint32_t lane = first_ + i;
    const float x = random_.Number(-900, 900);
    if (!ids_[i].valid()) {
      ids_[i] = ProxyId(lane, ++generation_);
      CHECK_THAT_IT(world_.verdict,
                    broad_phase.Insert(ids_[i], LayerOf(lane), InLane(lane, x)).has_value());
    } else if (random_.Below(3) == 0) {
      broad_phase.Remove(ids_[i], LayerOf(lane));
      ids_[i] = ProxyId();
    } else {
      CHECK_THAT_IT(world_.verdict,
                    broad_phase.Move(ids_[i], LayerOf(lane), InLane(lane, x)).has_value());
    }
    // Right after one's own change the answer is exact.
    const BroadPhase::View view = broad_phase.Read();
    std::vector<ProxyId> expected;
    if (ids_[i].valid()) expected = {ids_[i]};
    CHECK_THAT_IT(world_.verdict, world_.Query(view, lane) == expected);
    CHECK_THAT_IT(world_.verdict, world_.QueryByRay(view, lane) == expected);
    // Somebody else's lane, perhaps in the middle of a change.
    world_.Query(view, random_.Below(kLanes));
    const std::uint32_t witness = random_.Below(kWitnesses);
    CHECK_THAT_IT(world_.verdict, world_.Query(view, witness) == std::vector{ProxyId(witness, 0)});
  }

  // Takes a prepared batch into the world, moves and removes its bodies, and asks for another.
  void TakeBatch() {
    std::vector<BroadPhase::Batch> batches;
    {
      const std::lock_guard lock(world_.loaded_mutex);
      batches.swap(world_.loaded);
    }
    BroadPhase& broad_phase = *world_.broad_phase;
    for (BroadPhase::Batch& batch : batches) {
      broad_phase.Finalise(std::move(batch));
      const BroadPhase::View view = broad_phase.Read();
      for (std::uint32_t lane = kFirstLoaded; lane < kLanes; ++lane) {
        const ProxyId id(lane, 0);
        CHECK_THAT_IT(world_.verdict, world_.Query(view, lane) == std::vector{id});
        CHECK_THAT_IT(world_.verdict,
                      broad_phase.Move(id, Layer::kStatic, InLane(lane, 500)).has_value());
        CHECK_THAT_IT(world_.verdict, world_.Query(view, lane) == std::vector{id});
        broad_phase.Remove(id, Layer::kStatic);
        CHECK_THAT_IT(world_.verdict, world_.Query(view, lane).empty());
      }
      world_.batch_wanted = true;
    }
  }

  // For the physics update, which moves everybody's bodies.
  void MoveAll(float x) {
    for (std::uint32_t i = 0; i < kOwned; ++i) {
      const std::uint32_t lane = first_ + i;
      if (!ids_[i].valid()) continue;
      CHECK_THAT_IT(world_.verdict,
                    world_.broad_phase->Move(ids_[i], LayerOf(lane), InLane(lane, x)).has_value());
    }
  }

 private:
  World& world_;
  RandomBoxes random_;
  const std::uint32_t first_;
  std::vector<ProxyId> ids_;
  std::uint32_t generation_ = 0;
};

void Load(World& world) {
  while (!world.over) {
    if (!world.batch_wanted.exchange(false)) {
      std::this_thread::yield();
      continue;
    }
    std::vector<BroadPhase::Entry> entries;
    for (std::uint32_t lane = kFirstLoaded; lane < kLanes; ++lane) {
      entries.push_back({ProxyId(lane, 0), InLane(lane, 0)});
    }
    // One for nothing, one for the game.
    CHECK_THAT_IT(world.verdict, world.broad_phase->Prepare(Layer::kStatic, entries).has_value());
    auto batch = world.broad_phase->Prepare(Layer::kStatic, entries);
    CHECK_THAT_IT(world.verdict, batch.has_value());
    if (!batch) return;
    const std::lock_guard lock(world.loaded_mutex);
    world.loaded.push_back(std::move(*batch));
  }
}

// Queries the witnesses, and stays in the middle of every query for two frames.
void ReadAcrossFrames(World& world) {
  while (!world.over) {
    const BroadPhase::View view = world.broad_phase->Read();
    const Box all = {{-1000, -5, -2}, {1000, 10.0f * kWitnesses - 5, 2}};
    std::vector<ProxyId> found;
    view.QueryBox(all, [&](ProxyId id) {
      if (found.size() % 20 == 0) {
        const std::uint32_t frame = world.frame;
        while (world.frame < frame + 2 && !world.over) std::this_thread::yield();
      }
      found.push_back(id);
      return true;
    });
    std::sort(found.begin(), found.end());
    CHECK_THAT_IT(world.verdict, found.size() == kWitnesses);
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      CHECK_THAT_IT(world.verdict, found[i] == ProxyId(i, 0));
    }
  }
}

void ReadAllTheTime(World& world) {
  std::uint32_t lane = 0;
  while (!world.over) {
    const BroadPhase::View view = world.broad_phase->Read();
    for (int i = 0; i < 10; ++i) {
      lane = (lane + 7) % kLanes;
      const std::vector<ProxyId> found = world.Query(view, lane);
      if (lane < kWitnesses) CHECK_THAT_IT(world.verdict, found == std::vector{ProxyId(lane, 0)});
    }
  }
}

TEST_CASE(
    "threads that change, query, load, rebuild or refit, and linger at once find what they must") {
  World world(GENERATE(RebuildPolicy::kByTurns, RebuildPolicy::kRefit));
  std::vector<BroadPhase::Entry> witnesses[kLayerCount];
  for (std::uint32_t lane = 0; lane < kWitnesses; ++lane) {
    witnesses[static_cast<std::size_t>(LayerOf(lane))].push_back(
        {ProxyId(lane, 0), InLane(lane, 0)});
  }
  for (Layer layer : {Layer::kStatic, Layer::kDynamic}) {
    auto batch = world.broad_phase->Prepare(layer, witnesses[static_cast<std::size_t>(layer)]);
    REQUIRE(batch.has_value());
    world.broad_phase->Finalise(std::move(*batch));
  }

  std::vector<Game> games;
  for (std::uint32_t i = 0; i < kGameThreads; ++i) games.emplace_back(world, i);
  std::barrier phase(kGameThreads + 1);
  {
    std::vector<std::jthread> threads;
    threads.emplace_back([&] { Load(world); });
    threads.emplace_back([&] { ReadAcrossFrames(world); });
    threads.emplace_back([&] { ReadAllTheTime(world); });
    for (std::uint32_t i = 0; i < kGameThreads; ++i) {
      threads.emplace_back([&, i] {
        for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
          phase.arrive_and_wait();  // the game update begins
          for (std::uint32_t step = 0; step < kStepsPerFrame; ++step) games[i].Step();
          if (i == frame % kGameThreads) games[i].TakeBatch();
          phase.arrive_and_wait();  // and ends
        }
      });
    }
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
      phase.arrive_and_wait();
      phase.arrive_and_wait();
      CHECK_THAT_IT(world.verdict, world.broad_phase->Rebuild().has_value());
      world.broad_phase->Swap();
      for (Game& game : games) game.MoveAll(static_cast<float>(frame));
      ++world.frame;
    }
    world.over = true;
  }
  CAPTURE(world.verdict.first_line());  // in this file
  REQUIRE(world.verdict.first_line() == 0);
}

// A loading thread that finds no node reclaims by itself, so the update's own reclaiming often
// finds somebody at it. That says nothing of the view that is held all the time.
TEST_CASE("a leaked view is reported, though others reclaim at the same time") {
  BroadPhaseDef def = BroadPhaseDef::ForBodies(100);
  def.max_nodes = 30;
  const auto broad_phase = std::move(*BroadPhase::Create(def));
  const BroadPhase::View leaked = broad_phase->Read();
  std::vector<BroadPhase::Batch> taken;
  const auto take_one = [&](std::uint32_t body) {
    return broad_phase->Prepare(Layer::kStatic, {{{ProxyId(body, 0), InLane(body, 0)}}});
  };
  for (std::uint32_t body = 0; body < 90; ++body) {
    if (auto batch = take_one(body)) taken.push_back(std::move(*batch));
  }
  REQUIRE(taken.size() < 90);
  for (int update = 0; update < 3; ++update) broad_phase->Swap();
  std::uint32_t last = broad_phase->waiting_nodes().updates;
  REQUIRE(last > 0);
  std::atomic<bool> over{false};
  std::atomic<std::uint32_t> refused{0};
  std::uint32_t fell = 0;
  {
    std::vector<std::jthread> loading;
    for (std::uint32_t body = 90; body < 92; ++body) {
      loading.emplace_back([&, body] {
        while (!over) refused += take_one(body) ? 0 : 1;
      });
    }
    for (std::uint32_t update = 0; update < 200'000 || refused < 200'000; ++update) {
      broad_phase->Swap();
      const std::uint32_t held = broad_phase->waiting_nodes().updates;
      fell += held < last ? 1 : 0;
      last = held;
    }
    over = true;
  }
  CAPTURE(refused.load(), last);
  REQUIRE(fell == 0);
}

}  // namespace
}  // namespace nowait
