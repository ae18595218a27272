#include "src/bodies/body_storage.h"

#include <catch2/catch.hpp>
#include <set>
#include <thread>
#include <vector>

namespace nowait {
namespace {

Body BodyWith(BodyId id) {
  Body body;
  body.id = id;
  return body;
}

TEST_CASE("a slot that was given back is reused last, under another id") {
  BodyStorage storage(3);
  const BodyId first = *storage.Reserve();
  storage.Install(BodyWith(first), BodyState::kAwake);
  REQUIRE(storage.Has(first));
  storage.Remove(first);
  REQUIRE_FALSE(storage.Has(first));

  REQUIRE(storage.Reserve()->slot() == 1);
  REQUIRE(storage.Reserve()->slot() == 2);
  const BodyId again = *storage.Reserve();
  REQUIRE(again.slot() == first.slot());
  REQUIRE(again != first);
  storage.Install(BodyWith(again), BodyState::kStatic);
  REQUIRE(storage.Has(again));
  REQUIRE_FALSE(storage.Has(first));
}

TEST_CASE("a full storage says so, and a released slot helps") {
  BodyStorage storage(2);
  const BodyId a = *storage.Reserve();
  REQUIRE(storage.Reserve().has_value());
  REQUIRE(storage.Reserve().error() == Error{ErrorCode::kCapacity, "bodies", 2});
  storage.Release(a);
  REQUIRE(storage.Reserve()->slot() == a.slot());
}

TEST_CASE("a reserved id names nothing until its body is installed") {
  BodyStorage storage(2);
  const BodyId id = *storage.Reserve();
  REQUIRE_FALSE(storage.Has(id));
  REQUIRE(storage.count() == 0);
  REQUIRE(storage.end() == 0);
  REQUIRE_FALSE(storage.Has(BodyId()));
  REQUIRE_FALSE(storage.Has(BodyId(7, 0)));
}

TEST_CASE("generations repeat after 1,024 uses of a slot, not before") {
  BodyStorage storage(1);
  std::set<std::uint32_t> seen;
  for (std::uint32_t i = 0; i < BodyId::kGenerations; ++i) {
    const BodyId id = *storage.Reserve();
    REQUIRE(seen.insert(id.bits()).second);
    storage.Release(id);
  }
  REQUIRE(seen.contains(storage.Reserve()->bits()));
}

TEST_CASE("threads that reserve at once get different slots") {
  BodyStorage storage(400);
  std::vector<std::vector<BodyId>> taken(4);
  {
    std::vector<std::jthread> threads;
    for (std::vector<BodyId>& mine : taken) {
      threads.emplace_back([&] {
        for (int i = 0; i < 100; ++i) {
          mine.push_back(*storage.Reserve());
          if (i % 3 == 0) {
            storage.Release(mine.back());
            mine.back() = *storage.Reserve();
          }
        }
      });
    }
  }
  std::set<std::uint32_t> slots;
  for (const std::vector<BodyId>& mine : taken) {
    for (const BodyId id : mine) REQUIRE(slots.insert(id.slot()).second);
  }
  REQUIRE(slots.size() == 400);
}

}  // namespace
}  // namespace nowait
