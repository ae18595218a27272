// Model of src/jobs/list_work.h and job_list_runner.h, with the job list, the registry and the
// event count under them.
//
// A host here is the loop of src/jobs/task_scheduler.h: look, announce, look again, sleep. Its
// tasks are flags.
//
// Promise checked: a task is completed once, when each job of its list has run once. A thread that
// waits for the task sees the jobs' writes (plain data) and may destroy the list at once (the
// failures would be a use after free or a data race). No wake-up is lost: not for a list that is
// posted, not at the end of a section, not for a completed task. Each lost one would be a deadlock,
// for no other thread is left to wake the sleeper.
//
// A missed wake-up for a list shows only where the list cannot do without the sleeper: needs_both
// has two jobs that wait for each other.
//
// Examined: every execution of an owner and a visitor, with one list of one or two jobs and with a
// sync point; of an owner and a thread that sleeps; of two owners; of two rounds past two lists.
// Where a wake-up is looked for at a later moment, the list is attached from the start: set-up has
// begun its task, run a job, and left as a thread does whose awaited task is complete. Two owners
// beside a visitor: at random with late stores, stale exchanges and deep history. (Of the registry
// alone, two visitors, two posters and a slot that is used twice are examined whole:
// models/jobs/job_list_registry.)
#include <array>
#include <atomic>
#include <cstdint>

#include "models/kit/scenario/model.h"
#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/job_list_registry.h"
#include "src/jobs/job_list_runner.h"
#include "src/jobs/list_work.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_id.h"
#include "src/sync/event_count.h"

namespace nowait {
namespace {

using model::Call;
using model::Check;
using model::ContextBound;
using model::Graphs;
using model::Random;
using model::Scenario;

using List = JobList<ModelSync>;

constexpr const char* kOnce = "each job of a completed list has run once, and its work is visible";
// Seconds, for searches of some hundred thousand executions on a machine that does other work, too.
constexpr double kLong = 240;
constexpr const char* kRoom = "a list has room for the number of jobs that it was made for";

TaskId TaskOf(std::uint16_t number) { return TaskId(1, number, 1); }

void AddOne(void* data) {
  auto& count = *static_cast<ModelSync::plain<int>*>(data);
  count.set(count.get() + 1);
}

// A pool without a graph: tasks 0 .. kTasks-1 are lists; the thread that is asked to begins them.
template <int kTasks>
class Pool {
 public:
  // lists: the number of lists that are posted at the same time.
  explicit Pool(std::uint32_t lists = kTasks) : work_(lists, 1, events_) {}

  // Submits a list, begins its task, and returns when it is complete; meanwhile the caller helps.
  void Run(List& list, std::uint16_t number) {
    const Call call("Run");
    Begin(list, number);
    Wait(number);
  }
  void Begin(List& list, std::uint16_t number) {
    list.Submit();
    ListRunCounts counts;
    work_.Begin(list, TaskOf(number), 0, Host{*this, counts});
  }

  bool IsComplete(std::uint16_t number) const {
    // acquire: pairs with the release in Complete.
    return complete_[number].load(std::memory_order::acquire) != 0;
  }
  void CheckCompleteOnce() const {
    for (const auto& complete : complete_) {
      Check(complete.load(std::memory_order::relaxed) == 1, "each task is completed once");
    }
  }

  // Begins the task of a list in set-up, runs the first job, and leaves as a thread does whose
  // awaited task is complete: the list stays attached.
  void BeginAndLeave(List& list, std::uint16_t number) {
    list.Submit();
    ListRunCounts counts;
    work_.Begin(list, TaskOf(number), 0, Host{*this, counts, true});
  }
  // A thread that needs a task: helps, and sleeps, until that is complete.
  void Wait(std::uint16_t number) {
    const Call call("Wait");
    HelpUntil([&] { return IsComplete(number); });
  }
  // As Run, but the caller is woken for its task alone.
  void RunWithoutEvents(List& list, std::uint16_t number) {
    const Call call("Run");
    Begin(list, number);
    WaitWithoutEvents(number);
  }
  void WaitWithoutEvents(std::uint16_t number) {
    const Call call("Wait");
    while (!IsComplete(number)) {
      if (!HelpOnce()) complete_[number].wait(0, std::memory_order::acquire);
    }
  }
  // A visitor.
  void LookRound() {
    const Call call("LookRound");
    HelpOnce();
  }

  // As TaskScheduler::HelpUntil.
  template <class Done>
  void HelpUntil(const Done& done) {
    while (!done()) {
      if (HelpOnce()) continue;
      const auto key = events_.PrepareWait();
      if (done()) return;
      if (HelpOnce()) continue;
      events_.Wait(key);
    }
  }

 private:
  struct Host {
    auto RunsOf(TaskId) {
      return [](const Job& job) { job.function(job.data); };
    }
    void Complete(TaskId list) {
      // release: pairs with the acquire in IsComplete, as the graph does it.
      pool.complete_[list.slot()].fetch_add(1, std::memory_order::release);
      pool.complete_[list.slot()].notify_all();
    }
    void NotifyCompletion() { pool.events_.NotifyAll(); }
    bool ShouldLeave() const { return leaves; }
    ListRunCounts& counts() { return own; }
    Pool& pool;
    ListRunCounts& own;
    bool leaves = false;
  };

  bool HelpOnce() {
    ListRunCounts counts;
    auto seen = events_.Epoch();
    return work_.Help(0, &seen, Host{*this, counts});
  }

  EventCount<ModelSync> events_;
  ListWork<ModelSync> work_;
  std::array<ModelSync::atomic<int>, kTasks> complete_;
};

// A list on the heap, with the counts that its jobs add to.
template <int kJobs>
struct NewList {
  NewList() {
    for (auto& count : runs) Check(list->Add({&AddOne, &count}).has_value(), kRoom);
  }
  // When its task is complete.
  void Destroy() {
    ModelSync::Delete(list);
    for (const auto& count : runs) Check(count.get() == 1, kOnce);
  }

  std::array<ModelSync::plain<int>, kJobs> runs;
  List* list = ModelSync::New<List>(std::uint32_t{kJobs});
};

// Runs a list of its own and destroys it at once.
template <int kJobs, bool kEvents = true, int kTasks>
void RunNewList(Pool<kTasks>& pool, std::uint16_t number) {
  NewList<kJobs> own;
  if (kEvents) {
    pool.Run(*own.list, number);
  } else {
    pool.RunWithoutEvents(*own.list, number);
  }
  own.Destroy();
}

// Thread 0 runs lists one after the other, each with so many jobs. The others look round once.
template <int kVisitors, int... kJobs>
struct RunBesideRounds {
  static constexpr int kThreads = 1 + kVisitors;

  void Thread(int t) {
    if (t != 0) return pool.LookRound();
    std::uint16_t number = 0;
    (RunNewList<kJobs, false>(pool, number++), ...);
  }
  void After() { pool.CheckCompleteOnce(); }

  Pool<sizeof...(kJobs)> pool{1};
};
const Scenario<RunBesideRounds<1, 1>> one_visitor({
    .name = "one_visitor",
    .promise =
        "a list is its owner's again when the last visitor to leave it has completed its task",
    .searches = {ContextBound(3), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunBesideRounds<1, 2>> two_jobs({
    .name = "two_jobs",
    .promise = "two threads share two jobs",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunBesideRounds<2, 0>> two_visitors({
    .name = "two_visitors",
    .promise = "a list is its owner's again when both visitors have left",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunBesideRounds<1, 1, 1>> two_lists({
    .name = "two_lists",
    .promise = "a thread that was late for one list finds the next in the same slot",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 runs a list, and thread 1 needs its task.
struct OneWorker {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t != 0) return pool.Wait(0);
    RunNewList<1>(pool, 0);
  }
  void After() { pool.CheckCompleteOnce(); }

  Pool<1> pool;
};
const Scenario<OneWorker> one_worker({
    .name = "one_worker",
    .promise = "a list is its owner's again beside a thread that sleeps, and the owner may have to",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A list that is attached from the start, with nothing left to fetch. Thread 0 owns it, and is
// woken for its task alone; the others may sleep until there is news.
struct TwoWorkersAsleep {
  static constexpr int kThreads = 3;

  TwoWorkersAsleep() { pool.BeginAndLeave(*own.list, 0); }
  void Thread(int t) {
    if (t != 0) return pool.Wait(0);
    pool.WaitWithoutEvents(0);
    own.Destroy();
  }
  void After() { pool.CheckCompleteOnce(); }

  Pool<1> pool;
  NewList<1> own;
};
const Scenario<TwoWorkersAsleep> two_workers_asleep({
    .name = "two_workers_asleep",
    .promise = "a list is its owner's again when both visitors have left, which sleep meanwhile",
    .searches = {Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .graphs = Graphs().Within(kLong),
});

// A list that is attached from the start, with nothing left to fetch, and then another list in its
// slot. Thread 0 owns both; thread 1 needs the second one's task.
struct TwoListsAsleep {
  static constexpr int kThreads = 2;

  TwoListsAsleep() { pool.BeginAndLeave(*first.list, 0); }
  void Thread(int t) {
    if (t != 0) return pool.Wait(1);
    pool.WaitWithoutEvents(0);
    first.Destroy();
    RunNewList<1, false>(pool, 1);
  }
  void After() { pool.CheckCompleteOnce(); }

  Pool<2> pool{1};
  NewList<1> first;
};
const Scenario<TwoListsAsleep> two_lists_asleep({
    .name = "two_lists_asleep",
    .promise = "a worker that was late for one list is woken for the next in the same slot",
    .searches = {Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = "more than 1,900,000 executions, about 21% of the search",
});

// A list with a sync point between its two jobs. A thread that comes to the sync point while the
// other runs the first job leaves, and looks again when it is notified.
template <bool kAttached>
struct SectionsBase {
  static constexpr int kThreads = 2;

  SectionsBase() {
    if (kAttached) Check(list.Add({&AddOne, &early}).has_value(), kRoom);
    Check(list.Add({&AddOne, &before}).has_value(), kRoom);
    Check(list.AddSyncPoint().has_value(), kRoom);
    Check(list.Add({&LookBack, this}).has_value(), kRoom);
    if (kAttached) pool.BeginAndLeave(list, 0);
  }
  void After() {
    pool.CheckCompleteOnce();
    Check(behind.get() == 1, kOnce);
  }
  static void LookBack(void* data) {
    auto& sections = *static_cast<SectionsBase*>(data);
    sections.behind.set(sections.before.get());
  }

  Pool<1> pool;
  List list{3, 1};
  ModelSync::plain<int> early{0};
  ModelSync::plain<int> before{0};
  ModelSync::plain<int> behind{0};
};
struct Sections : SectionsBase<false> {
  void Thread(int t) {
    if (t != 0) return pool.LookRound();
    pool.Run(list, 0);
  }
};
const Scenario<Sections> sections({
    .name = "sections",
    .promise = "a list whose sections are run by different threads is completed once",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
struct SectionsAsleep : SectionsBase<true> {
  void Thread() { pool.Wait(0); }
};
const Scenario<SectionsAsleep> sections_asleep({
    .name = "sections_asleep",
    .promise = "a thread that sleeps at a sync point is woken when the section has ended",
    .searches = {Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .graphs = Graphs().Within(kLong),
});

// Two jobs that wait for each other: two threads have to be at the list.
// kSections: behind a sync point, in front of which there is a third job.
template <bool kSections>
struct NeedsBothBase {
  static constexpr int kThreads = 2;

  NeedsBothBase() {
    if (kSections) {
      Check(list.Add({&AddOne, &early}).has_value(), kRoom);
      Check(list.Add({&AddOne, &before}).has_value(), kRoom);
      Check(list.AddSyncPoint().has_value(), kRoom);
    }
    Check(list.Add({&Meet, this}).has_value(), kRoom);
    Check(list.Add({&Meet, this}).has_value(), kRoom);
    if (kSections) pool.BeginAndLeave(list, 0);
  }
  void After() {
    pool.CheckCompleteOnce();
    Check(begun.load(std::memory_order::relaxed) == 2, kOnce);
  }
  static void Meet(void* data) {
    auto& all = *static_cast<NeedsBothBase*>(data);
    all.begun.fetch_add(1, std::memory_order::relaxed);
    all.begun.notify_all();
    all.begun.wait(1, std::memory_order::relaxed);
    all.has_met[ModelSync::ThreadSlot()] = true;
  }

  Pool<1> pool;
  List list{4, 1};
  ModelSync::plain<int> early{0};
  ModelSync::plain<int> before{0};
  ModelSync::atomic<std::uint32_t> begun{0};
  bool has_met[kThreads] = {};  // each only its thread's
};
struct NeedsBoth : NeedsBothBase<false> {
  void Thread(int t) { t == 0 ? pool.Run(list, 0) : pool.Wait(0); }
};
const Scenario<NeedsBoth> needs_both({
    .name = "needs_both",
    .promise = "a worker that sleeps, or is about to, comes to a list that is posted",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
struct NeedsBothBehind : NeedsBothBase<true> {
  void Thread(int t) {
    pool.HelpUntil([this, t] { return has_met[t]; });
  }
};
const Scenario<NeedsBothBehind> needs_both_behind({
    .name = "needs_both_behind",
    .promise = "a worker that sleeps at a sync point is woken when the section has ended",
    .searches = {Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .graphs = Graphs().Within(kLong),
});

// Two owners, of which one has begun its list. With one slot, the second owner may find no slot and
// run its list alone. kLeft: the jobs that the first list has left. kVisitors: threads that look
// round once.
template <int kSlots, int kLeft, int kVisitors>
struct TwoOwners {
  static constexpr int kThreads = 2 + kVisitors;

  TwoOwners() { pool.BeginAndLeave(*first.list, 0); }
  void Thread(int t) {
    if (t >= 2) return pool.LookRound();
    if (t == 1) return RunNewList<1, false>(pool, 1);
    pool.WaitWithoutEvents(0);
    first.Destroy();
  }
  void After() { pool.CheckCompleteOnce(); }

  Pool<2> pool{kSlots};
  NewList<1 + kLeft> first;
};
const Scenario<TwoOwners<1, 1, 0>> two_owners({
    .name = "two_owners",
    .promise =
        "a list that finds no slot is run by the thread that starts it, and both owners come back",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<TwoOwners<2, 0, 0>> two_slots({
    .name = "two_slots",
    .promise = "two lists are posted at once, and each owner waits for its own task",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<TwoOwners<1, 1, 1>> two_owners_visited({
    .name = "two_owners_visited",
    .promise = "the same beside a visitor, where a list may find no slot",
    .searches = {Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = "more than 770,000 executions, about 11% of the search",
});
const Scenario<TwoOwners<2, 0, 1>> two_slots_visited({
    .name = "two_slots_visited",
    .promise = "the same beside a visitor, with a slot for each list",
    .searches = {Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = "more than 410,000 executions, about 8% of the search",
});

// Two lists that are posted from the start, and two rounds. The job of the second list waits for
// the first task. Its thread must not be inside the first list, or the first task would not be
// completed.
struct Rounds {
  static constexpr int kThreads = 2;

  Rounds() {
    Check(first.Add({&AddOne, &runs}).has_value(), kRoom);
    Check(second.Add({&AwaitFirst, this}).has_value(), kRoom);
    for (List* list : {&first, &second}) {
      list->Submit();
      const std::uint32_t slot = registry.Post(list, TaskOf(list == &first ? 0 : 1));
      if (slot != 0) registry.Leave(slot);
    }
  }
  void Thread(int t) {
    const Call call("RunJobLists");
    ListRunCounts counts;
    // One of them is the poster of the first list, and inside of it.
    RunJobLists(registry, 0, Host{*this}, counts, t == 0 ? 0 : JobListRegistry<ModelSync>::kNone);
  }
  void After() {
    Check(runs.get() == 1, kOnce);
    for (const auto& task : complete) {
      Check(task.load(std::memory_order::relaxed) == 1, "each task is completed once");
    }
  }
  static void AwaitFirst(void* data) {
    static_cast<Rounds*>(data)->complete[0].wait(0, std::memory_order::relaxed);
  }

  struct Host {
    bool HasNews() { return false; }
    void SectionEnded() {}
    auto RunsOf(TaskId) {
      return [](const Job& job) { job.function(job.data); };
    }
    void Complete(TaskId list) {
      auto& task = rounds.complete[list.slot()];
      task.fetch_add(1, std::memory_order::relaxed);
      task.notify_all();
    }
    Rounds& rounds;
  };

  JobListRegistry<ModelSync> registry{2};
  List first{1};
  List second{1};
  ModelSync::plain<int> runs{0};
  std::array<ModelSync::atomic<int>, 2> complete;
};
const Scenario<Rounds> rounds({
    .name = "rounds",
    .promise = "a thread that hides a stall behind another list's job lets go of the stalled list",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A round beside a thread that takes a job, on which it may stall.
struct Answered {
  static constexpr int kThreads = 2;

  Answered() {
    for (auto& count : runs) Check(list.Add({&AddOne, &count}).has_value(), kRoom);
    list.Submit();
    registry.Leave(registry.Post(&list, TaskOf(0)));
  }
  void Thread(int t) {
    if (t == 0) {
      const Call call("RunOne");
      list.RunOne();
    } else {
      const Call call("RunJobLists");
      ListRunCounts counts;
      const bool ran = RunJobLists(registry, 0, Host{*this}, counts);
      Check(ran == (counts.jobs != 0), "a round without news says whether it had a job");
      Job job;
      Check(list.Fetch(&job) != RunResult::kProgress,
            "no less urgent list is looked for while a job is left to fetch");
    }
  }
  void After() {
    Check(complete == 1, "each task is completed once");
    for (const auto& count : runs) Check(count.get() == 1, kOnce);
  }

  struct Host {
    bool HasNews() { return false; }
    void SectionEnded() {}
    auto RunsOf(TaskId) {
      return [](const Job& job) { job.function(job.data); };
    }
    void Complete(TaskId) { ++answered.complete; }
    Answered& answered;
  };

  JobListRegistry<ModelSync> registry{1};
  List list{2};
  std::array<ModelSync::plain<int>, 2> runs;
  int complete = 0;  // only thread 1 writes it
};
const Scenario<Answered> answered({
    .name = "answered",
    .promise = "a stall is distinguished from a list that has nothing left",
    .searches = {ContextBound(3), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
