#include "src/game/transaction.h"

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/base/assert.h"
#include "src/game/object_table.h"
#include "src/math/random.h"
#include "src/sync/held_locks.h"

namespace nowait {
namespace {

struct Purse {
  int coins = 0;
  int owner = 0;
};
using Table = ObjectTable<Purse>;

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

std::vector<ObjectHandle> Create(Table& table, int count, int coins = 10) {
  std::vector<ObjectHandle> handles;
  for (int i = 0; i < count; ++i) {
    const auto created = table.Create({coins, i});
    REQUIRE(created);
    handles.push_back(*created);
  }
  return handles;
}

int CoinsOf(Table& table, ObjectHandle handle) {
  const auto view = table.Read(handle);
  REQUIRE(view);
  return (*view)->coins;
}

// tx.Write(handle)->coins += coins, with the errors passed on.
template <class Tx>
Result<void> Add(Tx& tx, ObjectHandle handle, int coins) {
  const auto purse = tx.Write(handle);
  if (!purse) return std::unexpected(purse.error());
  (*purse)->coins += coins;
  return {};
}

template <class Tx>
Result<void> Move(Tx& tx, ObjectHandle from, ObjectHandle to, int coins) {
  if (auto taken = Add(tx, from, -coins); !taken) return taken;
  return Add(tx, to, coins);
}

// A commit that is no transaction's, on another thread: this one is inside an update.
void CommitElsewhere(Table& table, ObjectHandle handle, int coins) {
  std::jthread([&] {
    for (bool done = false; !done;) {
      auto edit = table.Edit(handle);
      if (!edit) return;
      (*edit)->coins += coins;
      done = edit->Commit();
    }
  }).join();
}

// Every version is free again.
void RequireNothingIsHeld(Table& table, const std::vector<ObjectHandle>& handles,
                          std::uint32_t versions) {
  for (const ObjectHandle handle : handles) static_cast<void>(table.Destroy(handle));  // or gone
  std::vector<ObjectHandle> all;
  for (std::uint32_t i = 0; i < versions; ++i) {
    const auto created = table.Create({});
    REQUIRE(created);
    all.push_back(*created);
  }
  REQUIRE(!table.Create({}));
  for (const ObjectHandle handle : all) REQUIRE(table.Destroy(handle));
}

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

TEST_CASE("the counts of transactions add up, field by field") {
  TransactionCounts sum{1, 2, 3, 4};
  sum += {10, 20, 30, 40};
  CHECK(sum.commits == 11);
  CHECK(sum.restarts == 22);
  CHECK(sum.conflicts == 33);
  CHECK(sum.last_resorts == 44);
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

}  // namespace
}  // namespace nowait
