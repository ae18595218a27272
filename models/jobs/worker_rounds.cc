// Model of src/jobs/worker_rounds.h, with the job list, the board and the event counts under it.
//
// Promise checked: Run returns after each job has run once, sees what the jobs did (plain data), and
// may destroy the list at once (the failures would be a use after free or a data race). No wake-up
// is lost: not a worker's for a list, not a worker's for the end, not a submitter's for the last
// visitor (each would be a deadlock, for nobody else is left to wake the sleeper).
//
// That a worker is woken for a list shows only where the list cannot do without the worker:
// needs_both has two jobs of which each waits for the other.
//
// What is examined: every execution of one submitter with one worker that sleeps and up to two jobs;
// of two workers that sleep, without a list; of two lists, two visitors or two submitters, with
// workers that go home instead of sleeping; of two lists that hang at the same time and one round.
// The same with workers that sleep (..._asleep) up to a number of switches, and at random with late
// stores, stale exchanges and deep history.
#include "src/jobs/worker_rounds.h"

#include <array>
#include <atomic>
#include <cstdint>

#include "models/kit/model.h"
#include "src/jobs/board_round.h"
#include "src/jobs/job_list.h"
#include "src/jobs/list_board.h"
#include "src/sync/event_count.h"

namespace nowait {
namespace {

using model::Call;
using model::Check;
using model::ContextBound;
using model::Full;
using model::Graphs;
using model::Random;
using model::Scenario;

using Rounds = WorkerRounds<ModelSync>;
using List = JobList<ModelSync>;

constexpr const char* kOnce = "when Run returns each job has run once, and what it did is visible";

void AddOne(void* data) {
  auto& count = *static_cast<ModelSync::plain<int>*>(data);
  count.set(count.get() + 1);
}

void Work(Rounds& rounds) {
  const Call call("Work");
  rounds.Work();
}

void Run(Rounds& rounds, List& list) {
  const Call call("Run");
  rounds.Run(list);
}

void Close(Rounds& rounds) {
  const Call call("Close");
  rounds.Close();
}

// Runs a list of its own and destroys it at once.
template <int kJobs>
void RunNewList(Rounds& rounds) {
  std::array<ModelSync::plain<int>, kJobs> runs;
  List* list = ModelSync::New<List>(std::uint32_t{kJobs});
  for (auto& count : runs) list->Add({&AddOne, &count});
  Run(rounds, *list);
  ModelSync::Delete(list);
  for (const auto& count : runs) Check(count.get() == 1, kOnce);
}

// Thread 0 runs lists one after the other, each with so many jobs, and sends the others home.
template <int kWorkers, int... kJobs>
struct RunAndClose {
  static constexpr int kThreads = 1 + kWorkers;

  void Thread(int t) {
    if (t != 0) return Work(rounds);
    (RunNewList<kJobs>(rounds), ...);
    Close(rounds);
  }

  Rounds rounds{1};
};
// The same with workers that go home when they have gone round once.
template <int kWorkers, int... kJobs>
struct CloseAndRun {
  static constexpr int kThreads = 1 + kWorkers;

  CloseAndRun() { Close(rounds); }
  void Thread(int t) {
    if (t != 0) return Work(rounds);
    (RunNewList<kJobs>(rounds), ...);
  }

  Rounds rounds{1};
};
constexpr char kTooMany[] = "tens of millions of executions";

const Scenario<RunAndClose<1>> close({
    .name = "close",
    .promise = "a worker that sleeps, or is about to, goes home when the rounds are closed",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunAndClose<2>> close_two({
    .name = "close_two",
    .promise = "two workers that sleep, or are about to, go home when the rounds are closed",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunAndClose<1, 1>> one_worker({
    .name = "one_worker",
    .promise = "a list is its submitter's again when its one visitor has left",
    .searches = {ContextBound(3), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunAndClose<1, 2>> two_jobs({
    .name = "two_jobs",
    .promise = "a submitter and a worker share two jobs",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<CloseAndRun<2, 0>> two_workers({
    .name = "two_workers",
    .promise = "a list is its submitter's again when both visitors have left",
    .searches = {ContextBound(1)},
    .graphs = Graphs().Within(150),
});
const Scenario<RunAndClose<2, 1>> two_workers_asleep({
    .name = "two_workers_asleep",
    .promise = "a list is its submitter's again when both visitors have left",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});
const Scenario<CloseAndRun<1, 1, 1>> two_lists({
    .name = "two_lists",
    .promise = "a worker that was late for one list finds the next in the same slot",
    .searches = {ContextBound(2)},
});
const Scenario<RunAndClose<1, 1, 1>> two_lists_asleep({
    .name = "two_lists_asleep",
    .promise = "a worker that was late for one list is woken for the next in the same slot",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// Two jobs of which each waits for the other: two threads have to be at the list.
struct NeedsBoth {
  static constexpr int kThreads = 2;

  NeedsBoth() {
    list.Add({&Meet, this});
    list.Add({&Meet, this});
  }
  void Thread(int t) {
    if (t != 0) return Work(rounds);
    Run(rounds, list);
    Check(begun.load(std::memory_order::relaxed) == 2, kOnce);
    Close(rounds);
  }
  static void Meet(void* data) {
    auto& begun = static_cast<NeedsBoth*>(data)->begun;
    begun.fetch_add(1, std::memory_order::relaxed);
    begun.notify_all();
    begun.wait(1, std::memory_order::relaxed);
  }

  Rounds rounds{1};
  List list{2};
  ModelSync::atomic<std::uint32_t> begun{0};
};
const Scenario<NeedsBoth> needs_both({
    .name = "needs_both",
    .promise = "a worker that sleeps, or is about to, comes to a list that is posted",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two submitters and a worker. With one slot, who gets none runs its list alone. With two, each
// waits for its own visitors, and whoever leaves a list last wakes both. The later one closes.
template <int kSlots>
struct TwoSubmitters {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 2) return Work(rounds);
    RunNewList<1>(rounds);
    if (running.fetch_sub(1, std::memory_order::acq_rel) == 1) Close(rounds);
  }

  Rounds rounds{kSlots};
  ModelSync::atomic<int> running{2};
};
// The same with a worker that goes home when it has gone round once.
struct CloseThenTwoSubmitters {
  static constexpr int kThreads = 3;

  CloseThenTwoSubmitters() { Close(rounds); }
  void Thread(int t) {
    if (t == 2) return Work(rounds);
    RunNewList<1>(rounds);
  }

  Rounds rounds{1};
};
const Scenario<CloseThenTwoSubmitters> two_submitters({
    .name = "two_submitters",
    .promise = "a list that finds no slot is run by its submitter, and both come back",
    .searches = {ContextBound(1)},
});
const Scenario<TwoSubmitters<1>> two_submitters_asleep({
    .name = "two_submitters_asleep",
    .promise = "a list that finds no slot is run by its submitter, and both come back",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});
const Scenario<TwoSubmitters<2>> two_slots_asleep({
    .name = "two_slots_asleep",
    .promise = "two lists hang at once, and each submitter waits for its own visitors",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// Two lists that hang from the start, and a round without what wakes workers. Thread 0 takes the
// first list down before it helps with the second, whose job waits for that.
struct TwoSlots {
  static constexpr int kThreads = 2;

  TwoSlots() {
    first.Add({&AddOne, &runs});
    second.Add({&AwaitFirst, this});
    for (List* list : {&first, &second}) {
      list->Submit();
      board.Post(list);
    }
  }
  void Thread(int t) {
    if (t != 0) return Visit();
    RunAndTakeDown(first, 0);
    Check(runs.get() == 1, kOnce);
    taken_down.store(true, std::memory_order::relaxed);
    taken_down.notify_all();
    RunAndTakeDown(second, 1);
  }
  void Visit() {
    const Call call("GoRound");
    GoRound(board, [this] { left.NotifyAll(); });
  }
  static RunResult RunOne(List& list) {
    const Call call("RunOne");
    return list.RunOne();
  }
  void RunAndTakeDown(List& list, std::uint32_t slot) {
    for (RunResult result; (result = RunOne(list)) != RunResult::kDone;) {
      if (result == RunResult::kStalled) ModelSync::Yield();
    }
    const Call call("Close, Await");
    board.Close(slot);
    left.Await([&] { return board.IsVacant(slot); });
  }
  static void AwaitFirst(void* data) {
    static_cast<TwoSlots*>(data)->taken_down.wait(false, std::memory_order::relaxed);
  }

  ListBoard<ModelSync> board{2};
  EventCount<ModelSync> left;
  List first{1};
  List second{1};
  ModelSync::plain<int> runs{0};
  ModelSync::atomic<bool> taken_down{false};
};
const Scenario<TwoSlots> two_slots({
    .name = "two_slots",
    .promise = "a worker that hides a stall behind another list's job lets go of the stalled list",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
