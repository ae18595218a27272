#include "src/islands/finalise.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "tests/islands/partition_oracle.h"

namespace nowait {
namespace {

using Slots = std::vector<std::uint32_t>;

std::vector<Slots> Lists(const Islands& islands) {
  std::vector<Slots> lists;
  for (std::uint32_t island = 0; island < islands.count(); ++island) {
    lists.emplace_back(islands[island].begin(), islands[island].end());
  }
  return lists;
}

// The same from the definition: sets in order of their lowest member, members ascending.
std::vector<Slots> ByDefinition(const PartitionOracle& oracle, const Slots& taking_part) {
  std::map<std::uint32_t, Slots> by_label;
  for (const std::uint32_t i : taking_part) by_label[oracle.Label(i)].push_back(i);
  std::vector<Slots> lists;
  for (auto& [label, list] : by_label) lists.push_back(std::move(list));
  return lists;
}

// Each of 0 .. count-1 or not.
Slots RandomSlots(std::uint32_t count, std::mt19937& random) {
  Slots slots;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (random() % 3 != 0) slots.push_back(i);
  }
  return slots;
}

TEST_CASE("islands are the sets, ascending within and by lowest member among themselves") {
  const std::uint32_t seed = GENERATE(range(1u, 41u));
  CAPTURE(seed);
  std::mt19937 random(seed);
  const std::uint32_t count = random() % 200;
  UnionFind<> sets(count);
  IslandBuilder builder;  // both again and again, with more elements and with fewer
  for (int round = 0; round < 5; ++round) {
    const Slots slots = RandomSlots(count, random);
    PartitionOracle oracle(count);
    for (std::size_t n = 0; n < slots.size() / 2; ++n) {
      const std::uint32_t a = slots[random() % slots.size()];
      const std::uint32_t b = slots[random() % slots.size()];
      sets.Union(a, b);
      oracle.Union(a, b);
    }
    const Islands& islands = builder.Finalise(sets, slots);
    REQUIRE(Lists(islands) == ByDefinition(oracle, slots));
    for (std::uint32_t island = 0; island < islands.count(); ++island) {
      for (const std::uint32_t i : islands[island]) REQUIRE(islands.island_of[i] == island);
    }
    sets.Reset(slots);
  }
}

TEST_CASE("the order of the unions leaves no trace") {
  const std::uint32_t seed = GENERATE(range(1u, 21u));
  CAPTURE(seed);
  std::mt19937 random(seed);
  constexpr std::uint32_t kCount = 50;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> contacts;
  for (int n = 0; n < 30; ++n) contacts.emplace_back(random() % kCount, random() % kCount);
  Slots all(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) all[i] = i;

  std::vector<std::vector<Slots>> results;
  for (int run = 0; run < 3; ++run) {
    UnionFind<> sets(kCount);
    std::shuffle(contacts.begin(), contacts.end(), random);
    for (const auto& [a, b] : contacts) sets.Union(a, b);
    IslandBuilder builder;
    results.push_back(Lists(builder.Finalise(sets, all)));
  }
  REQUIRE(results[0] == results[1]);
  REQUIRE(results[0] == results[2]);
}

TEST_CASE("no elements, no islands") {
  UnionFind<> sets(3);
  IslandBuilder builder;
  REQUIRE(builder.Finalise(sets, {}).count() == 0);
  REQUIRE(Islands().count() == 0);
}

}  // namespace
}  // namespace nowait
