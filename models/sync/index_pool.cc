// Model of src/sync/index_pool.h.
//
// Promise checked: Take and Return are linearizable as a stack of returned indices above a counter
// of fresh ones. Therefore no index has two owners, and Take fails only if every index is owned. An
// owner's work before Return happens before the next owner's (each owner writes the slot's plain
// data).
//
// Examined: every execution of two and three threads that take and return, starting from a pool
// with returned indices. In one of the scenarios an index leaves the head, another one leaves, and
// the first comes back (ABA).
#include "src/sync/index_pool.h"

#include <array>
#include <cstdint>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::CheckLinearizable;
using model::ContextBound;
using model::History;
using model::Random;
using model::Scenario;

constexpr std::uint32_t kCapacity = 2;
constexpr std::uint32_t kNone = IndexPool<ModelSync>::kNone;

struct PoolOp {
  bool takes;
  std::uint32_t index;
  std::string Words() const {
    const std::string name = index == kNone ? "kNone" : std::to_string(index);
    return takes ? "Take() = " + name : "Return(" + name + ")";
  }
};

struct PoolSpec {
  using Op = PoolOp;
  struct State {
    std::uint32_t fresh = 0;  // this and those above it
    std::array<std::uint32_t, kCapacity> returned{};
    std::size_t depth = 0;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op) {
    if (!op.takes) {
      if (state.depth == kCapacity) return false;
      state.returned[state.depth++] = op.index;
      return true;
    }
    if (state.depth != 0) {
      const bool is_top = state.returned[--state.depth] == op.index;
      state.returned[state.depth] = 0;
      return is_top;
    }
    if (state.fresh == kCapacity) return op.index == kNone;
    return op.index == state.fresh++;
  }
};

// An index names a slot, which the index's owner writes.
class RecordedPool {
 public:
  std::uint32_t Take() {
    const std::uint32_t index =
        history_.Record("Take",
                        [this] {
                          return PoolOp{true, pool_.Take()};
                        })
            .index;
    if (index < kCapacity) slots_[index].set(1);
    return index;
  }
  void Return(std::uint32_t index) {
    if (index == kNone) return;
    history_.Record("Return", [this, index] {
      pool_.Return(index);
      return PoolOp{false, index};
    });
  }
  void CheckHistory() const {
    CheckLinearizable<PoolSpec>(history_, "an index pool is linearizable");
  }

 private:
  IndexPool<ModelSync> pool_{kCapacity};
  ModelSync::plain<int> slots_[kCapacity];
  History<PoolOp> history_;
};

// Both indices have been owned before.
struct BothReturned {
  BothReturned() {
    const std::uint32_t first = pool.Take();
    const std::uint32_t second = pool.Take();
    pool.Return(second);
    pool.Return(first);
  }
  void After() { pool.CheckHistory(); }

  RecordedPool pool;
};

// Both threads take an index and return it, twice.
struct TakeAndReturn : BothReturned {
  static constexpr int kThreads = 2;

  void Thread() {
    for (int i = 0; i < 2; ++i) pool.Return(pool.Take());
  }
};
const Scenario<TakeAndReturn> take_and_return({
    .name = "take_and_return",
    .promise = "an index that goes round keeps its slot to one owner at a time",
    .searches = {ContextBound(3), Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 takes two and returns the first: the head that thread 0 read recurs with another
// next.
struct ComesBack : BothReturned {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    const std::uint32_t first = pool.Take();
    pool.Take();
    if (t == 1) pool.Return(first);
  }
};
const Scenario<ComesBack> comes_back({
    .name = "comes_back",
    .promise = "a head that left and came back is not taken for the same one",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges().DeepHistory(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One fresh index, one that has been given out twice, three takers: exactly one of them is refused.
struct TooFew {
  static constexpr int kThreads = 3;

  TooFew() {
    pool.Return(pool.Take());
    pool.Return(pool.Take());
  }
  void Thread() { pool.Take(); }
  void After() { pool.CheckHistory(); }

  RecordedPool pool;
};
const Scenario<TooFew> too_few({
    .name = "too_few",
    .promise = "two indices find two owners among three takers",
    .searches = {ContextBound(2), ContextBound(1).StaleExchanges().DeepHistory(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
