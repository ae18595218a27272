// Model of src/game/transaction.h, with both of its policies, over src/game/object_table.h.
//
// Promise checked: at kSerializable the transactions are strictly serializable. There is one order
// of them in which each has read and written the values that it reports, and a transaction that
// returned before another one began precedes it. At kSnapshot a read-only transaction has its place
// in that order, too. An effect takes place once, after its commit. Every version is returned.
//
// An object that a transaction finds gone was gone at that point of the order, too.
//
// Examined: every execution of two colliding transactions over two objects, of transactions beside
// single reads, commits and ends of objects, and of one with a turn alone; and some of those with
// two restarting transactions, and of four threads. An update that would have to be restarted too
// often gives up, which is an error of its own.
#include "src/game/transaction.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"
#include "src/game/object_table.h"

namespace nowait {
namespace {

using model::Check;
using model::CheckLinearizable;
using model::ContextBound;
using model::History;
using model::Random;
using model::Scenario;

constexpr int kNone = 0;

// The values that a transaction has read and written, by object; kNone: no value.
struct UpdateOp {
  std::array<int, 2> read{};
  std::array<int, 2> written{};
  std::string Words() const {
    std::string words = "transaction:";
    for (std::size_t i = 0; i < 2; ++i) {
      if (read[i] != kNone) words += " reads " + Of(i, read[i]);
      if (written[i] != kNone) words += " writes " + Of(i, written[i]);
    }
    return words;
  }

 private:
  static std::string Of(std::size_t object, int value) {
    return std::string(1, "ab"[object]) + "=" + std::to_string(value);
  }
};

struct UpdateSpec {
  using Op = UpdateOp;
  struct State {
    std::array<int, 2> value{1, 1};
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (op.read[i] != kNone && op.read[i] != state.value[i]) return false;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (op.written[i] != kNone) state.value[i] = op.written[i];
    }
    return true;
  }
};

struct Horse {
  int number = kNone;
  int same = kNone;
};

using Table = ObjectTable<Horse, ModelSync>;

// Two objects, a and b, whose number is initially 1.
class RecordedHorses {
 public:
  explicit RecordedHorses(std::uint32_t versions) : table_(2, versions), versions_(versions) {
    for (ObjectHandle& horse : horses_) horse = *table_.Create({1, 1});
  }

  struct Plan {
    int most_runs = 1;  // of the update, which then gives up
    Isolation isolation = Isolation::kSerializable;
    std::uint32_t attempts = 3;
  };
  // A transaction that reads some objects in this order, then takes some for writing, in this
  // order, and writes `value` to them; kNone: it leaves them unchanged. Its effect takes place
  // once, after the commit, or never.
  template <class Policy>
  void Run(const Plan& plan, std::initializer_list<int> reads, std::initializer_list<int> writes,
           int value) {
    history_.Record("Run", [&] {
      Transaction<Table, Policy> transaction(
          table_,
          {.objects = 2, .effects = 1, .attempts = plan.attempts, .isolation = plan.isolation});
      UpdateOp op;
      int runs = 0;
      int effects = 0;
      const auto done = transaction.Run([&](auto& tx) -> Result<void> {
        op = {};
        if (++runs > plan.most_runs) return Fail(ErrorCode::kNotFound, "patience");
        for (const int i : reads) {
          const auto horse = tx.Read(horses_[i]);
          if (!horse) return std::unexpected(horse.error());
          op.read[i] = Number(**horse);
        }
        for (const int i : writes) {
          const auto horse = tx.Write(horses_[i]);
          if (!horse) return std::unexpected(horse.error());
          op.read[i] = Number(**horse);
          if (value == kNone) continue;
          **horse = {value, value};
          op.written[i] = value;
        }
        return tx.AfterCommit(
            [&]() noexcept { effects += transaction.counts().commits == 1 ? 1 : 100; });
      });
      Check(effects == (done ? 1 : 0), "an effect happens once, after the commit");
      Check(done || runs > plan.most_runs, "a transaction alone commits");
      return op;
    });
  }

  // An object by itself, without a transaction.
  void Read(int i) {
    history_.Record("Read", [&] {
      UpdateOp op;
      op.read[i] = Number(**table_.Read(horses_[i]));
      return op;
    });
  }
  void TryWrite(int i, int value) {
    history_.Record("Edit and Commit", [&] {
      UpdateOp op;
      auto edit = table_.Edit(horses_[i]);
      Check(edit.has_value(), "there is a version for each edit");
      const int read = Number(**edit);
      **edit = {value, value};
      if (edit->Commit()) {
        op.read[i] = read;
        op.written[i] = value;
      }
      return op;
    });
  }
  // Objects a and b, as of one moment; a has named b, but no longer does once b is gone.
  void ReadNamed(int replaced) {
    Transaction<Table, Revisions> transaction(
        table_, {.objects = 2, .effects = 1, .attempts = 3, .isolation = Isolation::kSnapshot});
    int read = kNone;
    const auto done = transaction.Run([&](auto& tx) -> Result<void> {
      const auto a = tx.Read(horses_[0]);
      if (!a) return std::unexpected(a.error());
      read = Number(**a);
      const auto b = tx.Read(horses_[1]);
      if (!b) return std::unexpected(b.error());
      return {};
    });
    Check(done || read == replaced, "an object that a version names is there with that version");
  }
  void Destroy(int i) { Check(table_.Destroy(horses_[i]).has_value(), "a horse is destroyed"); }

  void CheckSerializable() {
    history_.Record("Read both", [&] {
      UpdateOp op;
      for (int i = 0; i < 2; ++i) op.read[i] = Number(**table_.Read(horses_[i]));
      return op;
    });
    CheckLinearizable<UpdateSpec>(history_, "transactions are serializable");
    CheckVersions();
  }
  void CheckVersions() {
    for (const ObjectHandle horse : horses_) static_cast<void>(table_.Destroy(horse));  // or gone
    std::array<std::optional<Table::View>, 10> last;
    for (std::uint32_t i = 0; i < versions_; ++i) {
      const auto created = table_.Create({2, 2});
      Check(created.has_value(), "a version that nothing uses comes back");
      last[i].emplace(std::move(*table_.Read(*created)));
      Check(table_.Destroy(*created).has_value(), "an object is destroyed");
    }
    Check(!table_.Create({2, 2}).has_value(), "a version comes back once");
  }

 private:
  static int Number(const Horse& horse) {
    Check(horse.same == horse.number, "a version is whole");
    return horse.number;
  }

  Table table_;
  const std::uint32_t versions_;
  std::array<ObjectHandle, 2> horses_;
  History<UpdateOp> history_;
};

using Plan = RecordedHorses::Plan;
constexpr Plan kOnce{};
constexpr Plan kTwice{.most_runs = 2};
constexpr Plan kAlone{.attempts = 0};
constexpr Plan kSnapshot{.isolation = Isolation::kSnapshot};
constexpr Plan kReadCommitted{.isolation = Isolation::kReadCommitted};

// Two threads write one object.
template <class Policy>
struct SameObject {
  static constexpr int kThreads = 2;

  void Thread(int t) { horses.Run<Policy>(kTwice, {}, {0}, 10 + t); }
  void After() { horses.CheckSerializable(); }

  RecordedHorses horses{4};
};
const Scenario<SameObject<Revisions>> same_revisions({
    .name = "same_revisions",
    .promise = "of two transactions over one version one begins again",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});
const Scenario<SameObject<Exclusive>> same_exclusive({
    .name = "same_exclusive",
    .promise = "of two transactions that ask for one object one waits",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});

// One thread writes an object, and the other one reads it.
template <class Policy>
struct Look {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) return horses.Run<Policy>(kOnce, {}, {0}, 10);
    horses.Run<Policy>(kSnapshot, {0}, {}, kNone);
  }
  void After() { horses.CheckSerializable(); }

  RecordedHorses horses{4};
};
const Scenario<Look<Revisions>> look_revisions({
    .name = "look_revisions",
    .promise = "a transaction that reads an object beside a commit has one version of it",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});
const Scenario<Look<Exclusive>> look_exclusive({
    .name = "look_exclusive",
    .promise = "a transaction that reads an object which another one owns has one version of it",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});

// Each thread asks for both objects, in opposite orders, and leaves them unchanged.
struct Opposite {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      horses.Run<Exclusive>(kReadCommitted, {}, {0, 1}, kNone);
    } else {
      horses.Run<Exclusive>(kReadCommitted, {}, {1, 0}, kNone);
    }
  }
  void After() { horses.CheckSerializable(); }

  RecordedHorses horses{6};
};
const Scenario<Opposite> opposite({
    .name = "opposite",
    .promise = "two transactions that ask for two objects in opposite orders do not wait for ever",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// One thread writes both objects, and the other one the second of them.
struct OneOfTwo {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      horses.Run<Revisions>(kReadCommitted, {}, {0, 1}, 10);
    } else {
      horses.Run<Revisions>(kReadCommitted, {}, {1}, 20);
    }
  }
  void After() { horses.CheckSerializable(); }

  RecordedHorses horses{6};
};
const Scenario<OneOfTwo> one_of_two({
    .name = "one_of_two",
    .promise = "a commit of two objects that finds one of them replaced changes none",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});

// Each thread reads the object that the other one writes.
template <class Policy>
struct Skew {
  static constexpr int kThreads = 2;

  void Thread(int t) { horses.Run<Policy>(kOnce, {t}, {1 - t}, 10 + t); }
  void After() { horses.CheckSerializable(); }

  RecordedHorses horses{6};
};
const Scenario<Skew<Revisions>> skew_revisions({
    .name = "skew_revisions",
    .promise = "of two transactions that write what the other one has read one begins again",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});
const Scenario<Skew<Exclusive>> skew_exclusive({
    .name = "skew_exclusive",
    .promise = "of two transactions that write what the other one has read one begins again",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});

// One thread writes both objects, and the other one reads both.
template <class Policy, bool kForwards>
struct Snapshot {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) return horses.Run<Policy>(kReadCommitted, {}, {0, 1}, 10);
    if (kForwards) {
      horses.Run<Policy>(kSnapshot, {0, 1}, {}, 0);
    } else {
      horses.Run<Policy>(kSnapshot, {1, 0}, {}, 0);
    }
  }
  void After() { horses.CheckSerializable(); }

  RecordedHorses horses{6};
};
const Scenario<Snapshot<Revisions, true>> snapshot_revisions({
    .name = "snapshot_revisions",
    .promise = "a snapshot has both objects of a commit, or neither",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});
const Scenario<Snapshot<Exclusive, false>> snapshot_exclusive({
    .name = "snapshot_exclusive",
    .promise = "a snapshot has both objects of a commit, or neither",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});

// A transaction beside a commit of a single object and, under Revisions, beside a view.
template <class Policy>
struct BesideSingles {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) return horses.Run<Policy>(kReadCommitted, {}, {0, 1}, 10);
    horses.TryWrite(1, 20);
    if (!Policy::kOwnsAtWrite) horses.Read(0);
  }
  void After() { horses.CheckVersions(); }

  RecordedHorses horses{6};
};
const Scenario<BesideSingles<Revisions>> singles_revisions({
    .name = "singles_revisions",
    .promise = "a view waits for no transaction, and its version is not reused meanwhile",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});
const Scenario<BesideSingles<Exclusive>> singles_exclusive({
    .name = "singles_exclusive",
    .promise = "a commit does not replace an object that a transaction owns",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});

// One thread commits twice, so that versions are reused; the other one holds a view meanwhile.
struct Reused {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 1) return horses.Read(1);
    // The version that object b had is returned last, so it is taken again first.
    horses.Run<Exclusive>(kReadCommitted, {}, {0, 1}, 10);
    horses.Run<Exclusive>(kReadCommitted, {}, {0}, 11);
  }
  void After() { horses.CheckSerializable(); }

  RecordedHorses horses{5};
};
const Scenario<Reused> reused({
    .name = "reused",
    .promise = "a version that a commit has replaced is reused after its last view",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});

// One thread replaces a, which names b, and then destroys b; the other one reads a and b.
struct Gone {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 1) return horses.ReadNamed(20);
    horses.TryWrite(0, 20);
    horses.Destroy(1);
  }
  void After() { horses.CheckVersions(); }

  RecordedHorses horses{4};
};
const Scenario<Gone> gone({
    .name = "gone",
    .promise = "a transaction finds an object gone only if it sees what came before the end of it",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});

// One transaction has its turn alone.
struct TurnAlone {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      horses.Run<Exclusive>(kAlone, {1}, {0}, 10);
    } else {
      horses.Run<Exclusive>(kOnce, {0}, {1}, 20);
    }
  }
  void After() { horses.CheckSerializable(); }

  RecordedHorses horses{6};
};
const Scenario<TurnAlone> alone({
    .name = "alone",
    .promise = "a transaction that has its turn alone commits, whatever the others do",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});

// One transaction has a turn alone while each of the two owns an object that the other one waits
// for.
struct GivesWay {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      horses.Run<Exclusive>(kAlone, {}, {1, 0}, kNone);
    } else {
      horses.Run<Exclusive>(kReadCommitted, {}, {0, 1}, kNone);
    }
  }
  void After() { horses.CheckVersions(); }

  RecordedHorses horses{4};
};
const Scenario<GivesWay> gives_way({
    .name = "gives_way",
    .promise = "a transaction that waits gives way to the one that has its turn alone",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});

// Each thread writes a separate object, and then looks at both.
struct WriteThenLook {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    horses.Run<Exclusive>(kReadCommitted, {}, {t}, 10);
    horses.Run<Exclusive>(kSnapshot, {0, 1}, {}, kNone);
  }
  void After() { horses.CheckSerializable(); }

  RecordedHorses horses{4};
};
const Scenario<WriteThenLook> write_then_look({
    .name = "write_then_look",
    .promise = "two threads that look after their commits agree about which came first",
    .searches = {ContextBound(2), Random(5'000).DeferringStores().DeepHistory()},
});

// Two threads each write one object; two others look at both, in opposite orders.
struct TwoObservers {
  static constexpr int kThreads = 4;

  void Thread(int t) {
    if (t < 2) return horses.Run<Revisions>(kReadCommitted, {}, {t}, 10);
    if (t == 2) {
      horses.Run<Revisions>(kSnapshot, {0, 1}, {}, 0);
    } else {
      horses.Run<Revisions>(kSnapshot, {1, 0}, {}, 0);
    }
  }
  void After() { horses.CheckSerializable(); }

  RecordedHorses horses{10};
};
const Scenario<TwoObservers> two_observers({
    .name = "two_observers",
    .promise = "two snapshots agree about the order of two commits",
    .searches = {Random(20'000).DeferringStores().DeepHistory()},
    .bounded = "more than 2,200,000 executions; 1,000 probes say 2.2 million, half of them 7,800 "
               "to 170,000, the largest 3.7e8",
});

}  // namespace
}  // namespace nowait
