#include "src/broadphase/split.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "src/broadphase/build.h"
#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

using Item = TreeItem<3>;

std::vector<Item> Items(const std::vector<Box>& boxes) {
  std::vector<Item> items;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    items.push_back({child_id::OfBody(Body(i)), 0, boxes[i]});
  }
  return items;
}

// Inputs that a split in the middle alone does badly on, or never ends on.
std::vector<Box> Boxes(const std::string& kind, std::uint32_t n) {
  std::vector<Box> boxes;
  RandomBoxes random(7);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto x = static_cast<float>(i);
    if (kind == "random") boxes.push_back(random.Next(100.0f, 1.0f));
    if (kind == "coincident") boxes.push_back(Cube(1, 2, 3, 0.5f));
    if (kind == "points") boxes.push_back(Cube(x, 0, 0, 0));
    // The middle splits off one at a time, a hundred times over.
    if (kind == "doubling")
      boxes.push_back(Cube(std::ldexp(1.0f, static_cast<int>(i % 90)), 0, 0, 0));
    if (kind == "concentric") boxes.push_back(Cube(0, 0, 0, 1.0f + x));
    if (kind == "huge") boxes.push_back(Cube(x, 0, 0, 9e29f));
    if (kind == "one far away") boxes.push_back(Cube(i == 0 ? 9e29f : x * 1e-3f, 0, 0, 0));
  }
  return boxes;
}

TEST_CASE("a built tree has every body once, and no more levels than promised") {
  const std::string kind = GENERATE(as<std::string>(), "random", "coincident", "points", "doubling",
                                    "concentric", "huge", "one far away");
  const std::uint32_t n = GENERATE(1u, 2u, 4u, 5u, 17u, 1000u, 20'000u);
  CAPTURE(kind, n);
  std::vector<Item> items = Items(Boxes(kind, n));
  Storage storage(n + 1, n);
  std::vector<std::uint32_t> nodes;
  TreeBuilder<StdSync, 3, 4> builder(storage, nodes);
  const Result<Item> root = builder.Build(items);
  REQUIRE(root.has_value());
  REQUIRE(root->height <= MaxBuildHeight<4>(n));
  if (n == 1) return;

  builder.Adopt(root->child, location::kNone);
  const TreeStats stats = StatsOf(storage, root->child);
  REQUIRE(stats.bodies == n);
  REQUIRE(stats.depth == root->height);
  REQUIRE(stats.nodes < n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t at = LocationOf(storage, Body(i));
    const auto& node = storage.node(location::Node<4>(at));
    REQUIRE(node.child[location::Slot<4>(at)].load(std::memory_order::relaxed) ==
            child_id::OfBody(Body(i)));
  }
}

TEST_CASE("every node's box contains those of its children") {
  std::vector<Item> items = Items(Boxes("random", 3000));
  Storage storage(3000, 3000);
  std::vector<std::uint32_t> nodes;
  TreeBuilder<StdSync, 3, 4> builder(storage, nodes);
  REQUIRE(builder.Build(items).has_value());
  for (std::uint32_t index : nodes) {
    const auto& node = storage.node(index);
    for (int slot = 0; slot < 4; ++slot) {
      const std::uint32_t id = node.child[slot].load(std::memory_order::relaxed);
      if (!child_id::IsNode(id)) continue;
      REQUIRE(node.BoxOf(slot, std::memory_order::relaxed) == storage.node(id).BoxOfAll());
    }
  }
}

TEST_CASE("a build that runs out of nodes gives back those that it took") {
  std::vector<Item> items = Items(Boxes("random", 1000));
  Storage storage(100, 1000);
  {
    std::vector<std::uint32_t> nodes;
    TreeBuilder<StdSync, 3, 4> builder(storage, nodes);
    REQUIRE(builder.Build(items).error() == Error{ErrorCode::kCapacity, "tree nodes", 100});
  }
  for (int i = 0; i < 100; ++i) REQUIRE(storage.TakeNode().has_value());
}

TEST_CASE("the same items give the same tree") {
  std::vector<std::uint32_t> first;
  for (int round = 0; round < 2; ++round) {
    std::vector<Item> items = Items(Boxes("concentric", 500));
    Storage storage(500, 500);
    std::vector<std::uint32_t> nodes;
    TreeBuilder<StdSync, 3, 4> builder(storage, nodes);
    const Result<Item> root = builder.Build(items);
    REQUIRE(root.has_value());
    builder.Adopt(root->child, location::kNone);
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < 500; ++i) places.push_back(LocationOf(storage, Body(i)));
    if (round == 0) first = places;
    REQUIRE(places == first);
  }
}

TEST_CASE("heights and levels are the logarithms that split.h says") {
  CHECK(FullHeight<4>(1) == 0);
  CHECK(FullHeight<4>(2) == 1);
  CHECK(FullHeight<4>(4) == 1);
  CHECK(FullHeight<4>(5) == 2);
  CHECK(FullHeight<4>(16) == 2);
  CHECK(FullHeight<4>(17) == 3);
  CHECK(FullHeight<2>(17) == 5);
  CHECK(MidpointLevels<4>(17) == 6);
  CHECK(MaxBuildHeight<4>(17) == 9);
}

TEST_CASE("a set is split at the middle of its longest axis, whichever that is") {
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    std::vector<Box> boxes;
    for (int i = 0; i < 12; ++i) {
      float at[3] = {static_cast<float>(i % 3), static_cast<float>(i % 2),
                     static_cast<float>(i % 5)};
      at[axis] = i < 9 ? static_cast<float>(i) : 100.0f + static_cast<float>(i);
      boxes.push_back(Cube(at[0], at[1], at[2], 0.25f));
    }
    std::vector<Item> items = Items(boxes);
    const std::size_t lower = SplitInTwo<3>(items, false);
    CHECK(lower == 9);  // not half of them: those below the middle
    for (std::size_t i = 0; i < items.size(); ++i) {
      CHECK((items[i].box.Centre(axis) < 50) == (i < lower));
    }
  }
}

TEST_CASE("at the median a set is halved, the lower half first, and equal centres go by child id") {
  std::vector<Box> boxes;
  for (int i = 0; i < 7; ++i) boxes.push_back(Cube(static_cast<float>(i * i), 0, 0, 0.25f));
  std::vector<Item> items = Items(boxes);
  std::reverse(items.begin(), items.end());
  CHECK(SplitInTwo<3>(items, true) == 4);
  for (std::size_t i = 0; i < 7; ++i) CHECK((items[i].box.Centre(0) <= 9) == (i < 4));
  items = Items(std::vector<Box>(8, Cube(1, 2, 3, 1)));
  std::reverse(items.begin(), items.end());
  for (const bool at_median : {false, true}) {  // in the middle they cannot be split
    CHECK(SplitInTwo<3>(items, at_median) == 4);
    for (std::size_t i = 0; i < 8; ++i) {
      CHECK((child_id::Body(items[i].child).slot() < 4) == (i < 4));
    }
  }
}

TEST_CASE("up to as many items as slots get a slot each, in their order, and more fill all slots") {
  std::vector<Item> items = Items(Boxes("points", 4));
  const auto few = SplitAll<3, 4>(std::span(items).first(3), false);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(few[i].size() == 1);
    CHECK(few[i][0].child == items[i].child);
  }
  CHECK(few[3].empty());
  std::vector<Item> many = Items(Boxes("points", 40));
  std::size_t sum = 0;
  for (const auto group : SplitAll<3, 4>(std::span(many), false)) {
    CHECK(group.size() == 10);
    sum += group.size();
    float low = 1e9f, high = -1e9f;
    for (const Item& item : group) {
      low = std::min(low, item.box.Centre(0));
      high = std::max(high, item.box.Centre(0));
    }
    CHECK(high - low == 9);  // neighbours together
  }
  CHECK(sum == 40);
}

}  // namespace
}  // namespace nowait
