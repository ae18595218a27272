// Threads run transactions over the same few objects, in both variants and at each level. Judges:
// the sum over all objects, the serialization graph of all transactions, and, for versions that are
// plain data, ThreadSanitizer.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <vector>

#include "src/game/object_table.h"
#include "src/game/transaction.h"
#include "src/math/random.h"
#include "tests/game/serialization_graph.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

constexpr std::uint32_t kThreads = 4;
constexpr std::uint32_t kAsked = 3;  // objects that a transaction asks for

// Large enough to be torn.
struct Purse {
  std::uint64_t version = 0;
  std::int64_t coins = 100;
  std::array<std::uint64_t, 6> same{};
};
using Table = ObjectTable<Purse>;

class Purses {
 public:
  explicit Purses(std::uint32_t objects) : table_(objects, objects + kThreads * 2 * kAsked) {
    for (std::uint32_t i = 0; i < objects; ++i) handles_.push_back(*table_.Create({}));
  }

  struct Done {
    std::vector<TransactionRecord> records;
    std::uint64_t effects = 0;
    TransactionCounts counts;
  };

  // Moves coins between purses that it reads, and looks at all of them.
  template <class Policy>
  void Work(std::uint32_t thread, const TransactionDef& def, int rounds, Findings& wrong,
            Done& done) {
    Random random(thread + 1);
    Transaction<Table, Policy> transaction(table_, def);
    for (int round = 0; round < rounds; ++round) {
      const std::uint32_t writes = random.Below(kAsked + 1);
      std::array<std::uint32_t, kAsked> which;
      for (std::uint32_t& i : which) i = random.Below(static_cast<std::uint32_t>(handles_.size()));
      TransactionRecord record;
      const auto ran = transaction.Run([&](auto& tx) -> Result<void> {
        record = {};
        std::int64_t given = 0;
        for (std::uint32_t i = 0; i < kAsked; ++i) {
          if (std::find(which.begin(), which.begin() + i, which[i]) != which.begin() + i) continue;
          if (i >= writes) {
            const auto purse = tx.Read(handles_[which[i]]);
            if (!purse) return std::unexpected(purse.error());
            See(**purse, which[i], wrong, record);
            continue;
          }
          const auto purse = tx.Write(handles_[which[i]]);
          if (!purse) return std::unexpected(purse.error());
          See(**purse, which[i], wrong, record);
          (*purse)->coins += i == 0 ? -5 : 1;
          given += i == 0 ? 5 : -1;
          (*purse)->same.fill(++(*purse)->version);
          record.made.push_back({which[i], (*purse)->version});
        }
        if (writes > 0) {
          const auto last = tx.Write(handles_[which[0]]);
          if (!last) return std::unexpected(last.error());
          (*last)->coins += given;
        }
        return tx.AfterCommit([&done]() noexcept { ++done.effects; });
      });
      if (!ran) wrong.Add("a transaction has failed: round", round);
      done.records.push_back(record);
    }
    done.counts = transaction.counts();
  }

  std::int64_t Sum() {
    std::int64_t sum = 0;
    for (const ObjectHandle handle : handles_) sum += (*table_.Read(handle))->coins;
    return sum;
  }

 private:
  static void See(const Purse& purse, std::uint32_t which, Findings& wrong,
                  TransactionRecord& record) {
    const bool whole =
        std::ranges::all_of(purse.same, [&](std::uint64_t same) { return same == purse.version; });
    if (!whole) wrong.Add("a version is torn: object", which);
    record.read.push_back({which, purse.version});
  }

  Table table_;
  std::vector<ObjectHandle> handles_;
};

// kMixed: half of the threads use the one variant, half the other one.
enum class Variants { kExclusive, kRevisions, kMixed };

void Collide(Variants variants, std::uint32_t objects, TransactionDef def, int rounds) {
  def.objects = kAsked;
  CAPTURE(objects, static_cast<int>(variants), static_cast<int>(def.isolation), def.attempts);
  Purses purses(objects);
  Findings wrong;
  std::array<Purses::Done, kThreads> done;
  Together(kThreads, [&](std::uint32_t thread) {
    const bool exclusive =
        variants == Variants::kExclusive || (variants == Variants::kMixed && thread % 2 == 0);
    if (exclusive) {
      purses.Work<Exclusive>(thread, def, rounds, wrong, done[thread]);
    } else {
      purses.Work<Revisions>(thread, def, rounds, wrong, done[thread]);
    }
  });
  REQUIRE(wrong.Words() == "");
  REQUIRE(purses.Sum() == 100 * static_cast<std::int64_t>(objects));
  std::vector<TransactionRecord> all;
  for (const Purses::Done& of : done) {
    all.insert(all.end(), of.records.begin(), of.records.end());
    REQUIRE(of.effects == static_cast<std::uint64_t>(rounds));
    REQUIRE(of.counts.commits == static_cast<std::uint64_t>(rounds));
  }
  const SerializationGraph graph(all);
  REQUIRE(!graph.HasLostUpdate());
  if (def.isolation == Isolation::kSerializable) REQUIRE(!graph.HasCycle());
}

TEST_CASE("transactions that collide are serializable, and none is lost") {
  for (const Variants variants : {Variants::kExclusive, Variants::kRevisions, Variants::kMixed}) {
    for (const std::uint32_t objects : {2u, 5u, 100u}) {
      Collide(variants, objects, {}, 1500);
      // Most have their turn alone in the end.
      Collide(variants, objects, {.attempts = 1}, 700);
    }
  }
}

TEST_CASE("no update is lost and no version torn, whatever is promised about reads") {
  for (const Isolation isolation : {Isolation::kReadCommitted, Isolation::kSnapshot}) {
    Collide(Variants::kExclusive, 3, {.isolation = isolation}, 1500);
    Collide(Variants::kRevisions, 3, {.isolation = isolation}, 1500);
  }
}

// A snapshot of all purses has the sum, while others move coins.
TEST_CASE("a snapshot has whole commits") {
  constexpr std::uint32_t kObjects = 6;
  ObjectTable<std::int64_t> table(kObjects, kObjects + 16 * kThreads);
  std::array<ObjectHandle, kObjects> purses;
  for (ObjectHandle& purse : purses) purse = *table.Create(100);
  Findings wrong;
  Together(kThreads, [&](std::uint32_t thread) {
    Transaction<ObjectTable<std::int64_t>> transaction(table, {.isolation = Isolation::kSnapshot});
    Random random(thread + 1);
    for (int round = 0; round < 2000; ++round) {
      const ObjectHandle from = purses[random.Below(kObjects)];
      const ObjectHandle to = purses[random.Below(kObjects)];
      std::int64_t sum = 0;
      const auto done = transaction.Run([&](auto& tx) -> Result<void> {
        sum = 0;
        for (const ObjectHandle purse : purses) {
          if (thread % 2 == 1) break;
          const auto coins = tx.Read(purse);
          if (!coins) return std::unexpected(coins.error());
          sum += **coins;
        }
        if (thread % 2 == 0) return {};
        const auto taken = tx.Write(from);
        if (!taken) return std::unexpected(taken.error());
        **taken -= 1;
        const auto given = tx.Write(to);
        if (!given) return std::unexpected(given.error());
        **given += 1;
        return {};
      });
      if (!done) wrong.Add("a transaction has failed: round", round);
      if (thread % 2 == 0 && sum != 100 * kObjects) wrong.Add("a snapshot is torn: round", round);
    }
  });
  REQUIRE(wrong.Words() == "");
}

}  // namespace
}  // namespace nowait
