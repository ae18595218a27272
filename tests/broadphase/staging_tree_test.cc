// Bodies that are inserted by themselves: how shallow the tree stays, in whatever order they come.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

constexpr std::uint32_t kBodies = 20'000;
constexpr float kWorld = 1352;  // the side of the world in [rouwe2022], in metres

using Entries = std::vector<Tree::Entry>;

// Half a metre up to twenty above the ground, anywhere.
Entries Scattered() {
  Entries entries;
  RandomBoxes random(1);
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    const float x = random.Number(0, kWorld);
    const float z = random.Number(0, kWorld);
    entries.push_back({Body(i), Cube(x, random.Number(0, 20), z, 1)});
  }
  return entries;
}

// As a level is often stored: row after row.
Entries RowByRow() {
  Entries entries;
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    entries.push_back({Body(i), Cube(9.5f * static_cast<float>(i % 142), static_cast<float>(i % 7),
                                     9.5f * static_cast<float>(i / 142), 1)});
  }
  return entries;
}

Entries InOneLine() {
  Entries entries;
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    entries.push_back({Body(i), Cube(static_cast<float>(i) * kWorld / kBodies, 0, 0, 0.03f)});
  }
  return entries;
}

// Twenty-eight tiles with a village each, one body in every village, then the next one.
Entries InVillages() {
  Entries entries;
  RandomBoxes random(2);
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    const float x = 225 * static_cast<float>(i % 28 % 6) + random.Number(0, 40);
    const float z = 225 * static_cast<float>(i % 28 / 6) + random.Number(0, 40);
    entries.push_back({Body(i), Cube(x, random.Number(0, 20), z, 1)});
  }
  return entries;
}

// How many nodes a query of this box looks at.
std::size_t Visits(const Tree& tree, const Box& box) {
  const Storage& storage = tree.storage();
  std::size_t visits = 0;
  std::vector<std::uint32_t> nodes = {tree.Root()};
  while (!nodes.empty()) {
    const auto& node = storage.node(nodes.back());
    nodes.pop_back();
    ++visits;
    for (int slot = 0; slot < 4; ++slot) {
      const std::uint32_t id = node.child[slot].load(std::memory_order::relaxed);
      if (child_id::IsNode(id) && Overlaps(node.BoxOf(slot, std::memory_order::relaxed), box)) {
        nodes.push_back(id);
      }
    }
  }
  return visits;
}

void InsertOneByOne(Tree& tree, const Entries& entries) {
  for (const Tree::Entry& entry : entries) {
    REQUIRE(tree.Insert(entry.id, entry.box).has_value());
  }
}

TEST_CASE("bodies that are inserted one by one cost queries no more than twice what a batch does") {
  struct Scene {
    const char* name;
    Entries (*entries)();
  };
  const Scene scene = GENERATE(Scene{"scattered", &Scattered}, Scene{"row by row", &RowByRow},
                               Scene{"in one line", &InOneLine}, Scene{"in villages", &InVillages});
  // 12.8 m: the background queries of [rouwe2022]
  const float side = GENERATE(2.0f, 12.8f, 100.0f);
  const Entries entries = scene.entries();
  Storage storage(3 * kBodies, kBodies);
  Tree single(storage);
  InsertOneByOne(single, entries);
  Storage batch_storage(3 * kBodies, kBodies);
  Tree batch(batch_storage);
  batch.Finalise(std::move(*batch.Prepare(entries)));

  std::size_t visits_single = 0;
  std::size_t visits_batch = 0;
  RandomBoxes random(3);
  for (int i = 0; i < 1000; ++i) {
    const Box& at = entries[random.Below(kBodies)].box;
    const Box box = Cube(at.Centre(0), at.Centre(1), at.Centre(2), side / 2);
    visits_single += Visits(single, box);
    visits_batch += Visits(batch, box);
    REQUIRE(Found(single, box) == Found(batch, box));
  }
  CAPTURE(scene.name, side, visits_single, visits_batch);
  INFO("visits of 1000 queries, one by one and as a batch");
  REQUIRE(visits_single <= 2 * visits_batch);
  REQUIRE(StatsOf(storage, single.Root()).nodes <= kBodies + kBodies / 10);
}

// The levels of a staging tree: those that are cut by space, and a digit of the body's slot each.
std::uint32_t DeepestCell(std::uint32_t bodies) {
  std::uint32_t digits = 0;
  for (std::uint32_t reach = 1; reach < bodies; reach *= 2) ++digits;
  return StagingPath<3, 4>::kSpatialLevels + digits + 1;
}

TEST_CASE("a staging tree's depth has a bound that no bodies exceed") {
  const int kind = GENERATE(0, 1, 2);
  Entries entries;
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    if (kind == 0) entries.push_back({Body(i), Cube(5, 0, 5, 1)});  // all in one place
    // Each twice as far as the last one.
    if (kind == 1) {
      const float x = std::ldexp(1.0f, static_cast<int>(i % 90));
      entries.push_back({Body(i), {{x, 0, 0}, {x, 0, 0}}});
    }
    // A few far away first, then all others close together.
    if (kind == 2) {
      const float far = i < 4 ? 1e6f : 0.0f;
      entries.push_back({Body(i), Cube(far, far, static_cast<float>(i) * 1e-4f, 1e-5f)});
    }
  }
  Storage storage(3 * kBodies, kBodies);
  Tree tree(storage);
  InsertOneByOne(tree, entries);
  CAPTURE(kind);
  const TreeStats stats = StatsOf(storage, tree.Root());
  // Three staging trees in each root.
  constexpr std::uint32_t kRoots = 1 + (StagingTrees<StdSync, 3, 4>::kMaxStagingTrees + 2) / 3;
  REQUIRE(stats.bodies == kBodies);
  REQUIRE(stats.depth <= kRoots + DeepestCell(kBodies));
  REQUIRE(Found(tree, Box::Everywhere()).size() == kBodies);
  REQUIRE(tree.Rebuild().has_value());
  tree.Swap();
  REQUIRE(StatsOf(storage, tree.Root()).depth <= MaxBuildHeight<4>(kBodies));
}

TEST_CASE("bodies that go and come again where they were take no more nodes") {
  Storage storage(3000, 1000);
  Tree tree(storage);
  const auto box_of = [](std::uint32_t i) {
    return Cube(static_cast<float>(i % 30), 0, static_cast<float>(i / 30), 0.25f);
  };
  const auto again = [&](std::uint32_t body) {
    tree.Remove(Body(body));
    REQUIRE(Found(tree, box_of(body)).empty());
    REQUIRE(tree.Insert(Body(body), box_of(body)).has_value());
    REQUIRE(Found(tree, box_of(body)) == std::vector{Body(body)});
  };
  for (std::uint32_t i = 0; i < 900; ++i) REQUIRE(tree.Insert(Body(i), box_of(i)).has_value());
  for (std::uint32_t i = 0; i < 900; ++i) again(i);  // all into the newest staging tree
  const std::uint32_t nodes = StatsOf(storage, tree.Root()).nodes;
  RandomBoxes random(4);
  for (int i = 0; i < 10'000; ++i) again(random.Below(900));
  REQUIRE(StatsOf(storage, tree.Root()).nodes == nodes);
}

TEST_CASE("with no node left a body takes the slot that is free, in whichever staging tree it is") {
  Storage storage(14, 200);
  Tree tree(storage);
  // Each so far from the ones before it that most of them start a staging tree.
  const auto insert = [&](std::uint32_t body) {
    const float x = std::ldexp(1.0f, 3 * static_cast<int>(body % 20));
    return tree.Insert(Body(body), Cube(x, 0, 0, 0.1f * x));
  };
  std::uint32_t bodies = 0;
  while (insert(bodies)) ++bodies;
  REQUIRE(bodies > 14);
  const Box near = Cube(0, -9, 0, 1);
  for (std::uint32_t body = 0; body < bodies; ++body) {
    CAPTURE(body);
    tree.Remove(Body(body));
    CHECK(tree.Insert(Body(body), near).has_value());
  }
  CHECK(Found(tree, near).size() == bodies);
}

TEST_CASE("after a rebuild single bodies go to a staging tree of their own") {
  Storage storage(3000, 1000);
  Tree tree(storage);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    REQUIRE(tree.Insert(Body(i), Cube(static_cast<float>(i), 0, 0, 0.25f)).has_value());
    // More often than there are staging trees between two swaps; and then a while without.
    if (i % 20 != 19 || i >= 800) continue;
    REQUIRE(StatsOf(storage, tree.Root()).depth <= 40);
    REQUIRE(tree.Rebuild().has_value());
    tree.Swap();
    storage.Reclaim();
    REQUIRE(StatsOf(storage, tree.Root()).changed_nodes == 0);
    REQUIRE(Found(tree, Box::Everywhere()).size() == i + 1);
  }
  REQUIRE(StatsOf(storage, tree.Root()).depth <= 40);
  REQUIRE(tree.Move(Body(0), Cube(0, 50, 0, 1)).has_value());
  REQUIRE(Found(tree, Cube(0, 50, 0, 0.1f)) == std::vector{Body(0)});
}

TEST_CASE("a region's parts cover it, and every body goes to the nearest one") {
  const Bounds<3> region{{0, 0, 0}, {90, 10, 9}};
  using Path = StagingPath<3, 4>;
  const auto link = [&](float x) { return Path(region, Cube(x, 5, 5, 1), 0).Descend(); };
  REQUIRE(link(0) == 1);
  REQUIRE(link(29) == 1);
  REQUIRE(link(31) == 2);
  REQUIRE(link(61) == 3);
  REQUIRE(link(-1000) == 1);
  REQUIRE(link(1e29f) == 3);
  REQUIRE(staging_region::Fits(region, Cube(45, 5, 5, 100)));
  REQUIRE_FALSE(staging_region::Fits(region, Cube(91, 5, 5, 1)));
  REQUIRE(staging_region::Fits(region, Cube(45, 12, 5, 1)));  // a little above: the world is flat
  REQUIRE_FALSE(staging_region::Fits(region, Cube(45, 100, 5, 1)));
  for (const float x : {91.0f, 1e29f, -1.0f, -1e29f}) {
    const Box box = Cube(x, 5, 5, 1);
    REQUIRE(staging_region::Fits(staging_region::GrownTowards(region, box), box));
  }
}

TEST_CASE(
    "a first region is three times as long as the bodies' hull, and longer by half where flat") {
  const Box hull{{10, 0, 100}, {40, 2, 160}};
  const Box region = staging_region::Around(hull);
  CHECK(region.min[0] == -20);
  CHECK(region.max[0] == 70);
  CHECK(region.min[1] == -0.5f);
  CHECK(region.max[1] == 2.5f);
  CHECK(region.min[2] == 40);
  CHECK(region.max[2] == 220);
  CHECK(staging_region::LongestAxis(hull) == 2);
  CHECK(staging_region::LongestAxis(Box{{0, 0, 0}, {5, 9, 9}}) == 1);
  CHECK(staging_region::IsFlat(hull, 1));
  CHECK_FALSE(staging_region::IsFlat(hull, 0));
}

TEST_CASE("a region grows four times as long towards a body, on the body's side of each axis") {
  const Box region{{0, 0, 0}, {10, 20, 30}};
  const Box grown = staging_region::GrownTowards(region, Cube(11, -1, 15, 1));
  CHECK(grown.min[0] == 0);
  CHECK(grown.max[0] == 40);
  CHECK(grown.min[1] == -60);
  CHECK(grown.max[1] == 20);
  CHECK(grown.min[2] == 0);
  CHECK(grown.max[2] == 30);
  // A body that is farther than that is reached.
  CHECK(staging_region::GrownTowards(region, Cube(1000, 0, 0, 1)).max[0] == 1000);
}

TEST_CASE("a cell has one slot for bodies on the upper levels and half of its slots below") {
  using Path = StagingPath<3, 4>;
  CHECK(Path::kUpperLevels == 8);
  CHECK(Path::kSpatialLevels == 24);
  CHECK(Path::BodiesAt(0) == 1);
  CHECK(Path::BodiesAt(7) == 1);
  CHECK(Path::BodiesAt(8) == 2);
  // Below the levels that space is cut on, two bodies in one place part by their numbers.
  const Box region{{0, 0, 0}, {81, 81, 81}};
  Path first(region, Cube(1, 1, 1, 1), 6), second(region, Cube(1, 1, 1, 1), 7);
  for (int level = 0; level < Path::kSpatialLevels; ++level)
    CHECK(first.Descend() == second.Descend());
  CHECK(first.Descend() == 2);   // 6 = 110 in binary, the lowest digit first
  CHECK(second.Descend() == 3);  // 7 = 111
  CHECK(first.Descend() == 3);
  CHECK(second.Descend() == 3);
}

}  // namespace
}  // namespace nowait
