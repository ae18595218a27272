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
  REQUIRE(ToString(storage.Reserve().error()) == "capacity of bodies reached (2)");
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
  REQUIRE_FALSE(storage.Has(BodyId(0, 7, 0)));
}

TEST_CASE("a body that is removed is neither installed nor prepared, whatever it was") {
  BodyStorage storage(1);
  Body body;
  body.id = *storage.Reserve();
  const bool was_prepared = GENERATE(true, false);
  const bool was_settled = was_prepared && GENERATE(true, false);
  CAPTURE(was_prepared, was_settled);
  if (was_prepared) {
    storage.Prepare(body, BodyState::kAwake);
    storage.CountPrepared(1, 1);
    REQUIRE(storage.IsPrepared(body.id));
    if (was_settled) REQUIRE(storage.Settle(body.id));
  } else {
    storage.Install(body, BodyState::kAwake);
  }
  storage.Remove(body.id);
  CHECK_FALSE(storage.Has(body.id));
  CHECK_FALSE(storage.IsPrepared(body.id));
  CHECK_FALSE(storage.Settle(body.id));
  CHECK(storage.InstalledState(body.id.slot()) == BodyState::kVacant);
  CHECK(storage.count() == 0);
}

TEST_CASE("an id does not come back with its slot, even when the tree's name for it does") {
  BodyStorage storage(1, 5);
  const BodyId first = *storage.Reserve();
  storage.Install(BodyWith(first), BodyState::kAwake);
  storage.Remove(first);
  std::set<std::uint64_t> seen{first.bits()};
  BodyId last;
  for (std::uint32_t i = 1; i < 3 * ProxyId::kGenerations; ++i) {
    last = *storage.Reserve();
    REQUIRE(last.slot() == first.slot());
    REQUIRE(last.world() == 5);
    REQUIRE(seen.insert(last.bits()).second);
    storage.Release(last);
  }
  last = *storage.Reserve();
  REQUIRE(last.proxy() == first.proxy());
  storage.Install(BodyWith(last), BodyState::kAwake);
  REQUIRE(storage.Has(last));
  REQUIRE(storage.Has(last.proxy()));
  REQUIRE_FALSE(storage.Has(first));
}

TEST_CASE("the tree's name for a body that is gone does not name the next one in its slot") {
  BodyStorage storage(1);
  const BodyId first = *storage.Reserve();
  storage.Install(BodyWith(first), BodyState::kAwake);
  REQUIRE(storage.Has(first.proxy()));
  storage.Remove(first);
  const BodyId next = *storage.Reserve();
  REQUIRE(next.slot() == first.slot());
  const bool is_prepared = GENERATE(false, true);
  CAPTURE(is_prepared);
  if (is_prepared) {
    storage.Prepare(BodyWith(next), BodyState::kAwake);
    CHECK(storage.IsPrepared(next.proxy()));
    CHECK_FALSE(storage.IsPrepared(first.proxy()));
  } else {
    storage.Install(BodyWith(next), BodyState::kAwake);
    CHECK(storage.Has(next.proxy()));
    CHECK_FALSE(storage.Has(first.proxy()));
  }
}

TEST_CASE("an id keeps its three parts, and another storage's is not taken for one's own") {
  constexpr BodyId kId(BodyId::kMaxWorlds, BodyId::kMaxBodies - 1, ~std::uint32_t{0});
  STATIC_REQUIRE(kId.world() == BodyId::kMaxWorlds);
  STATIC_REQUIRE(kId.slot() == BodyId::kMaxBodies - 1);
  STATIC_REQUIRE(kId.generation() == ~std::uint32_t{0});
  STATIC_REQUIRE(kId.valid());
  STATIC_REQUIRE(BodyId::FromBits(kId.bits()) == kId);
  STATIC_REQUIRE_FALSE(BodyId().valid());
  STATIC_REQUIRE(BodyId().proxy() == ProxyId());

  BodyStorage mine(2, 1), other(2, 2);
  const BodyId here = *mine.Reserve();
  const BodyId there = *other.Reserve();
  mine.Install(BodyWith(here), BodyState::kAwake);
  other.Install(BodyWith(there), BodyState::kAwake);
  REQUIRE(here.slot() == there.slot());
  REQUIRE(here.generation() == there.generation());
  REQUIRE_FALSE(mine.Has(there));
  REQUIRE_FALSE(other.Has(here));
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
