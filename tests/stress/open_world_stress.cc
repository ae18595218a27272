// A world in which everything happens at once, on eight threads, beside an oracle of what queries
// must and must not find (open_world_places.h, open_world_queries.h).
//
//   4 game threads      in turn with the physics update: add, move, remove, wake, stale ids,
//                       finalise and remove scenes, transfers between bodies under several locks,
//                       queries; while the update runs, those that do not run it query on
//   2 loading threads   prepare scenes, and abort some, throughout
//   2 readers           query throughout; each holds several views, for up to forty frames
//
// A thread's seed decides its actions, and not how threads meet. Plain data behind the
// promises (bodies, purses, scenes) makes ThreadSanitizer the second judge.
//
// It runs for a number of frames, or for NOWAIT_STRESS_SECONDS (./nowait test --stress-minutes).
// NOWAIT_STRESS_SEED repeats what the threads decide.
#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/bodies/body_locks.h"
#include "src/bodies/proxy_id.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/world/world.h"
#include "tests/jobs/make_pool.h"
#include "tests/stress/open_world_queries.h"
#include "tests/stress/open_world_scenes.h"

namespace nowait::open_world {
namespace {

constexpr std::uint32_t kFrames = 60;  // where no time is given
constexpr std::uint32_t kStepsPerFrame = 200;
constexpr std::uint32_t kReaders = 2;
constexpr std::uint32_t kScenesPerLoader = 4;
constexpr std::uint32_t kPurses = 48;
constexpr std::uint32_t kNever = ~0u;
constexpr float kDriftSpeed = 2.0f;

std::uint64_t FromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// The purses of the game's bodies, under locks of its own: money, which no thread makes.
class Purses {
 public:
  // From one of three bodies to the other two, which may share locks or be the same.
  void Transfer(Actor& actor) {
    actor.Does("Transfer");
    std::array<ProxyId, 3> ids;
    for (ProxyId& id : ids) id = ProxyId(actor.random.Below(kPurses), 0);
    const BodiesWriteScope scope(locks_, ids, actor.wait);
    money_[ids[0].slot()] -= 2;
    money_[ids[1].slot()] += 1;
    money_[ids[2].slot()] += 1;
    ++actor.counts.transfers;
  }
  void CheckSum(Actor& actor) {
    actor.Does("All body locks");
    const BodiesWriteScope scope = BodiesWriteScope::All(locks_, actor.wait);
    std::int64_t sum = 0;
    for (const std::int64_t money : money_) sum += money;
    if (sum != 0) actor.Fail("money is missing: " + std::to_string(sum));
  }
  void Look(Actor& actor) {
    actor.Does("Look at a purse");
    const ProxyId id(actor.random.Below(kPurses), 0);
    const BodyReadScope scope(locks_, id, actor.wait);
    const std::int64_t first = money_[id.slot()];
    if (money_[id.slot()] != first) actor.Fail("a purse changes under its lock");
  }

 private:
  BodyLocks locks_{16};
  std::array<std::int64_t, kPurses> money_{};
};

struct Shared {
  Shared(std::uint64_t seed, std::unique_ptr<World> made)
      : report(seed), world(std::move(made)), scenes(kLoaders * kScenesPerLoader) {
    for (std::uint32_t loader = 0; loader < kLoaders; ++loader) {
      const auto of_loader = places.Of(Role::kScene, loader);
      for (std::size_t i = 0; i < of_loader.size(); ++i) {
        Scene& scene = scenes[loader * kScenesPerLoader + i % kScenesPerLoader];
        scene.loader = loader;
        scene.places.push_back(of_loader[i]);
      }
    }
  }

  Report report;
  std::unique_ptr<World> world;
  Places places;
  Purses purses;
  std::deque<Scene> scenes;
  std::atomic<std::uint32_t> frame{0};
  std::atomic<bool> updating{false};
  std::atomic<bool> over{false};
  std::uint32_t fails_in =
      kNever;  // the frame in which game 1 reports a failure, to see how a run ends
};

// Bodies that a place's owner adds, moves and removes.
class Singles {
 public:
  Singles(Shared& shared, Actor& actor, std::uint32_t number)
      : shared_(shared), actor_(actor), mine_(shared.places.Of(Role::kSingle, number)) {}

  void Change() {
    const std::uint32_t i = mine_[actor_.random.Below(static_cast<std::uint32_t>(mine_.size()))];
    Place& place = shared_.places[i];
    shared_.places.Heat(i);
    if (!place.now().present()) return Add(i, place);
    switch (actor_.random.Below(4)) {
      case 0:
        return Remove(place);
      case 1:
        return Wake(place);
      default:
        return Move(place);
    }
  }

  // Ids of bodies that are gone are refused by everything.
  void UseStaleId() {
    if (gone_.empty()) return;
    const BodyId id = gone_[actor_.random.Below(static_cast<std::uint32_t>(gone_.size()))];
    actor_.Does("stale id " + std::to_string(id.bits()));
    World& world = *shared_.world;
    const auto is_stale = [&](const Result<void>& result) {
      if (result || result.error().code != ErrorCode::kStaleId) {
        actor_.Fail("body " + std::to_string(id.bits()) + " is gone and was changed");
      }
    };
    CheckGone(actor_, world, id);
    is_stale(world.MoveBody(id, {1, 1, 1}, {}, actor_.wait));
    is_stale(world.WakeBody(id, actor_.wait));
    is_stale(world.DestroyBody(id, actor_.wait));
  }

 private:
  void Add(std::uint32_t i, Place& place) {
    actor_.Does("CreateBody");
    const State before = place.now();
    const State next{State::kNotYetKnown, place.Somewhere(actor_.random)};
    place.Begin(next);
    const auto id = shared_.world->CreateBody(place.DefAt(next.position, i), actor_.wait);
    if (!id) {
      IsFull(actor_, id.error());
      return place.Undo(before);
    }
    place.Correct({id->bits(), next.position});
    place.End();
    ++actor_.counts.added;
    CheckMine(place);
  }
  void Remove(Place& place) {
    actor_.Does("DestroyBody");
    const State was = place.now();
    const BodyId id = BodyId::FromBits(was.id_bits);
    place.Begin({});
    const auto gone = shared_.world->DestroyBody(id, actor_.wait);
    place.End();
    if (!gone) actor_.Fail("refused: " + ToString(gone.error()));
    ++actor_.counts.removed;
    gone_.push_back(id);
    if (gone_.size() > 64) gone_.pop_front();  // long before the slot's generations repeat
    CheckGone(actor_, *shared_.world, id);
    if (IsFound(place, id, was)) {
      actor_.Fail("body " + std::to_string(id.bits()) + " is found by the thread that removed it");
    }
  }
  void Move(Place& place) {
    actor_.Does("MoveBody");
    State next = place.now();
    next.position = place.Somewhere(actor_.random);
    place.Begin(next);
    const auto moved =
        shared_.world->MoveBody(BodyId::FromBits(next.id_bits), next.position, {}, actor_.wait);
    place.End();
    if (!moved) actor_.Fail("refused: " + ToString(moved.error()));
    ++actor_.counts.moved;
    CheckMine(place);
  }
  void Wake(Place& place) {
    actor_.Does("WakeBody");
    const auto woken = shared_.world->WakeBody(BodyId::FromBits(place.now().id_bits), actor_.wait);
    if (!woken) actor_.Fail("refused: " + ToString(woken.error()));
  }
  // Nobody else changes it, so right after one's own change the answer is exact: in the storage,
  // and in the tree.
  void CheckMine(const Place& place) {
    const auto body = shared_.world->GetBody(BodyId::FromBits(place.now().id_bits), actor_.wait);
    if (!body || body->position != place.now().position) {
      actor_.Fail("body " + std::to_string(place.now().id_bits) +
                  " is not where its only owner has put it");
    }
    const BodyId id = BodyId::FromBits(place.now().id_bits);
    if (!IsFound(place, id, place.now())) {
      actor_.Fail("body " + std::to_string(id.bits()) +
                  " is not found by the thread that has just put it there");
    }
  }
  bool IsFound(const Place& place, BodyId id, const State& where) {
    shared_.world->Read().FindInBox(place.Sure(where), {}, found_, actor_.wait);
    return std::ranges::find(found_, id) != found_.end();
  }

  Shared& shared_;
  Actor& actor_;
  const std::vector<std::uint32_t> mine_;
  std::deque<BodyId> gone_;
  std::vector<BodyId> found_;
};

class Game {
 public:
  Game(Shared& shared, std::uint32_t number)
      : shared_(shared),
        actor_(shared.report, "game ", number),
        singles_(shared, actor_, number),
        queries_(*shared.world, shared.places, actor_) {}

  // One step of the game update.
  void Step() {
    const std::uint32_t what = actor_.random.Below(16);
    if (what < 7) return singles_.Change();
    if (what == 7) return singles_.UseStaleId();
    if (what < 10) return TouchScene();
    if (what == 10) return shared_.purses.Transfer(actor_);
    if (what == 11)
      return actor_.random.Below(16) == 0 ? shared_.purses.CheckSum(actor_)
                                          : shared_.purses.Look(actor_);
    queries_.Any(shared_.world->Read());
  }
  // One of a frame in which no thread changes anything.
  void StepStill() { queries_.Any(shared_.world->ReadNoLock()); }
  // While the physics update runs.
  void Query() { queries_.Any(shared_.world->Read()); }

  // Turns those that have drifted far enough.
  void TurnDrifters() {
    actor_.Does("SetVelocity");
    for (const std::uint32_t i : shared_.places.Of(Role::kDrifter)) {
      const Place& place = shared_.places[i];
      const BodyId id = BodyId::FromBits(place.now().id_bits);
      const auto body = shared_.world->GetBody(id, actor_.wait);
      if (!body || body->position != place.now().position) {
        return actor_.Fail(shared_.places.Words(i) + " is not where the update left it");
      }
      const float off = body->position.x - place.centre.x;
      if (std::abs(off) > kDrift) actor_.Fail(shared_.places.Words(i) + " has left its way");
      if (std::abs(off) < kDrift - 4.0f * kDriftSpeed / 30.0f && body->linear_velocity.x != 0.0f) {
        continue;
      }
      const Vec3 back{off > 0 ? -kDriftSpeed : kDriftSpeed, 0, 0};
      static_cast<void>(shared_.world->SetVelocity(id, back, {}, actor_.wait));
    }
  }
  Actor& actor() { return actor_; }

 private:
  void TouchScene() {
    Scene& scene =
        shared_.scenes[actor_.random.Below(static_cast<std::uint32_t>(shared_.scenes.size()))];
    if (scene.Claim(Scene::kPrepared)) {
      return FinaliseScene(actor_, *shared_.world, shared_.places, scene);
    }
    if (!scene.Claim(Scene::kLive)) return;
    if (actor_.random.Below(3) == 0) {
      return RemoveScene(actor_, *shared_.world, shared_.places, scene);
    }
    MoveInScene(actor_, *shared_.world, shared_.places, scene);
  }

  Shared& shared_;
  Actor actor_;
  Singles singles_;
  Queries queries_;
};

void Load(Shared& shared, std::uint32_t number) {
  Actor actor(shared.report, "loader ", kGames + number);
  while (!shared.over && !shared.report.failed()) {
    Scene& scene = shared.scenes[number * kScenesPerLoader + actor.random.Below(kScenesPerLoader)];
    if (scene.Claim(Scene::kEmpty)) {
      PrepareScene(actor, *shared.world, shared.places, scene);
    } else {
      std::this_thread::yield();
    }
  }
}

// Several views at once, some of them old.
void ReadOn(Shared& shared, std::uint32_t number) {
  struct Held {
    WorldView view;
    std::uint32_t until;
  };
  Actor actor(shared.report, "reader ", kGames + kLoaders + number);
  Queries queries(*shared.world, shared.places, actor);
  std::vector<Held> held;
  while (!shared.over && !shared.report.failed()) {
    std::erase_if(held, [&](const Held& one) { return shared.frame >= one.until; });
    if (held.size() < 3) {
      held.push_back({shared.world->Read(), shared.frame + actor.random.Below(40) + 1});
    }
    queries.Any(held[actor.random.Below(static_cast<std::uint32_t>(held.size()))].view);
  }
}

struct UpdateCounts {
  std::uint64_t steps = 0;
  std::uint64_t failed_rebuilds = 0;
  std::uint32_t most_held = 0;  // in a row
};

// The fourth part of a frame: the physics update, on the thread of game 0.
void Update(Shared& shared, Actor& actor, TaskPool& pool, UpdateCounts& counts) {
  actor.Does("Update");
  const auto drifters = shared.places.Of(Role::kDrifter);
  // Where they go is known only afterwards; until then, that it is not far.
  for (const std::uint32_t i : drifters) shared.places[i].Begin(shared.places[i].now());
  const Result<void> done = shared.world->Update(1.0f / 30.0f, pool, 1 + shared.frame % 2);
  if (!done) actor.Fail("refused: " + ToString(done.error()));
  for (const std::uint32_t i : drifters) {
    Place& place = shared.places[i];
    State state = place.now();
    const auto body = shared.world->GetBody(BodyId::FromBits(state.id_bits), actor.wait);
    if (!body || !place.MayBeAt(state, body->position)) {
      actor.Fail(shared.places.Words(i) + " was thrown off its way");
    } else {
      state.position = body->position;
    }
    place.Correct(state);
    place.End();
  }
  const UpdateStats& stats = shared.world->stats();
  counts.steps += stats.steps;
  counts.failed_rebuilds += stats.failed_rebuilds;
  counts.most_held = std::max(counts.most_held, stats.steps_held);
}

// The batches that no thread has finalised: they must not outlive the test, also one that fails.
void AbortBatches(Shared& shared) {
  for (Scene& scene : shared.scenes) {
    if (const auto aborted = shared.world->AbortBatch(scene.batch); !aborted) {
      shared.report.Fail("a batch at the end: refused: " + ToString(aborted.error()));
    }
  }
}

// Everybody at work until it is over, which a failure makes it: no thread begins another operation
// then, and no update follows. The oracle's states are those of the failure, and a world that has
// broken a promise may break any other.
void RunAll(Shared& shared, TaskPool& pool, UpdateCounts& updates) {
  const auto seconds = std::chrono::seconds(FromEnvironment("NOWAIT_STRESS_SECONDS", 0));
  const auto start = std::chrono::steady_clock::now();
  std::barrier frame(kGames);
  const auto play = [&](std::uint32_t number) {
    Game game(shared, number);
    while (!shared.over) {
      const bool still = shared.frame % 8 == 7;
      for (std::uint32_t i = 0; i < kStepsPerFrame && !shared.report.failed(); ++i) {
        still ? game.StepStill() : game.Step();
      }
      if (number == 1 && shared.frame == shared.fails_in) game.actor().Fail("on purpose");
      if (number == 0 && !still && !shared.report.failed()) game.TurnDrifters();
      if (number == 0) shared.updating = true;
      frame.arrive_and_wait();  // the game update ends
      if (number == 0) {
        if (!shared.report.failed()) Update(shared, game.actor(), pool, updates);
        const std::uint32_t frames = ++shared.frame;
        shared.over = shared.report.failed() ||
                      (seconds.count() > 0 ? std::chrono::steady_clock::now() - start >= seconds
                                           : frames >= kFrames);
        shared.updating = false;
      } else {
        while (shared.updating && !shared.report.failed()) game.Query();
      }
      frame.arrive_and_wait();  // the next one begins
    }
  };
  std::vector<std::jthread> threads;
  for (std::uint32_t i = 1; i < kGames; ++i) threads.emplace_back([&, i] { play(i); });
  for (std::uint32_t i = 0; i < kLoaders; ++i) threads.emplace_back([&, i] { Load(shared, i); });
  for (std::uint32_t i = 0; i < kReaders; ++i) threads.emplace_back([&, i] { ReadOn(shared, i); });
  play(0);
}

// Bodies that are there from the beginning to the end.
void AddLasting(Shared& shared) {
  Actor actor(shared.report, "main ", 63);
  for (const Role role : {Role::kWitness, Role::kDrifter}) {
    for (const std::uint32_t i : shared.places.Of(role)) {
      Place& place = shared.places[i];
      const Vec3 position = role == Role::kDrifter ? place.centre : place.Somewhere(actor.random);
      const auto id = shared.world->CreateBody(place.DefAt(position, i), actor.wait);
      REQUIRE(id);
      place.Begin({id->bits(), position});
      place.End();
    }
  }
}

WorldDef Small() {
  WorldDef def;
  def.max_bodies = 4096;
  def.body_locks = 16;
  return def;
}

// Its world and its batches can end in any configuration: a batch that is left asserts.
TEST_CASE("an open world ends in an orderly way at its first failure") {
  Shared shared(FromEnvironment("NOWAIT_STRESS_SEED", 20261), std::move(*World::Create(Small())));
  shared.fails_in = 3;
  const auto owned = MakePool({.workers = 1});
  const auto here = owned->Register("main");
  REQUIRE(here);
  AddLasting(shared);
  // One batch is left for certain.
  Actor loader(shared.report, "loader ", 63);
  REQUIRE(shared.scenes[0].Claim(Scene::kEmpty));
  while (shared.scenes[0].batch.empty()) {
    shared.scenes[0].stage = Scene::kBusy;
    PrepareScene(loader, *shared.world, shared.places, shared.scenes[0]);
  }
  shared.scenes[0].stage = Scene::kBusy;
  UpdateCounts updates;
  RunAll(shared, *owned, updates);
  CHECK_THAT(shared.report.failure(), Catch::Matchers::StartsWith("thread game 1, operation ") &&
                                          Catch::Matchers::Contains("on purpose; seed "));
  CHECK(shared.frame == 4);
  // Frames 0 to 2 have one step, two and one; the frame that fails has no update.
  CHECK(updates.steps == 4);
  CHECK(!shared.scenes[0].batch.empty());
  AbortBatches(shared);
  for (const Scene& scene : shared.scenes) CHECK(scene.batch.empty());
}

TEST_CASE("a world in which everything happens at once keeps its promises") {
  Shared shared(FromEnvironment("NOWAIT_STRESS_SEED", 20261), std::move(*World::Create(Small())));
  const auto owned = MakePool({.workers = 1});
  TaskPool& pool = *owned;
  const auto here = pool.Register("main");
  REQUIRE(here);
  AddLasting(shared);
  UpdateCounts updates;
  RunAll(shared, pool, updates);
  std::printf(
      "seed %llu, %u frames, %llu steps of physics (%llu without a rebuild, views held for "
      "up to %u): %s\n",
      static_cast<unsigned long long>(shared.report.seed()), shared.frame.load(),
      static_cast<unsigned long long>(updates.steps),
      static_cast<unsigned long long>(updates.failed_rebuilds), updates.most_held,
      shared.report.counts().Words().c_str());
  AbortBatches(shared);
  REQUIRE(shared.report.failure() == "");

  // The bodies that should be left are left, in the storage and in the tree.
  std::vector<BodyId> expected;
  for (std::uint32_t i = 0; i < kPlaces; ++i) {
    const State& state = shared.places[i].now();
    if (state.present()) expected.push_back(BodyId::FromBits(state.id_bits));
  }
  std::sort(expected.begin(), expected.end());
  REQUIRE(shared.world->body_count() == expected.size());
  WaitTime wait;
  std::vector<BodyId> found;
  shared.world->Read().FindInBox(ToBounds({-100, -100, -100}, {200, 200, 200}), {}, found, wait);
  REQUIRE(found == expected);
  // With the views gone, so are the nodes that they kept.
  for (int i = 0; i < 4; ++i) REQUIRE(shared.world->Update(1.0f / 30.0f, pool));
  REQUIRE(shared.world->stats().waiting_nodes == 0);

  // And all of it has been looked at.
  const Counts counts = shared.report.counts();
  REQUIRE(counts.had_to_be_found > 1000);
  REQUIRE(counts.must_not_be_found > 1000);
  REQUIRE(counts.changed_meanwhile > 0);
  REQUIRE(counts.stale_ids > 0);
  REQUIRE(counts.batches_finalised > 0);
  REQUIRE(counts.batches_aborted > 0);
  REQUIRE(counts.transfers > 0);
}

}  // namespace
}  // namespace nowait::open_world
