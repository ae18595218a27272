// Four threads link at random; the islands must be those of a sequential partition.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "src/islands/awake_set.h"
#include "src/islands/finalise.h"
#include "src/islands/union_find.h"
#include "tests/islands/partition_oracle.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

constexpr std::uint32_t kThreads = 4;

TEST_CASE("random unions from four threads give the oracle's partition") {
  // Few elements: the threads meet at the same roots. Many: long paths.
  const std::uint32_t count = GENERATE(8u, 64u, 2000u);
  const std::uint32_t rounds = count > 1000 ? 10 : 150;
  for (std::uint32_t seed = 1; seed <= rounds; ++seed) {
    CAPTURE(count, seed);
    std::mt19937 random(seed);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs[kThreads];
    PartitionOracle oracle(count);
    for (auto& list : pairs) {
      for (std::uint32_t n = 0; n < count / 6 + 1; ++n) {
        list.emplace_back(random() % count, random() % count);
        oracle.Union(list.back().first, list.back().second);
      }
    }
    UnionFind<> sets(count);
    FindStats stats[kThreads];
    Together(kThreads, [&](std::uint32_t thread) {
      for (const auto& [a, b] : pairs[thread]) sets.Union(a, b, &stats[thread]);
    });
    FindStats sum;
    for (const FindStats& one : stats) sum += one;
    REQUIRE(sum.unions == kThreads * (count / 6 + 1));

    std::vector<std::uint32_t> found(count), all(count);
    for (std::uint32_t i = 0; i < count; ++i) found[i] = sets.Find(i);
    REQUIRE(found == oracle.labels());
    std::iota(all.begin(), all.end(), 0u);
    IslandBuilder builder;
    const Islands& islands = builder.Finalise(sets, all);
    for (std::uint32_t i = 0; i < count; ++i) {
      REQUIRE(islands[islands.island_of[i]].front() == oracle.Label(i));
    }
  }
}

TEST_CASE("bodies wake while others link: each is woken by one thread, and no union is lost") {
  constexpr std::uint32_t kCount = 4000;
  constexpr std::uint32_t kIsland = 8;
  UnionFind<> sets(kCount);
  AwakeSet<> awake(kCount);
  std::vector<std::uint32_t> woken[kThreads];
  // Everybody finds every body touched, and links it to its neighbour unless it begins an island.
  Together(kThreads, [&](std::uint32_t thread) {
    for (std::uint32_t n = 0; n < kCount; ++n) {
      const std::uint32_t i = thread % 2 == 0 ? n : kCount - 1 - n;
      if (awake.Wake(i)) woken[thread].push_back(i);
      if (i % kIsland != 0) sets.Union(i, i - 1);
    }
  });
  std::vector<std::uint32_t> told, all;
  for (const auto& list : woken) told.insert(told.end(), list.begin(), list.end());
  std::sort(told.begin(), told.end());
  awake.List(all);
  REQUIRE(all.size() == kCount);
  REQUIRE(told == all);
  for (std::uint32_t i = 0; i < kCount; ++i) REQUIRE(sets.Find(i) == i - i % kIsland);
}

}  // namespace
}  // namespace nowait
