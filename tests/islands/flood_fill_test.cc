#include "src/islands/flood_fill.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "src/islands/union_find.h"
#include "src/math/random.h"

namespace nowait {
namespace {

using Islands = std::vector<std::vector<std::uint32_t>>;

Islands Filled(FloodFill& fill, std::uint32_t bodies,
               const std::vector<FloodFill::Pair>& contacts) {
  fill.Run(bodies, contacts);
  Islands islands;
  for (std::uint32_t i = 0; i < fill.count(); ++i) {
    islands.emplace_back(fill.island(i).begin(), fill.island(i).end());
    std::ranges::sort(islands.back());
  }
  return islands;
}

TEST_CASE("islands in the order of their lowest bodies") {
  FloodFill fill;
  CHECK(fill.count() == 0);
  CHECK(Filled(fill, 0, {}).empty());
  CHECK(Filled(fill, 3, {}) == Islands{{0}, {1}, {2}});
  CHECK(Filled(fill, 6, {{4, 1}, {5, 2}, {1, 3}, {1, 3}}) == Islands{{0}, {1, 3, 4}, {2, 5}});
  CHECK(Filled(fill, 2, {{0, 1}}) == Islands{{0, 1}});
}

TEST_CASE("the islands are those of the union-find") {
  Random random(3);
  FloodFill fill;
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t bodies = 1 + random.Below(60);
    std::vector<FloodFill::Pair> contacts;
    UnionFind<> sets(bodies);
    for (std::uint32_t i = random.Below(2 * bodies); i > 0; --i) {
      const std::uint32_t a = random.Below(bodies), b = random.Below(bodies);
      if (a == b) continue;
      contacts.push_back({a, b});
      sets.Union(a, b);
    }
    const Islands filled = Filled(fill, bodies, contacts);
    std::vector<std::uint32_t> lowest(bodies);
    for (const auto& island : filled) {
      for (const std::uint32_t body : island) lowest[body] = island.front();
    }
    for (std::uint32_t body = 0; body < bodies; ++body) {
      CAPTURE(round, body);
      CHECK(sets.Find(body) == lowest[body]);
    }
  }
}

}  // namespace
}  // namespace nowait
