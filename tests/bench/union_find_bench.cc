// Union and find per call: the lock-free structure against a serial one that does the same.
//
// Names are <operation>/<structure>/<threads>; the structure is "ours" or "baseline". ratios.py
// pairs them.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "src/islands/union_find.h"
#include "src/math/random.h"
#include "tests/bench/crew.h"

namespace nowait {
namespace {

constexpr std::uint32_t kElements = 1u << 15;

using Pair = std::pair<std::uint32_t, std::uint32_t>;

// Contacts as they occur: between bodies that are near each other, some heaps larger than others.
std::vector<Pair> Contacts() {
  Random random(1);
  std::vector<Pair> pairs;
  for (std::uint32_t i = 0; i < 2 * kElements; ++i) {
    const std::uint32_t a = random.Below(kElements);
    const std::uint32_t b = (a + 1 + random.Below(8)) % kElements;
    pairs.emplace_back(a, b);
  }
  return pairs;
}

// The textbook's: links by index as ours does, so that the lowest element is the root, and halves
// the paths that it follows.
class SerialUnionFind {
 public:
  explicit SerialUnionFind(std::uint32_t count) : links_(count) { Reset(); }

  std::uint32_t Find(std::uint32_t i) {
    while (links_[i] != i) i = links_[i] = links_[links_[i]];
    return i;
  }
  void Union(std::uint32_t a, std::uint32_t b) {
    a = Find(a);
    b = Find(b);
    if (a < b) {
      links_[b] = a;
    } else {
      links_[a] = b;
    }
  }
  void Reset() {
    for (std::uint32_t i = 0; i < links_.size(); ++i) links_[i] = i;
  }

 private:
  std::vector<std::uint32_t> links_;
};

std::vector<std::uint32_t> AllElements() {
  std::vector<std::uint32_t> all(kElements);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

void CountCalls(benchmark::State& state, std::size_t calls) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(calls));
}

void UnionOurs(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  const auto pairs = Contacts();
  const auto all = AllElements();
  UnionFind<> sets(kElements);
  Crew crew(threads);
  for (auto _ : state) {
    state.PauseTiming();
    sets.Reset(all);
    state.ResumeTiming();
    crew.Run([&](int thread) {
      const std::size_t begin =
          pairs.size() * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
      const std::size_t end =
          pairs.size() * static_cast<std::size_t>(thread + 1) / static_cast<std::size_t>(threads);
      for (std::size_t i = begin; i < end; ++i) sets.Union(pairs[i].first, pairs[i].second);
    });
  }
  CountCalls(state, pairs.size());
}

void UnionSerial(benchmark::State& state) {
  const auto pairs = Contacts();
  SerialUnionFind sets(kElements);
  for (auto _ : state) {
    state.PauseTiming();
    sets.Reset();
    state.ResumeTiming();
    for (const auto& [a, b] : pairs) sets.Union(a, b);
    benchmark::ClobberMemory();
  }
  CountCalls(state, pairs.size());
}

void FindOurs(benchmark::State& state) {
  UnionFind<> sets(kElements);
  for (const auto& [a, b] : Contacts()) sets.Union(a, b);
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < kElements; ++i) benchmark::DoNotOptimize(sets.Find(i));
  }
  CountCalls(state, kElements);
}

void FindSerial(benchmark::State& state) {
  SerialUnionFind linked(kElements);
  for (const auto& [a, b] : Contacts()) linked.Union(a, b);
  SerialUnionFind sets(kElements);
  for (auto _ : state) {
    state.PauseTiming();
    sets = linked;  // a find shortens the paths that the next one would follow
    state.ResumeTiming();
    for (std::uint32_t i = 0; i < kElements; ++i) benchmark::DoNotOptimize(sets.Find(i));
  }
  CountCalls(state, kElements);
}

BENCHMARK(UnionOurs)->Name("union/ours")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(UnionSerial)->Name("union/baseline")->Arg(1)->UseRealTime();
BENCHMARK(FindOurs)->Name("find/ours")->Arg(1)->UseRealTime();
BENCHMARK(FindSerial)->Name("find/baseline")->Arg(1)->UseRealTime();

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
