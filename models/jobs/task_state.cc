// Model of src/jobs/task_state.h.
//
// Promise checked: a task is started once or cancelled once. Of Submit and Release exactly one
// reports that the task is free. The thread that starts or completes the task comes after its
// holder's and its dependency's work. An idempotent task is won once, and its buffer is freed once,
// after all its runs. An id of another generation does nothing. The history of starts and
// cancellations is linearizable.
//
// Examined: every execution of two and three threads for each of these.
#include "src/jobs/task_state.h"

#include <cstdint>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::CheckLinearizable;
using model::ContextBound;
using model::Full;
using model::History;
using model::Random;
using model::Scenario;

using Start = TaskState<ModelSync>;

void Nothing(void*) {}
constexpr Job kWork{&Nothing, nullptr};

struct StartOp {
  enum class Kind { kSubmit, kRelease, kReleaseAndStart, kTryStart, kCancel };
  Kind kind;
  std::uint32_t generation = 1;
  bool yes = false;  // kSubmit, kRelease: whether the task is free now; otherwise: whether it did
  bool complete = false;  // the caller has to complete it
  std::string Words() const {
    std::string of = "(";
    of += std::to_string(generation);
    of += ")";
    const std::string then = complete ? ", to be completed" : "";
    switch (kind) {
      case Kind::kSubmit:
        return (yes ? "Submit() = free" : "Submit() = blocked") + then;
      case Kind::kRelease:
        return (yes ? "Release() = free" : "Release() = held") + then;
      case Kind::kReleaseAndStart:
        return yes ? "TryReleaseAndStart() = true" : "TryReleaseAndStart() = false";
      case Kind::kTryStart:
        return "TryStart" + of + (yes ? " = true" : " = false");
      case Kind::kCancel:
        return "Cancel" + of + (yes ? " = cancelled" : " = too late") + then;
    }
    return "";
  }
};

struct StartSpec {
  using Op = StartOp;
  struct State {
    std::uint32_t generation = 1;
    bool held = true, blocked = true, started = false, cancelled = false;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op) {
    const bool was_free = !state.held && !state.blocked;
    switch (op.kind) {
      case Op::Kind::kSubmit:
        state.held = false;
        break;
      case Op::Kind::kRelease:
        state.blocked = false;
        break;
      case Op::Kind::kReleaseAndStart: {
        const bool can = !state.held && !state.cancelled;
        if (can) {
          state.blocked = false;
          state.started = true;
        }
        return op.yes == can;
      }
      case Op::Kind::kTryStart: {
        const bool can =
            op.generation == state.generation && was_free && !state.started && !state.cancelled;
        if (can) state.started = true;
        return op.yes == can;
      }
      case Op::Kind::kCancel: {
        const bool can = op.generation == state.generation && !state.started && !state.cancelled;
        if (can) state.cancelled = true;
        return op.yes == can && op.complete == (can && was_free);
      }
    }
    const bool free = !state.held && !state.blocked;
    return op.yes == free && op.complete == (free && state.cancelled);
  }
};

// A task that waits for a dependency, with the work of its holder and of its dependency.
class RecordedStart {
 public:
  RecordedStart() {
    start_.Hold(1, {.work = kWork});
    start_.Block();
  }

  bool Submit() {
    holders_work_.set(1);
    return LetGo(Op::Kind::kSubmit, "Submit", [this] { return start_.Submit(true); });
  }
  bool Release() {
    dependencys_work_.set(1);
    return LetGo(Op::Kind::kRelease, "Release", [this] { return start_.Release(); });
  }
  // Whether that has started the task; then it has been used.
  bool ReleaseAndStart() {
    dependencys_work_.set(1);
    const Op op = history_.Record("TryReleaseAndStart", [this] {
      return Op{Op::Kind::kReleaseAndStart, 1, start_.TryReleaseAndStart()};
    });
    if (op.yes) Use();
    return op.yes;
  }
  void TryStart() {
    const Op op = history_.Record("TryStart", [this] {
      return Op{Op::Kind::kTryStart, 1, start_.TryStart(1)};
    });
    if (op.yes) Use();
  }
  void Cancel() {
    const Op op = history_.Record("Cancel", [this] {
      const auto result = start_.Cancel(1);
      return Op{Op::Kind::kCancel, 1, result != Start::CancelResult::kTooLate,
                result == Start::CancelResult::kDone};
    });
    if (op.complete) Use();
  }
  void CheckHistory() const {
    CheckLinearizable<StartSpec>(history_, "the start of a task is linearizable");
  }
  int used() const { return used_.get(); }

 private:
  using Op = StartOp;

  template <class F>
  bool LetGo(Op::Kind kind, const char* name, const F& perform) {
    const Op op = history_.Record(name, [&] {
      const TaskStateWord state = perform();
      return Op{kind, 1, state.IsFree(), state.IsFree() && state.Has(TaskStateWord::kCancelled)};
    });
    if (op.complete) Use();
    return op.yes && !op.complete;
  }
  // Runs or completes the task: after both works, and alone.
  void Use() {
    holders_work_.get();
    dependencys_work_.get();
    used_.set(used_.get() + 1);
  }

  Start start_;
  ModelSync::plain<int> holders_work_;
  ModelSync::plain<int> dependencys_work_;
  ModelSync::plain<int> used_{0};
  History<StartOp> history_;
};

// Holder and dependency let go; each tries to start the task that it has made ready. A helper tries
// as well.
struct LetGo {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0 && !task.Submit()) return;
    if (t == 1 && !task.Release()) return;
    task.TryStart();
  }
  void After() {
    Check(task.used() == 1, "a task is run or completed exactly once");
    task.CheckHistory();
  }

  RecordedStart task;
};
const Scenario<LetGo> let_go({
    .name = "let_go",
    .promise = "the last to let go makes the task ready; a helper and a queue entry start it once",
    .searches = {ContextBound(5), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same with a thread that cancels: one of the threads runs the task, or completes it without a
// run.
struct CancelBlocked {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 2) {
      task.Cancel();
    } else if (t == 0 ? task.Submit() : task.Release()) {
      task.TryStart();
    }
  }
  void After() {
    Check(task.used() == 1, "a task is run or completed exactly once");
    task.CheckHistory();
  }

  RecordedStart task;
};
const Scenario<CancelBlocked> cancel_blocked({
    .name = "cancel_blocked",
    .promise = "a task that is cancelled while it becomes ready is run or completed, once",
    .searches = {ContextBound(4), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The dependency's end starts the task in the same step, unless the task is still held or has been
// cancelled; then it lets go and tries as before. Others cancel it and try to start it.
struct ReleasedAndStarted {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 2) return task.Cancel();
    if (t == 1 && task.ReleaseAndStart()) return;
    if (t == 0 ? task.Submit() : task.Release()) task.TryStart();
  }
  void After() {
    Check(task.used() == 1, "a task is run or completed exactly once");
    task.CheckHistory();
  }

  RecordedStart task;
};
const Scenario<ReleasedAndStarted> released_and_started({
    .name = "released_and_started",
    .promise = "a task that the end of its dependency starts is run or completed, once",
    .searches = {ContextBound(4), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A task without a dependency; two threads cancel it and one starts it.
struct CancelReady {
  static constexpr int kThreads = 3;

  CancelReady() { start.Hold(1, {.work = kWork}); }
  void Thread(int t) {
    if (t == 0) {
      work.set(1);
      Check(!start.IsWithoutWork(), "no other thread cancels a task that is held");
      start.Submit(false);
      Use(start.TryStart(1));
    } else if (start.Look().IsFree()) {
      Use(start.Cancel(1) == Start::CancelResult::kDone);
    }
  }
  void After() { Check(used.get() == 2, "a task is run or completed exactly once"); }

  void Use(bool mine) {
    if (mine) used.set(used.get() + work.get() + 1);
  }

  Start start;
  ModelSync::plain<int> work{0};
  ModelSync::plain<int> used{0};
};
const Scenario<CancelReady> cancel_ready({
    .name = "cancel_ready",
    .promise = "of a start and two cancellations one succeeds",
    .searches = {ContextBound(4), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The slot goes on to the next task, which is held: old ids do nothing to it.
struct NextTask {
  static constexpr int kThreads = 2;

  NextTask() {
    start.Hold(1, {.work = kWork, .kind = TaskKind::kIdempotent});
    start.Submit(false);
  }
  void Thread(int t) {
    if (t == 0) {
      if (!start.TryStart(1)) return;
      start.TryCommit(1);
      start.Hold(2, {.work = kWork, .kind = TaskKind::kIdempotent});
      start.Submit(false);
      Check(start.TryStart(2), "the next task is left for its own run");
      Check(start.TryCommit(2), "the next task is left for its own run to win");
    } else {
      start.TryStart(1);
      start.TryStartAgain(1);
      start.TryCommit(1);
      start.Cancel(1);
    }
  }

  Start start;
};
const Scenario<NextTask> next_task({
    .name = "next_task",
    .promise = "an id of a completed task does nothing to the next one in its slot",
    .searches = {ContextBound(4), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// An idempotent task is run twice; each run uses the buffer. The first run to end completes the
// task and gives the slot back; the last one to leave frees the buffer.
struct Twice {
  static constexpr int kThreads = 2;

  Twice() : buffer(ModelSync::New<Buffer>()) {
    start.Hold(1, {.work = kWork, .kind = TaskKind::kIdempotent});
  }
  void Thread(int t) {
    if (t == 0) {
      buffer_ready.set(1);
      start.Submit(false);
      if (start.TryStart(1)) Run(t);
    } else if (start.TryStartAgain(1)) {
      Run(t);
    }
  }
  void After() {
    Check(wins.get() == 1, "one run of an idempotent task counts");
    Check(lasts.get() == 1, "one run of an idempotent task is the last");
    Check(given.get() == 1, "the slot of an idempotent task is given back once");
  }

  struct Buffer {
    ModelSync::plain<int> of_run[2];
  };
  void Run(int t) {
    buffer_ready.get();
    buffer->of_run[t].set(1);
    if (start.TryCommit(1)) {
      wins.set(wins.get() + 1);
      if (start.GiveBack()) Give();
    }
    const auto left = start.Leave();
    if (left.last) {
      lasts.set(lasts.get() + 1);
      ModelSync::Delete(buffer);
    }
    if (left.gives_back) Give();
  }
  void Give() { given.set(given.get() + 1); }

  Start start;
  Buffer* buffer;
  ModelSync::plain<int> buffer_ready{0};
  ModelSync::plain<int> wins{0}, lasts{0}, given{0};
};
const Scenario<Twice> twice({
    .name = "twice",
    .promise = "the first run completes an idempotent task, the last one out frees its buffer",
    .searches = {ContextBound(4), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Another thread may complete the task, when a child was the last item: GiveBack against Leave.
struct GiveBackMeanwhile {
  static constexpr int kThreads = 2;

  GiveBackMeanwhile() {
    start.Hold(1, {.work = kWork, .kind = TaskKind::kIdempotent});
    start.Submit(false);
    start.TryStart(1);
    start.TryCommit(1);
  }
  void Thread(int t) {
    used[t].set(1);
    if (t == 0 ? start.Leave().gives_back : start.GiveBack()) {
      for (auto& use : used) use.get();
      given.set(given.get() + 1);
    }
  }
  void After() { Check(given.get() == 1, "the slot of an idempotent task is given back once"); }

  Start start;
  ModelSync::plain<int> used[2];
  ModelSync::plain<int> given{0};
};
const Scenario<GiveBackMeanwhile> give_back_meanwhile({
    .name = "give_back_meanwhile",
    .promise = "of the last run and the completion the later one gives the slot back",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A dependency that is found complete.
struct Met {
  static constexpr int kThreads = 2;

  Met() { start.Hold(1, {.work = kWork}); }
  void Thread(int t) {
    if (t == 0) {
      work.set(1);
      start.Block();
      start.Unblocked();
      Check(start.Submit(false).MayStart(), "a task whose dependency is met is free");
    } else if (start.TryStart(1)) {
      work.get();
    }
  }

  Start start;
  ModelSync::plain<int> work;
};
const Scenario<Met> met({
    .name = "met",
    .promise = "a task whose dependency is complete starts when it is submitted",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A thread that refers to a submitted task sees the holder's preparation of it.
struct SeenSubmitted {
  static constexpr int kThreads = 2;

  SeenSubmitted() { start.Hold(1, {.work = kWork}); }
  void Thread(int t) {
    if (t == 0) {
      edges.set(1);
      start.Submit(false);
    } else if (!start.Look().Has(TaskStateWord::kHeld)) {
      edges.get();
    }
  }

  Start start;
  ModelSync::plain<int> edges;
};
const Scenario<SeenSubmitted> seen_submitted({
    .name = "seen_submitted",
    .promise = "a thread that sees a task submitted sees its holder's preparation of it",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A thread that has started an external task hands it over, and puts it out. Another thread then
// completes it, and uses the data of the hand-over again.
struct Out {
  static constexpr int kThreads = 2;

  Out() {
    start.Hold(1, {.work = kWork, .kind = TaskKind::kExternal});
    start.Submit(false);
  }
  void Thread(int t) {
    if (t == 0) {
      Check(start.TryStart(1), "no other thread starts it");
      work.get();
      start.MarkInFlight(1);
    } else if (start.Look().Has(TaskStateWord::kInFlight) && start.TryCommit(1)) {
      work.set(1);
    }
  }
  void After() {
    Check(start.Look().Has(TaskStateWord::kInFlight), "an external task that is out stays out");
  }

  Start start;
  ModelSync::plain<int> work;
};
const Scenario<Out> out({
    .name = "out",
    .promise = "a thread that puts a task out has ended its use of it",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The answer comes from a thread that already knows the task, perhaps before the starter has put it
// out.
struct OutAnsweredEarly {
  static constexpr int kThreads = 2;

  OutAnsweredEarly() {
    start.Hold(1, {.work = kWork, .kind = TaskKind::kExternal});
    start.Submit(false);
  }
  void Thread(int t) {
    if (t == 0) {
      Check(start.TryStart(1), "no other thread starts it");
      start.MarkInFlight(1);
    } else {
      won.set(start.Look().Has(TaskStateWord::kStarted) && start.TryCommit(1));
    }
  }
  void After() { Check(start.TryCommit(1) != won.get(), "an external task is completed once"); }

  Start start;
  ModelSync::plain<bool> won{false};
};
const Scenario<OutAnsweredEarly> out_answered_early({
    .name = "out_answered_early",
    .promise = "an answer that comes before the task is put out is not forgotten",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The answer comes while the hand-over still runs, and the slot goes on to another external task.
struct OutSlotReused {
  static constexpr int kThreads = 2;
  static constexpr TaskDef kDef = {.work = kWork, .kind = TaskKind::kExternal};

  OutSlotReused() {
    start.Hold(1, kDef);
    start.Submit(false);
  }
  void Thread(int t) {
    if (t == 0) {
      Check(start.TryStart(1), "no other thread starts it");
      start.MarkInFlight(1);
    } else if (start.Look().Has(TaskStateWord::kStarted) && start.TryCommit(1)) {
      start.Hold(2, kDef);
    }
  }
  void After() {
    Check(start.Look().Has(TaskStateWord::kInFlight) == (start.Look().generation() == 1),
          "a task is out when its own hand-over has returned");
  }

  Start start;
};
const Scenario<OutSlotReused> out_slot_reused({
    .name = "out_slot_reused",
    .promise = "the next task in a slot is not put out by the earlier one",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
