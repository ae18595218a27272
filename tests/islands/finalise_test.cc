#include "src/islands/finalise.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "tests/islands/partition_oracle.h"

namespace nowait {
namespace {

using Keys = std::vector<std::uint32_t>;

// Islands as lists of keys: what is left when the indices' order of activation is taken away.
std::vector<Keys> ByKey(const Islands& islands, const Keys& keys) {
  std::vector<Keys> lists;
  for (std::uint32_t island = 0; island < islands.count(); ++island) {
    Keys& list = lists.emplace_back();
    for (const std::uint32_t i : islands[island]) list.push_back(keys[i]);
  }
  return lists;
}

// The same from the definition: sets in order of their lowest key, members in order of key.
std::vector<Keys> ByDefinition(const PartitionOracle& oracle, const Keys& keys) {
  std::map<std::uint32_t, Keys> by_label;
  for (std::uint32_t i = 0; i < keys.size(); ++i) by_label[oracle.Label(i)].push_back(keys[i]);
  std::vector<Keys> lists;
  for (auto& [label, list] : by_label) {
    std::sort(list.begin(), list.end());
    lists.push_back(std::move(list));
  }
  std::sort(lists.begin(), lists.end());
  return lists;
}

// `count` different keys over the whole range that is allowed.
Keys RandomKeys(std::uint32_t count, std::mt19937& random) {
  constexpr std::uint32_t kEnd = 1u << 22;
  Keys keys(count);
  const std::uint32_t stride = kEnd / (count + 1);
  for (std::uint32_t i = 0; i < count; ++i) keys[i] = i * stride + random() % stride;
  if (count > 0) keys[0] = kEnd - 1;
  std::shuffle(keys.begin(), keys.end(), random);
  return keys;
}

TEST_CASE("islands are the sets, sorted by key within and by lowest key among themselves") {
  const std::uint32_t seed = GENERATE(range(1u, 41u));
  CAPTURE(seed);
  std::mt19937 random(seed);
  IslandBuilder builder;  // the same one again and again, larger and smaller
  for (int round = 0; round < 5; ++round) {
    const std::uint32_t count = random() % 200;
    UnionFind<> sets(count);
    for (std::uint32_t i = 0; i < count; ++i) sets.Activate();
    PartitionOracle oracle(count);
    for (std::uint32_t n = 0; count > 0 && n < count / 2; ++n) {
      const std::uint32_t a = random() % count;
      const std::uint32_t b = random() % count;
      sets.Union(a, b);
      oracle.Union(a, b);
    }
    const Keys keys = RandomKeys(count, random);
    const Islands& islands = builder.Finalise(sets, keys);
    REQUIRE(ByKey(islands, keys) == ByDefinition(oracle, keys));
    for (std::uint32_t island = 0; island < islands.count(); ++island) {
      for (const std::uint32_t i : islands[island]) REQUIRE(islands.island_of[i] == island);
    }
  }
}

TEST_CASE("the order of activation leaves no trace") {
  const std::uint32_t seed = GENERATE(range(1u, 21u));
  CAPTURE(seed);
  std::mt19937 random(seed);
  constexpr std::uint32_t kCount = 50;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> contacts;
  for (int n = 0; n < 30; ++n) contacts.emplace_back(random() % kCount, random() % kCount);

  std::vector<std::vector<Keys>> results;
  for (int run = 0; run < 3; ++run) {
    Keys slot_of(kCount);  // by union-find index: which body was activated when
    std::iota(slot_of.begin(), slot_of.end(), 0u);
    std::shuffle(slot_of.begin(), slot_of.end(), random);
    std::vector<std::uint32_t> index_of(kCount);
    UnionFind<> sets(kCount);
    for (std::uint32_t i = 0; i < kCount; ++i) index_of[slot_of[i]] = sets.Activate();
    std::shuffle(contacts.begin(), contacts.end(), random);
    for (const auto& [a, b] : contacts) sets.Union(index_of[a], index_of[b]);
    IslandBuilder builder;
    results.push_back(ByKey(builder.Finalise(sets, slot_of), slot_of));
  }
  REQUIRE(results[0] == results[1]);
  REQUIRE(results[0] == results[2]);
}

TEST_CASE("no elements, no islands") {
  UnionFind<> sets(0);
  IslandBuilder builder;
  REQUIRE(builder.Finalise(sets, {}).count() == 0);
  REQUIRE(Islands().count() == 0);
}

}  // namespace
}  // namespace nowait
