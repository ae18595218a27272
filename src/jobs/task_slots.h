// TaskSlot: all that a graph keeps of an open task, in one cache line. TaskSlots: the array of
// slots, and the choice of a free one.
//
// A thread keeps some free slots for itself, so that creating and completing small tasks does not
// make all threads meet at the head of one list (src/sync/index_pool.h). It keeps them in two
// chains, one that it takes from and gives to, and one to spare. It takes and gives back a whole
// chain by one exchange: the list knows a chain by its first slot. So there are more slots than the
// requested capacity: enough for each thread that no thread's store can make another thread's task
// fail.
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

#include <atomic>
#include <cstdint>
#include <memory>

#include "src/jobs/job.h"
#include "src/jobs/task_completion.h"
#include "src/jobs/task_def.h"
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
  // next_held is the next of a chain, and previous_held of a chain's first is its length.
  Plain<std::uint16_t> next_held{kNone};
  Plain<std::uint16_t> previous_held{kNone};
  Atomic<bool> failed{false};  // set before the last item is taken off, by any of its children
  Plain<Job> work;
};

// kStore: how many free slots a thread keeps at most.
template <class Sync, std::uint32_t kStore>
class TaskSlots {
 public:
  static constexpr std::uint16_t kNone = TaskSlot<Sync>::kNone;

  // A thread's own free slots.
  struct Store {
    std::uint16_t first = kNone;  // of the chain in use
    std::uint16_t spare = kNone;  // the first of a full chain
    std::uint16_t count = 0;      // of the chain in use
  };

  // Whether so many slots can have different indices.
  static constexpr bool CanHave(std::uint64_t capacity, std::uint64_t threads) {
    return capacity + threads * kStore < kNone;
  }

  // Requires CanHave(capacity, threads).
  TaskSlots(std::uint32_t capacity, std::uint32_t threads)
      : capacity_(capacity),
        slots_(capacity + threads * kStore),
        captures_(std::make_unique_for_overwrite<TaskCapture[]>(size())),
        pool_(size()) {
    NOWAIT_ASSERT(CanHave(capacity, threads), "a graph has fewer than 65,535 slots");
  }

  std::uint32_t capacity() const { return capacity_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }

  TaskSlot<Sync>& operator[](std::uint32_t i) { return slots_[i]; }
  const TaskSlot<Sync>& operator[](std::uint32_t i) const { return slots_[i]; }

  // The slot's owner's, as its work.
  TaskCapture& CaptureOf(std::uint32_t i) { return captures_[i]; }

  // A free slot, or kNone.
  std::uint16_t Take(Store& store) {
    if (store.first == kNone && !TakeChain(store)) return kNone;
    const std::uint16_t index = store.first;
    store.first = slots_[index].next_held.get();
    --store.count;
    return index;
  }

  void Give(Store& store, std::uint16_t index) {
    if (store.count == kChain) PutAside(store);
    slots_[index].next_held.set(store.first);
    store.first = index;
    ++store.count;
  }

  // A thread that ends gives back the slots that it keeps.
  void GiveAll(Store& store) {
    if (store.first != kNone) ReturnChain(store.first, store.count);
    if (store.spare != kNone) ReturnChain(store.spare, kChain);
    store = {};
  }

 private:
  // The size of a full chain. A store has two of them, or only one slot.
  static constexpr std::uint16_t kChain = kStore < 2 ? 1 : kStore / 2;

  // Another chain for an empty one; false if there are no free slots.
  [[gnu::noinline]] bool TakeChain(Store& store) {
    if (store.spare != kNone) {
      store = {.first = store.spare, .spare = kNone, .count = kChain};
      return true;
    }
    const std::uint32_t first = pool_.Take();
    if (first == IndexPool<Sync>::kNone) return false;
    store.first = static_cast<std::uint16_t>(first);
    // A slot that has had no owner is a chain of its own.
    const std::uint16_t length = slots_[first].previous_held.get();
    store.count = length == kNone ? 1 : length;
    return true;
  }

  // Makes room for another chain in use.
  [[gnu::noinline]] void PutAside(Store& store) {
    const std::uint16_t full = store.first;
    if (kStore >= 2 && store.spare == kNone) {
      store.spare = full;
    } else {
      ReturnChain(full, kChain);
    }
    store.first = kNone;
    store.count = 0;
  }

  void ReturnChain(std::uint16_t first, std::uint16_t length) {
    slots_[first].previous_held.set(length);
    // The links, like all that the slots' last owners did: before the next Take of this index.
    pool_.Return(first);
  }

  const std::uint32_t capacity_;
  SyncArray<Sync, TaskSlot<Sync>> slots_;
  const std::unique_ptr<TaskCapture[]> captures_;
  IndexPool<Sync> pool_;
};

// Implementation: why this is right
//
// Invariants
//   1. Each free slot is in a chain of one store, or in one whose first slot is in the pool. A
//      chain has at most kChain slots, and a spare one exactly as many.
//   2. A slot's next_held and previous_held are written by its owner, also as a link or the length
//      of a chain: the thread that returns the first of a chain owns all of it until then, and the
//      thread that takes the first owns all of it from then on (the promise of
//      src/sync/index_pool.h). Before a slot's first owner both are kNone.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_SLOTS_H_
