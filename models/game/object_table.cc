// Model of src/game/object_table.h.
//
// Promise checked: an object is linearizable as a register of versions that is created, read,
// replaced by compare-and-swap and destroyed. A view's version is not written while the view lives
// (its data is plain, so a race would be an error), and every unused version is returned.
//
// Examined: every execution of two and three threads that read, commit, create and destroy, with so
// few versions that they are reused at once; and of a table that moves its counts after each read.
#include "src/game/object_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::CheckLinearizable;
using model::ContextBound;
using model::History;
using model::Random;
using model::Scenario;

// Each value is written only once, so it identifies its version.
struct TableOp {
  enum class Kind { kCreate, kRead, kCommit, kDestroy };
  Kind kind;
  std::uint32_t generation;
  int value = 0;  // created, read, or committed; 0: the object was gone
  int base = 0;   // kCommit: the value that was copied
  bool done = true;
  std::string Words() const {
    static constexpr const char* kNames[] = {"Create", "Read", "Commit", "Destroy"};
    std::string words = kNames[static_cast<int>(kind)];
    words += " of generation ";
    words += std::to_string(generation);
    if (kind == Kind::kCommit) {
      words += ", from ";
      words += std::to_string(base);
      words += " to ";
    } else {
      words += ": ";
    }
    words += std::to_string(value);
    words += done ? "" : ", in vain";
    return words;
  }
};

struct TableSpec {
  using Op = TableOp;
  struct State {
    std::uint32_t generation = 0;
    int value = 0;  // 0: there is no object
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op) {
    const bool there = state.value != 0 && state.generation == op.generation;
    switch (op.kind) {
      case Op::Kind::kCreate:
        if (state.value != 0 || op.generation != state.generation + 1) return false;
        state = {op.generation, op.value};
        return true;
      case Op::Kind::kRead:
        return op.value == (there ? state.value : 0);
      case Op::Kind::kCommit:
        if (op.done != (there && state.value == op.base)) return false;
        if (op.done) state.value = op.value;
        return true;
      case Op::Kind::kDestroy:
        if (op.done != there) return false;
        if (there) state.value = 0;
        return true;
    }
    return false;
  }
};

struct Horse {
  int number = 0;
  int same[3] = {};
};
// A version that is destroyed: the table writes it once more when its last use has ended.
struct OwningHorse : Horse {
  OwningHorse() = default;
  explicit OwningHorse(const Horse& horse) : Horse(horse) {}
  OwningHorse(const OwningHorse&) = default;
  OwningHorse& operator=(const OwningHorse&) = default;
  ~OwningHorse() { number = 0; }
};

// A table of one object.
template <std::uint32_t kVersions, std::uint64_t kFold, class Value = Horse>
class RecordedTable {
 public:
  using Table = ObjectTable<Value, ModelSync, kFold>;
  using View = typename Table::View;
  using Copy = typename Table::Copy;
  using Kind = TableOp::Kind;

  ObjectHandle Create(int value) {
    ObjectHandle handle;
    history_.Record("Create", [&] {
      const auto created = table_.Create(Make(value));
      Check(created.has_value(), "there is room for an object");
      handle = *created;
      return TableOp{Kind::kCreate, handle.generation, value};
    });
    return handle;
  }
  // Reads the version twice, with the view kept between.
  void ReadTwice(ObjectHandle handle) {
    std::optional<View> view;
    const int first = history_
                          .Record("Read",
                                  [&] {
                                    auto read = table_.Read(handle);
                                    if (!read) return TableOp{Kind::kRead, handle.generation};
                                    view.emplace(std::move(*read));
                                    return TableOp{Kind::kRead, handle.generation, Number(*view)};
                                  })
                          .value;
    if (view) Check(Number(*view) == first, "a view stays as it is");
  }
  // A copy, and the value that it was made of; no copy if the object is gone.
  struct Edited {
    std::optional<Copy> copy;
    int base = 0;
  };
  Edited Edit(ObjectHandle handle) {
    std::optional<Copy> copy;
    const int base = history_
                         .Record("Edit",
                                 [&] {
                                   auto edit = table_.Edit(handle);
                                   if (!edit) {
                                     Check(edit.error().code == ErrorCode::kStaleId,
                                           "there is a version for each edit");
                                     return TableOp{Kind::kRead, handle.generation};
                                   }
                                   copy.emplace(std::move(*edit));
                                   return TableOp{Kind::kRead, handle.generation, (**copy).number};
                                 })
                         .value;
    return {std::move(copy), base};
  }
  bool Commit(ObjectHandle handle, Edited& edited, int value) {
    **edited.copy = Make(value);
    return history_
        .Record("Commit",
                [&] {
                  const bool done = edited.copy->Commit();
                  return TableOp{Kind::kCommit, handle.generation, value, edited.base, done};
                })
        .done;
  }
  // Returns whether the value was committed; nothing if the object is gone.
  std::optional<bool> TryWrite(ObjectHandle handle, int value) {
    Edited edited = Edit(handle);
    if (!edited.copy) return {};
    return Commit(handle, edited, value);
  }
  bool Destroy(ObjectHandle handle) {
    return history_
        .Record("Destroy",
                [&] {
                  const bool done = table_.Destroy(handle).has_value();
                  return TableOp{Kind::kDestroy, handle.generation, 0, 0, done};
                })
        .done;
  }

  // handle: the object that exists at the end, if there is one.
  void CheckEnd(std::optional<ObjectHandle> handle) {
    CheckLinearizable<TableSpec>(history_, "objects are linearizable");
    // Once the object is gone all versions are free, each exactly once.
    if (handle) Check(table_.Destroy(*handle).has_value(), "the object is there at the end");
    for (std::uint32_t i = 0; i < kVersions; ++i) {
      const auto created = table_.Create(Make(1));
      Check(created.has_value(), "a version that nothing uses comes back");
      last_[i].emplace(std::move(*table_.Read(*created)));
      Check(table_.Destroy(*created).has_value(), "an object is destroyed");
    }
    Check(!table_.Create(Make(1)).has_value(), "a version comes back once");
    for (auto& view : last_) view.reset();
  }

 private:
  static Value Make(int number) { return Value(Horse{number, {number, number, number}}); }
  static int Number(const View& view) {
    const Horse horse = *view;
    Check(horse.same[2] == horse.number, "a version is whole");
    return horse.number;
  }

  Table table_{1, kVersions};
  std::optional<View> last_[kVersions];
  History<TableOp> history_;
};

constexpr std::uint64_t kNever = 1000;

// Thread 0 commits repeatedly, so that versions are reused; the others read.
template <int kReaders, int kWrites, std::uint64_t kFold, class Value = Horse>
struct ReadWhileWritten {
  static constexpr int kThreads = 1 + kReaders;

  ReadWhileWritten() : horse(table.Create(1)) {}
  void Thread(int t) {
    if (t != 0) return table.ReadTwice(horse);
    for (int i = 2; i < 2 + kWrites; ++i) {
      Check(table.TryWrite(horse, i) == true, "a commit without another one succeeds");
    }
  }
  void After() { table.CheckEnd(horse); }

  RecordedTable<3 + kReaders, kFold, Value> table;
  ObjectHandle horse;
};
const Scenario<ReadWhileWritten<1, 2, kNever>> one_reader({
    .name = "one_reader",
    .promise = "a view stays as it is while newer versions come, and its version is reused later",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<ReadWhileWritten<2, 1, kNever, OwningHorse>> two_readers({
    .name = "two_readers",
    .promise = "the last of two readers ends the resources of the version, and returns it",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<ReadWhileWritten<1, 2, 1>> moved_counts({
    .name = "moved_counts",
    .promise = "a count that moves from the word into the version frees nothing early",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<ReadWhileWritten<2, 1, 1>> moved_by_two({
    .name = "moved_by_two",
    .promise = "counts that two readers move are lost by none of them",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// A thread commits the copy that it has already; the other one reads.
template <std::uint64_t kFold>
struct CommitBesideRead {
  static constexpr int kThreads = 2;

  CommitBesideRead() : horse(table.Create(1)), edited(table.Edit(horse)) {}
  void Thread(int t) {
    if (t != 0) return table.ReadTwice(horse);
    Check(table.Commit(horse, edited, 2), "a commit without another one succeeds");
    edited.copy.reset();
  }
  void After() { table.CheckEnd(horse); }

  using Table = RecordedTable<3, kFold>;
  Table table;
  ObjectHandle horse;
  typename Table::Edited edited;
};
const Scenario<CommitBesideRead<kNever>> commit_beside_read({
    .name = "commit_beside_read",
    .promise = "a reader has the old version or the new one, and each is returned by its last use",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<CommitBesideRead<1>> moved_beside_commit({
    .name = "moved_beside_commit",
    .promise = "a reader that moves its count beside a commit loses none, and frees nothing early",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().DeepHistory()},
});

// Each of two threads commits the copy that it has already.
struct TwoCommits {
  static constexpr int kThreads = 2;

  TwoCommits() : horse(table.Create(1)), edited{table.Edit(horse), table.Edit(horse)} {}
  void Thread(int t) {
    table.Commit(horse, edited[t], 10 * (t + 1));
    edited[t].copy.reset();
  }
  void After() { table.CheckEnd(horse); }

  using Table = RecordedTable<3, kNever>;
  Table table;
  ObjectHandle horse;
  Table::Edited edited[2];
};
const Scenario<TwoCommits> two_commits({
    .name = "two_commits",
    .promise = "of two commits over one version one succeeds",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two threads each write until they succeed.
struct TwoWriters {
  static constexpr int kThreads = 2;

  TwoWriters() : horse(table.Create(1)) {}
  void Thread(int t) {
    for (int value = 10 * (t + 1);; ++value) {
      if (table.TryWrite(horse, value) == true) return;
      ModelSync::Yield();
    }
  }
  void After() { table.CheckEnd(horse); }

  RecordedTable<5, kNever> table;
  ObjectHandle horse;
};
const Scenario<TwoWriters> two_writers({
    .name = "two_writers",
    .promise = "of two commits over the same version one fails",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two threads write once, and the third one reads.
struct WritersAndReader {
  static constexpr int kThreads = 3;

  WritersAndReader() : horse(table.Create(1)) {}
  void Thread(int t) {
    if (t == 2) {
      table.ReadTwice(horse);
    } else {
      table.TryWrite(horse, 10 * (t + 1));
    }
  }
  void After() { table.CheckEnd(horse); }

  RecordedTable<6, kNever> table;
  ObjectHandle horse;
};
const Scenario<WritersAndReader> writers_and_reader({
    .name = "writers_and_reader",
    .promise = "the last of a reader and two writers returns the version",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One thread copies; the other commits twice, so that a version's number could recur.
template <std::uint64_t kFold>
struct ComesBack {
  static constexpr int kThreads = 2;

  ComesBack() : horse(table.Create(1)) {}
  void Thread(int t) {
    if (t == 0) {
      table.TryWrite(horse, 10);
    } else {
      table.TryWrite(horse, 20);
      table.TryWrite(horse, 21);
    }
  }
  void After() { table.CheckEnd(horse); }

  RecordedTable<5, kFold> table;
  ObjectHandle horse;
};
const Scenario<ComesBack<kNever>> comes_back({
    .name = "comes_back",
    .promise = "a version that was replaced twice is not taken for the one that was copied",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<ComesBack<1>> moved_between({
    .name = "moved_between",
    .promise = "a count that moves between a copy and its commit does not make the commit fail",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The slot is given to another object while a thread has the handle of the first one.
struct StaleHandle {
  static constexpr int kThreads = 2;

  StaleHandle() : horse(table.Create(1)), cow{} {}
  void Thread(int t) {
    if (t == 0) {
      Check(table.Destroy(horse), "the object is there to be destroyed");
      cow = table.Create(5);
    } else {
      table.ReadTwice(horse);
      table.TryWrite(horse, 7);
    }
  }
  void After() {
    // A commit may have preceded the destruction, in which case the new object is unharmed.
    table.CheckEnd(cow);
  }

  RecordedTable<5, kNever> table;
  ObjectHandle horse;
  ObjectHandle cow;
};
const Scenario<StaleHandle> stale_handle({
    .name = "stale_handle",
    .promise = "a handle of an object that is gone never reads or writes the next one in its slot",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two threads destroy, one of them after a read.
struct DestroyedOnce {
  static constexpr int kThreads = 2;

  DestroyedOnce() : horse(table.Create(1)) {}
  void Thread(int t) {
    if (t == 0) table.TryWrite(horse, 2);
    table.Destroy(horse);
  }
  void After() { table.CheckEnd({}); }

  RecordedTable<5, kNever> table;
  ObjectHandle horse;
};
const Scenario<DestroyedOnce> destroyed_once({
    .name = "destroyed_once",
    .promise = "of two destructions one succeeds, whatever is committed between",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
