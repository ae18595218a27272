// What a query costs while another thread changes the tree all the time, beside the same query when
// nobody does. A ratio of 0.8 means that churn leaves four fifths of the rate.
//
//   query_churn_beside_idle    "baseline": the other thread sleeps
//   query_churn_beside_busy    "baseline": the other thread computes without touching memory: what two
//                              threads cost each other on this machine, whatever they do
//
// 16,000 bodies that stay and 4,000 that change: the other thread moves two by up to 0.5 m, takes one
// out and puts it in elsewhere, and so on, with a rebuild and swap after every 2,000 such rounds.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/bodies/body_id.h"
#include "src/broadphase/broad_phase.h"
#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

enum class Other : std::uint8_t { kChurns, kSleeps, kComputes };

constexpr std::uint32_t kStaying = 16000;
constexpr std::uint32_t kChanging = 4000;
constexpr std::uint32_t kRoundsAnUpdate = 2000;
constexpr int kQueries = 64;
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

  void Churn(const std::stop_token& stop) {
    Random random(12);
    const auto any = [&] { return kStaying + random.Below(kChanging); };
    for (std::uint32_t round = 1; !stop.stop_requested(); ++round) {
      for (int i = 0; i < 2; ++i) {
        const std::uint32_t body = any();
        places_[body] = places_[body] + random.InBox({-0.5f, 0, -0.5f}, {0.5f, 0, 0.5f});
        tree_->Move(BodyId(body, 0), Layer::kDynamic, BoxAround(places_[body], 1));
      }
      const std::uint32_t body = any();
      tree_->Remove(BodyId(body, 0), Layer::kDynamic);
      places_[body] = random.InBox(kLow, kHigh);
      if (!tree_->Insert(BodyId(body, 0), Layer::kDynamic, BoxAround(places_[body], 1))) {
        failed_.store(true, std::memory_order::relaxed);  // read after the join
        return;
      }
      rounds_.store(round, std::memory_order::relaxed);  // for a rate, nothing else
      if (round % kRoundsAnUpdate == 0) Update();
    }
  }

  std::uint64_t Query(Random& random) const {
    std::uint64_t found = 0;
    const BroadPhase::View view = tree_->Read();
    for (int i = 0; i < kQueries; ++i) {
      view.QueryBox(BoxAround(random.InBox(kLow, kHigh), 2.5f), [&](BodyId) {
        ++found;
        return true;
      });
    }
    return found;
  }

  bool failed() const { return failed_.load(std::memory_order::relaxed); }
  std::uint32_t rounds() const { return rounds_.load(std::memory_order::relaxed); }

 private:
  void Add(Layer layer, std::uint32_t begin, std::uint32_t end) {
    std::vector<BroadPhase::Entry> entries;
    for (std::uint32_t i = begin; i < end; ++i) {
      entries.push_back({BodyId(i, 0), BoxAround(places_[i], 1)});
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

void Compute(const std::stop_token& stop) {
  std::uint64_t word = 1;
  while (!stop.stop_requested()) {
    for (int i = 0; i < 1000; ++i) benchmark::DoNotOptimize(word = word * 6364136223846793005u + 1);
  }
}

void Query(benchmark::State& state, Other what) {
  Scene scene;
  std::jthread other;
  if (what == Other::kChurns) other = std::jthread([&](std::stop_token stop) { scene.Churn(stop); });
  if (what == Other::kComputes) other = std::jthread(Compute);
  Random random(13);
  std::uint64_t found = 0;
  for (auto _ : state) found += scene.Query(random);
  if (other.joinable()) {
    other.request_stop();
    other.join();
  }
  if (scene.failed()) state.SkipWithError("there are no nodes");
  state.SetItemsProcessed(state.iterations() * kQueries);
  state.counters["found"] = static_cast<double>(found) / (state.iterations() * kQueries);
  state.counters["churn"] = benchmark::Counter(scene.rounds(), benchmark::Counter::kIsRate);
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  using namespace nowait;
  const auto add = [](const std::string& beside, Other baseline) {
    const std::string name = "query_churn_beside_" + beside;
    benchmark::RegisterBenchmark((name + "/ours/1").c_str(), Query, Other::kChurns)->UseRealTime();
    benchmark::RegisterBenchmark((name + "/baseline/1").c_str(), Query, baseline)->UseRealTime();
  };
  add("idle", Other::kSleeps);
  add("busy", Other::kComputes);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
