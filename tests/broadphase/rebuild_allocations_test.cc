// A tree that is rebuilt in each frame needs no memory from the system.
#include <catch2/catch.hpp>
#include <cstdint>

#include "src/broadphase/quad_tree.h"
#include "tests/broadphase/boxes.h"
#include "tests/whole/faults/allocations.h"

namespace nowait {
namespace {

constexpr std::uint32_t kBodies = 3000;

void MoveAll(Tree& tree, float by) {
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    REQUIRE(tree.Move(Body(i), Cube(static_cast<float>(i) + by, by, 0, 0.25f)).has_value());
  }
}

void RebuildAndSwap(Tree& tree) {
  const auto rebuilt = tree.Rebuild();
  REQUIRE(rebuilt.has_value());
  REQUIRE(rebuilt->items == kBodies);
  tree.Swap();
  tree.storage().Reclaim();
}

TEST_CASE("after the first rebuilds, one of as many bodies allocates nothing") {
  Storage storage(2 * kBodies, kBodies);
  Tree tree(storage);
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    REQUIRE(tree.Insert(Body(i), Cube(static_cast<float>(i), 0, 0, 0.25f)).has_value());
  }
  for (int warm = 0; warm < 3; ++warm) {
    MoveAll(tree, static_cast<float>(warm));
    RebuildAndSwap(tree);
  }
  MoveAll(tree, 0.5f);
  const whole::AllocationFault fault(1);
  const auto rebuilt = tree.Rebuild();
  tree.Swap();
  storage.Reclaim();
  CHECK_FALSE(fault.has_struck());
  REQUIRE(rebuilt.has_value());
  CHECK(rebuilt->items == kBodies);
}

}  // namespace
}  // namespace nowait
