// Compiled behind the student's src/jobs/task_state.h: what TryReleaseAndStart does, and how many
// read-modify-writes a row of tasks takes with it.
#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "lectures/counting_sync.h"
#include "lectures/judge.h"
#include "src/jobs/job.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_state.h"

namespace nowait {
namespace {

using State = TaskState<CountingSync>;

// A task that its creator holds, and that waits for a dependency.
void Begin(State& state, std::uint32_t generation) {
  state.Hold(generation, {.work = {[](void*) {}, nullptr}});
  state.Block();
}

// A submitted task, which the end of its dependency starts.
std::uint64_t WorkOfRow() {
  constexpr std::uint32_t kTasks = 1000;
  State state;
  const std::uint64_t before = Counts().updates;
  for (std::uint32_t i = 1; i <= kTasks; ++i) {
    Begin(state, i);
    state.Submit(false);
    state.TryReleaseAndStart();
  }
  return Counts().updates - before;
}

// Threads that cancel, start and release one task after the other, all at the same time: whether
// exactly one of them has each, in many rounds.
bool OneHasEach() {
  constexpr std::uint32_t kRounds = 2000;
  std::vector<State> tasks(kRounds);
  std::vector<std::atomic<int>> had(kRounds);
  for (State& task : tasks) {
    Begin(task, 1);
    task.Submit(false);
  }
  std::atomic<int> here{0};
  const auto all = [&](const auto& call) {
    return [&, call] {
      ++here;
      while (here.load() != 3) std::this_thread::yield();
      for (std::uint32_t i = 0; i < kRounds; ++i) had[i] += call(tasks[i]) ? 1 : 0;
    };
  };
  {
    std::jthread cancels(
        all([](State& task) { return task.Cancel(1) == State::CancelResult::kDone; }));
    std::jthread starts(all([](State& task) { return task.TryStart(1); }));
    std::jthread releases(all([](State& task) {
      if (task.TryReleaseAndStart()) return true;
      const TaskStateWord now = task.Release();
      return now.IsFree() && now.Has(TaskStateWord::kCancelled);
    }));
  }
  for (const auto& times : had) {
    if (times.load() != 1) return false;
  }
  return true;
}

int Main() {
  Judge judge;
  {
    State state;
    Begin(state, 1);
    judge.Ask(!state.TryReleaseAndStart(), "a held task is not started");
    judge.Ask(state.Look().Has(TaskStateWord::kBlocked), "a held task stays blocked");
    state.Submit(false);
    judge.Ask(state.TryReleaseAndStart(), "a submitted task is started");
    judge.Ask(!state.Look().Has(TaskStateWord::kBlocked), "a started task is not blocked");
    judge.Ask(!state.TryStart(1), "a started task is not started again");
    judge.Ask(state.Cancel(1) == State::CancelResult::kTooLate, "a started task is not cancelled");
  }
  {
    State state;
    Begin(state, 1);
    state.Submit(false);
    state.Cancel(1);
    judge.Ask(!state.TryReleaseAndStart(), "a cancelled task is not started");
    judge.Ask(state.Release().IsFree(), "a cancelled task is released afterwards");
  }
  judge.Ask(OneHasEach(), "of three threads one has each task");
  fmt::print("work: {} read-modify-writes\n", WorkOfRow());
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
