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
// What is examined: every execution of the end alone. One submitter with one and two workers and two
// submitters for one slot with a worker, up to a number of switches, and at random with late stores,
// stale exchanges and deep history: there a worker may be turned away any number of times.
#include "src/jobs/worker_rounds.h"

#include <atomic>
#include <cstdint>

#include "models/kit/model.h"
#include "src/jobs/job_list.h"

namespace nowait {
namespace {

using model::Check;
using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

using Rounds = WorkerRounds<ModelSync>;
using List = JobList<ModelSync>;

constexpr const char* kOnce = "when Run returns each job has run once, and what it did is visible";

void AddOne(void* data) {
  auto& count = *static_cast<ModelSync::plain<int>*>(data);
  count.set(count.get() + 1);
}

// Runs a list of its own and destroys it at once.
template <int kJobs>
void RunNewList(Rounds& rounds) {
  ModelSync::plain<int> runs[kJobs];
  List* list = ModelSync::New<List>(std::uint32_t{kJobs});
  for (auto& count : runs) list->Add({&AddOne, &count});
  rounds.Run(*list);
  ModelSync::Delete(list);
  for (const auto& count : runs) Check(count.get() == 1, kOnce);
}

// Thread 0 runs lists one after the other and sends the others home.
template <int kWorkers, int kLists, int kJobs>
struct RunAndClose {
  static constexpr int kThreads = 1 + kWorkers;

  void Thread(int t) {
    if (t != 0) return rounds.Work();
    for (int i = 0; i < kLists; ++i) RunNewList<kJobs>(rounds);
    rounds.Close();
  }

  Rounds rounds{1};
};
// No search of all executions would end.
constexpr char kLooksAgain[] =
    "a worker may visit a list that has no job for it any number of times";

const Scenario<RunAndClose<1, 0, 1>> close({
    .name = "close",
    .promise = "a worker that sleeps, or is about to, goes home when the rounds are closed",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunAndClose<1, 1, 1>> one_worker({
    .name = "one_worker",
    .promise = "a list is its submitter's again when its one visitor has left",
    .searches = {ContextBound(3), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kLooksAgain,
});
const Scenario<RunAndClose<1, 1, 2>> two_jobs({
    .name = "two_jobs",
    .promise = "a submitter and a worker share two jobs",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kLooksAgain,
});
const Scenario<RunAndClose<2, 1, 1>> two_workers({
    .name = "two_workers",
    .promise = "a list is its submitter's again when both visitors have left",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kLooksAgain,
});
const Scenario<RunAndClose<1, 2, 1>> two_lists({
    .name = "two_lists",
    .promise = "a worker that was late for one list finds the next in the same slot",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kLooksAgain,
});

// Two jobs of which each waits for the other: two threads have to be at the list.
struct NeedsBoth {
  static constexpr int kThreads = 2;

  NeedsBoth() {
    list.Add({&Meet, this});
    list.Add({&Meet, this});
  }
  void Thread(int t) {
    if (t != 0) return rounds.Work();
    rounds.Run(list);
    Check(begun.load(std::memory_order::relaxed) == 2, kOnce);
    rounds.Close();
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
    .bounded = kLooksAgain,
});

// Two submitters want the only slot: who gets none runs its list alone. The later one closes.
struct TwoSubmitters {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 2) return rounds.Work();
    RunNewList<1>(rounds);
    if (running.fetch_sub(1, std::memory_order::acq_rel) == 1) rounds.Close();
  }

  Rounds rounds{1};
  ModelSync::atomic<int> running{2};
};
const Scenario<TwoSubmitters> two_submitters({
    .name = "two_submitters",
    .promise = "a list that finds no slot is run by its submitter, and both come back",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kLooksAgain,
});

// A slot each: a worker goes from list to list, and a visitor that leaves one wakes whom it concerns.
struct TwoSlots {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 2) return rounds.Work();
    RunNewList<1>(rounds);
    if (running.fetch_sub(1, std::memory_order::acq_rel) == 1) rounds.Close();
  }

  Rounds rounds{2};
  ModelSync::atomic<int> running{2};
};
const Scenario<TwoSlots> two_slots({
    .name = "two_slots",
    .promise = "two lists hang at once, and each submitter waits for its own visitors",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kLooksAgain,
});

}  // namespace
}  // namespace nowait
