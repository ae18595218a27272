// Updates of several game objects: the two variants of transactions against each other, and against
// locks with which all is changed in place.
//
// A thread does one update after another. An update asks for so many objects, all different, and
// writes some of them; it writes one at least. Few objects are contention. A long update works for
// some time between the first object that it asks for and its end. The baselines know all objects
// beforehand, lock them in the order of their numbers, and change them in place
// (object_updates.h). `./nowait bench game` draws the same with contention as an axis.
//
// variants_*: ours is Revisions, and the baseline is Exclusive. one_lock_*, lock_an_object_*: ours
// is Revisions. isolation_*: ours is Revisions at kSerializable, the baseline at kReadCommitted.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "tests/bench/crew.h"
#include "tests/bench/object_updates.h"

namespace nowait {
namespace {

struct Setting {
  const char* name;
  std::uint32_t objects;
  std::uint32_t asked;
  std::uint32_t written;  // of 100 that are asked for; the first one always is
  std::uint32_t work;     // rounds of Work
};

class Plans {
 public:
  Plans(const Setting& setting, int thread)
      : setting_(setting), random_(12345u + 777u * static_cast<std::uint32_t>(thread)) {}

  Plan Next() {
    Plan plan{{}, setting_.asked, 1};
    for (std::uint32_t i = 0; i < plan.asked; ++i) {
      const auto end = plan.which.begin() + i;
      do {
        plan.which[i] = Below(setting_.objects);
      } while (std::find(plan.which.begin(), end, plan.which[i]) != end);
      if (i > 0 && Below(100) < setting_.written) ++plan.written;
    }
    return plan;
  }

 private:
  std::uint32_t Below(std::uint32_t count) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((random_ >> 32) * count >> 32);
  }

  const Setting setting_;
  std::uint64_t random_;
};

// The attempts that failed, of 1000 updates.
void Report(benchmark::State& state, const TransactionCounts& counts) {
  if (counts.commits == 0) return;
  const double commits = static_cast<double>(counts.commits) / 1000;
  state.counters["restarts"] = static_cast<double>(counts.restarts) / commits;
  state.counters["conflicts"] = static_cast<double>(counts.conflicts) / commits;
  state.counters["last_resorts"] = static_cast<double>(counts.last_resorts) / commits;
}

template <class Objects>
void Updates(benchmark::State& state, const Setting& setting) {
  const auto threads = static_cast<std::uint32_t>(state.range(0));
  const std::uint32_t updates = setting.work > 0 ? 1u << 10 : 1u << 13;  // a thread
  Objects objects(setting.objects, threads);
  Crew crew(static_cast<int>(threads));
  for (auto _ : state) {
    crew.Run([&](int number) {
      typename Objects::Thread thread(objects);
      Plans plans(setting, number);
      for (std::uint32_t i = 0; i < updates; ++i) thread.Update(plans.Next(), setting.work);
    });
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{threads} * updates);
  Report(state, objects.counts());
}

template <class Objects>
void Register(const Setting& setting, const std::string& pair, const char* who) {
  const std::string name = pair + "_" + setting.name + "/" + who;
  auto* bench = benchmark::RegisterBenchmark(
      name.c_str(), [setting](benchmark::State& state) { Updates<Objects>(state, setting); });
  bench->UseRealTime()->Arg(1)->Arg(2);
}

// Of 1024 objects, which fit into a core's cache, two threads seldom ask for the same; of five
// objects nearly always. One or five objects an update; from 99% to 50% of them are read alone; and
// updates of 1 and 10 us.
constexpr std::array kSettings{
    Setting{"seldom", 1024, 3, 20, 0},
    Setting{"often", 32, 3, 20, 0},
    Setting{"always", 5, 3, 20, 0},
    Setting{"seldom_1_object", 1024, 1, 0, 0},
    Setting{"always_1_object", 1, 1, 0, 0},
    Setting{"seldom_5_objects", 1024, 5, 20, 0},
    Setting{"always_5_objects", 5, 5, 20, 0},
    Setting{"often_reads_50", 32, 5, 50, 0},
    Setting{"often_reads_99", 32, 5, 1, 0},
    Setting{"seldom_1us", 1024, 3, 20, 400},
    Setting{"often_1us", 32, 3, 20, 400},
    Setting{"always_1us", 5, 3, 20, 400},
    Setting{"seldom_10us", 1024, 3, 20, 4000},
    Setting{"often_10us", 32, 3, 20, 4000},
    Setting{"always_10us", 5, 3, 20, 4000},
};

void RegisterAll() {
  using Lazy = Transactions<Revisions>;
  using Eager = Transactions<Exclusive>;
  for (const Setting& setting : kSettings) {
    Register<Lazy>(setting, "variants", "ours");
    Register<Eager>(setting, "variants", "baseline");
    Register<Lazy>(setting, "one_lock", "ours");
    Register<OneLock>(setting, "one_lock", "baseline");
    Register<Lazy>(setting, "lock_an_object", "ours");
    Register<LockAnObject>(setting, "lock_an_object", "baseline");
  }
  for (const Setting& setting : {kSettings[0], kSettings[1], kSettings[2]}) {
    Register<Lazy>(setting, "isolation", "ours");
    Register<Transactions<Revisions, Isolation::kReadCommitted>>(setting, "isolation", "baseline");
  }
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  nowait::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
