// Rebuilding: which tree is rebuilt when, and the nodes that it takes and gives back.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "src/broadphase/broad_phase.h"
#include "tests/broadphase/boxes.h"
#include "tests/broadphase/broad_phase_calls.h"

namespace nowait {
namespace {

TEST_CASE("the tree that changed most is rebuilt, and the other one does not wait forever") {
  constexpr std::uint32_t kMoving = 200;
  auto broad_phase = Make(kMoving + 1);
  for (std::uint32_t i = 0; i < kMoving; ++i) {
    REQUIRE(broad_phase->Insert(Body(i), Layer::kDynamic, Cube(static_cast<float>(i), 0, 0, 0.25f))
                .has_value());
  }
  REQUIRE(broad_phase->Insert(Body(kMoving), Layer::kStatic, Cube(0, 50, 0, 1)).has_value());
  REQUIRE(broad_phase->Stats(Layer::kStatic).changed_nodes == 1);
  int waited = 0;
  while (broad_phase->Stats(Layer::kStatic).changed_nodes != 0) {
    REQUIRE(broad_phase->Stats(Layer::kDynamic).changed_nodes > 1);
    RebuildAndSwap(*broad_phase);
    if (broad_phase->Stats(Layer::kStatic).changed_nodes == 0) break;
    REQUIRE(broad_phase->Stats(Layer::kDynamic).changed_nodes == 0);
    REQUIRE(++waited <= 8);  // the logarithm of the nodes over the moving bodies
    for (std::uint32_t i = 0; i < kMoving; ++i) {
      REQUIRE(broad_phase
                  ->Move(Body(i), Layer::kDynamic,
                         Cube(static_cast<float>(i), static_cast<float>(waited), 0, 0.25f))
                  .has_value());
    }
  }
  REQUIRE(waited >= 1);
}

TEST_CASE("every layer is rebuilt in its turn, the one that changed most first") {
  const auto broad_phase = std::move(*BroadPhase::Create(BroadPhaseDef::ForBodies(400, 2)));
  const auto changed = [&](Layer layer) { return broad_phase->Stats(layer).changed_nodes != 0; };
  const std::uint32_t counts[] = {10, 200, 60, 1};  // bodies in each layer
  std::uint32_t next = 0;
  for (std::size_t layer = 0; layer < 4; ++layer) {
    for (std::uint32_t i = 0; i < counts[layer]; ++i, ++next) {
      const Box box = Cube(static_cast<float>(next), 0, 0, 0.25f);
      REQUIRE(broad_phase->Insert(Body(next), static_cast<Layer>(layer), box).has_value());
    }
  }
  for (const Layer layer : {Layer::kDynamic, UserLayer(0), Layer::kStatic, UserLayer(1)}) {
    REQUIRE(changed(layer));
    RebuildAndSwap(*broad_phase);
    REQUIRE_FALSE(changed(layer));
  }
}

TEST_CASE("a rebuild for which one tree has no nodes says so, whichever tree that is") {
  const bool first_lacks = GENERATE(false, true);
  const Layer lacks = first_lacks ? Layer::kStatic : Layer::kDynamic;
  const Layer other = first_lacks ? Layer::kDynamic : Layer::kStatic;
  BroadPhaseDef def;
  def.max_bodies = 10;
  def.max_nodes = 3;  // a root for each tree, and one to spare
  def.rebuild.fill(RebuildPolicy::kKeepUnchanged);
  auto made = BroadPhase::Create(def);
  REQUIRE(made);
  BroadPhase& broad_phase = **made;
  const auto insert = [&](std::uint32_t body, Layer layer) {
    return broad_phase.Insert(Body(body), layer, Cube(static_cast<float>(body), 0, 0, 0.25f));
  };
  for (std::uint32_t i = 0; i < 5; ++i) REQUIRE(insert(i, lacks));  // the fifth has the spare node
  const bool has_changed = GENERATE(false, true);
  if (has_changed) REQUIRE(insert(9, other));
  CAPTURE(first_lacks, has_changed);
  for (int i = 0; i < 3; ++i) {
    const Result<void> rebuilt = broad_phase.Rebuild();
    broad_phase.Swap();
    REQUIRE_FALSE(rebuilt);
    CHECK(rebuilt.error() == Error{ErrorCode::kCapacity, "tree nodes", 3});
    CHECK(Found(broad_phase, Box::Everywhere()).size() == (has_changed ? 6 : 5));
  }
}

TEST_CASE("a rebuild that found no nodes is tried again in the next update, and not put off") {
  BroadPhaseDef def;
  def.max_bodies = 10;
  def.max_nodes = 3;  // a root for each tree, and one to spare
  def.rebuild.fill(RebuildPolicy::kRefit);
  auto made = BroadPhase::Create(def);
  REQUIRE(made);
  BroadPhase& broad_phase = **made;
  for (std::uint32_t i = 0; i < 5; ++i) {  // the fifth has the spare node
    REQUIRE(broad_phase.Insert(Body(i), Layer::kDynamic, Cube(static_cast<float>(i), 0, 0, 0.25f)));
  }
  const std::size_t moving = IndexOf(Layer::kDynamic);
  for (std::uint32_t update = 1; update < kUpdatesARebuild; ++update) {
    RebuildAndSwap(broad_phase);
    REQUIRE(broad_phase.last_rebuild().refits[moving] == 1);
  }
  for (int i = 0; i < 3; ++i) {
    const Result<void> rebuilt = broad_phase.Rebuild();
    broad_phase.Swap();
    REQUIRE_FALSE(rebuilt);
    CHECK(rebuilt.error() == Error{ErrorCode::kCapacity, "tree nodes", 3});
    CHECK(broad_phase.last_rebuild().refits[moving] == 0);
    CHECK(Found(broad_phase, Box::Everywhere()).size() == 5);
  }
}

TEST_CASE("a whole scene is removed with one call, and gives its nodes back without an update") {
  auto broad_phase = Make(700);
  std::vector<BroadPhase::Entry> entries;
  Ids bodies;
  for (std::uint32_t i = 0; i < 700; ++i) {
    entries.push_back({Body(i), Cube(static_cast<float>(i), 0, 0, 0.25f)});
    bodies.push_back(Body(i));
  }
  for (int round = 0; round < 100; ++round) {
    auto batch = broad_phase->Prepare(Layer::kStatic, entries);
    REQUIRE(batch.has_value());
    broad_phase->Finalise(std::move(*batch));
    REQUIRE(broad_phase->Stats(Layer::kStatic).bodies == 700);
    broad_phase->Remove(bodies, Layer::kStatic);
    REQUIRE(broad_phase->Stats(Layer::kStatic).nodes == 1);
    REQUIRE_FALSE(broad_phase->Has(Body(0)));
  }
}

TEST_CASE("of two trees that changed as much the later layer's is rebuilt, then the other one") {
  auto broad_phase = Make(10);
  REQUIRE(broad_phase->Insert(Body(0), Layer::kStatic, Cube(0, 0, 0, 1)));
  REQUIRE(broad_phase->Insert(Body(1), Layer::kDynamic, Cube(0, 0, 0, 1)));
  const auto rebuilds = [&] { return broad_phase->last_rebuild().rebuilds; };
  RebuildAndSwap(*broad_phase);
  CHECK(rebuilds()[IndexOf(Layer::kDynamic)] == 1);
  CHECK(rebuilds()[IndexOf(Layer::kStatic)] == 0);
  RebuildAndSwap(*broad_phase);
  CHECK(rebuilds()[IndexOf(Layer::kDynamic)] == 0);
  CHECK(rebuilds()[IndexOf(Layer::kStatic)] == 1);
  RebuildAndSwap(*broad_phase);  // nothing has changed
  CHECK(rebuilds()[IndexOf(Layer::kDynamic)] + rebuilds()[IndexOf(Layer::kStatic)] == 0);
  CHECK(broad_phase->last_rebuild().items == 0);
}

TEST_CASE("a tree in which nothing has changed is left alone, whatever its policy") {
  const RebuildPolicy policy = GENERATE(RebuildPolicy::kByTurns, RebuildPolicy::kKeepUnchanged,
                                        RebuildPolicy::kWhole, RebuildPolicy::kRefit);
  BroadPhaseDef def = BroadPhaseDef::ForBodies(40);
  def.rebuild.fill(policy);
  const auto broad_phase = std::move(*BroadPhase::Create(def));
  for (std::uint32_t i = 0; i < 40; ++i) {
    REQUIRE(
        broad_phase->Insert(Body(i), Layer::kDynamic, Cube(static_cast<float>(i), 0, 0, 0.25f)));
  }
  // Until the refits have been followed by a rebuild.
  for (std::uint32_t i = 0; i < kUpdatesARebuild; ++i) RebuildAndSwap(*broad_phase);
  for (std::uint32_t i = 0; i < 2 * kUpdatesARebuild; ++i) {
    RebuildAndSwap(*broad_phase);
    const RebuildStats& last = broad_phase->last_rebuild();
    for (std::size_t layer = 0; layer < 2; ++layer) {
      CHECK(last.rebuilds[layer] == 0);
      CHECK(last.refits[layer] == 0);
    }
    CHECK(last.replaced_nodes + last.refitted_nodes == 0);
  }
}

TEST_CASE(
    "a refit makes boxes tight up to the root, on each side, and leaves bodies in their slots") {
  for (int axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      CAPTURE(axis, sign);
      Storage storage(100, 40);
      Tree tree(storage);
      std::vector<Tree::Entry> entries;
      for (std::uint32_t i = 0; i < 40; ++i) {
        entries.push_back({Body(i), Cube(static_cast<float>(i % 4), static_cast<float>(i / 4 % 4),
                                         static_cast<float>(i / 16), 0.25f)});
      }
      tree.Finalise(std::move(*tree.Prepare(entries)));
      REQUIRE(tree.Rebuild());
      tree.Swap();
      const Box hull = storage.node(tree.Root()).BoxOfAll();
      const std::uint32_t at = LocationOf(storage, Body(17));
      Box far = entries[17].box;
      far.min[static_cast<std::size_t>(axis)] += 50 * sign;
      far.max[static_cast<std::size_t>(axis)] += 50 * sign;
      REQUIRE(tree.Move(Body(17), far));
      REQUIRE(tree.Move(Body(17), entries[17].box));
      CHECK(Found(tree, far) == Ids{Body(17)});
      CHECK_FALSE(storage.node(tree.Root()).BoxOfAll() == hull);
      CHECK(tree.Refit() == tree.CountChanges());
      CHECK(storage.node(tree.Root()).BoxOfAll() == hull);
      CHECK(Found(tree, far).empty());
      CHECK(Found(tree, Box::Everywhere()).size() == 40);
      CHECK(LocationOf(storage, Body(17)) == at);
    }
  }
}

}  // namespace
}  // namespace nowait
