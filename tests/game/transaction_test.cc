// A transaction by itself: its commit, its refusals and errors, its capacities and its effects.
#include "src/game/transaction.h"

#include <array>
#include <catch2/catch.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/base/assert.h"
#include "src/math/random.h"
#include "src/sync/held_locks.h"
#include "tests/game/purses.h"

namespace nowait {
namespace {

// A view of an object is read, and not written: that does not compile. Nor does an effect that may
// throw.
using ViewInUpdate = Transaction<Table>::View;
static_assert(std::same_as<decltype(*std::declval<ViewInUpdate&>()), const Purse&>);
static_assert(!std::is_assignable_v<decltype((std::declval<ViewInUpdate&>()->coins)), int>);
template <class F>
concept MayBeDelayed = requires(Transaction<Table> tx, F effect) {
  tx.AfterCommit(effect);
};
static_assert(MayBeDelayed<decltype([] noexcept {})> && !MayBeDelayed<decltype([] {})>);

TEMPLATE_TEST_CASE("several objects change together", "", Exclusive, Revisions) {
  Table table(8, 8);
  const auto purses = Create(table, 3);
  Transaction<Table, TestType> transaction(table);
  REQUIRE(transaction.Run([&](auto& tx) { return Move(tx, purses[2], purses[0], 4); }));
  CHECK(CoinsOf(table, purses[0]) == 14);
  CHECK(CoinsOf(table, purses[1]) == 10);
  CHECK(CoinsOf(table, purses[2]) == 6);
  CHECK(transaction.counts().commits == 1);
  CHECK(transaction.counts().restarts + transaction.counts().conflicts == 0);
  RequireNothingIsHeld(table, purses, 8);
}

TEMPLATE_TEST_CASE("an object that is asked for twice is the same one", "", Exclusive, Revisions) {
  Table table(8, 8);
  const auto purses = Create(table, 1);
  Transaction<Table, TestType> transaction(table, {.objects = 1});
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    const auto before = tx.Read(purses[0]);
    const auto first = tx.Write(purses[0]);
    const auto second = tx.Write(purses[0]);
    const auto after = tx.Read(purses[0]);
    REQUIRE((before && first && second && after));
    CHECK(*first == *second);
    (*first)->coins = 77;
    CHECK((*second)->coins == 77);
    CHECK((*after)->coins == 77);
    CHECK((*before)->coins == 77);
    CHECK(CoinsOf(table, purses[0]) == 10);  // nobody else sees it
    return {};
  }));
  CHECK(CoinsOf(table, purses[0]) == 77);
}

TEMPLATE_TEST_CASE(
    "as many objects as a transaction may ask for are changed, asked for twice or not", "",
    Exclusive, Revisions) {
  Table table(8, 8);
  const auto purses = Create(table, 4);
  Transaction<Table, TestType> transaction(table, {.objects = 3});
  for (int round = 0; round < 3; ++round) {
    REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
      for (int twice = 0; twice < 2; ++twice) {
        for (std::size_t i = 0; i < 3; ++i) {
          if (auto added = Add(tx, purses[i], 1); !added) return added;
        }
      }
      const auto more = tx.Read(purses[3]);
      REQUIRE(!more);
      CHECK(more.error() == Error{ErrorCode::kCapacity, "objects of a transaction", 3});
      return {};
    }));
  }
  for (std::size_t i = 0; i < 4; ++i) CHECK(CoinsOf(table, purses[i]) == (i < 3 ? 16 : 10));
}

TEMPLATE_TEST_CASE("any transactions of one thread are those of plain objects", "", Exclusive,
                   Revisions) {
  const auto seed = GENERATE(range(1u, 11u));
  CAPTURE(seed);
  Random random(seed);
  constexpr int kPurses = 5;
  Table table(kPurses, 2 * kPurses);
  const auto purses = Create(table, kPurses);
  std::array<int, kPurses> plain;
  plain.fill(10);
  Transaction<Table, TestType> transaction(table,
                                           {.objects = kPurses,
                                            .attempts = random.Below(2),
                                            .isolation = static_cast<Isolation>(random.Below(3))});
  for (int step = 0; step < 300; ++step) {
    const Random before = random;
    auto changed = plain;
    const bool fails = random.Below(4) == 0;
    const auto done = transaction.Run([&](auto& tx) -> Result<void> {
      random = before;
      static_cast<void>(random.Below(4));
      changed = plain;
      for (std::uint32_t i = random.Below(8); i > 0; --i) {
        const std::uint32_t which = random.Below(kPurses);
        if (random.Below(2) == 0) {
          const auto view = tx.Read(purses[which]);
          REQUIRE(view);
          REQUIRE((*view)->coins == changed[which]);
        } else {
          const int coins = static_cast<int>(random.Below(3));
          REQUIRE(Add(tx, purses[which], coins));
          changed[which] += coins;
        }
      }
      if (fails) return Fail(ErrorCode::kNotFound, "bread");
      return {};
    });
    REQUIRE(done.has_value() == !fails);
    if (done) plain = changed;
    for (int i = 0; i < kPurses; ++i) {
      REQUIRE(CoinsOf(table, purses[static_cast<std::size_t>(i)]) ==
              plain[static_cast<std::size_t>(i)]);
    }
  }
  RequireNothingIsHeld(table, purses, kPurses);
}

TEMPLATE_TEST_CASE("an update's own error, and what it throws, leave nothing behind", "", Exclusive,
                   Revisions) {
  Table table(8, 8);
  const auto purses = Create(table, 2);
  Transaction<Table, TestType> transaction(table);
  int effects = 0;
  const auto update = [&](auto& tx, auto end) -> Result<void> {
    REQUIRE(Move(tx, purses[0], purses[1], 5));
    REQUIRE(tx.AfterCommit([&effects]() noexcept { ++effects; }));
    return end();
  };
  const auto failed = transaction.Run([&](auto& tx) {
    return update(tx, []() -> Result<void> { return Fail(ErrorCode::kNotFound, "bread"); });
  });
  REQUIRE(!failed);
  CHECK(failed.error() == Error{ErrorCode::kNotFound, "bread"});
  CHECK_THROWS_AS(transaction.Run([&](auto& tx) {
    return update(tx, []() -> Result<void> { throw std::runtime_error("bread"); });
  }),
                  std::runtime_error);
  CHECK(!InUpdate<EngineSync>());
  CHECK(effects == 0);
  CHECK(transaction.counts().commits == 0);
  // Nothing is owned: others commit.
  for (const ObjectHandle purse : purses) {
    CHECK(CoinsOf(table, purse) == 10);
    auto edit = table.Edit(purse);
    REQUIRE(edit);
    CHECK(edit->Commit());
  }
  REQUIRE(transaction.Run([&](auto& tx) { return Move(tx, purses[0], purses[1], 1); }));
  CHECK(effects == 0);
  RequireNothingIsHeld(table, purses, 8);
}

TEMPLATE_TEST_CASE("a stale handle is an error, and nothing is committed", "", Exclusive,
                   Revisions) {
  Table table(8, 8);
  const auto purses = Create(table, 2);
  REQUIRE(table.Destroy(purses[1]));
  Transaction<Table, TestType> transaction(table);
  const auto done = transaction.Run([&](auto& tx) { return Move(tx, purses[0], purses[1], 1); });
  REQUIRE(!done);
  CHECK(done.error() == Error{ErrorCode::kStaleId, "object handle", purses[1].slot});
  CHECK(CoinsOf(table, purses[0]) == 10);
}

TEMPLATE_TEST_CASE("what is full says what, and nothing is committed", "", Exclusive, Revisions) {
  Table table(8, 4);
  const auto purses = Create(table, 3);
  Transaction<Table, TestType> transaction(table, {.objects = 2, .effects = 1});
  const auto objects = transaction.Run([&](auto& tx) -> Result<void> {
    REQUIRE(Move(tx, purses[0], purses[1], 1));
    return Add(tx, purses[2], 1);
  });
  REQUIRE(!objects);
  CHECK(objects.error() == Error{ErrorCode::kCapacity, "objects of a transaction", 2});
  int happened = 0;
  const auto effects = transaction.Run([&](auto& tx) -> Result<void> {
    REQUIRE(Add(tx, purses[0], 1));
    REQUIRE(tx.AfterCommit([&happened]() noexcept { ++happened; }));
    return tx.AfterCommit([&happened]() noexcept { ++happened; });
  });
  REQUIRE(!effects);
  CHECK(effects.error() == Error{ErrorCode::kCapacity, "delayed effects", 1});
  // One version is left, and the commit needs two.
  const auto versions =
      transaction.Run([&](auto& tx) { return Move(tx, purses[0], purses[1], 1); });
  REQUIRE(!versions);
  CHECK(versions.error() == Error{ErrorCode::kCapacity, "object versions", 4});
  CHECK(happened == 0);
  for (const ObjectHandle purse : purses) CHECK(CoinsOf(table, purse) == 10);
  REQUIRE(transaction.Run([&](auto& tx) { return Add(tx, purses[0], 1); }));
  RequireNothingIsHeld(table, purses, 4);
}

TEMPLATE_TEST_CASE("a transaction inside a transaction is an error", "", Exclusive, Revisions) {
  Table table(8, 8);
  const auto purses = Create(table, 1);
  Transaction<Table, TestType> transaction(table);
  Transaction<Table, TestType> other(table);
  const Error nested{ErrorCode::kWrongPhase, "transaction", 0, "begun inside another one"};
  const auto nothing = [](auto&) -> Result<void> { return {}; };
  int effects = 0;
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    for (auto* inner : {&transaction, &other}) {
      const auto run = inner->Run(nothing);
      REQUIRE(!run);
      CHECK(run.error() == nested);
    }
    return tx.AfterCommit([&]() noexcept {
      // The commit is done; another transaction may follow, but this one is not at its end.
      if (!transaction.Run(nothing) && other.Run(nothing)) ++effects;
    });
  }));
  CHECK(effects == 1);
  CHECK(transaction.Run(nothing));
}

TEMPLATE_TEST_CASE("effects happen once, in order, after the commit", "", Exclusive, Revisions) {
  Table table(8, 8);
  const auto purses = Create(table, 2);
  Transaction<Table, TestType> transaction(table);
  std::vector<int> seen;
  int runs = 0;
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    const auto other = tx.Read(purses[1]);
    REQUIRE(other);
    if (auto added = Add(tx, purses[0], 1); !added) return added;
    // The effects of the first attempt are forgotten with it.
    if (++runs == 1) CommitElsewhere(table, purses[1], 5);
    for (int i = 0; i < 2; ++i) {
      const auto delayed = tx.AfterCommit(
          [&, i]() noexcept { seen.push_back(i * 100 + (*table.Read(purses[0]))->coins); });
      if (!delayed) return delayed;
    }
    CHECK(seen.empty());
    return {};
  }));
  CHECK(runs == 2);
  CHECK(transaction.counts().conflicts == 1);
  CHECK(seen == std::vector{11, 111});
}

#ifndef NDEBUG
TEMPLATE_TEST_CASE("an effect neither reads nor writes objects in its transaction", "", Exclusive,
                   Revisions) {
  struct Asserted {
    std::string what;
  };
  Table table(8, 8);
  const auto purses = Create(table, 2);
  Transaction<Table, TestType> transaction(table);
  std::string failure;
  assertion_handler = [](const FailedAssertion& failed) { throw Asserted{failed.what}; };
  REQUIRE(transaction.Run([&](auto& tx) -> Result<void> {
    return tx.AfterCommit([&tx, &failure, purse = purses[0]]() noexcept {
      try {
        static_cast<void>(tx.Write(purse));  // it does not return
      } catch (const Asserted& failed) {
        failure = failed.what;
      }
    });
  }));
  assertion_handler = nullptr;
  CHECK(failure == "only an update reads and writes, and no effect");
  RequireNothingIsHeld(table, purses, 8);
}
#endif

TEST_CASE("the counts of transactions add up, field by field") {
  TransactionCounts sum{1, 2, 3, 4};
  sum += {10, 20, 30, 40};
  CHECK(sum.commits == 11);
  CHECK(sum.restarts == 22);
  CHECK(sum.conflicts == 33);
  CHECK(sum.last_resorts == 44);
}

}  // namespace
}  // namespace nowait
