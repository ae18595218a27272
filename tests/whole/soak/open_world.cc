#include "tests/whole/soak/open_world.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/world/world.h"
#include "tests/jobs/make_pool.h"

namespace nowait::whole {
namespace {

constexpr std::uint32_t kGameThreads = 2;
constexpr std::uint32_t kTiles = 6;  // in the world at a time
constexpr std::uint32_t kTileBodies = 40;
constexpr std::uint32_t kAhead = 3;  // tiles that are ready at a time
constexpr std::uint32_t kFramesATile = 8;
constexpr std::uint32_t kOwn = 48;  // bodies of a game thread's own
constexpr std::uint32_t kTasks = 4;
constexpr std::uint32_t kViewFrames = 16;
constexpr std::uint32_t kStepsAFrame = 2;
// The bounds of open_world.h, in their order there.
constexpr std::uint32_t kMostFramesReady = kAhead * kFramesATile;
constexpr std::uint32_t kMostStepsHeld = kStepsAFrame * kViewFrames;
constexpr float kTileSide = 20.0f;

BodyDef GroundAt(float x) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Box({kTileSide / 2, 1.0f, kTileSide / 2});
  def.position = {x, -1.0f, 0.0f};
  return def;
}

BodyDef ThingAt(Random& random, Vec3 position) {
  BodyDef def;
  def.shape = random.Below(2) == 0
                  ? Shape::Sphere(random.Between(0.2f, 0.5f))
                  : Shape::Box(random.InBox({0.2f, 0.2f, 0.2f}, {0.5f, 0.5f, 0.5f}));
  def.position = position;
  def.linear_damping = 0.5f;
  return def;
}

}  // namespace

struct OpenWorld::Parts {
  Parts(std::uint64_t first_seed, std::uint32_t workers)
      : seed(first_seed),
        pool_made(MakePool({.workers = workers})),
        pool(*pool_made),
        here(*pool.Register("main")) {
    WorldDef def;
    def.max_bodies = 2 * (kTiles + kAhead + 2) * (kTileBodies + 1) + 2 * kGameThreads * kOwn;
    def.max_contacts = 32 * def.max_bodies;
    def.user_layers.push_back({.name = "debris"});
    def.rest.time = 0.2f;
    world = std::move(*World::Create(def));
    for (std::uint32_t i = 0; i < kGameThreads; ++i) games.emplace_back(seed + i);
  }

  struct Game {
    explicit Game(std::uint64_t seed) : random(seed) {}
    Random random;
    std::deque<BodyId> own;
    std::uint64_t changes = 0;
    std::uint64_t queries = 0;
    WaitTime wait;
  };

  void Fail(const std::string& what) {
    const std::scoped_lock lock(failure_mutex);
    if (failure.empty()) failure = what;
  }
  void MustBe(const Result<void>& result, const char* what) {
    if (!result) Fail(std::string(what) + ": " + ToString(result.error()));
  }

  Vec3 Somewhere(Random& random) const {
    const float x = kTileSide * static_cast<float>(first_tile.load(std::memory_order_relaxed));
    return random.InBox({x, 0.5f, -8.0f}, {x + kTileSide * kTiles, 6.0f, 8.0f});
  }

  // The loader: tiles in order, at most kAhead of them ready.
  void Load(const std::stop_token& stop) {
    Random random(seed * 31 + 7);
    while (!stop.stop_requested()) {
      {
        const std::scoped_lock lock(ready_mutex);
        if (ready.size() >= kAhead) {
          // It comes back soon: the game takes one in some frames.
          std::this_thread::yield();
          continue;
        }
      }
      const float x = kTileSide * (static_cast<float>(next_tile) + 0.5f);
      std::vector<BodyDef> defs = {GroundAt(x)};
      for (std::uint32_t i = 0; i < kTileBodies; ++i) {
        defs.push_back(ThingAt(random, random.InBox({x - 9, 0.5f, -8}, {x + 9, 4, 8})));
        if (i % 5 == 0) defs.back().layer = UserLayer(0);
      }
      auto batch = world->PrepareBatch(defs);
      if (!batch) {
        Fail("PrepareBatch: " + ToString(batch.error()));
        return;
      }
      if (random.Below(8) == 0) {
        if (auto aborted = world->AbortBatch(*batch); !aborted) {
          Fail("AbortBatch: " + ToString(aborted.error()));
        }
        continue;
      }
      ++next_tile;
      const std::scoped_lock lock(ready_mutex);
      ready.push_back({std::move(*batch), frame.load(std::memory_order_relaxed)});
    }
  }

  void Read(const std::stop_token& stop) {
    Random random(seed * 17 + 3);
    WaitTime wait;
    std::vector<BodyId> found;
    while (!stop.stop_requested()) {
      const std::uint32_t until =
          frame.load(std::memory_order_relaxed) + 1 + random.Below(kViewFrames);
      view_until.store(until, std::memory_order_relaxed);
      {
        const WorldView view = world->Read();
        do {
          Look(view, random, found, wait);
          reader_queries.fetch_add(1, std::memory_order_relaxed);
        } while (!stop.stop_requested() && frame.load(std::memory_order_relaxed) < until);
      }
      // release: pairs with the acquire in AwaitOverdueView.
      view_until.store(kNoView, std::memory_order_release);
    }
  }

  // How long a reader is stopped is the machine's matter, and how long the world keeps what a view
  // that is gone has held is the world's: so the frame waits for a reader that is late.
  void AwaitOverdueView() const {
    // acquire: pairs with the release in Read.
    while (view_until.load(std::memory_order_acquire) <= frame.load(std::memory_order_relaxed)) {
      std::this_thread::yield();
    }
  }

  void Look(const WorldView& view, Random& random, std::vector<BodyId>& found, WaitTime& wait) {
    const float x = random.Between(-10.0f, 10.0f) +
                    kTileSide * static_cast<float>(first_tile.load(std::memory_order_relaxed));
    switch (random.Below(3)) {
      case 0:
        view.FindInBox(ToBounds({x, -2, -9}, {x + 40, 9, 9}), {}, found, wait);
        break;
      case 1:
        static_cast<void>(view.CastRay({{x, 20, 0}, {3, -30, 1}}, {}, wait));
        break;
      default:
        static_cast<void>(view.FindNearest({x, 1, 0}, 30.0f, {}, wait));
        break;
    }
  }

  // Each eighth frame the player is a tile further: the next tile comes, the last one goes.
  void Stream(Game& game) {
    const std::uint32_t now = frame.load(std::memory_order_relaxed);
    std::optional<WorldBatch> batch;
    {
      const std::scoped_lock lock(ready_mutex);
      if (ready.empty()) return;
      const std::uint32_t waited = now - ready.front().since;
      counts.frames_ready = std::max(counts.frames_ready, waited);
      if (waited > kMostFramesReady) Fail("a tile that is ready waits to be finalised");
      if (now % kFramesATile != 0) return;
      batch.emplace(std::move(ready.front().batch));
      ready.pop_front();
    }
    auto ids = world->FinaliseBatch(*batch, game.wait);
    if (!ids) return Fail("FinaliseBatch: " + ToString(ids.error()));
    for (const BodyId id : *ids) {
      if (!world->GetBody(id, game.wait)) Fail("a body of a finalised tile is not there");
    }
    tiles.push_back({ids->begin(), ids->end()});
    ++counts.tiles;
    if (tiles.size() <= kTiles) return;
    const auto& last = tiles.front();
    if (world->RemoveBodies(last, game.wait) != last.size()) Fail("bodies of a tile were gone");
    tiles.pop_front();
    first_tile.fetch_add(1, std::memory_order_relaxed);
  }

  void Change(Game& game) {
    for (int i = 0; i < 8; ++i) {
      ++game.changes;
      const bool is_full = game.own.size() == kOwn;
      switch (game.own.empty() ? 0 : game.random.Below(6)) {
        case 0:
        case 1:
          if (is_full) break;
          if (auto id =
                  world->CreateBody(ThingAt(game.random, Somewhere(game.random)), game.wait)) {
            game.own.push_back(*id);
          } else {
            Fail("CreateBody: " + ToString(id.error()));
          }
          break;
        case 2:
          MustBe(world->DestroyBody(game.own.front(), game.wait), "DestroyBody");
          game.own.pop_front();
          break;
        case 3:
          MustBe(world->MoveBody(game.own.back(), Somewhere(game.random), {}, game.wait),
                 "MoveBody");
          break;
        case 4:
          MustBe(world->SetVelocity(game.own.back(), {2, 3, 0}, {}, game.wait), "SetVelocity");
          break;
        default:
          MustBe(world->WakeBody(game.own.front(), game.wait), "WakeBody");
          break;
      }
    }
  }

  struct Task {
    Parts* parts = nullptr;
    std::uint64_t seed = 0;
    std::uint32_t runs = 0;
    static void Work(void* data) {
      auto& task = *static_cast<Task*>(data);
      Random random(task.seed);
      WaitTime wait;
      std::vector<BodyId> found;
      const WorldView view = task.parts->world->Read();
      for (int i = 0; i < 4; ++i) task.parts->Look(view, random, found, wait);
      ++task.runs;
    }
  };

  void Update() {
    std::array<Task, kTasks> tasks;
    std::vector<TaskId> made;
    for (Task& task : tasks) {
      task.parts = this;
      task.seed = ++task_seed;
      const auto id = pool.Add({.work = {&Task::Work, &task}});
      if (!id || !pool.Submit(*id)) return Fail("a task was refused");
      made.push_back(*id);
    }
    MustBe(world->Update(1.0f / 30.0f, pool, kStepsAFrame), "Update");
    for (const TaskId id : made) MustBe(pool.Wait(id), "Wait");
    for (const Task& task : tasks) {
      if (task.runs != 1) Fail("a task beside an update did not run once");
      counts.queries += 4;
    }
    CheckBounds(world->stats());
    ++counts.frames;
    frame.fetch_add(1, std::memory_order_relaxed);
  }

  void CheckBounds(const UpdateStats& stats) {
    counts.bodies = stats.bodies;
    counts.waiting_nodes = std::max(counts.waiting_nodes, stats.waiting_nodes);
    counts.steps_held = std::max(counts.steps_held, stats.steps_held);
    counts.update_locks = std::max(counts.update_locks, stats.body_locks.acquisitions);
    std::size_t bodies = 0;
    for (const auto& tile : tiles) bodies += tile.size();
    for (const Game& game : games) bodies += game.own.size();
    if (stats.bodies != bodies) Fail("the world has other bodies than the game has put there");
    if (stats.failed_rebuilds != 0) Fail("a rebuild failed for nodes that views hold");
    if (stats.steps_held > kMostStepsHeld) Fail("old nodes wait for a view that is gone");
    // The nodes of all trees are fewer than half the bodies, and a step makes them once at most.
    if (stats.waiting_nodes > kMostStepsHeld * stats.bodies / 2) {
      Fail("more old nodes wait than were made");
    }
    // The bodies of a tile are settled, each step places those that are awake, and some wake or
    // fall asleep.
    const std::size_t dynamic = stats.bodies - tiles.size();
    if (stats.body_locks.acquisitions >
        kTileBodies + 1 + kStepsAFrame * dynamic + world->sleep_events().size()) {
      Fail("an update takes more body locks than it writes bodies");
    }
  }

  void Frames(std::uint32_t count, std::uint32_t thread, std::barrier<>& parts) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (thread == 0) Stream(games[0]);
      Change(games[thread]);
      parts.arrive_and_wait();
      if (thread == 0) {
        AwaitOverdueView();
        Update();
      }
      parts.arrive_and_wait();
    }
  }

  const std::uint64_t seed;
  std::unique_ptr<World> world;
  const std::unique_ptr<TaskPool> pool_made;
  TaskPool& pool;
  const TaskPool::Registration here;
  std::deque<Game> games;
  std::mutex failure_mutex;
  std::string failure;
  std::mutex ready_mutex;
  struct ReadyTile {
    WorldBatch batch;
    std::uint32_t since;  // the frame
  };
  std::deque<ReadyTile> ready;
  std::uint64_t next_tile = 0;  // the loader's
  std::deque<std::vector<BodyId>> tiles;
  std::atomic<std::uint32_t> first_tile{0};
  std::atomic<std::uint32_t> frame{0};
  static constexpr std::uint32_t kNoView = ~std::uint32_t{0};
  std::atomic<std::uint32_t> view_until{kNoView};  // the frame in which the reader lets its view go
  std::atomic<std::uint64_t> reader_queries{0};
  std::uint64_t task_seed = 0;
  SoakCounts counts;
};

OpenWorld::OpenWorld(std::uint64_t seed, std::uint32_t workers)
    : parts_(std::make_unique<Parts>(seed, workers)) {}

OpenWorld::~OpenWorld() {
  for (Parts::ReadyTile& tile : parts_->ready) {
    static_cast<void>(parts_->world->AbortBatch(tile.batch));  // cannot fail: it is this world's
  }
}

std::string OpenWorld::Run(std::uint32_t frames) {
  Parts& parts = *parts_;
  {
    std::barrier<> barrier(kGameThreads);
    std::vector<std::jthread> threads;
    threads.emplace_back([&](const std::stop_token& stop) { parts.Load(stop); });
    threads.emplace_back([&](const std::stop_token& stop) { parts.Read(stop); });
    for (std::uint32_t i = 1; i < kGameThreads; ++i) {
      threads.emplace_back([&, i] { parts.Frames(frames, i, barrier); });
    }
    parts.Frames(frames, 0, barrier);
  }
  parts.counts.changes = 0;
  for (const Parts::Game& game : parts.games) parts.counts.changes += game.changes;
  // With all views gone, one more update has nothing that waits.
  const Result<void> last = parts.world->Update(1.0f / 60.0f, parts.pool);
  parts.MustBe(last, "Update");
  if (parts.world->stats().waiting_nodes != 0) parts.Fail("old nodes wait though no view is held");
  return parts.failure;
}

const SoakCounts& OpenWorld::counts() const {
  parts_->counts.queries += parts_->reader_queries.exchange(0, std::memory_order_relaxed);
  return parts_->counts;
}

}  // namespace nowait::whole
