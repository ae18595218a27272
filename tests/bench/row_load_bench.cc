// How a query loads the boxes of a node's children: the question of src/broadphase/probe.h. And whether
// a node had better have eight of them.
//
//   row_load_N         "ours" loads element by element with relaxed atomics, as BoxRows does: 24 loads
//                      that the compiler may put together to six rows. "baseline" is one aligned
//                      16-byte load for each row, in assembly, so that the compiler sees no load that
//                      could race. Both ask the same N nodes the same question; 128 nodes fit the first
//                      cache, 8,192 are as many as a tree of 20,000 bodies has
//   row_load_8_wide_N  the same with half as many nodes of eight children: 48 loads, or two for a row
//   tree_query         a box query in a tree of 20,000 bodies: "ours" with four children a node,
//                      "baseline" with eight, both loaded element by element
#include <benchmark/benchmark.h>
#include <immintrin.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "src/bodies/body_id.h"
#include "src/broadphase/probe.h"
#include "src/broadphase/quad_tree.h"
#include "src/math/bounds.h"
#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

template <int N>
struct alignas(64) Boxes {
  std::atomic<float> min[3][N];
  std::atomic<float> max[3][N];
};
static_assert(sizeof(std::atomic<float>) == sizeof(float));

template <int N>
std::vector<Boxes<N>> MakeNodes(std::uint32_t count) {
  Random random(5);
  std::vector<Boxes<N>> nodes(count);
  for (Boxes<N>& node : nodes) {
    for (int i = 0; i < N; ++i) {
      const Vec3 at = random.InBox({0, 0, 0}, {100, 100, 100});
      for (int axis = 0; axis < 3; ++axis) {
        node.min[axis][i].store(at[axis] - 10, std::memory_order::relaxed);
        node.max[axis][i].store(at[axis] + 10, std::memory_order::relaxed);
      }
    }
  }
  return nodes;
}

template <int N>
struct ElementLoads {
  explicit ElementLoads(const Bounds<3>& box) : probe(box) {}
  std::uint32_t Hits(const Boxes<N>& node) const {
    std::array<float, N> nearest;
    const BoxRows<3, N> rows(node.min, node.max);
    return probe.Hits(rows, nearest);
  }
  BoxProbe<3> probe;
};

template <int N>
struct RowLoads {
  explicit RowLoads(const Bounds<3>& of) {
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = _mm_set1_ps(of.min[axis]);
      max[axis] = _mm_set1_ps(of.max[axis]);
    }
  }
  static __m128 Load(const std::atomic<float>* row) {
    __m128 loaded;
    __asm__ volatile("vmovaps %1, %0" : "=x"(loaded) : "m"(*reinterpret_cast<const Four*>(row)));
    return loaded;
  }
  std::uint32_t Hits(const Boxes<N>& node) const {
    std::uint32_t all = 0;
    for (int first = 0; first < N; first += 4) {
      __m128 hits = _mm_castsi128_ps(_mm_set1_epi32(-1));
      for (int axis = 0; axis < 3; ++axis) {
        hits = _mm_and_ps(hits, _mm_cmple_ps(Load(node.min[axis] + first), max[axis]));
        hits = _mm_and_ps(hits, _mm_cmple_ps(min[axis], Load(node.max[axis] + first)));
      }
      all |= static_cast<std::uint32_t>(_mm_movemask_ps(hits)) << first;
    }
    return all;
  }
  // What the assembly reads, so that the compiler knows how much.
  struct Four {
    std::atomic<float> floats[4];
  };
  __m128 min[3];
  __m128 max[3];
};

template <class Loads, int N>
std::uint64_t HitsOfAll(const std::vector<Boxes<N>>& nodes) {
  const Loads loads(ToBounds({30, 30, 30}, {60, 60, 60}));
  std::uint64_t sum = 0;
  for (const Boxes<N>& node : nodes) sum = sum * 3 + loads.Hits(node);
  return sum;
}

template <template <int> class Loads, int N>
void Load(benchmark::State& state, std::uint32_t count) {
  const std::vector<Boxes<N>> nodes = MakeNodes<N>(count);
  if (HitsOfAll<ElementLoads<N>>(nodes) != HitsOfAll<RowLoads<N>>(nodes)) {
    state.SkipWithError("the two ways do not hit the same boxes");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(HitsOfAll<Loads<N>>(nodes));
  state.SetItemsProcessed(state.iterations() * count);
}

template <int Fanout>
void Query(benchmark::State& state) {
  constexpr std::uint32_t kBodies = 20000;
  constexpr Vec3 kHalf{133, 6, 133};
  using Tree = QuadTree<StdSync, 3, Fanout>;
  typename Tree::Storage storage(2 * kBodies, kBodies);
  Tree tree(storage);
  Random random(6);
  const auto box_at = [&](float half) {
    const Vec3 at = random.InBox(kHalf * -1.0f, kHalf);
    return ToBounds(at - Vec3{half, half, half}, at + Vec3{half, half, half});
  };
  std::vector<typename Tree::Entry> entries;
  for (std::uint32_t i = 0; i < kBodies; ++i) entries.push_back({BodyId(i, 0), box_at(0.6f)});
  tree.Finalise(*tree.Prepare(entries));
  if (!tree.Rebuild()) state.SkipWithError("there are no nodes");
  tree.Swap();
  std::uint64_t found = 0;
  const auto pin = storage.PinReader();
  for (auto _ : state) {
    tree.QueryBox(box_at(2.5f), [&](BodyId) {
      ++found;
      return true;
    });
  }
  state.counters["found"] = static_cast<double>(found) / static_cast<double>(state.iterations());
}

template <int N>
void AddLoads(const std::string& name, std::uint32_t count) {
  benchmark::RegisterBenchmark((name + "/ours/1").c_str(), Load<ElementLoads, N>, count)
      ->UseRealTime();
  benchmark::RegisterBenchmark((name + "/baseline/1").c_str(), Load<RowLoads, N>, count)
      ->UseRealTime();
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  using namespace nowait;
  for (const std::uint32_t count : {128u, 8192u}) {
    AddLoads<4>("row_load_" + std::to_string(count), count);
    AddLoads<8>("row_load_8_wide_" + std::to_string(count), count / 2);
  }
  benchmark::RegisterBenchmark("tree_query/ours/1", Query<4>)->UseRealTime();
  benchmark::RegisterBenchmark("tree_query/baseline/1", Query<8>)->UseRealTime();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
