// Ways to update a tree whose bodies have moved a little: rebuild it, keeping what has not
// changed (RebuildPolicy::kByTurns, kKeepUnchanged) or nothing (kWhole), or refit it and rebuild it
// every 16th time (kRefit), or refit it alone.
//
// "baseline" is to rebuild and keep what has not changed. 20,000 bodies about a neighbour apart; in
// each update a hundredth, a tenth or all of them, another choice each time, move by up to 0.3 m
// along each axis.
//
//   update_...   one update's rebuild and swap, or refit; the moves before it are not counted
//   query_...    a box query of 5 m after 120 such updates
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/bodies/proxy_id.h"
#include "src/broadphase/quad_tree.h"
#include "src/broadphase/rebuild_policy.h"
#include "src/math/bounds.h"
#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

using Tree = QuadTree<StdSync, 3, 4>;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kBodies = 20000;
constexpr Vec3 kWorld{133.0f, 6.0f, 133.0f};  // half the sides
constexpr float kStep = 0.3f;
constexpr int kUpdates = 120;  // seven rebuilds of kRefit, and eight updates since
constexpr int kQueries = 256;

enum class Way : std::uint8_t { kKeep, kWhole, kRefit, kRefitAlone };

Bounds<3> BoxAround(Vec3 at, float half) {
  return ToBounds(at - Vec3{half, half, half}, at + Vec3{half, half, half});
}

class Scene {
 public:
  Scene() : storage_(4 * kBodies, kBodies), tree_(storage_), random_(3) {
    std::vector<Tree::Entry> entries;
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      places_.push_back(random_.InBox(kWorld * -1.0f, kWorld));
      entries.push_back({ProxyId(i, 0), BoxAround(places_[i], 0.6f)});
    }
    tree_.Finalise(*tree_.Prepare(entries));
    Update(Way::kKeep);
  }

  void MoveSome(std::uint32_t percent) {
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      if (random_.Below(100) >= percent) continue;
      const Vec3 to = places_[i] + random_.InBox({-kStep, -kStep, -kStep}, {kStep, kStep, kStep});
      places_[i] = Max(kWorld * -1.0f, Min(kWorld, to));
      static_cast<void>(tree_.Move(ProxyId(i, 0), BoxAround(places_[i], 0.6f)));  // it is there
    }
  }

  bool Update(Way way) {
    const bool due = ++updates_ % kUpdatesARebuild == 0;
    if (way == Way::kRefitAlone || (way == Way::kRefit && !due)) {
      benchmark::DoNotOptimize(tree_.Refit());
      return true;
    }
    const bool rebuilt =
        tree_.Rebuild(way == Way::kWhole ? Keep::kNothing : Keep::kUnchanged).has_value();
    tree_.Swap();
    storage_.Reclaim();
    return rebuilt;
  }

  // Returns how many bodies were found.
  std::uint64_t Query() {
    std::uint64_t found = 0;
    const auto pin = storage_.PinReader();
    for (int i = 0; i < kQueries; ++i) {
      tree_.QueryBox(BoxAround(random_.InBox(kWorld * -1.0f, kWorld), 2.5f), [&](ProxyId) {
        ++found;
        return true;
      });
    }
    return found;
  }

 private:
  Tree::Storage storage_;
  Tree tree_;
  Random random_;
  std::uint32_t updates_ = 0;
  std::vector<Vec3> places_;
};

void Update(benchmark::State& state, Way way, std::uint32_t percent) {
  Scene scene;
  for (auto _ : state) {
    scene.MoveSome(percent);
    const auto start = Clock::now();
    if (!scene.Update(way)) state.SkipWithError("there are no nodes");
    state.SetIterationTime(std::chrono::duration<double>(Clock::now() - start).count());
  }
}

void Query(benchmark::State& state, Way way, std::uint32_t percent) {
  Scene scene;
  for (int i = 0; i < kUpdates; ++i) {
    scene.MoveSome(percent);
    if (!scene.Update(way)) state.SkipWithError("there are no nodes");
  }
  std::uint64_t found = 0;
  for (auto _ : state) found += scene.Query();
  state.SetItemsProcessed(state.iterations() * kQueries);
  state.counters["found"] = static_cast<double>(found) / (state.iterations() * kQueries);
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  using namespace nowait;
  struct Of {
    const char* name;
    Way way;
  };
  for (const std::uint32_t percent : {1u, 10u, 100u}) {
    for (const Of of : {Of{"whole", Way::kWhole}, Of{"refit", Way::kRefit},
                        Of{"refit_alone", Way::kRefitAlone}}) {
      const std::string what = std::string(of.name) + "_" + std::to_string(percent);
      const auto add = [&](const std::string& name, Way way) {
        benchmark::RegisterBenchmark(("update_" + name).c_str(), Update, way, percent)
            ->Unit(benchmark::kMicrosecond)
            ->UseManualTime();
        benchmark::RegisterBenchmark(("query_" + name).c_str(), Query, way, percent)->UseRealTime();
      };
      add(what + "/ours/1", of.way);
      add(what + "/baseline/1", Way::kKeep);
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
