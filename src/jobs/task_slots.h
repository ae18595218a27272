// TaskSlot: all that a graph keeps of an open task, in one cache line. TaskSlots: the array of
// slots, and the choice of a free one.
//
// A thread keeps some free slots for itself, so that creating and completing small tasks does not
// make all threads meet at the head of one list (src/sync/index_pool.h). It takes and gives back
// half of what it keeps by one exchange: a chain of slots, which the list knows by the first. So
// there are more slots than the requested capacity: enough for each thread that no thread's store
// can make another thread's task fail.
//
// The links are indices of 16 bits. They are atomics because threads that look for help or for a
// cycle follow them while tasks complete and slots change hands; task_walk.h argues why the values
// that they read are true nevertheless. A store of a link that leads to a task is a release for
// them.
//
// Thread safety: Take and Give by a thread with its own Store, at the same time as others with
// theirs.
// Progress: lock-free, and without any shared step as long as the thread's own store is neither
// empty nor full.
//
// Promise: a slot has one owner from Take to Give. The owner's work on it before Give happens
// before what follows the next Take.
//
// Source: magazines, J. Bonwick and J. Adams, USENIX 2001; here a chain through the slots. Model:
// models/jobs/task_graph. Lecture: hierarchical tasks.
#ifndef NOWAIT_SRC_JOBS_TASK_SLOTS_H_
#define NOWAIT_SRC_JOBS_TASK_SLOTS_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "src/jobs/job.h"
#include "src/jobs/task_completion.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_state.h"
#include "src/sync/index_pool.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync>
struct alignas(64) TaskSlot {
  static constexpr std::uint16_t kNone = TaskCompletion<Sync>::kNone;

  template <class T>
  using Atomic = typename Sync::template atomic<T>;
  template <class T>
  using Plain = typename Sync::template plain<T>;

  TaskCompletion<Sync> completion;
  TaskState<Sync> state;
  // Its need besides its children: before it starts, its dependency; while it runs, what its
  // work waits for. The bits of a TaskId.
  Atomic<std::uint64_t> needs;
  Atomic<std::uint64_t> creator;  // the bits of a TaskId
  Atomic<std::uint16_t> parent{kNone};
  Atomic<std::uint16_t> first_child{kNone};
  Atomic<std::uint16_t> sibling{kNone};         // the next child of the same parent
  Atomic<std::uint16_t> next_dependent{kNone};  // the next task with the same dependency
  // Between the tasks that one creator holds; only the holder uses them. Between free slots,
  // next_held is the next of a chain.
  Plain<std::uint16_t> next_held{kNone};
  Plain<std::uint16_t> previous_held{kNone};
  Plain<Job> work;
};

// kStore: how many free slots a thread keeps at most.
template <class Sync, std::uint32_t kStore>
class TaskSlots {
 public:
  static constexpr std::uint16_t kNone = TaskSlot<Sync>::kNone;

  // A thread's own free slots.
  struct Store {
    std::array<std::uint16_t, kStore> free{};
    std::uint32_t count = 0;
  };

  // Whether so many slots can have different indices.
  static constexpr bool CanHave(std::uint64_t capacity, std::uint64_t threads) {
    return capacity + threads * kStore < kNone;
  }

  // Requires CanHave(capacity, threads).
  TaskSlots(std::uint32_t capacity, std::uint32_t threads)
      : capacity_(capacity), slots_(capacity + threads * kStore), pool_(size()) {
    NOWAIT_ASSERT(CanHave(capacity, threads), "a graph has fewer than 65,535 slots");
  }

  std::uint32_t capacity() const { return capacity_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }

  TaskSlot<Sync>& operator[](std::uint32_t i) { return slots_[i]; }
  const TaskSlot<Sync>& operator[](std::uint32_t i) const { return slots_[i]; }

  // A free slot, or kNone.
  std::uint16_t Take(Store& store) {
    if (store.count == 0) {
      // Half a store at once, so that it is neither empty nor full. A slot that has had no owner is
      // a chain of its own.
      while (store.count < kHalf) {
        const std::uint32_t first = pool_.Take();
        if (first == IndexPool<Sync>::kNone) break;
        auto index = static_cast<std::uint16_t>(first);
        for (; index != kNone; index = slots_[index].next_held.get()) {
          store.free[store.count++] = index;
        }
      }
      if (store.count == 0) return kNone;
    }
    return store.free[--store.count];
  }

  void Give(Store& store, std::uint16_t index) {
    if (store.count == kStore) ReturnChain(store, kHalf);
    store.free[store.count++] = index;
  }

  // A thread that ends gives back the slots that it keeps.
  void GiveAll(Store& store) {
    while (store.count > 0) ReturnChain(store, std::min(store.count, kHalf));
  }

 private:
  // The size of a full chain. A store that is filled to less has room for one more chain.
  static constexpr std::uint32_t kHalf = (kStore + 1) / 2;

  // Gives back so many of a store's slots, as one chain.
  void ReturnChain(Store& store, std::uint32_t length) {
    std::uint16_t first = kNone;
    for (; length > 0; --length) {
      const std::uint16_t index = store.free[--store.count];
      slots_[index].next_held.set(first);
      first = index;
    }
    // The links, like all that the slots' last owners did: before the next Take of this index.
    pool_.Return(first);
  }

  const std::uint32_t capacity_;
  SyncArray<Sync, TaskSlot<Sync>> slots_;
  IndexPool<Sync> pool_;
};

// Implementation: why this is right
//
// Invariants
//   1. Each free slot is in one store, or in one chain whose first slot is in the pool. A chain has
//      at most kHalf slots, so that a store of less than kHalf has room for it.
//   2. A slot's next_held is written by its owner, also as a link of a chain: the thread that
//      returns the first of a chain owns all of it until then, and the thread that takes the first
//      owns all of it from then on (the promise of src/sync/index_pool.h). Before its first owner
//      it is kNone.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_SLOTS_H_
