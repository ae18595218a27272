// How many operations lock a line of memory: what a query, a move, an insert and a removal cost
// beside their arithmetic, and what makes threads wait for each other's caches. The numbers are
// today's; a change that needs more raises a number here, with the reason.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/broadphase/quad_tree.h"
#include "src/sync/phase_fair_lock.h"
#include "tests/broadphase/boxes.h"
#include "tests/whole/counting_sync.h"

namespace nowait {
namespace {

using Tree = QuadTree<CountingSync, 3, 4>;

constexpr std::uint32_t kBodies = 1024;
constexpr std::uint32_t kNodes = 4 * kBodies;

Box CubeOf(std::uint32_t body) {
  return Cube(static_cast<float>(body % 32) * 4, 0, static_cast<float>(body / 32) * 4, 1);
}

std::vector<Tree::Entry> Entries(std::uint32_t first, std::uint32_t count) {
  std::vector<Tree::Entry> entries;
  for (std::uint32_t i = first; i < first + count; ++i) entries.push_back({Body(i), CubeOf(i)});
  return entries;
}

// 64 bodies, rebuilt: three levels of nodes.
class LockedOperations {
 protected:
  static constexpr std::uint32_t kLevels = 3;

  LockedOperations() {
    auto batch = tree_.Prepare(Entries(0, 64));
    REQUIRE(batch.has_value());
    tree_.Finalise(std::move(*batch));
    Rebuild();
  }
  void Rebuild() {
    REQUIRE(tree_.Rebuild().has_value());
    tree_.Swap();
  }
  template <class Call>
  static std::uint64_t Locked(const Call& call) {
    return CountOperations(call).locked;
  }

  Tree::Storage storage_{kNodes, kBodies};
  Tree tree_{storage_};
};

TEST_CASE_METHOD(LockedOperations,
                 "a query locks a line as it begins and as it ends, however far it looks") {
  std::size_t found = 0;
  const auto locked = Locked([&] {
    const auto pin = storage_.PinReader();
    tree_.QueryBox(Box::Everywhere(), [&](ProxyId) { return ++found != 0; });
  });
  CHECK(found == 64);
  CHECK(locked <= 2);
}

TEST_CASE_METHOD(LockedOperations, "a move within the slot's box locks nothing") {
  CHECK(Locked([&] { REQUIRE(tree_.Move(Body(5), CubeOf(5)).has_value()); }) == 0);
}

TEST_CASE_METHOD(LockedOperations,
                 "a move beyond the slot's box locks a side of each level at most") {
  Box box = CubeOf(5);
  box.max[1] += 100;
  box.min[1] += 100;
  CHECK(Locked([&] { REQUIRE(tree_.Move(Body(5), box).has_value()); }) <= kLevels);
  // All six sides.
  const Box huge = Cube(0, 0, 0, 1000);
  CHECK(Locked([&] { REQUIRE(tree_.Move(Body(5), huge).has_value()); }) <= 6 * kLevels);
}

TEST_CASE_METHOD(LockedOperations, "the first body after a rebuild locks five lines at most") {
  // The root is full: two nodes of the pool, for a staging tree and for a root above; the root; the
  // staging tree's number, and its announcement.
  CHECK(Locked([&] { REQUIRE(tree_.Insert(Body(64), CubeOf(64)).has_value()); }) <= 5);
}

TEST_CASE_METHOD(LockedOperations,
                 "a body in a staging tree locks its cell and the sides above that grow") {
  std::uint64_t locked = 0;
  for (std::uint32_t i = 64; i < kBodies; ++i) {
    locked += Locked([&] { REQUIRE(tree_.Insert(Body(i), CubeOf(i)).has_value()); });
  }
  // On average over a grid: three for a cell (its node, its link, the count of cells) and the
  // sides.
  CAPTURE(locked);
  CHECK(locked <= 11 * (kBodies - 64));
}

TEST_CASE_METHOD(LockedOperations,
                 "a removal locks the count of its node, and of each node that it empties") {
  CHECK(Locked([&] { tree_.Remove(Body(5)); }) <= 1);
  std::uint64_t locked = 0;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if (i != 5) locked += Locked([&] { tree_.Remove(Body(i)); });
  }
  // 63 counts; of at most 20 nodes that become empty one count above and one list of retired nodes.
  CHECK(locked <= 63 + 2 * 20);
}

TEST_CASE_METHOD(LockedOperations,
                 "a batch is finalised with as many locked operations, however large it is") {
  std::uint64_t small = 0;
  std::uint64_t large = 0;
  {
    auto batch = tree_.Prepare(Entries(64, 10));
    REQUIRE(batch.has_value());
    small = Locked([&] { tree_.Finalise(std::move(*batch)); });
  }
  Rebuild();
  {
    auto batch = tree_.Prepare(Entries(100, 900));
    REQUIRE(batch.has_value());
    large = Locked([&] { tree_.Finalise(std::move(*batch)); });
  }
  CHECK(small <= 2);
  CHECK(large <= 2);
}

TEST_CASE("a lock that nobody else wants locks a line as it is taken and as it is left") {
  PhaseFairLock<CountingSync> lock;
  CHECK(CountOperations([&] {
          lock.LockRead();
          lock.LeaveRead();
        }).locked == 2);
  CHECK(CountOperations([&] {
          lock.LockWrite();
          lock.LeaveWrite();
        }).locked == 2);
}

}  // namespace
}  // namespace nowait
