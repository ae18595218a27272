// Two ways in which an update that has to begin again comes back from inside nested calls.
//
//   Results      each call returns a Result, and passes an error on: the engine's way
//   Exceptions   the innermost call throws, and the update catches: the way of [cbloom2011]
//
// An update reads an object, calls so many functions inside each other, and the innermost one reads
// a second object. An update that is begun again has a commit of the first object in between: the
// second read says so, and the transaction runs the update once more. Each call has a local object
// with a destructor, as calls have them.
//
// Thread safety: one thread. It also makes the commit in between, which EngineSync would refuse.
#ifndef NOWAIT_TESTS_BENCH_RESTART_WAYS_H_
#define NOWAIT_TESTS_BENCH_RESTART_WAYS_H_

#include <cstdint>
#include <cstdlib>

#include "src/base/result.h"
#include "src/game/object_table.h"
#include "src/game/transaction.h"
#include "src/sync/policy.h"

namespace nowait {

struct RestartSync : StdSync {};

class RestartWays {
 public:
  using Table = ObjectTable<std::uint64_t, RestartSync>;
  using Tx = Transaction<Table, Revisions>;

  // For updates that make so many calls inside each other.
  explicit RestartWays(std::uint32_t depth) : depth_(depth), table_(2, 8), transaction_(table_) {
    near_ = *table_.Create(1);
    far_ = *table_.Create(2);
  }

  // One update. again: it is begun again once; otherwise the commit of the first object comes
  // before it. Returns what it has read.
  template <class Way>
  std::uint64_t Update(bool again) {
    std::uint64_t sum = 0;
    bool is_first = true;
    if (!again) CommitElsewhere();
    const auto done = transaction_.Run([&](Tx& tx) -> Result<void> {
      const auto view = tx.Read(near_);
      if (!view) return std::unexpected(view.error());
      if (again && is_first) CommitElsewhere();
      is_first = false;
      const Result<std::uint64_t> found = Way::Call(*this, tx);
      if (!found) return std::unexpected(found.error());
      sum = *found;
      return {};
    });
    if (!done) std::abort();
    return sum;
  }
  const TransactionCounts& counts() const { return transaction_.counts(); }

  struct Results {
    static Result<std::uint64_t> Call(RestartWays& ways, Tx& tx) {
      return Nested(ways, tx, ways.depth_);
    }
    [[gnu::noinline]] static Result<std::uint64_t> Nested(RestartWays& ways, Tx& tx,
                                                          std::uint32_t depth) {
      const Scope scope(ways);
      if (depth == 0) {
        const auto view = tx.Read(ways.far_);
        if (!view) return std::unexpected(view.error());
        return **view;
      }
      const Result<std::uint64_t> inner = Nested(ways, tx, depth - 1);
      if (!inner) return std::unexpected(inner.error());
      return *inner + depth;
    }
  };

  struct Exceptions {
    struct BeginAgain {};
    static Result<std::uint64_t> Call(RestartWays& ways, Tx& tx) {
      try {
        return Nested(ways, tx, ways.depth_);
      } catch (const BeginAgain&) {
        return Fail(ErrorCode::kNotOwner, "object");
      }
    }
    [[gnu::noinline]] static std::uint64_t Nested(RestartWays& ways, Tx& tx, std::uint32_t depth) {
      const Scope scope(ways);
      if (depth == 0) {
        const auto view = tx.Read(ways.far_);
        if (!view) throw BeginAgain();
        return **view;
      }
      return Nested(ways, tx, depth - 1) + depth;
    }
  };

 private:
  class Scope {
   public:
    explicit Scope(RestartWays& ways) : ways_(ways) { ++ways_.open_; }
    ~Scope() { --ways_.open_; }

   private:
    RestartWays& ways_;
  };

  void CommitElsewhere() {
    auto edit = table_.Edit(near_);
    if (!edit) std::abort();
    ++**edit;
    if (!edit->Commit()) std::abort();
  }

  const std::uint32_t depth_;
  Table table_;
  Tx transaction_;
  ObjectHandle near_;
  ObjectHandle far_;
  std::uint64_t open_ = 0;  // scopes
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_RESTART_WAYS_H_
