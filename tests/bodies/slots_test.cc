// The slots of a storage: their owners one after the other, and the bodies that are only prepared.
#include <catch2/catch.hpp>
#include <vector>

#include "src/bodies/body_storage.h"
#include "src/bodies/guarded_body.h"

namespace nowait {
namespace {

Body BodyWith(BodyId id) {
  Body body;
  body.id = id;
  return body;
}

TEST_CASE("slots are given out in the order in which they came back, all round the ring") {
  BodyStorage storage(4);
  std::vector<BodyId> ids;
  for (std::uint32_t slot = 0; slot < 4; ++slot) {
    ids.push_back(*storage.Reserve());
    REQUIRE(ids.back().slot() == slot);
    REQUIRE(ids.back().generation() == 0);
  }
  std::vector<std::uint32_t> back = {2, 0, 3, 1};
  for (std::uint32_t round = 1; round < 5; ++round) {
    CAPTURE(round);
    for (const std::uint32_t slot : back) storage.Release(ids[slot]);
    for (const std::uint32_t slot : back) {
      const BodyId id = *storage.Reserve();
      CHECK(id.slot() == slot);
      CHECK(id.generation() == round);
      ids[slot] = id;
    }
    std::swap(back[round % 4], back[(round + 1) % 4]);
  }
}

TEST_CASE("the end is above each slot that ever had a body, and does not come back down") {
  BodyStorage storage(5);
  std::vector<BodyId> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(*storage.Reserve());
  CHECK(storage.end() == 0);
  storage.Install(BodyWith(ids[3]), BodyState::kAwake);
  CHECK(storage.end() == 4);
  CHECK(storage.count() == 1);
  storage.Install(BodyWith(ids[1]), BodyState::kStatic);
  CHECK(storage.end() == 4);
  CHECK(storage.count() == 2);
  storage.Remove(ids[3]);
  CHECK(storage.end() == 4);
  CHECK(storage.count() == 1);
  storage.CountPrepared(2, 3);
  CHECK(storage.end() == 4);
  CHECK(storage.count() == 3);
  storage.CountPrepared(0, 5);
  CHECK(storage.end() == 5);
}

TEST_CASE("an installed body is the body that was given, in the state that was given") {
  BodyStorage storage(3, 9);
  for (const BodyState state : {BodyState::kStatic, BodyState::kAwake, BodyState::kAsleep}) {
    const BodyId id = *storage.Reserve();
    Body body = BodyWith(id);
    body.user = 70 + id.slot();
    storage.Install(body, state);
    CHECK(storage.Has(id));
    CHECK(storage.Has(id.proxy()));
    CHECK_FALSE(storage.IsPrepared(id));
    CHECK(storage[id.slot()].user == 70 + id.slot());
    CHECK(storage.StateOf(id.slot()) == state);
    CHECK(storage.InstalledState(id.slot()) == state);
  }
  CHECK(storage.world() == 9);
  CHECK(storage.capacity() == 3);
}

TEST_CASE("a prepared body has its state, but no scan sees it before it is settled") {
  BodyStorage storage(1);
  const BodyId id = *storage.Reserve();
  storage.Prepare(BodyWith(id), BodyState::kAsleep);
  CHECK(storage.IsPrepared(id));
  CHECK_FALSE(storage.Has(id));
  CHECK(storage.StateOf(id.slot()) == BodyState::kAsleep);
  CHECK(storage.InstalledState(id.slot()) == BodyState::kVacant);
  CHECK(storage.count() == 0);
  CHECK(storage.Settle(id));
  CHECK(storage.Has(id));
  CHECK_FALSE(storage.IsPrepared(id));
  CHECK(storage.InstalledState(id.slot()) == BodyState::kAsleep);
}

TEST_CASE("a body that is settled already keeps the state that it has had since") {
  BodyStorage storage(1);
  const BodyId id = *storage.Reserve();
  storage.Prepare(BodyWith(id), BodyState::kAsleep);
  REQUIRE(storage.Settle(id));
  storage.SetState(id.slot(), BodyState::kAwake);
  CHECK_FALSE(storage.Settle(id));
  CHECK(storage.StateOf(id.slot()) == BodyState::kAwake);
}

TEST_CASE("a prepared body that the game wakes before it is settled is awake, and was settled") {
  BodyStorage storage(1);
  const BodyId id = *storage.Reserve();
  storage.Prepare(BodyWith(id), BodyState::kAsleep);
  storage.SetState(id.slot(), BodyState::kAwake);
  CHECK_FALSE(storage.Settle(id));
  CHECK(storage.InstalledState(id.slot()) == BodyState::kAwake);
}

TEST_CASE("a withdrawn body is gone, and its slot stays its owner's until it is released") {
  BodyStorage storage(1);
  const BodyId id = *storage.Reserve();
  storage.Prepare(BodyWith(id), BodyState::kAwake);
  storage.Withdraw(id);
  CHECK_FALSE(storage.IsPrepared(id));
  CHECK_FALSE(storage.Has(id));
  CHECK_FALSE(storage.Settle(id));
  CHECK_FALSE(storage.Reserve().has_value());
  storage.Release(id);
  CHECK(storage.Reserve().has_value());
}

TEST_CASE("a reader and a changer meet the body of the id alone, and say whether it was there") {
  BodyStorage storage(2);
  BodyLocks locks(2);
  WaitTime wait;
  const BodyId gone = *storage.Reserve(), other = *storage.Reserve();
  storage.Install(BodyWith(gone), BodyState::kAwake);
  storage.Install(BodyWith(other), BodyState::kAwake);
  storage.Remove(gone);
  const BodyId there = *storage.Reserve();
  REQUIRE(there.slot() == gone.slot());
  storage.Install(BodyWith(there), BodyState::kAwake);
  int calls = 0;
  const auto is_it = [&](const Body& body) {
    ++calls;
    CHECK(body.id == there);
  };
  CHECK(ReadBody(locks, storage, there, wait, is_it));
  CHECK(ReadBody(locks, storage, there.proxy(), wait, is_it));
  CHECK(ChangeBody(locks, storage, there, wait, is_it));
  CHECK(calls == 3);
  CHECK_FALSE(ReadBody(locks, storage, gone, wait, is_it));
  CHECK_FALSE(ReadBody(locks, storage, gone.proxy(), wait, is_it));
  CHECK_FALSE(ChangeBody(locks, storage, gone, wait, is_it));
  CHECK_FALSE(ReadBody(locks, storage, BodyId(), wait, is_it));
  CHECK(calls == 3);
  CHECK(wait.acquisitions == 7);
}

TEST_CASE("a body's lock is that of its slot, and neighbours have different ones") {
  BodyLocks locks(5);
  CHECK(locks.count() == 5);
  for (std::uint32_t slot = 0; slot < 12; ++slot) {
    CHECK(locks.IndexOf(ProxyId(slot, 3)) == slot % 5);
    CHECK(locks.IndexOf(BodyId(1, slot, 3)) == slot % 5);
  }
}

TEST_CASE("a thread is said to hold a body's lock for writing while it does, and not for reading") {
  BodyLocks locks(4);
  WaitTime wait;
  const ProxyId body(6, 0), same_lock(2, 0), other(5, 0);
  CHECK_FALSE(locks.AreHeldFor(body));
  {
    const BodyWriteScope scope(locks, body, wait);
    CHECK(locks.AreHeldFor(body));
    CHECK(locks.AreHeldFor(same_lock));
    CHECK_FALSE(locks.AreHeldFor(other));
  }
  CHECK_FALSE(locks.AreHeldFor(body));
  {
    const BodyReadScope scope(locks, body, wait);
    CHECK_FALSE(locks.AreHeldFor(body));
  }
  CHECK(wait.acquisitions == 2);
}

}  // namespace
}  // namespace nowait
