#include "src/islands/union_find.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/islands/partition_oracle.h"

namespace nowait {
namespace {

TEST_CASE("after every union, each element finds the lowest element of its set") {
  const std::uint32_t seed = GENERATE(range(1u, 31u));
  CAPTURE(seed);
  std::mt19937 random(seed);
  const std::uint32_t count = 1 + random() % 60;
  UnionFind<> sets(count);
  PartitionOracle oracle(count);
  for (std::uint32_t step = 0; step < count; ++step) {
    const std::uint32_t a = random() % count;
    const std::uint32_t b = random() % count;
    CAPTURE(step, a, b);
    sets.Union(a, b);
    oracle.Union(a, b);
    for (std::uint32_t i = 0; i < count; ++i) REQUIRE(sets.Find(i) == oracle.Label(i));
  }
  for (std::uint32_t i = 0; i < count; ++i) REQUIRE(sets.LinkOf(i) <= i);
}

TEST_CASE("a reset makes the elements sets of their own, and leaves the others alone") {
  UnionFind<> sets(6);
  sets.Union(0, 3);
  sets.Union(3, 2);
  sets.Union(4, 5);
  sets.Reset(std::vector<std::uint32_t>{0, 2, 3});
  for (std::uint32_t i = 0; i < 5; ++i) REQUIRE(sets.Find(i) == i);
  REQUIRE(sets.Find(5) == 4);
}

TEST_CASE("statistics count unions, finds and the links that finds followed") {
  UnionFind<> sets(4);
  FindStats stats;
  sets.Union(2, 3, &stats);
  sets.Union(1, 2, &stats);
  REQUIRE(stats.unions == 2);
  REQUIRE(stats.finds == 4);
  REQUIRE(stats.steps == 0);
  sets.Find(3, &stats);  // 3 -> 2 -> 1
  REQUIRE(stats.finds == 5);
  REQUIRE(stats.steps == 2);
  REQUIRE(stats.histogram[0] == 4);
  REQUIRE(stats.histogram[2] == 1);
  REQUIRE(stats.mean_steps() == Approx(0.4));
}

TEST_CASE("statistics that are added up have all that was counted in both") {
  FindStats sum;
  FindStats other;
  const std::uint32_t last = FindStats::kBuckets - 1;
  for (const std::uint32_t path : {0u, 1u, last}) {
    sum.AddFind(path);
    other.AddFind(path);
    other.AddFind(path);
  }
  sum.unions = 3;
  other.unions = 4;
  sum += other;
  REQUIRE(sum.unions == 7);
  REQUIRE(sum.finds == 9);
  REQUIRE(sum.steps == 3 * (1 + last));
  for (const std::uint32_t path : {0u, 1u, last}) REQUIRE(sum.histogram[path] == 3);
  REQUIRE(sum.histogram[2] == 0);
}

// The purpose of the exchanges in Union's two AtomicMins; without them everything else still holds.
TEST_CASE("a union shortens the paths of both its elements to one link") {
  constexpr std::uint32_t kLength = 10;
  for (const bool long_path_first : {true, false}) {
    UnionFind<> sets(kLength);
    for (std::uint32_t i = kLength - 1; i > 0; --i) sets.Union(i, i - 1);
    FindStats before;
    sets.Find(kLength - 1, &before);
    REQUIRE(before.steps == kLength - 1);
    sets.Union(long_path_first ? kLength - 1 : 0, long_path_first ? 0 : kLength - 1);
    FindStats after;
    sets.Find(kLength - 1, &after);
    REQUIRE(after.steps == 1);
  }
}

// Orders in which a union-find that does not halve is quadratic: 32,000 elements took 4,000 links a
// find.
class AdverseOrder {
 public:
  explicit AdverseOrder(std::uint32_t count) : count_(count), sets_(count) {}

  void Union(std::uint32_t a, std::uint32_t b) { sets_.Union(a, b, &stats_); }
  void Find(std::uint32_t i) { sets_.Find(i, &stats_); }
  // From the highest to the lowest: each links to its neighbour, and none of the paths is
  // shortened.
  void LinkAsPath() {
    for (std::uint32_t i = count_ - 1; i > 0; --i) Union(i, i - 1);
  }

  void CheckBound() const {
    const double bound = 2 * std::log2(count_) + 2;  // union_find.h
    CAPTURE(count_, stats_.finds, stats_.steps, stats_.mean_steps());
    CHECK(stats_.mean_steps() <= bound);
  }

 private:
  std::uint32_t count_;
  UnionFind<> sets_;
  FindStats stats_;
};

TEST_CASE("in the orders that make long paths, finds follow few links on average") {
  const std::uint32_t count = GENERATE(1'000u, 8'000u, 32'000u);
  AdverseOrder order(count);
  SECTION("each element of a path is looked for, from the far end on") {
    order.LinkAsPath();
    for (std::uint32_t i = count; i-- > 0;) order.Find(i);
  }
  SECTION("each element of a path is linked to the near end, from the far end on") {
    order.LinkAsPath();
    for (std::uint32_t i = count; i-- > 0;) order.Union(i, 0);
  }
  SECTION("a path is looked at in the order of a bisection") {
    order.LinkAsPath();
    for (std::uint32_t step = std::bit_ceil(count) / 2; step > 0; step /= 2) {
      for (std::uint32_t i = count - 1; i >= 2 * step; i -= 2 * step) order.Find(i - step);
    }
  }
  SECTION("pairs are linked, then pairs of pairs, each by the ends with the longest paths") {
    for (std::uint32_t size = 1; size < count; size *= 2) {
      for (std::uint32_t first = 0; first + size < count; first += 2 * size) {
        order.Union(std::min(first + 2 * size, count) - 1, first + size - 1);
      }
    }
  }
  SECTION("a bridge: pillars from left to right, the deck and two layers from right to left") {
    const std::uint32_t row = count / 4;
    for (std::uint32_t i = 0; i < row; ++i) order.Union(i, row + i);
    for (std::uint32_t layer = 1; layer < 4; ++layer) {
      for (std::uint32_t i = row - 1; i > 0; --i) {
        order.Union(layer * row + i, layer * row + i - 1);
        order.Union(layer * row + i, (layer - 1) * row + i);
      }
    }
  }
  order.CheckBound();
}

TEST_CASE("the statistics' last bucket has all long paths") {
  FindStats stats, more;
  stats.AddFind(FindStats::kBuckets - 2);
  more.AddFind(FindStats::kBuckets - 1);
  more.AddFind(1000);
  stats += more;
  REQUIRE(stats.finds == 3);
  REQUIRE(stats.histogram[FindStats::kBuckets - 2] == 1);
  REQUIRE(stats.histogram[FindStats::kBuckets - 1] == 2);
  REQUIRE(FindStats().mean_steps() == 0.0);
}

}  // namespace
}  // namespace nowait
