// Insert, finalise, remove, move and query per body: the broad phase as it is, and the same tree
// under one std::shared_mutex, as one would do it first: queries read, everything else writes.
//
// With two threads each has bodies of its own. "mixed" is the case of [rouwe2022]: half the threads
// query while the others move bodies.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <utility>
#include <vector>

#include "src/bodies/proxy_id.h"
#include "src/broadphase/broad_phase.h"
#include "src/math/random.h"
#include "src/math/vec3.h"
#include "tests/bench/crew.h"

namespace nowait {
namespace {

using Box = BroadPhase::Box;
using Entry = BroadPhase::Entry;

constexpr std::uint32_t kBodies = 4096;
constexpr std::uint32_t kBatch = 64;
constexpr float kWorld = 60.0f;  // half the side; about one neighbour a body

// No lock: the intended use of the broad phase.
struct NoLock {
  struct Scope {};
  Scope Read() { return {}; }
  Scope Write() { return {}; }
};

struct OneLock {
  std::shared_lock<std::shared_mutex> Read() { return std::shared_lock(mutex); }
  std::unique_lock<std::shared_mutex> Write() { return std::unique_lock(mutex); }
  std::shared_mutex mutex;
};

Box BoxAt(Vec3 at) { return ToBounds(at - Vec3{0.5f, 0.5f, 0.5f}, at + Vec3{0.5f, 0.5f, 0.5f}); }

// A built tree over kBodies bodies, and their boxes.
struct Fixture {
  Fixture() : broad_phase(*BroadPhase::Create(BroadPhaseDef::ForBodies(2 * kBodies))) {
    Random random(1);
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      const Vec3 at = random.InBox({-kWorld, 0, -kWorld}, {kWorld, 6, kWorld});
      entries.push_back({ProxyId(i, 0), BoxAt(at)});
    }
    Add(entries);
    Rebuild();
  }

  void Add(std::span<const Entry> bodies) {
    auto batch = broad_phase->Prepare(Layer::kDynamic, bodies);
    broad_phase->Finalise(std::move(*batch));
  }
  void Rebuild() {
    const auto rebuilt = broad_phase->Rebuild();
    benchmark::DoNotOptimize(rebuilt.has_value());
    broad_phase->Swap();
  }

  std::unique_ptr<BroadPhase> broad_phase;
  std::vector<Entry> entries;
};

// The part of the bodies that is a thread's own.
std::span<const Entry> PartOf(const Fixture& fixture, int thread, int threads) {
  const std::size_t length = kBodies / static_cast<std::size_t>(threads);
  return std::span(fixture.entries).subspan(length * static_cast<std::size_t>(thread), length);
}

template <class Lock>
void QueryAll(Fixture& fixture, Lock& lock, std::span<const Entry> part) {
  std::uint64_t found = 0;
  for (const Entry& entry : part) {
    [[maybe_unused]] const auto scope = lock.Read();
    fixture.broad_phase->Read().QueryBox(entry.box, [&found](ProxyId) { return ++found != 0; });
  }
  benchmark::DoNotOptimize(found);
}

template <class Lock>
void MoveAll(Fixture& fixture, Lock& lock, std::span<const Entry> part) {
  for (const Entry& entry : part) {
    [[maybe_unused]] const auto scope = lock.Write();
    // it is there
    static_cast<void>(fixture.broad_phase->Move(entry.id, Layer::kDynamic, entry.box));
  }
}

template <class Lock>
void Query(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  Fixture fixture;
  Lock lock;
  Crew crew(threads);
  for (auto _ : state) {
    crew.Run([&](int i) { QueryAll(fixture, lock, PartOf(fixture, i, threads)); });
  }
  state.SetItemsProcessed(state.iterations() * kBodies);
}

template <class Lock>
void Move(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  Fixture fixture;
  Lock lock;
  Crew crew(threads);
  for (auto _ : state) {
    crew.Run([&](int i) { MoveAll(fixture, lock, PartOf(fixture, i, threads)); });
  }
  state.SetItemsProcessed(state.iterations() * kBodies);
}

// The first half of the threads queries, the second half moves.
template <class Lock>
void Mixed(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  Fixture fixture;
  Lock lock;
  Crew crew(threads);
  for (auto _ : state) {
    crew.Run([&](int i) {
      const auto part = PartOf(fixture, i, threads);
      if (2 * i < threads) {
        QueryAll(fixture, lock, part);
      } else {
        MoveAll(fixture, lock, part);
      }
    });
  }
  state.SetItemsProcessed(state.iterations() * kBodies);
}

// Bodies that come one by one; gone again, and the tree rebuilt, between the iterations.
template <class Lock>
void Insert(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  Fixture fixture;
  Lock lock;
  Crew crew(threads);
  bool complete = true;
  const std::uint32_t each = kBatch / static_cast<std::uint32_t>(threads);
  const auto for_each = [&](int thread, auto f) {
    for (std::uint32_t i = 0; i < each; ++i) {
      const std::uint32_t k = static_cast<std::uint32_t>(thread) * each + i;
      f(ProxyId(kBodies + k, 0), fixture.entries[k].box);
    }
  };
  for (auto _ : state) {
    crew.Run([&](int thread) {
      for_each(thread, [&](ProxyId body, const Box& box) {
        [[maybe_unused]] const auto scope = lock.Write();
        if (!fixture.broad_phase->Insert(body, Layer::kDynamic, box)) complete = false;
      });
    });
    state.PauseTiming();
    for (int thread = 0; thread < threads; ++thread) {
      for_each(thread, [&](ProxyId body, const Box&) {
        fixture.broad_phase->Remove(body, Layer::kDynamic);
      });
    }
    fixture.Rebuild();
    state.ResumeTiming();
  }
  if (!complete) state.SkipWithError("no tree nodes left");
  state.SetItemsProcessed(state.iterations() * kBatch);
}

// A batch of bodies: built where nobody sees it, then linked in. With the lock, both under it.
template <class Lock>
void Finalise(benchmark::State& state) {
  Fixture fixture;
  Lock lock;
  std::vector<Entry> batch(fixture.entries.begin(), fixture.entries.begin() + kBatch);
  for (std::uint32_t i = 0; i < kBatch; ++i) batch[i].id = ProxyId(kBodies + i, 0);
  for (auto _ : state) {
    {
      [[maybe_unused]] const auto scope = lock.Write();
      fixture.Add(batch);
    }
    state.PauseTiming();
    for (const Entry& entry : batch) fixture.broad_phase->Remove(entry.id, Layer::kDynamic);
    fixture.Rebuild();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
}

template <class Lock>
void Remove(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  Fixture fixture;
  Lock lock;
  Crew crew(threads);
  for (auto _ : state) {
    crew.Run([&](int thread) {
      for (const Entry& entry : PartOf(fixture, thread, threads)) {
        [[maybe_unused]] const auto scope = lock.Write();
        fixture.broad_phase->Remove(entry.id, Layer::kDynamic);
      }
    });
    state.PauseTiming();
    fixture.Rebuild();
    fixture.Add(fixture.entries);
    fixture.Rebuild();
    fixture.Rebuild();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kBodies);
}

#define NOWAIT_PAIR(function, name)                                               \
  BENCHMARK(function<NoLock>)->Name(name "/ours")->Arg(1)->Arg(2)->UseRealTime(); \
  BENCHMARK(function<OneLock>)->Name(name "/baseline")->Arg(1)->Arg(2)->UseRealTime()

NOWAIT_PAIR(Query, "query");
NOWAIT_PAIR(Move, "move");
NOWAIT_PAIR(Insert, "insert");
NOWAIT_PAIR(Remove, "remove");
BENCHMARK(Mixed<NoLock>)->Name("mixed/ours")->Arg(2)->UseRealTime();
BENCHMARK(Mixed<OneLock>)->Name("mixed/baseline")->Arg(2)->UseRealTime();
BENCHMARK(Finalise<NoLock>)->Name("finalise/ours")->Arg(1)->UseRealTime();
BENCHMARK(Finalise<OneLock>)->Name("finalise/baseline")->Arg(1)->UseRealTime();

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
