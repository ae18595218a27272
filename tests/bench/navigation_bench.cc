// Navigation in the valley of `./nowait demo --navigation`: measured ground, rocks, huts and walls.
//
// "cell": a build of a cell, all stages, for a person and for a machine; the counters are the times
// of single stages. "path": A* and the funnel between two places at random on a mesh of 64 cells.
// "insert": a cell takes the place of the same one, which is the time for which path queries wait.
#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/apps/navigation/run.h"
#include "src/apps/navigation/valley.h"
#include "src/math/random.h"
#include "src/navigation/nav_cell_build.h"
#include "src/navigation/nav_mesh.h"
#include "src/navigation/nav_query.h"

namespace nowait {
namespace {

constexpr std::int32_t kSide = 8;  // cells, in the middle of the valley

std::unique_ptr<Valley> MakeValley() {
  return std::move(*Valley::Create({.terrain = "assets/terrain/jacksboro.elevation"}));
}

NavCellId CellOf(std::uint64_t number) {
  const auto at = static_cast<std::int32_t>(number % (kSide * kSide));
  return {at % kSide - kSide / 2, at / kSide - kSide / 2};
}

// Adds the seconds of each stage to `stages`.
NavCell Build(Valley& valley, const NavSettings& settings, NavCellId cell,
              std::array<double, kNavStages>& stages) {
  WaitTime wait;
  NavCellBuild build(valley.world(), settings, cell, Valley::Solids());
  while (build.next() != NavStage::kDone) {
    const auto stage = static_cast<std::size_t>(build.next());
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(build.Step(wait).has_value());
    stages[stage] +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return build.Take();
}

std::unique_ptr<NavMesh> MakeMesh(Valley& valley, const NavSettings& settings) {
  auto mesh = std::move(*NavMesh::Create(settings, kSide * kSide));
  WaitTime wait;
  std::array<double, kNavStages> stages{};
  for (std::uint64_t i = 0; i < kSide * kSide; ++i) {
    benchmark::DoNotOptimize(
        mesh->Insert(Build(valley, settings, CellOf(i), stages), wait).has_value());
  }
  return mesh;
}

void BM_Cell(benchmark::State& state) {
  const auto valley = MakeValley();
  const NavSettings settings = WalkerSizes()[static_cast<std::size_t>(state.range(0))];
  std::array<double, kNavStages> stages{};
  std::uint64_t polygons = 0, number = 0;
  for (auto _ : state) {
    polygons += Build(*valley, settings, CellOf(number++), stages).polygons;
  }
  constexpr std::array kNames = {"bodies",  "triangles", "voxels",   "walkable",
                                 "regions", "contours",  "polygons", "tile"};
  const auto mean = benchmark::Counter::kAvgIterations;
  for (std::size_t i = 0; i < kNavStages; ++i) {
    state.counters[kNames[i]] = benchmark::Counter(stages[i], mean);
  }
  state.counters["polygons_of_cell"] = benchmark::Counter(static_cast<double>(polygons), mean);
}
BENCHMARK(BM_Cell)->Name("cell/size")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void BM_Path(benchmark::State& state) {
  const auto valley = MakeValley();
  const auto mesh = MakeMesh(*valley, WalkerSizes()[0]);
  auto query = std::move(*NavQuery::Create(*mesh));
  constexpr float kReach = 0.5f * kSide * kNavCellSide;
  Random random(1);
  std::vector<std::pair<Vec3, Vec3>> ends;
  WaitTime wait;
  const auto place = [&] {
    const float x = random.Between(-kReach, kReach), z = random.Between(-kReach, kReach);
    return query.FindPlace({x, valley->ground().HeightAt(x, z), z}, wait);
  };
  while (ends.size() < 512) {
    const auto from = place(), to = place();
    if (from && to) ends.push_back({*from, *to});
  }
  std::vector<Vec3> points;
  std::uint64_t whole = 0, corners = 0, number = 0;
  for (auto _ : state) {
    const auto& [from, to] = ends[number++ % ends.size()];
    if (query.FindPath(from, to, points, wait) == NavReach::kWhole) ++whole;
    corners += points.size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(number));
  const auto mean = benchmark::Counter::kAvgIterations;
  state.counters["whole"] = benchmark::Counter(static_cast<double>(whole), mean);
  state.counters["corners"] = benchmark::Counter(static_cast<double>(corners), mean);
}
BENCHMARK(BM_Path)->Name("path")->Unit(benchmark::kMicrosecond);

void BM_Insert(benchmark::State& state) {
  const auto valley = MakeValley();
  const NavSettings settings = WalkerSizes()[0];
  const auto mesh = MakeMesh(*valley, settings);
  WaitTime wait;
  std::array<double, kNavStages> stages{};
  std::uint64_t number = 0;
  for (auto _ : state) {
    state.PauseTiming();
    NavCell cell = Build(*valley, settings, CellOf(number++), stages);
    state.ResumeTiming();
    benchmark::DoNotOptimize(mesh->Insert(std::move(cell), wait).has_value());
  }
}
BENCHMARK(BM_Insert)->Name("insert")->Unit(benchmark::kMicrosecond)->Iterations(640);

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
