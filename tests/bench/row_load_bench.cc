// How a query loads the boxes of a node's four children: the question of src/broadphase/probe.h.
//
// "ours" loads element by element with relaxed atomics, as BoxRows does: 24 loads that the compiler
// puts together to six rows. "baseline" is one aligned 16-byte load for each row, in assembly, so
// that the compiler sees no load that could race. Both ask the same nodes the same question; the
// small set of nodes fits the first cache, the large one is as many as a tree of 20,000 bodies has.
#include <benchmark/benchmark.h>
#include <immintrin.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "src/broadphase/probe.h"
#include "src/math/bounds.h"
#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

struct alignas(64) Boxes {
  std::atomic<float> min[3][4];
  std::atomic<float> max[3][4];
};
static_assert(sizeof(std::atomic<float>) == sizeof(float));

std::vector<Boxes> MakeNodes(std::uint32_t count) {
  Random random(5);
  std::vector<Boxes> nodes(count);
  for (Boxes& node : nodes) {
    for (int i = 0; i < 4; ++i) {
      const Vec3 at = random.InBox({0, 0, 0}, {100, 100, 100});
      for (int axis = 0; axis < 3; ++axis) {
        node.min[axis][i].store(at[axis] - 10, std::memory_order::relaxed);
        node.max[axis][i].store(at[axis] + 10, std::memory_order::relaxed);
      }
    }
  }
  return nodes;
}

struct ElementLoads {
  explicit ElementLoads(const Bounds<3>& box) : probe(box) {}
  std::uint32_t Hits(const Boxes& node) const {
    std::array<float, 4> nearest;
    const BoxRows<3, 4> rows(node.min, node.max);
    return probe.Hits(rows, nearest);
  }
  BoxProbe<3> probe;
};

struct RowLoads {
  explicit RowLoads(const Bounds<3>& of) {
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = _mm_set1_ps(of.min[axis]);
      max[axis] = _mm_set1_ps(of.max[axis]);
    }
  }
  static __m128 Load(const std::atomic<float> (&row)[4]) {
    __m128 loaded;
    __asm__ volatile("vmovaps %1, %0" : "=x"(loaded) : "m"(row));
    return loaded;
  }
  std::uint32_t Hits(const Boxes& node) const {
    __m128 hits = _mm_castsi128_ps(_mm_set1_epi32(-1));
    for (int axis = 0; axis < 3; ++axis) {
      hits = _mm_and_ps(hits, _mm_cmple_ps(Load(node.min[axis]), max[axis]));
      hits = _mm_and_ps(hits, _mm_cmple_ps(min[axis], Load(node.max[axis])));
    }
    return static_cast<std::uint32_t>(_mm_movemask_ps(hits));
  }
  __m128 min[3];
  __m128 max[3];
};

template <class Loads>
std::uint64_t HitsOfAll(const std::vector<Boxes>& nodes) {
  const Loads loads(ToBounds({30, 30, 30}, {60, 60, 60}));
  std::uint64_t sum = 0;
  for (const Boxes& node : nodes) sum = sum * 3 + loads.Hits(node);
  return sum;
}

template <class Loads>
void Load(benchmark::State& state, std::uint32_t count) {
  const std::vector<Boxes> nodes = MakeNodes(count);
  if (HitsOfAll<ElementLoads>(nodes) != HitsOfAll<RowLoads>(nodes)) {
    state.SkipWithError("the two ways do not hit the same boxes");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(HitsOfAll<Loads>(nodes));
  state.SetItemsProcessed(state.iterations() * count);
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  using namespace nowait;
  for (const std::uint32_t count : {128u, 8192u}) {
    const std::string name = "row_load_" + std::to_string(count);
    benchmark::RegisterBenchmark((name + "/ours").c_str(), Load<ElementLoads>, count)
        ->Arg(1)
        ->UseRealTime();
    benchmark::RegisterBenchmark((name + "/baseline").c_str(), Load<RowLoads>, count)
        ->Arg(1)
        ->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
