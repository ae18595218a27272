// TaskLinks: the creation of tasks, and what one task needs of another: a dependency, a child. A
// layer of TaskGraph (task_graph.h).
//
//   the holder of a task  alone sets its parent and its dependency, and submits it
//   dependency of a task  a held one of the same creator, or any submitted one
//   parent of a task      likewise, as long as that is open
//
// Promise: the calls that would close a cycle are refused, whichever threads make them.
// Complexity: constant, but for the walks that look for a cycle: in proportion to the tasks that
// need the changed one.
#ifndef NOWAIT_SRC_JOBS_TASK_LINKS_H_
#define NOWAIT_SRC_JOBS_TASK_LINKS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/held_tasks.h"
#include "src/jobs/task_completion.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_state.h"

namespace nowait {

template <class Sync, std::uint32_t kStore>
class TaskLinks : public HeldTasks<Sync, kStore> {
  using Lower = HeldTasks<Sync, kStore>;

 public:
  using Lower::capacity;
  using Lower::CheckKnown;
  using Lower::Lower;
  using typename Lower::Place;
  using typename Lower::Thread;

  // A task, held by the caller. undone(): called when a new task has been taken back; its parent
  // may be complete by that. (A callback, so that the caller can return this result as it is. g++
  // 12 copies a result that was looked at by loads that wait for the stores.)
  template <class Ready>
  Result<TaskId> Create(Thread& by, const TaskDef& def, Ready&& ready) {
    return Create(by, def, ready, [] {});
  }
  template <class Ready, class Undone>
  [[gnu::always_inline]] Result<TaskId> Create(Thread& by, const TaskDef& def, Ready&& ready,
                                               const Undone& undone) {
    if (by.place_.is_leaf()) {
      return Fail(ErrorCode::kWrongPhase, "task", 0,
                  "an idempotent task or a list creates no tasks");
    }
    if (def.dependency.IsTask() && !IsUsable(by, def.dependency)) return NotUsable(def.dependency);
    const std::uint16_t index = slots_.Take(by.store_);
    if (index == kNone) return Fail(ErrorCode::kCapacity, "open tasks", capacity());
    Added added = Added::kAlone;
    if (def.parent.IsTask()) {
      added = AddItem(by, def.parent);
      if (!IsAdded(added)) {
        slots_.Give(by.store_, index);
        return NotAdded(def.parent, added);
      }
    }
    const TaskId task = Fill(by, index, def);
    // Nothing needs the new task yet: no cycle, and never too late.
    if (def.dependency.IsTask()) Depend(task, def.dependency);
    if (def.parent.IsTask() && !Attach(by, def.parent, task, added, !def.dependency.IsTask())) {
      // It may be registered with its dependency by now, so it has to be completed like any task.
      slots_[index].state.Cancel(task.generation());
      SubmitHeld(by, index, ready);
      CloseItem(by, def.parent.slot(), ready);
      undone();
      return Fail(ErrorCode::kCycle, "child", task.bits(),
                  "its parent is needed by its dependency");
    }
    return task;
  }

  // The work of a new task, which the caller holds, is called with a copy of `bytes`.
  void CopyForWork(TaskId held, std::span<const std::byte> bytes) {
    TaskCapture& copy = slots_.CaptureOf(held.slot());
    NOWAIT_ASSERT(bytes.size() <= sizeof(copy), "captures have a line");
    std::memcpy(copy.bytes, bytes.data(), bytes.size());
    auto& work = slots_[held.slot()].work;
    work.set({work.get().function, copy.bytes});
  }

  // A held task starts only after `dependency`, unless that is complete. Once for each task.
  Result<void> SetDependency(Thread& by, TaskId task, TaskId dependency) {
    if (auto held = CheckHeld(by, task); !held) return held;
    if (auto usable = CheckUsable(by, dependency); !usable) return usable;
    // relaxed: the holder alone writes it.
    if (slots_[task.slot()].needs.load(std::memory_order::relaxed) != 0) {
      return Fail(ErrorCode::kInvalidArgument, "dependency", task.bits(), "a task has only one");
    }
    if (task == dependency) {
      return Fail(ErrorCode::kCycle, "dependency", task.bits(), "a task on itself");
    }
    bool late = false;
    const bool cycle = by.walk_.Up(task, [&](TaskId from, TaskId to) {
      if (to == dependency) return true;
      if (IsHeld(from) && !IsHeld(to) && !IsHeldChild(dependency, to)) late = true;
      return false;
    });
    if (cycle) {
      return Fail(ErrorCode::kCycle, "dependency", task.bits(), "it waits for the task already");
    }
    if (late) {
      return Fail(ErrorCode::kWrongPhase, "dependency", task.bits(),
                  "a submitted task needs this one: AddChild comes after SetDependency");
    }
    Depend(task, dependency);
    return {};
  }

  // A held task without a parent gets one, which is complete only after its child.
  template <class Ready>
  Result<void> AddChild(Thread& by, TaskId parent, TaskId child, Ready&& ready) {
    if (auto held = CheckHeld(by, child); !held) return held;
    if (parent == child) {
      return Fail(ErrorCode::kCycle, "parent", child.bits(), "a task is not its own parent");
    }
    // relaxed: the holder alone writes it.
    if (slots_[child.slot()].parent.load(std::memory_order::relaxed) != kNone) {
      return Fail(ErrorCode::kInvalidArgument, "parent", child.bits(), "a task has only one");
    }
    const Added added = AddItem(by, parent);
    if (!IsAdded(added)) return NotAdded(parent, added);
    Slot& slot = slots_[child.slot()];
    // relaxed, both: the holder alone writes them.
    const bool needs_nothing = slot.needs.load(std::memory_order::relaxed) == 0 &&
                               slot.first_child.load(std::memory_order::relaxed) == kNone;
    if (Attach(by, parent, child, added, needs_nothing)) return {};
    CloseItem(by, parent.slot(), ready);
    return Fail(ErrorCode::kCycle, "child", child.bits(), "it waits for its parent already");
  }

 protected:
  using Lower::CheckHeld;
  using Lower::CheckUsable;
  using Lower::CloseItem;
  using Lower::IsCreator;
  using Lower::IsHeld;
  using Lower::IsHeldChild;
  using Lower::IsUsable;
  using Lower::kNone;
  using Lower::Knows;
  using Lower::LinkHeld;
  using Lower::NotUsable;
  using Lower::slots_;
  using Lower::SubmitHeld;
  using Lower::tag_;
  using typename Lower::Slot;

 private:
  // Begins the life of a task.
  [[gnu::always_inline]] TaskId Fill(Thread& by, std::uint16_t index, const TaskDef& def) {
    Slot& slot = slots_[index];
    const TaskId task(tag_, index, slot.completion.Open());
    slot.state.Hold(task.generation(), def);
    // relaxed, all four: 0 and kNone lead nowhere, and a creator counts only by its needs
    // (task_walk.h). The creator is published to others with the id.
    slot.needs.store(0, std::memory_order::relaxed);
    slot.creator.store(by.current().bits(), std::memory_order::relaxed);
    slot.parent.store(kNone, std::memory_order::relaxed);
    slot.first_child.store(kNone, std::memory_order::relaxed);
    slot.work.set(def.work);
    LinkHeld(by.place_, index);
    return task;
  }

  // Registers a held task with its dependency, if that is open.
  void Depend(TaskId task, TaskId dependency) {
    Slot& slot = slots_[task.slot()];
    slot.needs.store(dependency.bits(), std::memory_order::release);  // as every link: task_walk.h
    slot.state.Block();
    const auto link = [&slot](std::uint16_t second) {
      slot.next_dependent.store(second, std::memory_order::release);  // as every link
    };
    auto& completion = slots_[dependency.slot()].completion;
    if (!completion.Register(dependency.generation(), task.slot(), link)) slot.state.Unblocked();
  }

  // The result of adding an item for a child.
  enum class Added : std::uint8_t {
    kAlone,  // no other thread changes the parent's count and children (held_tasks.h, 1)
    kShared,
    kNotUsable,
    kComplete,
  };
  static bool IsAdded(Added added) { return added <= Added::kShared; }
  [[gnu::always_inline]] Added AddItem(const Thread& by, TaskId parent) {
    if (!Knows(parent)) return Added::kNotUsable;
    TaskCompletion<Sync>& completion = slots_[parent.slot()].completion;
    if (IsHeld(parent)) {
      if (!IsCreator(by, parent)) return Added::kNotUsable;
      if (!by.place_.Has(Place::kSubmits)) {
        completion.AddItemAlone();
        return Added::kAlone;
      }
    }
    return completion.AddItem(parent.generation()) ? Added::kShared : Added::kComplete;
  }
  std::unexpected<Error> NotAdded(TaskId parent, Added why) const {
    if (why == Added::kNotUsable) return NotUsable(parent);
    return Fail(ErrorCode::kStaleId, "parent", parent.bits(), "it is complete");
  }

  // The parent of a child that needs something; false if that closes a cycle.
  [[gnu::noinline]] bool SetParent(Thread& by, TaskId parent, TaskId child) {
    auto& link = slots_[child.slot()].parent;
    link.store(parent.slot(), std::memory_order::seq_cst);  // see Why cycles are found
    if (!by.walk_.Up(parent, [child](TaskId, TaskId to) { return to == child; })) return true;
    link.store(kNone, std::memory_order::relaxed);  // kNone leads nowhere
    return false;
  }

  // Makes a held task a child of a parent that has an item for it; false if that closes a cycle.
  // added: by AddItem. needs_nothing: the child has neither a dependency nor a child.
  [[gnu::always_inline]] bool Attach(Thread& by, TaskId parent, TaskId child, Added added,
                                     bool needs_nothing) {
    Slot& slot = slots_[child.slot()];
    if (needs_nothing) [[likely]] {
      slot.parent.store(parent.slot(), std::memory_order::release);  // as every link: task_walk.h
    } else if (!SetParent(by, parent, child)) {
      return false;
    }
    auto& first = slots_[parent.slot()].first_child;
    std::uint16_t second = first.load(std::memory_order::relaxed);  // stored again, not followed
    if (added == Added::kAlone) {
      slot.sibling.store(second, std::memory_order::release);  // both, as every link
      first.store(child.slot(), std::memory_order::release);
      return true;
    }
    do {
      slot.sibling.store(second, std::memory_order::release);  // as every link
      // release: pairs with the acquires in task_walk.h: the child's slot. Failure relaxed: as
      // above. The head does not come back: children are only pushed while the parent has an item
      // for each.
    } while (!first.compare_exchange_weak(second, child.slot(), std::memory_order::release,
                                          std::memory_order::relaxed));
    return true;
  }
};

// Implementation: why this is right
//
// Why cycles are found, without a lock. Three calls make one task need another: SetDependency(T,
// D), AddChild(P, C), BeginWait (W needs Y). Each closes a cycle exactly when its second task needs
// its first already, that is when going up from the first leads to the second.
//   - A creator alone changes the tasks that it holds; these need no argument. A dependency is
//     added to held tasks only, and only while no submitted task needs them (one exception, at the
//     end). So it gives no submitted task anything to need, and no two threads can close a cycle by
//     such calls.
//   - The other calls can: P and Q are running, one thread gives P a child that depends on Q,
//     another gives Q a child that depends on P. A check before the link is made would miss the
//     cycle in both. So AddChild and BeginWait publish first, in a word that can be taken back (the
//     child's parent, the waiting task's needs), and look afterwards. Publishing, looking and
//     registering are seq_cst: of the calls that together close a cycle, the last in that order
//     sees all the others, and is refused. Of two at the same time, both may be refused.
//   - A child that needs nothing closes no cycle: no walk, and no seq_cst.
//   - Nor does a wait for a task that needs nothing: it has one item, that of its own work, which
//     has not begun, and its needs are 0. A thread that gives it a child adds the item first. A
//     thread that runs it and waits publishes its needs first. Both are seq_cst, and both threads
//     then go up from it: of that walk and the waiting task's look, one sees the other. (Without
//     this rule a nested wait walks up through all tasks that wait below it on the stack.) The item
//     of a private task's child need not be seq_cst: the task that looks has added it itself.
//   - A dependency after AddChild is refused with kWrongPhase if the parent, or another task that
//     needs T, is submitted, because registering cannot be taken back. Exception: a dependency on a
//     held child of the same submitted parent, which the parent needs already.
//   - While T is held, or P has one more item, or W runs, no task that needs it can complete.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_LINKS_H_
