// TaskCompletion: what a task still has to do, which tasks wait for it, and which task this is, in
// one word.
//
//   { generation : 32 | open work items : 16 | first dependent : 16 }
//
// The items are the task's own work and its open children. Dependents are linked through their own
// slots: each task has one dependency, so one link is enough. The word has only the first.
//
// Thread safety: Open by the owner of the slot between two tasks. AddItemAlone, CloseAlone and
// FirstAlone by that thread while no other changes the word. Close once for each item, HasOnly by a
// thread that has some to close. The others from any thread, any time: a stale id is refused.
// Progress: Open, Close and the looks are wait-free; AddItem and Register lock-free.
//
// Promise: linearizable over happens-before (models/kit/scenario/linearizability.h). A task is
// complete from the Close that takes its last item. This Close gets all registered dependents, each
// exactly once. AddItem and Register succeed exactly on the task that they name while it is open.
// The work before any Close happens before what follows the last Close, an IsComplete or a Register
// that finds the task complete.
//
// Bound: at most 65,535 tasks are open in a graph, for the 16 bits of an index and of a count.
//
// Source: [bitsquid2010]: open_work_items and the list of open tasks. Model:
// models/jobs/task_completion. Lecture: hierarchical tasks.
#ifndef NOWAIT_SRC_JOBS_TASK_COMPLETION_H_
#define NOWAIT_SRC_JOBS_TASK_COMPLETION_H_

#include <atomic>
#include <cstdint>

#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class TaskCompletion {
 public:
  static constexpr std::uint16_t kNone = 0xffff;  // no dependent

  struct State {
    std::uint32_t generation;
    std::uint16_t items;
    std::uint16_t first;
    bool IsOpen(std::uint32_t expected) const { return generation == expected && items != 0; }
  };
  struct Closed {
    bool complete;
    std::uint16_t first;  // of the dependents, when it is complete
  };

  // Begins the next task with one item, and returns its generation.
  std::uint32_t Open() {
    // relaxed: the slot's last owner was the last to write, and taking the slot came after that.
    std::uint32_t generation = Unpack(word_.load(std::memory_order::relaxed)).generation + 1;
    if (generation == 0) generation = 1;  // 0 is no task
    // release: pairs with the acquires below. A thread that sees a later task here knows that the
    // one before it is complete, and has to see what it did.
    word_.store(Pack({generation, 1, kNone}), std::memory_order::release);
    return generation;
  }

  // One more item for an open task.
  bool AddItem(std::uint32_t generation) {
    std::uint64_t word = word_.load(std::memory_order::relaxed);
    while (Unpack(word).IsOpen(generation)) {
      // seq_cst: TaskGraph's argument about cycles. Apart from that, adding an item publishes
      // nothing. The submission of the child does, and the item's Close comes after that.
      if (word_.compare_exchange_retry(word, word + kOneItem, std::memory_order::seq_cst,
                                       std::memory_order::relaxed)) {
        return true;
      }
    }
    return false;
  }

  // The same for an open task whose word no other thread can change: a stale id is refused by that.
  [[gnu::always_inline]] void AddItemAlone() {
    // release: as Open, whose store the acquires below do not read any more.
    word_.store(word_.load(std::memory_order::relaxed) + kOneItem, std::memory_order::release);
  }

  // Takes one item off, likewise, if it is not the last.
  bool CloseAlone() {
    const std::uint64_t word = word_.load(std::memory_order::relaxed);
    if (Unpack(word).items == 1) return false;
    word_.store(word - kOneItem, std::memory_order::release);  // as AddItemAlone
    return true;
  }

  // The first dependent, likewise, or kNone.
  std::uint16_t FirstAlone() const { return Unpack(word_.load(std::memory_order::relaxed)).first; }

  // Puts a dependent in front of the others; false when the task is complete. link(second) is
  // called before each attempt and stores the dependent's successor.
  template <class Link>
  bool Register(std::uint32_t generation, std::uint16_t dependent, const Link& link) {
    // acquire, here and at failure: pairs with Close and Open, for the dependent of a complete
    // task.
    std::uint64_t word = word_.load(std::memory_order::acquire);
    while (Unpack(word).IsOpen(generation)) {
      link(Unpack(word).first);
      // seq_cst: TaskGraph's argument about cycles. As a release it pairs with the acquire in Close
      // and in Look: the link, and the dependent behind it.
      if (word_.compare_exchange_retry(word, (word & ~kFirst) | dependent,
                                       std::memory_order::seq_cst, std::memory_order::acquire)) {
        return true;
      }
    }
    return false;
  }

  // Takes items off: one, or several whose work is done.
  Closed Close(std::uint32_t items = 1) {
    // seq_cst: a thread that completes a task asks afterwards whether another waits
    // (TaskScheduler). Besides, a release for the Close that reaches zero, for IsComplete and
    // Register; an acquire of all these (invariant 3).
    const State before = Unpack(word_.fetch_sub(items * kOneItem, std::memory_order::seq_cst));
    return {before.items == items, before.first};
  }

  // Whether the task has no other items than these of the caller's. relaxed: a hint; more may come,
  // and others may have gone.
  bool HasOnly(std::uint32_t items) const {
    return Unpack(word_.load(std::memory_order::relaxed)).items == items;
  }

  // seq_cst: a thread that is about to sleep until a task is complete announces itself first
  // (TaskScheduler). As an acquire it pairs with Close and Open.
  bool IsComplete(std::uint32_t generation) const {
    return !Unpack(word_.load(std::memory_order::seq_cst)).IsOpen(generation);
  }

  // For a walk from task to task that has read a field of this slot (task_walk.h). relaxed: a field
  // of a later task is a release after its Open, and was read with acquire.
  bool IsStillOpen(std::uint32_t generation) const {
    return Unpack(word_.load(std::memory_order::relaxed)).IsOpen(generation);
  }

  // seq_cst: TaskGraph's argument about cycles; as an acquire it pairs with Register and Open.
  State Look() const { return Unpack(word_.load(std::memory_order::seq_cst)); }

 private:
  static constexpr std::uint64_t kFirst = 0xffff;
  static constexpr std::uint64_t kOneItem = std::uint64_t{1} << 16;

  static State Unpack(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint16_t>(word >> 16),
            static_cast<std::uint16_t>(word)};
  }
  static std::uint64_t Pack(const State& state) {
    return std::uint64_t{state.generation} << 32 | std::uint32_t{state.items} << 16 | state.first;
  }

  typename Sync::template atomic<std::uint64_t> word_{kFirst};
};

// Implementation: why this is right
//
// Why one word: with two, a task whose count has become zero still has to close its list of
// dependents, and a dependent that registers in between is released too late or too often. Here the
// subtraction of the last item completes the task and takes the list, because nothing registers at
// zero. It is a fetch_sub: completing is wait-free, and a parent of many children is not a loop of
// failing compare-exchanges.
//
// Invariants
//   1. The generation changes only in Open.
//   2. At zero items the word does not change before the next Open: AddItem and Register refuse.
//   3. Between Open with the items that are added and taken off alone, and zero, every change is a
//      read-modify-write, so that the Close that reaches zero reads from the release sequences of
//      all other Closes, and of the Registers of other threads.
//
// Linearization points: the read-modify-write, or the load that refuses.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_COMPLETION_H_
