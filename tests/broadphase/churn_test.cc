// Bodies that come and go without an update, for any time: nodes do not run out.
#include <catch2/catch.hpp>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

constexpr std::uint32_t kScene = 700;  // bodies

std::vector<Tree::Entry> SceneAt(std::uint32_t first, float x) {
  std::vector<Tree::Entry> entries;
  RandomBoxes random(first + 1);
  for (std::uint32_t i = 0; i < kScene; ++i) {
    entries.push_back(
        {Body(first + i), Cube(x + random.Number(0, 48), 0, random.Number(0, 48), 0.5f)});
  }
  return entries;
}

void Finalise(Tree& tree, const std::vector<Tree::Entry>& entries) {
  auto batch = tree.Prepare(entries);
  REQUIRE(batch.has_value());
  tree.Finalise(std::move(*batch));
}

void Remove(Tree& tree, const std::vector<Tree::Entry>& entries) {
  for (const Tree::Entry& entry : entries) tree.Remove(entry.id);
}

TEST_CASE("a scene that is added and removed over and over leaves nothing behind") {
  Storage storage(kScene, kScene);
  Tree tree(storage);
  for (int round = 0; round < 300; ++round) {
    const auto scene = SceneAt(0, 100 * static_cast<float>(round % 7));
    Finalise(tree, scene);
    REQUIRE(Found(tree, Box::Everywhere()).size() == kScene);
    Remove(tree, scene);
    REQUIRE(Found(tree, Box::Everywhere()).empty());
    REQUIRE(StatsOf(storage, tree.Root()).nodes == 1);
  }
}

TEST_CASE("scenes that come and go in turn, several at a time, take no more than several need") {
  constexpr std::uint32_t kAtOnce = 10;
  Storage storage(kAtOnce * kScene, (kAtOnce + 1) * kScene);
  Tree tree(storage);
  std::deque<std::vector<Tree::Entry>> scenes;
  for (std::uint32_t round = 0; round < 200; ++round) {
    const float x = 100 * static_cast<float>(round % 28);
    scenes.push_back(SceneAt(round % (kAtOnce + 1) * kScene, x));
    Finalise(tree, scenes.back());
    if (scenes.size() > kAtOnce) {
      Remove(tree, scenes.front());
      scenes.pop_front();
    }
    REQUIRE(Found(tree, Box::Everywhere()).size() == scenes.size() * kScene);
    // Its slots are used again wherever a scene has left them: the roots do not become a list.
    REQUIRE(StatsOf(storage, tree.Root()).depth <= MaxBuildHeight<4>(kScene) + 5);
  }
}

TEST_CASE("single bodies that wander over the world run out of nodes only when they are too many") {
  constexpr std::uint32_t kAlive = 1000;
  Storage storage(2 * kAlive, kAlive + 1);
  Tree tree(storage);
  RandomBoxes random(9);
  const auto box_at = [&](std::uint32_t step) {
    return Cube(0.1f * static_cast<float>(step) + random.Number(0, 20), 0, random.Number(0, 20), 1);
  };
  std::vector<Box> boxes(kAlive + 1);
  for (std::uint32_t step = 0; step < 50'000; ++step) {
    const std::uint32_t body = step % (kAlive + 1);
    if (step > kAlive) tree.Remove(Body(body));
    boxes[body] = box_at(step);
    REQUIRE(tree.Insert(Body(body), boxes[body]).has_value());
    if (step >= kAlive && step % 97 == 0) {
      const auto found = Found(tree, boxes[body]);
      REQUIRE(std::binary_search(found.begin(), found.end(), Body(body)));
      REQUIRE(Found(tree, Box::Everywhere()).size() == kAlive + 1);
    }
  }
  // They have left no more cells behind than bodies may be: a rebuild gets its nodes. And then
  // there are cells again for those that come, and not a root for every three.
  REQUIRE(tree.Rebuild().has_value());
  tree.Swap();
  storage.Reclaim();
  for (std::uint32_t body = 0; body < kAlive; ++body) {
    tree.Remove(Body(body));
    REQUIRE(tree.Insert(Body(body), boxes[body]).has_value());
  }
  REQUIRE(StatsOf(storage, tree.Root()).depth <= 40);
}

TEST_CASE("a reader that pins what was removed is named when nodes run out, and nothing is lost") {
  Storage storage(kScene, kScene);
  Tree tree(storage);
  const auto scene = SceneAt(0, 0);
  {
    const auto pin = storage.PinReader();
    Result<Tree::Batch> batch = tree.Prepare(scene);
    for (int round = 0; batch; ++round) {
      REQUIRE(round < 10);
      tree.Finalise(std::move(*batch));
      Remove(tree, scene);
      batch = tree.Prepare(scene);
    }
    REQUIRE(batch.error() ==
            Error{ErrorCode::kCapacity, "tree nodes", kScene, "a reader pins old nodes"});
    REQUIRE_FALSE(tree.Has(Body(0)));
  }
  Finalise(tree, scene);
  REQUIRE(Found(tree, Box::Everywhere()).size() == kScene);
}

}  // namespace
}  // namespace nowait
