// A read section and a write section under the phase-fair lock, against std::shared_mutex: with one
// thread, without contention, and with two that read. And how long a writer waits for two threads
// that read without a pause, which is what the lock is for.
//
// Names are <operation>/<structure>/<threads>; the structure is "ours" or "baseline". ratios.py
// pairs them.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdint>
#include <shared_mutex>

#include "src/sync/phase_fair_lock.h"
#include "tests/bench/crew.h"

namespace nowait {
namespace {

constexpr std::uint32_t kSections = 1u << 14;

class Ours {
 public:
  template <class Section>
  void Read(const Section& section) {
    lock_.LockRead();
    section();
    lock_.LeaveRead();
  }
  template <class Section>
  void Write(const Section& section) {
    lock_.LockWrite();
    section();
    lock_.LeaveWrite();
  }

 private:
  PhaseFairLock<> lock_;
};

class Baseline {
 public:
  template <class Section>
  void Read(const Section& section) {
    lock_.lock_shared();
    section();
    lock_.unlock_shared();
  }
  template <class Section>
  void Write(const Section& section) {
    lock_.lock();
    section();
    lock_.unlock();
  }

 private:
  std::shared_mutex lock_;
};

void CountSections(benchmark::State& state, std::uint32_t sections) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(sections));
}

template <class Lock>
void ReadSections(benchmark::State& state) {
  Lock lock;
  std::uint64_t guarded = 1;
  const auto threads = static_cast<int>(state.range(0));
  Crew crew(threads);
  for (auto _ : state) {
    crew.Run([&](int) {
      for (std::uint32_t i = 0; i < kSections; ++i) {
        lock.Read([&] { benchmark::DoNotOptimize(guarded); });
      }
    });
  }
  CountSections(state, kSections * static_cast<std::uint32_t>(threads));
}

template <class Lock>
void WriteSections(benchmark::State& state) {
  Lock lock;
  std::uint64_t guarded = 1;
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < kSections; ++i) {
      lock.Write([&] { benchmark::DoNotOptimize(++guarded); });
    }
  }
  CountSections(state, kSections);
}

// Thread 0 writes a few times, the others read until it has done so.
template <class Lock>
void WriteBesideReaders(benchmark::State& state) {
  constexpr std::uint32_t kWrites = 64;
  Lock lock;
  std::uint64_t guarded = 1;
  Crew crew(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    std::atomic<bool> done{false};
    crew.Run([&](int thread) {
      if (thread != 0) {
        while (!done.load(std::memory_order::relaxed)) {
          lock.Read([&] { benchmark::DoNotOptimize(guarded); });
        }
        return;
      }
      for (std::uint32_t i = 0; i < kWrites; ++i) {
        lock.Write([&] { benchmark::DoNotOptimize(++guarded); });
      }
      done.store(true, std::memory_order::relaxed);
    });
  }
  CountSections(state, kWrites);
}

BENCHMARK(ReadSections<Ours>)->Name("rw_lock_read/ours")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(ReadSections<Baseline>)->Name("rw_lock_read/baseline")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(WriteSections<Ours>)->Name("rw_lock_write/ours")->Arg(1)->UseRealTime();
BENCHMARK(WriteSections<Baseline>)->Name("rw_lock_write/baseline")->Arg(1)->UseRealTime();
BENCHMARK(WriteBesideReaders<Ours>)->Name("rw_lock_writer/ours")->Arg(3)->UseRealTime();
BENCHMARK(WriteBesideReaders<Baseline>)->Name("rw_lock_writer/baseline")->Arg(3)->UseRealTime();

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
