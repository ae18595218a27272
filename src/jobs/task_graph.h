// TaskGraph: open tasks and what they wait for, without threads or queues. A ready task is passed
// to a callback, and the thread that runs it reports that.
//
//   auto walk = graph.Create(me, {.work = {&Animate, world}}, ready);
//   auto draw = graph.Create(me, {.work = {&Draw, world}}, ready);
//   auto done = graph.Create(me, {}, ready);                  // empty: complete with its children
//   if (!walk || !draw || !done) ...                          // the graph is full
//   auto linked = graph.SetDependency(me, *draw, *walk);
//   if (linked) linked = graph.AddChild(me, *done, *draw, ready);
//   if (!linked) ...                                          // it would close a cycle
//   graph.SubmitAll(me, ready);                               // ready({walk, ...}), then draw
//
// A task starts when its dependency is complete. It is complete when its work is done and all its
// children are complete.
//
// Thread safety: each thread with its Thread, any time; create these before and destroy them after.
// Ready callbacks run inside the calls that are given one, on the same thread.
// Progress: lock-free. The cost of a step does not depend on how many tasks are open, but for
// completions (in proportion to what they complete) and walks (Why cycles are found, FindHelp).
// Errors: kCapacity (open tasks), kStaleId (an id of a completed task where an open one is needed),
// kCycle (subject: the edge), kNotOwner (held or created by another), kWrongPhase (already
// submitted, or too late for this), kInvalidArgument (another graph's id, a second parent).
//
// Source: [bitsquid2010], the tasks. Leapfrogging [wagner1993] also helps only with the awaited
// task. Model: models/jobs/task_graph. Lecture: hierarchical tasks.
#ifndef NOWAIT_SRC_JOBS_TASK_GRAPH_H_
#define NOWAIT_SRC_JOBS_TASK_GRAPH_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_slots.h"
#include "src/jobs/task_walk.h"
#include "src/sync/policy.h"

namespace nowait {

// kStore: how many free slots a thread keeps for itself.
template <class Sync = EngineSync, std::uint32_t kStore = 32>
class TaskGraph {
  using Slot = TaskSlot<Sync>;
  using Slots = TaskSlots<Sync, kStore>;
  using Cancelled = typename TaskState<Sync>::CancelResult;
  static constexpr std::uint16_t kNone = Slot::kNone;

 public:
  // Where a wait last found a task to help with; kept by the wait from one search to the next.
  using Cursor = typename TaskWalk<Sync, Slots>::Cursor;
  // The task that a thread is in, and the tasks that this one holds.
  struct Place {
    TaskId current;
    std::uint16_t oldest_held = kNone;
    std::uint16_t newest_held = kNone;
    bool idempotent = false;
    bool in_list = false;  // one of the jobs of a list, which are run at the same time
    bool submits = false;  // of the tasks that it has held together some are submitted

    bool is_leaf() const { return idempotent || in_list; }
  };

  // The thread's own part, an argument of each call.
  class Thread {
   public:
    Thread(TaskGraph& graph, std::uint16_t number)
        : graph_(graph), walk_(graph.slots_, graph.tag_), place_{TaskId::Outside(number)} {
      NOWAIT_ASSERT(number < graph.threads_, "threads of a graph are numbered from 0");
    }
    ~Thread() {
      NOWAIT_ASSERT(!keeps(), "a thread settles before it ends");
      graph_.slots_.GiveAll(store_);
    }
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;

    // The task whose work runs here, or TaskId::Outside.
    TaskId current() const { return place_.current; }
    // Whether that task, or the thread outside, holds any.
    bool holds() const { return place_.oldest_held != kNone; }
    // Whether it holds any task but this one.
    bool HoldsOther(TaskId than) const {
      return place_.oldest_held != place_.newest_held ||
             (holds() && place_.oldest_held != than.slot());
    }
    // Whether it keeps items back; see FinishAndKeep.
    bool keeps() const { return kept_items_ != 0; }

   private:
    friend class TaskGraph;
    TaskGraph& graph_;
    TaskWalk<Sync, Slots> walk_;
    typename Slots::Store store_;
    Place place_;
    std::uint16_t failed_ = kNone;       // see TryFail; linked like held tasks
    std::uint16_t kept_parent_ = kNone;  // see FinishAndKeep
    std::uint16_t kept_items_ = 0;
  };

  explicit TaskGraph(const TaskGraphDef& def)
      : tag_(def.tag), threads_(def.threads), slots_(def.capacity, def.threads) {}

  // Whether there can be a graph of so many tasks and threads.
  static constexpr bool CanHave(std::uint64_t capacity, std::uint64_t threads) {
    return Slots::CanHave(capacity, threads);
  }
  std::uint32_t capacity() const { return slots_.capacity(); }
  // How many tasks can be open at the same time, at most: the capacity, and the slots that threads
  // keep for themselves.
  std::uint32_t most_open() const { return slots_.size(); }
  static constexpr std::size_t BytesPerTask() { return sizeof(Slot) + sizeof(std::uint32_t); }

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
    if (def.parent.IsTask() && !Attach(by, def.parent, task, added)) {
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
    if (Attach(by, parent, child, added)) return {};
    CloseItem(by, parent.slot(), ready);
    return Fail(ErrorCode::kCycle, "child", child.bits(), "it waits for its parent already");
  }

  // submitted(): called when it has been; see undone.
  template <class Ready>
  Result<void> Submit(Thread& by, TaskId task, Ready&& ready) {
    return Submit(by, task, ready, [] {});
  }
  template <class Ready, class Submitted>
  Result<void> Submit(Thread& by, TaskId task, Ready&& ready, const Submitted& submitted) {
    if (!IsHeldBy(by, task)) return CheckHeld(by, task);
    by.place_.submits = by.HoldsOther(task);
    SubmitHeld(by, task.slot(), ready);
    submitted();
    return {};
  }

  // All tasks that the caller holds, oldest first.
  template <class Ready>
  void SubmitAll(Thread& by, Ready&& ready) {
    if (by.holds()) SubmitAllHeld(by, ready);
    by.place_.submits = false;
  }

  // The work of the tasks that the caller holds will not be done.
  void CancelHeld(Thread& by) {
    for (std::uint16_t i = by.place_.oldest_held; i != kNone; i = slots_[i].next_held.get()) {
      TaskState<Sync>& state = slots_[i].state;
      state.Cancel(state.Look().generation());
    }
  }

  // The task's own work will not be done, if it has not been started: true if this call is the
  // reason. The task is complete when it would have been without that work; its children are tasks
  // of their own.
  template <class Ready>
  Result<bool> Cancel(Thread& by, TaskId task, Ready&& ready) {
    if (auto usable = CheckUsable(by, task); !usable) return Forward(usable);
    const Cancelled cancelled = slots_[task.slot()].state.Cancel(task.generation());
    if (cancelled == Cancelled::kDone) CloseItem(by, task.slot(), ready);
    return cancelled != Cancelled::kTooLate;
  }

  // Whether the caller is to run a task that ready was called for. False: another thread runs it,
  // or it has been cancelled.
  [[gnu::always_inline]] bool TryStart(TaskId task) {
    return Knows(task) && slots_[task.slot()].state.TryStart(task.generation());
  }
  // Whether TryStart could succeed. Once this is false for a task that ready was called for, it
  // stays false.
  bool MayStart(TaskId task) const {
    if (!Knows(task)) return false;
    const TaskStateWord seen = slots_[task.slot()].state.Look();
    return seen.generation() == task.generation() && seen.MayStart();
  }
  // Whether the caller is to run an idempotent task a second time, which has been started and is
  // not done.
  bool TryStartAgain(TaskId task) {
    return Knows(task) && slots_[task.slot()].state.TryStartAgain(task.generation());
  }

  // The work of a started task, for the thread that started it.
  Job WorkOf(TaskId task) const { return slots_[task.slot()].work.get(); }
  TaskKind KindOf(TaskId task) const { return slots_[task.slot()].state.Look().kind(); }
  std::uint8_t PriorityOf(TaskId task) const { return slots_[task.slot()].state.Look().priority(); }
  std::uint8_t AffinityOf(TaskId task) const { return slots_[task.slot()].state.Look().affinity(); }

  // Between Enter and Finish the thread runs a task that it has started. These pairs nest, because
  // a waiting task helps. Returns where the thread was before.
  Place Enter(Thread& by, TaskId started) {
    // acquire in Look: not needed; the caller has started the task.
    const bool idempotent = slots_[started.slot()].state.Look().Has(TaskStateWord::kIdempotent);
    return std::exchange(by.place_, Place{.current = started, .idempotent = idempotent});
  }

  // The same for a job of a list, whose task many threads are in at the same time.
  Place EnterList(Thread& by, TaskId started) {
    return std::exchange(by.place_, Place{.current = started, .in_list = true});
  }
  void LeaveList(Thread& by, const Place& outer) { by.place_ = outer; }
  // The last job of a list has returned, and every thread has left it.
  template <class Ready>
  void CompleteList(Thread& by, TaskId started, Ready&& ready) {
    CloseItem(by, started.slot(), ready);
  }

  // Whether this run of the current, idempotent task is the first to be done: then its result
  // counts. To be called once, before the result is put where others look.
  bool TryCommit(Thread& by) {
    const TaskId task = by.current();
    return slots_[task.slot()].state.TryCommit(task.generation());
  }

  // The current task's work is done. Submits the tasks that it holds. Returns whether this was the
  // last run: always, but for idempotent tasks. won: the result of TryCommit.
  template <class Ready>
  bool Finish(Thread& by, const Place& outer, Ready&& ready, bool won = true) {
    SubmitAll(by, ready);
    const Place inner = std::exchange(by.place_, outer);
    const std::uint16_t index = inner.current.slot();
    if (won) CloseItem(by, index, ready);
    if (!inner.idempotent) return true;
    const auto left = slots_[index].state.Leave();
    if (left.gives_back) slots_.Give(by.store_, index);
    return left.last;
  }

  // The same for plain work. The item of the task's parent may be kept back: then the next child of
  // that parent which ends here takes it along, so that a parent of many children is written
  // seldom. Settle has to follow before this thread runs anything but plain children of that
  // parent, and before it sleeps or goes on with other code.
  template <class Ready>
  void FinishAndKeep(Thread& by, const Place& outer, Ready&& ready) {
    SubmitAll(by, ready);
    const std::uint16_t index = std::exchange(by.place_, outer).current.slot();
    Slot& slot = slots_[index];
    const auto closed = slot.completion.Close();
    if (!closed.complete) return;
    // relaxed, both: as in Completed.
    const std::uint16_t parent = slot.parent.load(std::memory_order::relaxed);
    const bool has_children = slot.first_child.load(std::memory_order::relaxed) != kNone;
    if (parent == kNone || has_children || closed.first != kNone) {
      return Completed(by, index, closed, ready);
    }
    NOWAIT_ASSERT(!by.keeps() || by.kept_parent_ == parent, "a thread settles before other tasks");
    by.kept_parent_ = parent;
    ++by.kept_items_;
    // The parent is complete by these: no thread is to wait for it any longer.
    if (slots_[parent].completion.HasOnly(by.kept_items_)) Settle(by, ready);
  }
  // Whether the thread keeps items of another parent than that of a task which it has started.
  bool KeepsOther(const Thread& by, TaskId started) const {
    // relaxed: the caller has started the task.
    return by.keeps() &&
           slots_[started.slot()].parent.load(std::memory_order::relaxed) != by.kept_parent_;
  }
  // Takes the items off that the thread keeps back.
  template <class Ready>
  void Settle(Thread& by, Ready&& ready) {
    if (!by.keeps()) return;
    const std::uint32_t items = std::exchange(by.kept_items_, std::uint16_t{0});
    Completed(by, by.kept_parent_, slots_[by.kept_parent_].completion.Close(items), ready);
  }

  // The device has done its work. by_device: the caller is a request's own device. Any other caller
  // is refused for a request (kNotOwner): the device may still be serving it.
  template <class Ready>
  Result<void> CompleteExternal(Thread& by, TaskId task, Ready&& ready, bool by_device = false) {
    if (auto usable = CheckUsable(by, task); !usable) return usable;
    TaskState<Sync>& state = slots_[task.slot()].state;
    const TaskStateWord seen = state.Look();
    if (seen.generation() == task.generation()) {
      if (!seen.Has(TaskStateWord::kExternal)) {
        return Fail(ErrorCode::kInvalidArgument, "task", task.bits(), "its work is not external");
      }
      if (seen.Has(TaskStateWord::kRequest) && !by_device) {
        return Fail(ErrorCode::kNotOwner, "request", task.bits(), "its device answers it");
      }
      if (!seen.Has(TaskStateWord::kStarted | TaskStateWord::kCancelled)) {
        return Fail(ErrorCode::kWrongPhase, "completion", task.bits(),
                    "no thread has started the task");
      }
    }
    if (!state.TryCommit(task.generation())) return Fail(ErrorCode::kStaleId, "task", task.bits());
    CloseItem(by, task.slot(), ready);
    return {};
  }

  // The hand-over of an external task that the caller has started has failed. False: the device has
  // it nevertheless, and has answered. Otherwise CompleteFailed has to follow; until then the slot
  // is the caller's.
  bool TryFail(Thread& by, TaskId task) {
    Slot& slot = slots_[task.slot()];
    if (!slot.state.TryCommit(task.generation())) return false;
    slot.next_held.set(std::exchange(by.failed_, task.slot()));
    return true;
  }
  // Completes one such task; false when there is no more.
  template <class Ready>
  bool CompleteFailed(Thread& by, Ready&& ready) {
    if (by.failed_ == kNone) return false;
    const std::uint16_t index = std::exchange(by.failed_, slots_[by.failed_].next_held.get());
    CloseItem(by, index, ready);
    return true;
  }

  // The caller has started and handed over an external task. Its device may have answered already.
  void MarkInFlight(TaskId task) { slots_[task.slot()].state.MarkInFlight(task.generation()); }
  // Completes every task that is out, and returns how many. A device that has one finds it stale.
  // In proportion to the size of the graph.
  template <class Ready>
  std::uint32_t CompleteInFlight(Thread& by, Ready&& ready) {
    std::uint32_t completed = 0;
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
      TaskState<Sync>& state = slots_[i].state;
      const TaskStateWord seen = state.Look();
      if (!seen.Has(TaskStateWord::kInFlight) || !state.TryCommit(seen.generation())) continue;
      CloseItem(by, static_cast<std::uint16_t>(i), ready);
      ++completed;
    }
    return completed;
  }

  // Whether it is a task of this graph.
  Result<void> CheckKnown(TaskId task) const {
    if (Knows(task)) return {};
    return Fail(ErrorCode::kInvalidArgument, "task", task.bits(),
                task.IsTask() ? "of another graph" : "no task");
  }

  // Whether the task is complete. A task whose slot another one has taken is complete.
  bool IsComplete(TaskId task) const {
    NOWAIT_ASSERT(Knows(task), "an id is shown to its own graph");
    return !Knows(task) || IsKnownComplete(task);
  }
  // The same for a task of this graph.
  bool IsKnownComplete(TaskId task) const {
    return slots_[task.slot()].completion.IsComplete(task.generation());
  }

  // To be called before the current task or thread waits; submits the tasks that it holds. A task
  // may wait only for one that it has created, a thread outside all tasks for any. A refusal
  // changes nothing.
  template <class Ready>
  Result<void> BeginWait(Thread& by, TaskId task, Ready&& ready) {
    if (auto known = CheckKnown(task); !known) return known;
    if (by.current().IsTask() && !IsComplete(task)) {
      if (by.place_.is_leaf()) {
        return Fail(ErrorCode::kWrongPhase, "wait", task.bits(),
                    "an idempotent task or a list does not wait");
      }
      // If it is complete by now, its slot may be another task's: that is no error.
      if (!IsCreator(by, task) && !IsComplete(task)) {
        return Fail(ErrorCode::kNotOwner, "wait", task.bits(), "a task waits for what it created");
      }
      auto& needs = slots_[by.current().slot()].needs;
      needs.store(task.bits(), std::memory_order::seq_cst);  // see Why cycles are found
      if (!NeedsNothing(task) &&
          by.walk_.Up(by.current(), [task](TaskId, TaskId to) { return to == task; })) {
        needs.store(0, std::memory_order::relaxed);  // 0 leads nowhere: task_walk.h
        return Fail(ErrorCode::kCycle, "wait", task.bits(), "it waits for the waiting task");
      }
    }
    SubmitAll(by, ready);
    return {};
  }
  void EndWait(Thread& by) {
    if (!by.current().IsTask()) return;
    // relaxed: 0 leads nowhere.
    slots_[by.current().slot()].needs.store(0, std::memory_order::relaxed);
  }

  // Starts a task that `task` needs, or `task` itself, for the caller to run: Enter, work, Finish.
  // affinity: the thread's own name, or 0. Nothing is found when every task that it needs is
  // running, or waits for a device or another thread. found: where this wait last found a task; the
  // search goes on from there. Bounds: n children of one parent that may start are found with O(n)
  // steps in all. Two searches take longer: one that finds nothing, and the next one after all
  // children of a parent. They take at most a step for each task below and each link between them,
  // completed tasks with an open parent included.
  std::optional<TaskId> FindHelp(Thread& by, TaskId task, std::uint8_t affinity, Cursor* found) {
    return FindBelow(by, task, found, [&](TaskId to) {
      TaskState<Sync>& state = slots_[to.slot()].state;
      const TaskStateWord seen = state.Look();
      if (seen.Has(TaskStateWord::kExternal) || !seen.MayStart()) return false;
      if (seen.affinity() != 0 && seen.affinity() != affinity) return false;
      return state.TryStart(to.generation());
    });
  }

  // The same, from the beginning.
  std::optional<TaskId> FindHelp(Thread& by, TaskId task, std::uint8_t affinity) {
    Cursor none;
    return FindHelp(by, task, affinity, &none);
  }

  // As FindHelp, but starts a second run of an idempotent task that `task` needs and another thread
  // is in.
  std::optional<TaskId> FindToRunAgain(Thread& by, TaskId task) {
    Cursor none;
    return FindBelow(by, task, &none, [this](TaskId to) { return TryStartAgain(to); });
  }

  // Whether `waiting` needs `task`, or is the same: then a thread that waits for `waiting` may help
  // with `task`, which it has from a queue. Cheaper than FindHelp where the answer is near.
  bool IsNeeded(Thread& by, TaskId waiting, TaskId task) {
    if (!Knows(task) || waiting == task) return waiting == task;
    return by.walk_.Up(task, [waiting](TaskId, TaskId to) { return to == waiting; });
  }

 private:
  // The first task from `task` downward for which start returns true.
  template <class Start>
  std::optional<TaskId> FindBelow(Thread& by, TaskId task, Cursor* cursor, const Start& start) {
    if (!Knows(task)) return std::nullopt;
    std::optional<TaskId> found;
    const auto meet = [&](TaskId, TaskId to) {
      if (!start(to)) return false;
      found = to;
      return true;
    };
    if (by.walk_.Resume(cursor, meet) || meet(task, task)) return found;
    by.walk_.Down(task, meet, cursor);
    return found;
  }

  static std::unexpected<Error> Forward(const Result<void>& failed) {
    return std::unexpected(failed.error());
  }

  bool Knows(TaskId task) const {
    return task.IsTask() && task.tag() == tag_ && task.slot() < slots_.size();
  }

  // Whether a task has neither children nor a dependency, waits for nothing, and has not begun its
  // work. See Why cycles are found.
  bool NeedsNothing(TaskId task) const {
    const Slot& slot = slots_[task.slot()];
    const auto seen = slot.completion.Look();
    if (!seen.IsOpen(task.generation()) || seen.items != 1) return false;
    if (slot.needs.load(std::memory_order::seq_cst) != 0) return false;
    // After the look: if the one item is a child's, the look saw the work's Close and its start.
    const TaskStateWord state = slot.state.Look();
    return state.generation() == task.generation() &&
           !state.Has(TaskStateWord::kEmpty | TaskStateWord::kStarted | TaskStateWord::kCancelled);
  }

  [[gnu::always_inline]] bool IsHeld(TaskId task) const {
    const TaskStateWord seen = slots_[task.slot()].state.Look();
    return seen.generation() == task.generation() && seen.Has(TaskStateWord::kHeld);
  }
  bool IsHeldChild(TaskId task, TaskId parent) const {
    // relaxed: a held task is the caller's (CheckUsable).
    return IsHeld(task) &&
           slots_[task.slot()].parent.load(std::memory_order::relaxed) == parent.slot();
  }
  bool IsCreator(const Thread& by, TaskId task) const {
    // relaxed: the creator has published the id to its user, or is the user.
    return slots_[task.slot()].creator.load(std::memory_order::relaxed) == by.current().bits();
  }

  // Whether the caller may change it: it holds it. (For a task of another creator the answer may be
  // out of date at once, but CheckHeld does not take that task for the caller's.)
  bool IsHeldBy(const Thread& by, TaskId task) const {
    return Knows(task) && IsHeld(task) && IsCreator(by, task);
  }
  Result<void> CheckHeld(const Thread& by, TaskId task) const {
    if (auto known = CheckKnown(task); !known) return known;
    const TaskStateWord seen = slots_[task.slot()].state.Look();
    if (seen.generation() != task.generation()) {
      return Fail(ErrorCode::kStaleId, "task", task.bits());
    }
    if (!seen.Has(TaskStateWord::kHeld)) {
      return Fail(ErrorCode::kWrongPhase, "task", task.bits(), "it has been submitted");
    }
    if (!IsCreator(by, task)) {
      return Fail(ErrorCode::kNotOwner, "task", task.bits(), "its creator holds it");
    }
    return {};
  }
  // Whether the caller may refer to it: no other thread or task holds it.
  bool IsUsable(const Thread& by, TaskId task) const {
    return Knows(task) && (!IsHeld(task) || IsCreator(by, task));
  }
  std::unexpected<Error> NotUsable(TaskId task) const {
    if (auto known = CheckKnown(task); !known) return Forward(known);
    return Fail(ErrorCode::kNotOwner, "task", task.bits(), "its creator holds it");
  }
  Result<void> CheckUsable(const Thread& by, TaskId task) const {
    if (IsUsable(by, task)) return {};
    return NotUsable(task);
  }

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

  void LinkHeld(Place& place, std::uint16_t index) {
    slots_[index].next_held.set(kNone);
    slots_[index].previous_held.set(place.newest_held);
    if (place.newest_held == kNone) {
      place.oldest_held = index;
    } else {
      slots_[place.newest_held].next_held.set(index);
    }
    place.newest_held = index;
  }
  void UnlinkHeld(Place& place, std::uint16_t index) {
    const std::uint16_t next = slots_[index].next_held.get();
    const std::uint16_t previous = slots_[index].previous_held.get();
    if (previous == kNone) {
      place.oldest_held = next;
    } else {
      slots_[previous].next_held.set(next);
    }
    if (next == kNone) {
      place.newest_held = previous;
    } else {
      slots_[next].previous_held.set(previous);
    }
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
    kAlone,  // no other thread changes the parent's count and children (invariant 4)
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
      if (!by.place_.submits) {
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
  // added: by AddItem.
  [[gnu::always_inline]] bool Attach(Thread& by, TaskId parent, TaskId child, Added added) {
    Slot& slot = slots_[child.slot()];
    // relaxed, both: the holder alone writes them.
    if (slot.needs.load(std::memory_order::relaxed) == 0 &&
        slot.first_child.load(std::memory_order::relaxed) == kNone) [[likely]] {
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

  template <class Ready>
  [[gnu::noinline]] void SubmitAllHeld(Thread& by, Ready& ready) {
    if (!std::exchange(by.place_.submits, true)) SubmitWithoutWork(by, by.place_.oldest_held);
    while (by.holds()) {
      const std::uint16_t index = by.place_.oldest_held;
      if (slots_[index].completion.FirstAlone() != kNone) SubmitDependents(by, index);
      SubmitHeld(by, index, ready);
    }
  }

  // Submits the tasks that depend on a held one, directly and through each other. Before that one:
  // as long as it is held, none of them can be released, and no read-modify-write is needed.
  [[gnu::noinline]] void SubmitDependents(Thread& by, std::uint16_t held) {
    // Those that are left are linked by next_held. They stay held until their own dependents are
    // known: from then on another thread may register with them.
    std::uint16_t last = kNone, next = kNone;
    for (std::uint16_t at = held; at != kNone; at = next) {
      Slot& slot = slots_[at];
      // relaxed, below: the holder's own.
      for (std::uint16_t i = slot.completion.FirstAlone(); i != kNone;
           i = slots_[i].next_dependent.load(std::memory_order::relaxed)) {
        if (!slots_[i].state.Look().Has(TaskStateWord::kHeld)) continue;  // submitted before
        UnlinkHeld(by.place_, i);
        slots_[i].next_held.set(kNone);
        if (last == kNone) {
          next = i;
        } else {
          slots_[last].next_held.set(i);
        }
        last = i;
      }
      if (at == held) continue;
      next = slot.next_held.get();
      slot.state.Submit(false);
    }
  }

  // Submits a held task that has children and no work of its own; false for any other. No other
  // thread changes its count (invariant 4): to take its own item off is no read-modify-write.
  [[gnu::noinline]] bool SubmitWithoutWork(Thread& by, std::uint16_t index) {
    Slot& slot = slots_[index];
    // relaxed: the holder alone writes it.
    if (slot.needs.load(std::memory_order::relaxed) != 0 || !slot.state.IsWithoutWork() ||
        !slot.completion.CloseAlone()) {
      return false;
    }
    UnlinkHeld(by.place_, index);
    slot.state.Submit(false);
    return true;
  }

  template <class Ready>
  void SubmitHeld(Thread& by, std::uint16_t index, Ready& ready) {
    Slot& slot = slots_[index];
    UnlinkHeld(by.place_, index);
    // relaxed: the holder alone writes it.
    const bool registered = slot.needs.load(std::memory_order::relaxed) != 0;
    if (IsDone(index, slot.state.Submit(registered), ready)) CloseItem(by, index, ready);
  }

  // Handles a task that may have become free. True: it has no work to do, and the caller closes its
  // own item. Otherwise it has been passed to ready if it can start.
  template <class Ready>
  [[gnu::always_inline]] bool IsDone(std::uint16_t index, TaskStateWord state, Ready& ready) {
    if (!state.IsFree()) return false;
    if (state.Has(TaskStateWord::kEmpty | TaskStateWord::kCancelled)) return true;
    ready(ReadyTask{TaskId(tag_, index, state.generation()), state.priority(), state.affinity(),
                    state.kind()});
    return false;
  }

  // Takes one item off a task, and completes the tasks that are complete by that: upward, and the
  // dependents that have no work.
  template <class Ready>
  void CloseItem(Thread& by, std::uint16_t index, Ready& ready) {
    Completed(by, index, TakeItem(by, index), ready);
  }
  // Takes one item off a task, and those that the thread keeps back of the same one.
  typename TaskCompletion<Sync>::Closed TakeItem(Thread& by, std::uint16_t index) {
    std::uint32_t items = 1;
    if (by.keeps() && index == by.kept_parent_) items += std::exchange(by.kept_items_, 0);
    return slots_[index].completion.Close(items);
  }
  // The rest of it. closed: the result of the task's Close.
  template <class Ready>
  [[gnu::noinline]] void Completed(Thread& by, std::uint16_t index,
                                   typename TaskCompletion<Sync>::Closed closed, Ready& ready) {
    std::uint16_t done = kNone;  // dependents whose own item is to be taken off, by next_dependent
    for (;; closed = TakeItem(by, index)) {
      if (closed.complete) {
        std::uint16_t next = kNone;
        for (std::uint16_t i = closed.first; i != kNone; i = next) {
          // relaxed, here and below: written before the Register that Close has acquired.
          next = slots_[i].next_dependent.load(std::memory_order::relaxed);
          if (IsDone(i, slots_[i].state.Release(), ready)) {
            // relaxed: a walk that still goes along here meets tasks that need the completed one,
            // too.
            slots_[i].next_dependent.store(done, std::memory_order::relaxed);
            done = i;
          }
        }
        // relaxed: all children were linked and the parent stored before the last item was taken
        // off.
        next = slots_[index].parent.load(std::memory_order::relaxed);
        // relaxed: as its parent.
        if (slots_[index].first_child.load(std::memory_order::relaxed) != kNone) {
          GiveChildren(by, index);
        }
        if (next != kNone) {
          index = next;
          continue;
        }
        Give(by, index);
      }
      if (done == kNone) return;
      index = done;
      done = slots_[index].next_dependent.load(std::memory_order::relaxed);  // this call's own
    }
  }

  void GiveChildren(Thread& by, std::uint16_t parent) {
    // relaxed, both: see Completed.
    std::uint16_t i = slots_[parent].first_child.load(std::memory_order::relaxed);
    while (i != kNone) {
      const std::uint16_t next = slots_[i].sibling.load(std::memory_order::relaxed);
      Give(by, i);
      i = next;
    }
  }
  void Give(Thread& by, std::uint16_t index) {
    TaskState<Sync>& state = slots_[index].state;
    // If runs of an idempotent task have not left, the last one to leave gives the slot back.
    if (state.Look().Has(TaskStateWord::kIdempotent) && !state.GiveBack()) return;
    slots_.Give(by.store_, index);
  }

  const std::uint16_t tag_;
  const std::uint32_t threads_;
  Slots slots_;
};

// Implementation: why this is right
//
// The creator of a task (another task, or a thread outside all tasks) holds it until the creator
// submits it or waits, so that a graph can be put together in any order before any of it runs.
//
//   the holder of a task  alone sets its parent and its dependency, and submits it
//   dependency of a task  a held one of the same creator, or any submitted one
//   parent of a task      likewise, as long as that is open
//
// Completed children keep their slots until their parent is complete: a task that lives long and
// makes very many children one after another takes the whole capacity. Such children need no
// parent, or a parent of their own for each batch.
//
// Promise: each submitted task is passed to ready once, when nothing holds it (an empty or
// cancelled one is completed instead). It is started or cancelled by exactly one call, and is
// complete when its work and children are; an IsComplete after that has everything that they did
// before it. The calls that would close a cycle are refused. So every task is completed if threads
// take the ready tasks, and a waiting one takes what FindHelp gives (Why nothing is deadlocked).
//
// Invariants
//   1. A slot is owned from Create until the task is complete and, if it has a parent, until that
//      is complete. So a walk down from an open task meets its children and no other task's
//      (task_walk.h).
//   2. completion (task_completion.h) counts the work and each child, from before the child is
//      linked.
//   3. A blocked task is registered with its dependency exactly once, and released by its
//      completion.
//   4. A task is private while it is held and no task is submitted that was held together with it
//      (Place::submits). No other thread is allowed to name it, and none has a child of it to
//      complete. So its holder alone changes its count and its list of children, without a
//      read-modify-write.
//   5. SubmitAll submits the tasks that depend on a held one before that one. None of them can be
//      released before, so the holder alone changes their states, without a read-modify-write. They
//      have other creators' dependents only from their submission on.
//   6. A thread keeps items back of one parent at a time, which cannot be complete before they are
//      taken off: its slot is not given back meanwhile.
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
//
// Why nothing is deadlocked: a task waits only for what it created (kNotOwner otherwise), and by
// waiting submits the tasks that it holds. FindHelp goes down from the awaited task: through
// children, dependencies and what running tasks wait for. That relation is acyclic, so it ends at
// tasks that are ready, or that run and do not wait. Only a task that a walk reaches is started, so
// a task below on the same stack is waiting for the one above. So at the end of each walk there is
// a thread that can go on.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_GRAPH_H_
