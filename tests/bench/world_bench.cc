// One physics update of 1/60 s of bodies that may not sleep, so that every update has the same
// work: 1,000 spheres and boxes in troughs, many islands; and one large island, a pyramid of 1,830
// boxes. One thread is the baseline of two.
//
// "finalise": 700 bodies become part of a world of 10,000, on the game thread; another thread has
// built the batch. Its baseline is a CreateBody for each. Counters: the median and the 99th
// percentile.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "src/collision/height_field.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/world/world.h"
#include "tests/bench/samples.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

constexpr std::uint32_t kSide = 33;
constexpr std::uint32_t kRow = 20;
constexpr std::uint32_t kBodies = 1000;
constexpr float kStep = 1.0f / 60.0f;
constexpr int kSettle = 240;  // steps

// 64 m square, waves 2 m high, so that islands stay apart.
std::unique_ptr<const HeightField> Ground() {
  std::vector<float> heights;
  for (std::uint32_t k = 0; k < kSide; ++k) {
    for (std::uint32_t i = 0; i < kSide; ++i) {
      heights.push_back((i % 4 < 2 ? 0.0f : 1.0f) + (k % 4 < 2 ? 0.0f : 1.0f));
    }
  }
  return *HeightField::Create(
      {.columns = kSide, .rows = kSide, .spacing = 2.0f, .heights = heights});
}

std::unique_ptr<World> Scene(const HeightField& ground) {
  WorldDef def;
  def.max_contacts = 32 * kBodies;
  auto world = *World::Create(def);
  BodyDef base;
  base.type = BodyType::kStatic;
  base.shape = Shape::Ground(&ground);
  WaitTime wait;
  std::vector<BodyDef> defs{base};
  Random random(1);
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    BodyDef body;
    body.shape = i % 2 == 0 ? Shape::Sphere(0.4f) : Shape::Box({0.4f, 0.3f, 0.5f});
    body.rolling_resistance = i % 2 == 0 ? 0.2f : 0.0f;
    body.rotation = random.Rotation();
    body.position = {12.0f + 2.0f * static_cast<float>(i % kRow),
                     4.0f + 1.5f * static_cast<float>(i / (kRow * kRow)),
                     12.0f + 2.0f * static_cast<float>(i / kRow % kRow)};
    body.may_sleep = false;
    defs.push_back(body);
  }
  auto batch = *world->PrepareBatch(defs);
  benchmark::DoNotOptimize(world->FinaliseBatch(batch, wait).has_value());
  return world;
}

// One wall, as in Box3D's large_pyramid, with a base of 60.
std::unique_ptr<World> Pyramid() {
  constexpr std::uint32_t kBase = 60;
  auto world = *World::Create({});
  BodyDef base;
  base.type = BodyType::kStatic;
  base.shape = Shape::Box({100, 1, 100});
  base.position = {0, -1, 0};
  std::vector<BodyDef> defs{base};
  for (std::uint32_t row = 0; row < kBase; ++row) {
    for (std::uint32_t i = 0; i < kBase - row; ++i) {
      BodyDef body;
      body.shape = Shape::Box({0.5f, 0.5f, 0.5f});
      body.position = {0, 0.5f + static_cast<float>(row),
                       static_cast<float>(i) + 0.5f * static_cast<float>(row)};
      body.may_sleep = false;
      defs.push_back(body);
    }
  }
  WaitTime wait;
  auto batch = *world->PrepareBatch(defs);
  benchmark::DoNotOptimize(world->FinaliseBatch(batch, wait).has_value());
  return world;
}

void Update(benchmark::State& state, World& world) {
  const auto owned = MakePool({.workers = static_cast<std::uint32_t>(state.range(0)) - 1});
  TaskPool& pool = *owned;
  const auto here = pool.Register("main");
  for (int i = 0; i < kSettle; ++i) {
    if (!world.Update(kStep, pool)) state.SkipWithError("the update failed");
  }
  for (auto _ : state) {
    if (!world.Update(kStep, pool)) state.SkipWithError("the update failed");
  }
  state.counters["awake"] = world.stats().awake;
  state.counters["contacts"] = world.stats().contacts;
  state.counters["islands"] = world.stats().islands;
}

void UpdateHeap(benchmark::State& state) {
  const auto ground = Ground();
  const auto world = Scene(*ground);
  Update(state, *world);
}
void UpdatePyramid(benchmark::State& state) {
  const auto world = Pyramid();
  Update(state, *world);
}

std::vector<BodyDef> Grid(std::uint32_t count, float y) {
  std::vector<BodyDef> defs(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    defs[i].shape = Shape::Sphere(0.4f);
    defs[i].position = {static_cast<float>(i % 100), y, static_cast<float>(i / 100)};
    defs[i].asleep = true;
  }
  return defs;
}

// add(world, defs): what is timed, and then undone; prepare(world, defs) comes before it, on
// another thread.
template <class Prepare, class Add>
void AddBodies(benchmark::State& state, const Prepare& prepare, const Add& add) {
  using Clock = std::chrono::steady_clock;
  WorldDef def;
  def.max_bodies = 16'384;
  const auto world = *World::Create(def);
  TaskPoolDef alone;
  alone.workers = 0;
  const auto pool = MakePool(alone);
  const auto here = pool->Register("main");
  WaitTime wait;
  for (const BodyDef& body : Grid(10'000, 0.0f)) {
    if (!world->CreateBody(body, wait)) state.SkipWithError("a body was refused");
  }
  const std::vector<BodyDef> defs = Grid(700, 5.0f);
  std::vector<BodyId> ids;
  Samples microseconds;
  for (auto _ : state) {
    std::thread([&] { prepare(*world, defs); }).join();
    const auto begin = Clock::now();
    ids = add(*world, defs);
    const std::chrono::duration<double> time = Clock::now() - begin;
    state.SetIterationTime(time.count());
    microseconds.Add(time.count() * 1e6);
    if (ids.size() != defs.size()) state.SkipWithError("the bodies were refused");
    if (!world->Update(kStep, *pool)) state.SkipWithError("the update failed");
    if (world->RemoveBodies(ids, wait) != defs.size()) state.SkipWithError("a body was lost");
    if (!world->Update(kStep, *pool)) state.SkipWithError("the update failed");
  }
  state.counters["median_us"] = microseconds.Median();
  state.counters["p99_us"] = microseconds.Percentile(99);
}

void FinaliseBatch(benchmark::State& state) {
  WorldBatch batch;
  WaitTime wait;
  AddBodies(
      state,
      [&](World& world, const std::vector<BodyDef>& defs) {
        auto prepared = world.PrepareBatch(defs);
        if (prepared) batch = std::move(*prepared);
      },
      [&](World& world, const std::vector<BodyDef>&) {
        auto ids = world.FinaliseBatch(batch, wait);
        return ids ? std::move(*ids) : std::vector<BodyId>();
      });
}
void CreateEach(benchmark::State& state) {
  WaitTime wait;
  AddBodies(
      state, [](World&, const std::vector<BodyDef>&) {},
      [&](World& world, const std::vector<BodyDef>& defs) {
        std::vector<BodyId> ids;
        for (const BodyDef& body : defs) {
          if (const auto id = world.CreateBody(body, wait)) ids.push_back(*id);
        }
        return ids;
      });
}

BENCHMARK(FinaliseBatch)->Name("finalise/ours")->Arg(1)->Iterations(500)->UseManualTime();
BENCHMARK(CreateEach)->Name("finalise/baseline")->Arg(1)->Iterations(500)->UseManualTime();

BENCHMARK(UpdateHeap)->Name("update/ours")->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(UpdateHeap)
    ->Name("update/baseline")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(UpdatePyramid)
    ->Name("update_pyramid/ours")
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(UpdatePyramid)
    ->Name("update_pyramid/baseline")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
