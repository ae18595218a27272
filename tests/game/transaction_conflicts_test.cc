// Transactions and other threads: conflicts, waiting, stopped threads, and the last resort.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "src/game/object_table.h"
#include "src/game/transaction.h"
#include "tests/game/purses.h"

namespace nowait {
namespace {

TEST_CASE("revisions: a commit between the copy and the commit begins the update again") {
  Table table(8, 8);
  const auto purses = Create(table, 2);
  Transaction<Table, Revisions> transaction(table);
  int runs = 0;
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    if (auto moved = Move(tx, purses[0], purses[1], 1); !moved) return moved;
    if (++runs <= 3) CommitElsewhere(table, purses[runs % 2], 100);
    return {};
  }));
  CHECK(runs == 4);
  CHECK(transaction.counts().conflicts == 3);
  CHECK(CoinsOf(table, purses[0]) + CoinsOf(table, purses[1]) == 320);
  RequireNothingIsHeld(table, purses, 8);
}

TEST_CASE("revisions: an object that was taken for writing and not changed is not replaced") {
  Table table(8, 8);
  const auto purses = Create(table, 2);
  auto edit = table.Edit(purses[0]);
  REQUIRE(edit);
  Transaction<Table, Revisions> transaction(table);
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    REQUIRE(tx.Write(purses[0]));
    return Add(tx, purses[1], 1);
  }));
  CHECK(edit->Commit());  // it still has the version that was copied here
  // But it had to be current when the others were committed.
  int runs = 0;
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    REQUIRE(tx.Write(purses[0]));
    if (++runs == 1) CommitElsewhere(table, purses[0], 1);
    return Add(tx, purses[1], 1);
  }));
  CHECK(runs == 2);
}

// A purse that names another one, as a rider names a horse.
struct Named {
  ObjectHandle other;
};

TEMPLATE_TEST_CASE("a handle from a version that has been replaced is not the update's error", "",
                   Exclusive, Revisions) {
  ObjectTable<Named> table(8, 16);
  const auto horse = table.Create({});
  const auto next = table.Create({});
  REQUIRE((horse && next));
  const auto rider = table.Create({*horse});
  REQUIRE(rider);
  const auto isolation = GENERATE(Isolation::kSnapshot, Isolation::kSerializable);
  Transaction<ObjectTable<Named>, TestType> transaction(table, {.isolation = isolation});
  int runs = 0;
  // Each horse that a rider names is there: no order of the two has a rider without a horse.
  CHECK(transaction.Run([&](auto& tx) -> Result<void> {
    const auto view = tx.Read(*rider);
    if (!view) return std::unexpected(view.error());
    if (++runs == 1) {
      std::jthread([&] {
        auto edit = table.Edit(*rider);
        (*edit)->other = *next;
        static_cast<void>(edit->Commit());
        static_cast<void>(table.Destroy(*horse));
      }).join();
    }
    const auto ridden = tx.Read((*view)->other);
    if (!ridden) return std::unexpected(ridden.error());
    return {};
  }));
  CHECK(runs == 2);
  CHECK(transaction.counts().restarts == 1);
  // A handle that stands in the current version is.
  REQUIRE(table.Destroy(*next));
  const auto stale = transaction.Run([&](auto& tx) -> Result<void> {
    const auto view = tx.Read(*rider);
    if (!view) return std::unexpected(view.error());
    const auto ridden = tx.Read((*view)->other);
    if (!ridden) return std::unexpected(ridden.error());
    return {};
  });
  REQUIRE(!stale);
  CHECK(stale.error() == Error{ErrorCode::kStaleId, "object handle", next->slot});
}

TEST_CASE("exclusive: nobody else changes or destroys an object that is owned") {
  Table table(8, 8);
  const auto purses = Create(table, 2);
  auto edit = table.Edit(purses[0]);
  REQUIRE(edit);
  Transaction<Table, Exclusive> transaction(table, {.isolation = Isolation::kReadCommitted});
  std::jthread destroyer;
  int runs = 0;
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    ++runs;
    REQUIRE(Move(tx, purses[0], purses[1], 1));
    std::jthread([&] { CHECK(!edit->Commit()); }).join();
    CHECK(CoinsOf(table, purses[0]) == 10);  // a view waits for nobody
    destroyer = std::jthread([&] { REQUIRE(table.Destroy(purses[0])); });
    return {};
  }));
  destroyer.join();
  CHECK(runs == 1);
  CHECK(CoinsOf(table, purses[1]) == 11);
  CHECK(!table.Read(purses[0]));
}

TEST_CASE("exclusive: an attempt gives back what it owns, and the next one takes it in order") {
  Table table(8, 16);
  const auto purses = Create(table, 3);
  Transaction<Table, Exclusive> holder(table);
  Transaction<Table, Exclusive> seeker(table);
  std::atomic<int> runs{0};
  std::jthread other;
  REQUIRE(holder.Run([&](auto& tx) -> Result<void> {
    REQUIRE(Add(tx, purses[0], 1));
    other = std::jthread([&] {
      REQUIRE(seeker.Run([&](auto& inner) -> Result<void> {
        if (auto added = Add(inner, purses[2], 1); !added) return added;
        ++runs;
        return Add(inner, purses[0], 10);
      }));
    });
    while (runs == 0) EngineSync::Yield();
    // It owned purse 2 and has found purse 0 owned. It waits for purse 0 without purse 2.
    CommitElsewhere(table, purses[2], 100);
    return {};
  }));
  other.join();
  CHECK(runs == 2);
  CHECK(seeker.counts().restarts == 1);
  CHECK(CoinsOf(table, purses[0]) == 21);
  CHECK(CoinsOf(table, purses[2]) == 111);
}

TEMPLATE_TEST_CASE("a thread that is stopped in its update stops no view and no other object", "",
                   Exclusive, Revisions) {
  constexpr std::uint32_t kVersions = 12;
  Table table(kVersions, kVersions);
  const auto purses = Create(table, 3);
  std::atomic<bool> changed = false;
  std::jthread other;
  {
    Transaction<Table, TestType> transaction(table);
    int runs = 0;
    REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
      ++runs;
      if (auto moved = Move(tx, purses[0], purses[1], 1); !moved) return moved;
      if (runs > 1) return {};
      // From here on this thread stands still, as the other ones see it.
      std::jthread([&] {
        CHECK(CoinsOf(table, purses[0]) == 10);
        Transaction<Table, TestType> free(table);
        for (int i = 0; i < 100; ++i) {
          REQUIRE(free.Run([&](auto& t) -> Result<void> { return Add(t, purses[2], 1); }));
        }
        CHECK(free.counts().restarts + free.counts().conflicts == 0);
      }).join();
      other = std::jthread([&] {
        Transaction<Table, TestType> same(table);
        const auto done = same.Run([&](auto& t) -> Result<void> { return Add(t, purses[0], 100); });
        changed = done.has_value();
      });
      if (!TestType::kOwnsAtWrite) other.join();
      CHECK(changed == !TestType::kOwnsAtWrite);
      return {};
    }));
    // Under Revisions the stopped update is the one that begins again.
    CHECK(runs == (TestType::kOwnsAtWrite ? 1 : 2));
  }
  if (other.joinable()) other.join();
  CHECK(changed);
  CHECK(CoinsOf(table, purses[0]) == 109);
  CHECK(CoinsOf(table, purses[1]) == 11);
  CHECK(CoinsOf(table, purses[2]) == 110);
  RequireNothingIsHeld(table, purses, kVersions);
}

TEMPLATE_TEST_CASE("without attempts a transaction has its turn alone", "", Exclusive, Revisions) {
  Table table(8, 8);
  const auto purses = Create(table, 3);
  Transaction<Table, TestType> transaction(table, {.attempts = 0});
  std::array<bool, 3> committed{};
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    REQUIRE(tx.Read(purses[2]));
    if (auto moved = Move(tx, purses[0], purses[1], 1); !moved) return moved;
    // It owns what it reads and what it writes.
    std::jthread([&] {
      for (std::size_t i = 0; i < 3; ++i) committed[i] = table.Edit(purses[i])->Commit();
    }).join();
    return {};
  }));
  CHECK(committed == std::array{false, false, false});
  CHECK(transaction.counts().last_resorts == 1);
  CHECK(CoinsOf(table, purses[1]) == 11);
  RequireNothingIsHeld(table, purses, 8);
}

TEST_CASE("after so many attempts in vain a transaction has its turn alone, and commits") {
  Table table(8, 8);
  const auto purses = Create(table, 1);
  Transaction<Table, Revisions> transaction(table, {.attempts = 3});
  int runs = 0;
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    if (auto added = Add(tx, purses[0], 1); !added) return added;
    if (++runs <= 3) CommitElsewhere(table, purses[0], 10);
    return {};
  }));
  CHECK(runs == 4);
  CHECK(transaction.counts().conflicts == 3);
  CHECK(transaction.counts().last_resorts == 1);
  CHECK(CoinsOf(table, purses[0]) == 41);
}

TEST_CASE("behind a last resort a transaction is like any other again, also where it has failed") {
  Table table(8, 8);
  const auto purses = Create(table, 2);
  const bool fails = GENERATE(false, true);
  CAPTURE(fails);
  Transaction<Table, Revisions> transaction(table, {.attempts = 1});
  int runs = 0;
  const auto first = transaction.Run([&](auto& tx) -> Result<void> {
    if (auto added = Add(tx, purses[0], 1); !added) return added;
    if (++runs == 1) CommitElsewhere(table, purses[0], 10);
    if (fails && runs == 2) return Fail(ErrorCode::kNotFound, "bread");
    return {};
  });
  CHECK(first.has_value() == !fails);
  REQUIRE(transaction.counts().last_resorts == 1);
  // It owns neither what it reads nor what it writes, and has its first attempt before it.
  std::array<bool, 2> committed{};
  runs = 0;
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    ++runs;
    const auto read = tx.Read(purses[1]);
    if (!read) return std::unexpected(read.error());
    std::jthread([&] { committed[0] = table.Edit(purses[1])->Commit(); }).join();
    return {};
  }));
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    ++runs;
    if (auto added = Add(tx, purses[0], 1); !added) return added;
    if (runs == 2) std::jthread([&] { committed[1] = table.Edit(purses[0])->Commit(); }).join();
    return {};
  }));
  CHECK(committed == std::array{true, true});
  CHECK(runs == 3);
  RequireNothingIsHeld(table, purses, 8);
}

}  // namespace
}  // namespace nowait
