#include "src/broadphase/quad_tree.h"

#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <vector>

#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

using Ids = std::vector<ProxyId>;

std::vector<Tree::Entry> Row(std::uint32_t first, std::uint32_t count) {
  std::vector<Tree::Entry> entries;
  for (std::uint32_t i = first; i < first + count; ++i) {
    entries.push_back({Body(i), Cube(static_cast<float>(i), 0, 0, 0.25f)});
  }
  return entries;
}

void RebuildAndSwap(Tree& tree) {
  REQUIRE(tree.Rebuild().has_value());
  tree.Swap();
  tree.storage().Reclaim();
}

// How many nodes the storage still has. Takes them all and gives them back.
std::uint32_t FreeNodes(Storage& storage) {
  std::vector<std::uint32_t> nodes;
  for (auto node = storage.TakeNode(); node; node = storage.TakeNode()) nodes.push_back(*node);
  for (std::uint32_t node : nodes) storage.ReturnNode(node);
  return static_cast<std::uint32_t>(nodes.size());
}

TEST_CASE("an empty tree finds nothing, and rebuilding it does nothing") {
  Storage storage(8, 8);
  Tree tree(storage);
  REQUIRE(Found(tree, Box::Everywhere()).empty());
  RebuildAndSwap(tree);
  REQUIRE(FreeNodes(storage) == 7);
}

TEST_CASE("a body is found where it was inserted, where it moved, and nowhere after its removal") {
  Storage storage(8, 8);
  Tree tree(storage);
  REQUIRE_FALSE(tree.Has(Body(3)));
  REQUIRE(tree.Insert(Body(3), Cube(0, 0, 0, 1)).has_value());
  REQUIRE(tree.Has(Body(3)));
  REQUIRE(Found(tree, Cube(1.5f, 0, 0, 0.5f)) == Ids{Body(3)});  // touching is overlapping
  REQUIRE(Found(tree, Cube(1.6f, 0, 0, 0.5f)).empty());

  REQUIRE(tree.Move(Body(3), Cube(10, 0, 0, 1)).has_value());
  REQUIRE(Found(tree, Cube(10, 0, 0, 0.1f)) == Ids{Body(3)});
  REQUIRE(Found(tree, Cube(0, 0, 0, 0.1f)) == Ids{Body(3)});  // widened until the next rebuild
  RebuildAndSwap(tree);
  REQUIRE(Found(tree, Cube(10, 0, 0, 0.1f)) == Ids{Body(3)});
  REQUIRE(Found(tree, Cube(0, 0, 0, 0.1f)).empty());

  tree.Remove(Body(3));
  REQUIRE_FALSE(tree.Has(Body(3)));
  REQUIRE(Found(tree, Box::Everywhere()).empty());
  REQUIRE(tree.Insert(Body(3), Cube(0, 0, 0, 1)).has_value());
  REQUIRE(Found(tree, Box::Everywhere()) == Ids{Body(3)});
}

TEST_CASE("bodies that are inserted one by one are a tree, and a rebuild makes a better one") {
  constexpr std::uint32_t kBodies = 1000;
  Storage storage(2 * kBodies, kBodies);
  Tree tree(storage);
  for (const Tree::Entry& entry : Row(0, kBodies)) {
    REQUIRE(tree.Insert(entry.id, entry.box).has_value());
  }
  REQUIRE(StatsOf(storage, tree.Root()).depth <= 30);
  REQUIRE(Found(tree, Box::Everywhere()).size() == kBodies);
  RebuildAndSwap(tree);
  REQUIRE(StatsOf(storage, tree.Root()).depth <= MaxBuildHeight<4>(kBodies));
  REQUIRE(Found(tree, Box::Everywhere()).size() == kBodies);
  REQUIRE(Found(tree, Cube(500, 0, 0, 0.5f)) == Ids{Body(500)});
}

TEST_CASE("a root that is filled and rebuilt over and over does not become a list either") {
  constexpr std::uint32_t kBodies = 3000;
  Storage storage(3 * kBodies, kBodies);
  Tree tree(storage);
  std::uint32_t next = 0;
  while (next + 3 <= kBodies) {
    for (int i = 0; i < 3; ++i, ++next) {
      REQUIRE(tree.Insert(Body(next), Cube(static_cast<float>(next), 0, 0, 0.25f)).has_value());
    }
    RebuildAndSwap(tree);
  }
  REQUIRE(StatsOf(storage, tree.Root()).depth <=
          MaxBuildHeight<4>(kBodies) + KeptHeight<4>(kBodies));
  REQUIRE(Found(tree, Box::Everywhere()).size() == next);
}

TEST_CASE("twenty thousand bodies, coincident or not, are a shallow tree") {
  constexpr std::uint32_t kBodies = 20'000;
  const bool coincident = GENERATE(false, true);
  std::vector<Tree::Entry> entries;
  RandomBoxes random(5);
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    entries.push_back({Body(i), coincident ? Cube(0, 0, 0, 1) : random.Next(500, 1)});
  }
  Storage storage(2 * kBodies, kBodies);
  Tree tree(storage);
  auto batch = tree.Prepare(entries);
  REQUIRE(batch.has_value());
  tree.Finalise(std::move(*batch));
  REQUIRE(StatsOf(storage, tree.Root()).depth <= MaxBuildHeight<4>(kBodies) + 1);
  REQUIRE(Found(tree, Box::Everywhere()).size() == kBodies);
  RebuildAndSwap(tree);
  REQUIRE(StatsOf(storage, tree.Root()).depth <= MaxBuildHeight<4>(kBodies) + 1);
}

TEST_CASE("a batch is invisible before Finalise, and whole after it") {
  const std::uint32_t count = GENERATE(0u, 1u, 2u, 100u);
  Storage storage(200, 200);
  Tree tree(storage);
  for (std::uint32_t i = 150; i < 154; ++i) {
    REQUIRE(tree.Insert(Body(i), Cube(0, 0, 0, 1))
                .has_value());  // a full root, so that case 1 comes up
  }
  auto batch = tree.Prepare(Row(0, count));
  REQUIRE(batch.has_value());
  REQUIRE(Found(tree, Box::Everywhere()).size() == 4);
  REQUIRE_FALSE(tree.Has(Body(0)));
  tree.Finalise(std::move(*batch));
  REQUIRE(tree.Has(Body(0)) == (count != 0));
  REQUIRE(Found(tree, Box::Everywhere()).size() == 4 + count);
  if (count != 0) {
    REQUIRE(tree.Move(Body(0), Cube(0, 50, 0, 1)).has_value());
    REQUIRE(Found(tree, Cube(0, 50, 0, 0.1f)) == Ids{Body(0)});
    tree.Remove(Body(count - 1));
    REQUIRE(Found(tree, Box::Everywhere()).size() == 4 + count - 1);
  }
}

TEST_CASE("a batch that is let go gives back its nodes and its bodies") {
  Storage storage(100, 100);
  Tree tree(storage);
  const std::uint32_t free = FreeNodes(storage);
  for (std::uint32_t count : {1u, 50u}) {
    {
      auto batch = tree.Prepare(Row(0, count));
      REQUIRE(batch.has_value());
      Tree::Batch moved = std::move(*batch);
    }
    REQUIRE(FreeNodes(storage) == free);
    REQUIRE_FALSE(tree.Has(Body(0)));
  }
  auto batch = tree.Prepare(Row(0, 50));
  tree.Finalise(std::move(*batch));
  REQUIRE(Found(tree, Box::Everywhere()).size() == 50);
}

TEST_CASE("boxes that are not boxes and bodies that do not fit are refused, and nothing happens") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Storage storage(8, 8);
  Tree tree(storage);
  const Error bad_bounds{ErrorCode::kInvalidArgument, "bounds"};
  const Box inside_out{{1, 0, 0}, {0, 1, 1}};
  for (const Box& box : {Box{{kNaN, 0, 0}, {1, 1, 1}}, Box{{0, 0, 0}, {1, kNaN, 1}},
                         Box{{-kInfinity, 0, 0}, {1, 1, 1}}, Box{{0, 0, 0}, {1, 1, kInfinity}},
                         inside_out, Box::Everywhere(), Box::Empty()}) {
    REQUIRE(tree.Insert(Body(0), box).error() == bad_bounds);
    const std::vector<Tree::Entry> entries = {{Body(1), Cube(0, 0, 0, 1)}, {Body(0), box}};
    REQUIRE(tree.Prepare(entries).error() == bad_bounds);
  }
  const Error no_leaf{ErrorCode::kCapacity, "bodies", 8};
  REQUIRE(tree.Insert(Body(8), Cube(0, 0, 0, 1)).error() == no_leaf);
  REQUIRE(tree.Insert(ProxyId(), Cube(0, 0, 0, 1)).error() == no_leaf);
  REQUIRE_FALSE(tree.Has(Body(0)));
  REQUIRE_FALSE(tree.Has(Body(1)));
  REQUIRE(Found(tree, Box::Everywhere()).empty());
  REQUIRE(tree.Insert(Body(0), Cube(2, 2, 2, 0)).has_value());  // a point
  REQUIRE(Found(tree, Cube(2, 2, 2, 0)) == Ids{Body(0)});
  REQUIRE(Found(tree, Box{{kNaN, 0, 0}, {9, 9, 9}}).empty());
}

TEST_CASE("running out of nodes is an error that says so, and the tree stays usable") {
  Storage storage(3, 100);
  Tree tree(storage);
  std::uint32_t inserted = 0;
  Result<void> result;
  while ((result = tree.Insert(Body(inserted), Cube(static_cast<float>(inserted), 0, 0, 0.25f)))) {
    ++inserted;
  }
  // Four in the first root, one in a staging tree, and then the slots of the root above.
  REQUIRE(inserted == 4 + 1 + 2);
  REQUIRE(result.error() == Error{ErrorCode::kCapacity, "tree nodes", 3});
  REQUIRE(tree.Rebuild().error() == Error{ErrorCode::kCapacity, "tree nodes", 3});
  tree.Swap();  // of nothing
  REQUIRE(tree.Prepare(Row(50, 2)).error() == Error{ErrorCode::kCapacity, "tree nodes", 3});
  REQUIRE(Found(tree, Box::Everywhere()).size() == inserted);
  tree.Remove(Body(6));  // a slot of the root
  REQUIRE(tree.Insert(Body(10), Cube(0, 7, 0, 1)).has_value());
  REQUIRE(Found(tree, Cube(0, 7, 0, 0.5f)) == Ids{Body(10)});
}

TEST_CASE("a rebuild takes unchanged nodes over whole, and only those") {
  Storage storage(4000, 1000);
  Tree tree(storage);
  auto batch = tree.Prepare(Row(0, 1000));
  tree.Finalise(std::move(*batch));
  RebuildAndSwap(tree);
  const TreeStats built = StatsOf(storage, tree.Root());
  REQUIRE(built.changed_nodes == 0);
  REQUIRE(tree.CountChanges() == 0);

  const std::uint32_t near_at = LocationOf(storage, Body(10));
  const std::uint32_t far_at = LocationOf(storage, Body(990));
  // Inside its box: nothing changes.
  REQUIRE(tree.Move(Body(10), Cube(10, 0, 0, 0.125f)).has_value());
  REQUIRE(tree.CountChanges() == 0);
  REQUIRE(tree.Move(Body(10), Cube(10, 5, 0, 0.25f)).has_value());
  const std::uint32_t path = static_cast<std::uint32_t>(tree.CountChanges());
  REQUIRE(path == StatsOf(storage, tree.Root()).changed_nodes);
  REQUIRE(path <= built.depth);
  RebuildAndSwap(tree);
  REQUIRE(LocationOf(storage, Body(10)) != near_at);
  REQUIRE(LocationOf(storage, Body(990)) == far_at);
  REQUIRE(Found(tree, Box::Everywhere()).size() == 1000);
  REQUIRE(Found(tree, Cube(10, 5, 0, 0.1f)) == Ids{Body(10)});
}

TEST_CASE("a rebuild drops what removals have emptied") {
  Storage storage(4000, 1000);
  Tree tree(storage);
  auto batch = tree.Prepare(Row(0, 1000));
  tree.Finalise(std::move(*batch));
  for (std::uint32_t i = 0; i < 999; ++i) tree.Remove(Body(i));
  RebuildAndSwap(tree);
  REQUIRE(StatsOf(storage, tree.Root()).nodes == 1);
  REQUIRE(Found(tree, Box::Everywhere()) == Ids{Body(999)});
  tree.Remove(Body(999));
  RebuildAndSwap(tree);
  REQUIRE(StatsOf(storage, tree.Root()).nodes == 1);
  REQUIRE(FreeNodes(storage) == 3999);
}

TEST_CASE("a query that a swap overtakes finishes in the old tree, and its nodes wait for it") {
  Storage storage(100, 100);
  Tree tree(storage);
  auto batch = tree.Prepare(Row(0, 40));
  tree.Finalise(std::move(*batch));
  std::vector<ProxyId> found;
  bool overtaken = false;
  std::uint32_t free = 0;
  {
    const auto pin = storage.PinReader();
    tree.QueryBox(Box::Everywhere(), [&](ProxyId id) {
      if (!overtaken) {
        overtaken = true;
        for (int i = 0; i < 5; ++i) {
          REQUIRE(tree.Move(Body(0), Cube(0, static_cast<float>(i), 0, 1)).has_value());
          RebuildAndSwap(tree);
        }
        free = FreeNodes(storage);
      }
      found.push_back(id);
      return true;
    });
    std::sort(found.begin(), found.end());
    REQUIRE(found.size() == 40);
    REQUIRE(std::adjacent_find(found.begin(), found.end()) == found.end());
  }
  storage.Reclaim();
  storage.Reclaim();
  REQUIRE(FreeNodes(storage) > free);
  REQUIRE(FreeNodes(storage) == 100 - StatsOf(storage, tree.Root()).nodes);
}

TEST_CASE("a reader that stays only delays reclamation, and the error names it") {
  Storage storage(8, 100);
  Tree tree(storage);
  REQUIRE(tree.Insert(Body(0), Cube(0, 0, 0, 1)).has_value());
  auto pin = std::make_unique<Storage::Pin>(storage.PinReader());
  Result<RebuiltTree> result;
  for (int i = 1; (result = tree.Rebuild()); ++i) {
    tree.Swap();
    storage.Reclaim();
    REQUIRE(i < 100);
    REQUIRE(tree.Move(Body(0), Cube(static_cast<float>(i), 0, 0, 1)).has_value());
  }
  REQUIRE(result.error() ==
          Error{ErrorCode::kCapacity, "tree nodes", 8, "a reader pins old nodes"});
  REQUIRE(std::string(result.error().detail) == "a reader pins old nodes");
  REQUIRE(Found(tree, Box::Everywhere()) == Ids{Body(0)});
  pin.reset();
  storage.Reclaim();
  storage.Reclaim();
  REQUIRE(FreeNodes(storage) == 7);
  RebuildAndSwap(tree);
}

TEST_CASE("a query stops when its callback says so") {
  Storage storage(100, 100);
  Tree tree(storage);
  auto batch = tree.Prepare(Row(0, 60));
  tree.Finalise(std::move(*batch));
  const auto pin = storage.PinReader();
  int calls = 0;
  tree.QueryBox(Box::Everywhere(), [&](ProxyId) { return ++calls < 7; });
  REQUIRE(calls == 7);
  calls = 0;
  tree.QueryRay({{-1, 0, 0}, {100, 0, 0}},
                [&](ProxyId, float) { return ++calls < 7 ? 1.0f : -1.0f; });
  REQUIRE(calls == 7);
}

TEST_CASE("a ray that is clipped at its first hit looks at little else") {
  Storage storage(1000, 1000);
  Tree tree(storage);
  auto batch = tree.Prepare(Row(0, 1000));
  tree.Finalise(std::move(*batch));
  const auto pin = storage.PinReader();
  std::vector<ProxyId> seen;
  tree.QueryRay({{-10, 0, 0}, {2000, 0, 0}}, [&](ProxyId id, float max_fraction) {
    seen.push_back(id);
    return std::min(max_fraction, (9.75f + static_cast<float>(id.slot())) / 2000.0f);
  });
  REQUIRE(std::find(seen.begin(), seen.end(), Body(0)) != seen.end());
  REQUIRE(seen.size() <= 16);
}

TEST_CASE("a query visits each node that it has put off once, however many they are") {
  for (const std::uint32_t count : {1u, 63u, 64u, 65u, 66u, 200u}) {
    CAPTURE(count);
    NodeStack stack;
    // Up and down across the size from which on the heap is used, twice.
    for (int again = 0; again < 2; ++again) {
      for (std::uint32_t i = 0; i < count; ++i) stack.Push({i, static_cast<float>(i)});
      for (std::uint32_t i = count; i-- > 0;) {
        REQUIRE_FALSE(stack.empty());
        const NodeStack::Entry entry = stack.Pop();
        REQUIRE(entry.node == i);
        REQUIRE(entry.nearest == static_cast<float>(i));
      }
      REQUIRE(stack.empty());
    }
  }
}

}  // namespace
}  // namespace nowait
