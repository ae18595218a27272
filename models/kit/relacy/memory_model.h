// MemoryModel: the stores that a load may read, the knowledge that a store publishes, and the order
// S of seq_cst operations.
//
// Relacy keeps a clock of the past for every thread (one time per thread). For every atomic it
// keeps the newest stores, each with the clock that it releases and the times at which threads
// first saw it. Its modification order is the order of execution. All of that is used unchanged.
// C++20 differs from Relacy in the following points, which are implemented here:
//
//   - Release sequences ([intro.races]): a later relaxed store by the same thread ends one.
//   - seq_cst ([atomics.order] 4). S is the order of execution of seq_cst operations and fences. A
//     load B does not read past a store A, or a load that read A, when B's reading past it would
//     put B before A in S although A came first:
//       A and B are seq_cst;
//       B is seq_cst and A happens before a seq_cst fence that came first;
//       B happens after a seq_cst fence that came after A, and A is seq_cst;
//       B happens after a seq_cst fence that came after another one that A happens before.
//     A fence orders nothing else: two fences that are related only by their order in S do not
//     synchronise, so plain data that only S seems to order is a race.
//   - The caller chooses how far back a load may read.
//
// Because S is the order of execution, executions are left out in which S contradicts
// happens-before where it may: the litmus rows Z6.U and IRIW+acq+sc (models/kit/litmus).
#ifndef NOWAIT_MODELS_KIT_RELACY_MEMORY_MODEL_H_
#define NOWAIT_MODELS_KIT_RELACY_MEMORY_MODEL_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "models/kit/program/operation.h"
#include "models/kit/program/trace.h"
#include "models/kit/relacy/relacy.h"

namespace nowait::model {

struct StoredValue {
  Word value = 0;
  EventNumber writer = kNoEvent;
  unsigned seq_cst_since = 0;  // when the first seq_cst operation in S wrote or read it; 0: never
};

// The newest stores of an atomic: a ring parallel to Relacy's own, with the same indices.
struct AtomicStores {
  rl::atomic_data* data = nullptr;
  unsigned newest = 0;
  StoredValue history[rl::kLongHistory];
};

// Relacy's data depends on the number of threads at compile time; this interface hides that from
// the machine. Every function is called on behalf of the running thread.
class MemoryModel {
 public:
  static constexpr unsigned kNothing = ~0u;

  virtual ~MemoryModel() = default;
  virtual void BeginExecution() = 0;
  // Returns the index of the store that is read, at most `limit` stores back; kNothing if the
  // atomic may not be constructed yet. Asks the search at each store that may be skipped.
  virtual unsigned Load(AtomicStores& atomic, std::memory_order order, unsigned limit) = 0;
  virtual void LoadNewest(AtomicStores& atomic, std::memory_order order) = 0;
  virtual void Store(AtomicStores& atomic, StoredValue value, std::memory_order order) = 0;
  virtual void ReplaceNewest(AtomicStores& atomic, StoredValue value, std::memory_order order) = 0;
  virtual void Fence(std::memory_order order) = 0;
};

template <rl::thread_id_t kThreads>
class RelacyMemoryModel final : public MemoryModel {
 public:
  void BeginExecution() override {
    last_seq_cst_ = 0;
    fences_.clear();
  }

  unsigned Load(AtomicStores& atomic, std::memory_order order, unsigned limit) override {
    const unsigned back = Choose(atomic, order == std::memory_order::seq_cst, limit);
    if (back == kNothing) return kNothing;
    auto& stores = Stores(atomic);
    stores.current_index_ -= back;
    LoadCurrent(atomic, order);
    stores.current_index_ += back;
    const unsigned index = Index(atomic, back);
    See(atomic.history[index], order);
    return index;
  }

  void LoadNewest(AtomicStores& atomic, std::memory_order order) override {
    LoadCurrent(atomic, order);
    See(atomic.history[atomic.newest], order);
  }

  void Store(AtomicStores& atomic, StoredValue value, std::memory_order order) override {
    // Relacy continues a release sequence if the preceding store belongs to the same thread.
    constexpr rl::thread_id_t kNobody = -1;
    const rl::thread_id_t writer = std::exchange(Record(atomic, 0).thread_id_, kNobody);
    switch (order) {
      case std::memory_order::relaxed:
        atomic.newest = Operations().atomic_store_relaxed(atomic.data);
        break;
      case std::memory_order::seq_cst:
        atomic.newest = Operations().atomic_store_seq_cst(atomic.data);
        break;
      default:
        atomic.newest = Operations().atomic_store_release(atomic.data);
        break;
    }
    Record(atomic, 1).thread_id_ = writer;
    Put(atomic, value, order);
  }

  void ReplaceNewest(AtomicStores& atomic, StoredValue value, std::memory_order order) override {
    bool aba = false;
    switch (order) {
      case std::memory_order::relaxed:
        atomic.newest = Operations().atomic_rmw_relaxed(atomic.data, aba);
        break;
      case std::memory_order::release:
        atomic.newest = Operations().atomic_rmw_release(atomic.data, aba);
        break;
      case std::memory_order::acq_rel:
        atomic.newest = Operations().atomic_rmw_acq_rel(atomic.data, aba);
        break;
      case std::memory_order::seq_cst:
        atomic.newest = Operations().atomic_rmw_seq_cst(atomic.data, aba);
        break;
      default:
        atomic.newest = Operations().atomic_rmw_acquire(atomic.data, aba);
        break;
    }
    Put(atomic, value, order);
  }

  void Fence(std::memory_order order) override {
    ThreadInfo& self = Self();
    self.own_acq_rel_order_ += 1;  // a new time, which the events that happen after it know
    if (Acquires(order)) self.atomic_thread_fence_acquire();
    if (Releases(order)) self.atomic_thread_fence_release();
    if (order != std::memory_order::seq_cst) return;
    SeqCstFence fence{self.index_, self.own_acq_rel_order_, ++last_seq_cst_, {}};
    if (!fences_.empty()) fence.known = fences_.back().known;
    for (rl::thread_id_t t = 0; t != kThreads; ++t) {
      fence.known[t] = std::max(fence.known[t], self.acq_rel_order_[t]);
    }
    fences_.push_back(fence);
  }

 private:
  using ThreadInfo = rl::thread_info<kThreads>;
  using StoreRecord = typename rl::atomic_data_impl<kThreads>::history_record;

  struct SeqCstFence {
    rl::thread_id_t thread;
    rl::timestamp_t time;
    unsigned place;                               // its position in S
    std::array<rl::timestamp_t, kThreads> known;  // the events that happen before it, or before a
                                                  // fence that precedes it
  };

  // Public in the base class only.
  static rl::thread_info_base& Operations() { return *rl::ctx().threadx_; }
  static ThreadInfo& Self() { return static_cast<ThreadInfo&>(*rl::ctx().threadx_); }
  static auto& Stores(AtomicStores& atomic) {
    return *static_cast<rl::atomic_data_impl<kThreads>*>(atomic.data);
  }
  static StoreRecord& Record(AtomicStores& atomic, unsigned back) {
    auto& stores = Stores(atomic);
    return stores.history_[(stores.current_index_ - back) % rl::kLongHistory];
  }
  static unsigned Index(const AtomicStores& atomic, unsigned back) {
    return (atomic.newest + rl::kLongHistory - back) % rl::kLongHistory;
  }

  // Whether the store, or a load that read it, happens before the events of the clock.
  template <class Clock>
  static bool Knows(const Clock& clock, const StoreRecord& store) {
    for (rl::thread_id_t t = 0; t != kThreads; ++t) {
      if (clock[t] >= store.first_seen_order_[t]) return true;
    }
    return false;
  }

  // The last fence in S that happens before this thread's current step.
  const SeqCstFence* FenceBehind() const {
    const ThreadInfo& self = Self();
    const auto fence = std::find_if(fences_.rbegin(), fences_.rend(), [&](const SeqCstFence& f) {
      return self.acq_rel_order_[f.thread] >= f.time;
    });
    return fence == fences_.rend() ? nullptr : &*fence;
  }

  unsigned Choose(AtomicStores& atomic, bool seq_cst, unsigned limit) {
    const ThreadInfo& self = Self();
    const SeqCstFence* fence = FenceBehind();
    for (unsigned back = 0;; ++back) {
      const StoreRecord& store = Record(atomic, back);
      if (!store.busy_) return kNothing;
      if (back == limit) return back;
      // Progress: after a yield, a thread does not read a value older than one it has already seen.
      const StoreRecord& older = Record(atomic, back + 1);
      if (older.busy_ && older.first_seen_order_[self.index_] <= self.last_yield_) return back;
      if (Knows(self.acq_rel_order_, store)) return back;  // coherence
      const unsigned since = atomic.history[Index(atomic, back)].seq_cst_since;
      if (seq_cst && (since != 0 || (!fences_.empty() && Knows(fences_.back().known, store)))) {
        return back;
      }
      if (fence != nullptr &&
          ((since != 0 && since < fence->place) || Knows(fence->known, store))) {
        return back;
      }
      if (rl::ctx().rand(2, rl::sched_type_atomic_load) == 0) return back;
    }
  }

  // Relacy's name for the load of a read-modify-write, which reads the store at the current index.
  static void LoadCurrent(AtomicStores& atomic, std::memory_order order) {
    switch (order) {
      case std::memory_order::relaxed:
        Operations().atomic_load_relaxed_rmw(atomic.data);
        break;
      case std::memory_order::seq_cst:
        Operations().atomic_load_seq_cst_rmw(atomic.data);
        break;
      default:
        Operations().atomic_load_acquire_rmw(atomic.data);
        break;
    }
  }

  void See(StoredValue& value, std::memory_order order) {
    if (order != std::memory_order::seq_cst) return;
    ++last_seq_cst_;
    if (value.seq_cst_since == 0) value.seq_cst_since = last_seq_cst_;
  }
  void Put(AtomicStores& atomic, StoredValue value, std::memory_order order) {
    atomic.history[atomic.newest] = value;
    See(atomic.history[atomic.newest], order);
  }

  unsigned last_seq_cst_ = 0;
  std::vector<SeqCstFence> fences_;  // in the order S
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_RELACY_MEMORY_MODEL_H_
