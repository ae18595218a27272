// The cost of a query while another thread changes the tree all the time, beside the same query in
// an idle tree. A ratio of 0.8 means that churn leaves four fifths of the rate.
//
// 16,000 bodies that stay and 4,000 that change: in a round the other thread moves two by up to 0.5
// m, takes one out and puts it in elsewhere. An update (rebuild and swap) comes after every 2,000
// rounds: half of the bodies that change are somewhere else by then.
//
//   query_churn_60_hz        an update every 60th of a second, and the rounds spread between
//   query_churn_full_speed   without a pause
//   query_churn_before       the tree as it is after 1,000 rounds, and nobody changes it any more:
//                            what waits for the next rebuild
//
// In the baselines the other thread does the same to a tree of its own; in the last one nobody has
// changed anything.
#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/bodies/proxy_id.h"
#include "src/broadphase/broad_phase.h"
#include "src/math/random.h"
#include "src/math/vec3.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr std::uint32_t kStaying = 16000;
constexpr std::uint32_t kChanging = 4000;
constexpr std::uint32_t kRoundsAnUpdate = 2000;
constexpr int kQueries = 64;
constexpr std::chrono::duration<double> kFrame(1.0 / 60);
constexpr Vec3 kLow{-170, 0, -170}, kHigh{170, 20, 170};

Bounds<3> BoxAround(Vec3 at, float half) {
  return ToBounds(at - Vec3{half, half, half}, at + Vec3{half, half, half});
}

class Scene {
 public:
  Scene() : tree_(std::move(*BroadPhase::Create(BroadPhaseDef::ForBodies(kStaying + kChanging)))) {
    Random random(11);
    for (std::uint32_t i = 0; i < kStaying + kChanging; ++i) {
      places_.push_back(random.InBox(kLow, kHigh));
    }
    Add(Layer::kStatic, 0, kStaying);
    Add(Layer::kDynamic, kStaying, kStaying + kChanging);
    Update();
    Update();
  }

  // a_round: how long one is to take at least.
  void Churn(std::chrono::duration<double> a_round, const std::stop_token& stop) {
    Random random(12);
    const auto start = Clock::now();
    for (std::uint32_t round = 1; !stop.stop_requested(); ++round) {
      if (!Round(random)) return;
      rounds_.store(round, std::memory_order::relaxed);  // for a rate, nothing else
      if (round % kRoundsAnUpdate == 0) Update();
      while (Clock::now() - start < round * a_round && !stop.stop_requested()) SpinPause();
    }
  }

  void Churn(std::uint32_t rounds) {
    Random random(12);
    for (std::uint32_t round = 0; round < rounds && Round(random); ++round) continue;
  }

  std::uint64_t Query(Random& random) const {
    std::uint64_t found = 0;
    const BroadPhase::View view = tree_->Read();
    for (int i = 0; i < kQueries; ++i) {
      view.QueryBox(BoxAround(random.InBox(kLow, kHigh), 2.5f), [&](ProxyId) {
        ++found;
        return true;
      });
    }
    return found;
  }

  bool failed() const { return failed_.load(std::memory_order::relaxed); }
  std::uint32_t rounds() const { return rounds_.load(std::memory_order::relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  bool Round(Random& random) {
    const auto any = [&] { return kStaying + random.Below(kChanging); };
    for (int i = 0; i < 2; ++i) {
      const std::uint32_t body = any();
      places_[body] = places_[body] + random.InBox({-0.5f, 0, -0.5f}, {0.5f, 0, 0.5f});
      static_cast<void>(tree_->Move(ProxyId(body, 0), Layer::kDynamic,
                                    BoxAround(places_[body], 1)));  // it is there
    }
    const std::uint32_t body = any();
    tree_->Remove(ProxyId(body, 0), Layer::kDynamic);
    places_[body] = random.InBox(kLow, kHigh);
    if (tree_->Insert(ProxyId(body, 0), Layer::kDynamic, BoxAround(places_[body], 1))) return true;
    failed_.store(true, std::memory_order::relaxed);  // read after the join
    return false;
  }

  void Add(Layer layer, std::uint32_t begin, std::uint32_t end) {
    std::vector<BroadPhase::Entry> entries;
    for (std::uint32_t i = begin; i < end; ++i) {
      entries.push_back({ProxyId(i, 0), BoxAround(places_[i], 1)});
    }
    tree_->Finalise(*tree_->Prepare(layer, entries));
  }
  void Update() {
    if (!tree_->Rebuild()) failed_.store(true, std::memory_order::relaxed);
    tree_->Swap();
  }

  std::unique_ptr<BroadPhase> tree_;
  std::vector<Vec3> places_;
  std::atomic<bool> failed_{false};
  std::atomic<std::uint32_t> rounds_{0};
};

void Measure(benchmark::State& state, const Scene& scene) {
  Random random(13);
  std::uint64_t found = 0;
  for (auto _ : state) found += scene.Query(random);
  state.SetItemsProcessed(state.iterations() * kQueries);
  state.counters["found"] = static_cast<double>(found) / (state.iterations() * kQueries);
}

void WhileChanged(benchmark::State& state, std::chrono::duration<double> a_round, bool elsewhere) {
  Scene scene, another;
  Scene& changed = elsewhere ? another : scene;
  std::jthread other([&](std::stop_token stop) { changed.Churn(a_round, stop); });
  Measure(state, scene);
  other.request_stop();
  other.join();
  if (changed.failed()) state.SkipWithError("there are no nodes");
  state.counters["rounds"] = benchmark::Counter(changed.rounds(), benchmark::Counter::kIsRate);
}

void AfterChanges(benchmark::State& state, std::uint32_t rounds) {
  Scene scene;
  scene.Churn(rounds);
  if (scene.failed()) state.SkipWithError("there are no nodes");
  Measure(state, scene);
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  using namespace nowait;
  const auto add = [](const std::string& name, auto run, auto ours, auto baseline) {
    benchmark::RegisterBenchmark((name + "/ours/1").c_str(), run(ours))->UseRealTime();
    benchmark::RegisterBenchmark((name + "/baseline/1").c_str(), run(baseline))->UseRealTime();
  };
  const auto while_changed = [](std::chrono::duration<double> a_round) {
    return [=](bool elsewhere) {
      return [=](benchmark::State& state) { WhileChanged(state, a_round, elsewhere); };
    };
  };
  const auto after_changes = [](std::uint32_t rounds) {
    return [=](benchmark::State& state) { AfterChanges(state, rounds); };
  };
  add("query_churn_60_hz", while_changed(kFrame / kRoundsAnUpdate), false, true);
  add("query_churn_full_speed", while_changed({}), false, true);
  add("query_churn_before", after_changes, kRoundsAnUpdate / 2, 0u);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
