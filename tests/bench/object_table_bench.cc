// Reads and updates of game objects: versions, against a lock an object and against one lock for
// all.
//
// Each thread goes through the objects in an order of its own; of 100 operations so many are
// updates. Few objects, or one, is contention. The reads of the baselines copy what they look at.
//
// read: on one thread, beside a handle table that compares the generation and keeps nothing alive
// (checked), the same table with a count in the object, up and down (counted), and the same table
// in a pinned epoch (reader_epochs.h), which is pinned for one read (pinned) or for eight
// (pinned_for_8). Times are those of one read.
#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "src/game/object_table.h"
#include "src/sync/reader_epochs.h"
#include "tests/bench/crew.h"

namespace nowait {
namespace {

constexpr std::uint32_t kOperations = 1u << 14;  // a thread

struct Object {
  std::uint64_t health = 0;
  std::array<float, 14> state{};
};

class Versions {
 public:
  Versions(std::uint32_t objects, std::uint32_t threads) : table_(objects, objects + 3 * threads) {
    for (std::uint32_t i = 0; i < objects; ++i) handles_.push_back(*table_.Create({}));
  }
  std::uint64_t Read(std::uint32_t i) {
    const auto view = table_.Read(handles_[i]);
    return (*view)->health + static_cast<std::uint64_t>((*view)->state[13]);
  }
  void Update(std::uint32_t i) {
    for (bool done = false; !done;) {
      auto edit = table_.Edit(handles_[i]);
      ++(*edit)->health;
      done = edit->Commit();
    }
  }

 private:
  ObjectTable<Object> table_;
  std::vector<ObjectHandle> handles_;
};

class LockAnObject {
 public:
  LockAnObject(std::uint32_t objects, std::uint32_t) : cells_(objects) {}
  std::uint64_t Read(std::uint32_t i) {
    const std::shared_lock lock(cells_[i].mutex);
    return cells_[i].object.health + static_cast<std::uint64_t>(cells_[i].object.state[13]);
  }
  void Update(std::uint32_t i) {
    const std::lock_guard lock(cells_[i].mutex);
    ++cells_[i].object.health;
  }

 private:
  struct alignas(64) Cell {
    std::shared_mutex mutex;
    Object object;
  };
  std::vector<Cell> cells_;
};

class OneLock {
 public:
  OneLock(std::uint32_t objects, std::uint32_t) : objects_(objects) {}
  std::uint64_t Read(std::uint32_t i) {
    const std::lock_guard lock(mutex_);
    return objects_[i].health + static_cast<std::uint64_t>(objects_[i].state[13]);
  }
  void Update(std::uint32_t i) {
    const std::lock_guard lock(mutex_);
    ++objects_[i].health;
  }

 private:
  std::mutex mutex_;
  std::vector<Object> objects_;
};

// A table of handles. With a count, the object could be kept while it is looked at.
template <bool kCounts>
class HandleTable {
 public:
  HandleTable(std::uint32_t objects, std::uint32_t) : slots_(objects), stored_(objects) {
    for (std::uint32_t i = 0; i < objects; ++i) {
      slots_[i] = {1, &stored_[i]};
      handles_.push_back({i, 1});
    }
  }
  std::uint64_t Read(std::uint32_t i) {
    const ObjectHandle handle = handles_[i];
    if (handle.slot >= slots_.size()) return 0;
    const Slot& slot = slots_[handle.slot];
    if (slot.generation != handle.generation) return 0;
    Stored& stored = *slot.stored;
    if constexpr (kCounts) stored.uses.fetch_add(1, std::memory_order::acquire);
    const std::uint64_t sum =
        stored.object.health + static_cast<std::uint64_t>(stored.object.state[13]);
    if constexpr (kCounts) stored.uses.fetch_sub(1, std::memory_order::release);
    return sum;
  }

 private:
  struct alignas(64) Stored {
    std::atomic<std::uint64_t> uses{0};
    Object object;
  };
  struct alignas(64) Slot {
    std::uint32_t generation;
    Stored* stored;
  };
  std::vector<Slot> slots_;
  std::vector<Stored> stored_;
  std::vector<ObjectHandle> handles_;
};

class PinnedTable : public HandleTable<false> {
 public:
  using HandleTable<false>::HandleTable;
  ReaderEpochs<>::Guard Pin() { return epochs_.Pin(); }

 private:
  ReaderEpochs<> epochs_;
};

std::uint32_t NextOf(std::uint32_t& random, std::uint32_t count) {
  random = random * 1664525u + 1013904223u;
  return static_cast<std::uint32_t>(std::uint64_t{random} * count >> 32);
}

template <class Objects>
void Reads(benchmark::State& state) {
  const auto count = static_cast<std::uint32_t>(state.range(0));
  Objects objects(count, 1);
  std::uint32_t random = 12345;
  std::uint64_t sum = 0;
  for (auto _ : state) sum += objects.Read(NextOf(random, count));
  benchmark::DoNotOptimize(sum);
}

// kFor: the reads of one pinned epoch.
template <int kFor>
void PinnedReads(benchmark::State& state) {
  const auto count = static_cast<std::uint32_t>(state.range(0));
  PinnedTable objects(count, 1);
  std::uint32_t random = 12345;
  std::uint64_t sum = 0;
  while (state.KeepRunningBatch(kFor)) {
    const auto pin = objects.Pin();
    for (int i = 0; i < kFor; ++i) sum += objects.Read(NextOf(random, count));
  }
  benchmark::DoNotOptimize(sum);
}

// threads, objects, updates in 100 operations
template <class Objects>
void Mix(benchmark::State& state) {
  const auto threads = static_cast<std::uint32_t>(state.range(0));
  const auto count = static_cast<std::uint32_t>(state.range(1));
  const auto updates = static_cast<std::uint32_t>(state.range(2));
  Objects objects(count, threads);
  Crew crew(static_cast<int>(threads));
  for (auto _ : state) {
    crew.Run([&](int thread) {
      std::uint32_t random = 12345u + static_cast<std::uint32_t>(thread);
      std::uint64_t sum = 0;
      for (std::uint32_t i = 0; i < kOperations; ++i) {
        const std::uint32_t which = NextOf(random, count);
        if ((random >> 8) % 100 < updates) {
          objects.Update(which);
        } else {
          sum += objects.Read(which);
        }
      }
      benchmark::DoNotOptimize(sum);
    });
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{threads} * kOperations);
}

void Settings(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"threads", "objects", "updates"})->UseRealTime();
  for (const int threads : {1, 2}) {
    for (const int objects : {1, 4096}) {
      for (const int updates : {1, 20, 50}) bench->Args({threads, objects, updates});
    }
  }
}
BENCHMARK(Mix<Versions>)->Name("objects/ours")->Apply(Settings);
BENCHMARK(Mix<LockAnObject>)->Name("objects/baseline")->Apply(Settings);
BENCHMARK(Mix<OneLock>)->Name("objects/one_lock")->Apply(Settings);
BENCHMARK(Reads<Versions>)->Name("read/ours")->Arg(64)->Arg(4096)->Arg(65536);
BENCHMARK(Reads<HandleTable<false>>)->Name("read/checked")->Arg(64)->Arg(4096)->Arg(65536);
BENCHMARK(Reads<HandleTable<true>>)->Name("read/counted")->Arg(64)->Arg(4096)->Arg(65536);
BENCHMARK(PinnedReads<1>)->Name("read/pinned")->Arg(64)->Arg(4096)->Arg(65536);
BENCHMARK(PinnedReads<8>)->Name("read/pinned_for_8")->Arg(64)->Arg(4096)->Arg(65536);

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
