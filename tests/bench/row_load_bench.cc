// How a query loads the boxes of a node's children: the question that src/broadphase/row_load.h
// answers. And whether a node had better have eight of them.
//
//   row_load_N      N nodes that are asked the same question. "ours": as BoxRows loads them in this
//                   build, which with AVX is one load for each row of four. "baseline": element by
//                   element with relaxed atomics. 128 nodes fit the first cache, 8,192 are as many
//                   as a tree of 20,000 bodies has
//   tree_query      a box query of 5 m in a tree of 20,000 bodies, and tree_ray a ray of 60 m: the
//                   same two ways
//   tree_of_eight   the box query: "ours" with four children a node, "baseline" with eight, whose
//                   rows are two loads each
#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "src/bodies/proxy_id.h"
#include "src/broadphase/probe.h"
#include "src/broadphase/quad_tree.h"
#include "src/math/bounds.h"
#include "src/math/random.h"
#include "src/math/ray.h"
#include "src/math/vec3.h"
#include "src/sync/policy.h"
#include "tests/bench/eight_lanes.h"

namespace nowait {
namespace {

// An atomic float of which BoxRows does not know that a row of them can be loaded at once.
struct ElementFloat : StdSync::atomic<float> {
  using StdSync::atomic<float>::atomic;
};

// The engine's policy but for that.
template <class T>
struct ElementChoice {
  using Type = StdSync::atomic<T>;
};
template <>
struct ElementChoice<float> {
  using Type = ElementFloat;
};
struct ElementSync : StdSync {
  template <class T>
  using atomic = typename ElementChoice<T>::Type;
};

template <class AtomicFloat>
struct alignas(64) Boxes {
  AtomicFloat min[3][4];
  AtomicFloat max[3][4];
};

template <class AtomicFloat>
void Load(benchmark::State& state, std::uint32_t count) {
  Random random(5);
  std::vector<Boxes<AtomicFloat>> nodes(count);
  for (auto& node : nodes) {
    for (int i = 0; i < 4; ++i) {
      const Vec3 at = random.InBox({0, 0, 0}, {100, 100, 100});
      for (int axis = 0; axis < 3; ++axis) {
        node.min[axis][i].store(at[axis] - 10, std::memory_order::relaxed);
        node.max[axis][i].store(at[axis] + 10, std::memory_order::relaxed);
      }
    }
  }
  const BoxProbe<3> probe(ToBounds({30, 30, 30}, {60, 60, 60}));
  std::array<float, 4> nearest;
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (const auto& node : nodes) sum += probe.Hits(BoxRows<3, 4>(node.min, node.max), nearest);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * count);
}

template <class Sync, int Fanout>
class Scene {
 public:
  using Tree = QuadTree<Sync, 3, Fanout>;

  Scene() : storage_(2 * kBodies, kBodies), tree_(storage_), random_(6) {
    std::vector<typename Tree::Entry> entries;
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      entries.push_back({ProxyId(i, 0), BoxSomewhere(0.6f)});
    }
    tree_.Finalise(*tree_.Prepare(entries));
  }

  void QueryBoxes(benchmark::State& state) {
    std::uint64_t found = 0;
    const auto pin = storage_.PinReader();
    for (auto _ : state) {
      tree_.QueryBox(BoxSomewhere(2.5f), [&](ProxyId) {
        ++found;
        return true;
      });
    }
    state.counters["found"] = static_cast<double>(found) / static_cast<double>(state.iterations());
  }

  void QueryRays(benchmark::State& state) {
    std::uint64_t found = 0;
    const auto pin = storage_.PinReader();
    for (auto _ : state) {
      const Vec3 from = Somewhere();
      const Vec3 way = random_.InBox({-60, -2, -60}, {60, 2, 60});
      const Ray<3> ray{{from.x, from.y, from.z}, {way.x, way.y, way.z}, 1.0f};
      tree_.QueryRay(ray, [&](ProxyId, float max_fraction) {
        ++found;
        return max_fraction;
      });
    }
    state.counters["found"] = static_cast<double>(found) / static_cast<double>(state.iterations());
  }

 private:
  static constexpr std::uint32_t kBodies = 20000;
  static constexpr Vec3 kHalf{133, 6, 133};

  Vec3 Somewhere() { return random_.InBox(kHalf * -1.0f, kHalf); }
  Bounds<3> BoxSomewhere(float half) {
    const Vec3 at = Somewhere();
    return ToBounds(at - Vec3{half, half, half}, at + Vec3{half, half, half});
  }

  typename Tree::Storage storage_;
  Tree tree_;
  Random random_;
};

template <class Sync, int Fanout>
void QueryBoxes(benchmark::State& state) {
  Scene<Sync, Fanout>().QueryBoxes(state);
}
template <class Sync>
void QueryRays(benchmark::State& state) {
  Scene<Sync, 4>().QueryRays(state);
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  using namespace nowait;
  const auto add = [](const std::string& name, auto* ours, auto* baseline, auto... arguments) {
    benchmark::RegisterBenchmark((name + "/ours/1").c_str(), ours, arguments...)->UseRealTime();
    benchmark::RegisterBenchmark((name + "/baseline/1").c_str(), baseline, arguments...)
        ->UseRealTime();
  };
  for (const std::uint32_t count : {128u, 8192u}) {
    add("row_load_" + std::to_string(count), &Load<StdSync::atomic<float>>, &Load<ElementFloat>,
        count);
  }
  add("tree_query", &QueryBoxes<StdSync, 4>, &QueryBoxes<ElementSync, 4>);
  add("tree_ray", &QueryRays<StdSync>, &QueryRays<ElementSync>);
  add("tree_of_eight", &QueryBoxes<StdSync, 4>, &QueryBoxes<StdSync, 8>);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
