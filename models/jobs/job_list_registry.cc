// Model of src/jobs/job_list_registry.h.
//
// Promise checked: the registry is linearizable (the specification is below): a list that Enter
// returned is linked there. Only the last visitor after a LeaveDone gets the list's task. An
// entered list stays posted until Leave. The visitor that gets the task may destroy the list at
// once (the failure would be a use after free, or an end that nothing orders after the last use).
// Used and Open do not overlook a slot for a thread that was informed of it. Open is 0 when all
// lists have been closed.
//
// Examined: every execution of one poster with one and two visitors, of a slot that is used
// twice, of two posters for one slot with a visitor, and of a visitor that attaches a list itself.
#include "src/jobs/job_list_registry.h"

#include <atomic>
#include <cstdint>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"
#include "src/jobs/job_list.h"

namespace nowait {
namespace {

using model::Check;
using model::CheckLinearizable;
using model::Context;
using model::ContextBound;
using model::Full;
using model::History;
using model::Random;
using model::Scenario;

constexpr const char* kOnce = "a job on a posted list runs exactly once";
constexpr const char* kCounted = "an open list is counted, for each thread that learnt of it";

TaskId TaskOf(int number) { return TaskId(1, static_cast<std::uint16_t>(number), 1); }

// Lists have numbers from 1 up: addresses are used again.
struct PostedList : JobList<ModelSync> {
  explicit PostedList(int number, int jobs = 1)
      : JobList<ModelSync>(1), number(number), jobs(jobs) {}
  const int number;
  const int jobs;
  ModelSync::plain<int> runs;
};

// The registry has one slot.
struct BoardOp {
  enum class Kind { kPost, kEnter, kLeave, kLeaveDone };
  Kind kind;
  int list = 0;      // the list that was posted, was there, or was the last visitor's; 0: no list
  bool yes = false;  // kPost: whether it is linked now
  std::string Words() const {
    const std::string number = list == 0 ? "none" : "list " + std::to_string(list);
    switch (kind) {
      case Kind::kPost:
        return "Post(" + number + ") = " + (yes ? "slot" : "kNone");
      case Kind::kEnter:
        return "Enter() = " + number;
      case Kind::kLeave:
        return "Leave() = " + number;
      case Kind::kLeaveDone:
        return "LeaveDone() = " + number;
    }
    return "";
  }
};

struct RegistrySpec {
  using Op = BoardOp;
  struct State {
    int list = 0;  // linked there, or being taken down; 0: the slot is free
    int visitors = 0;
    bool open = false;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op, const Context<Op>& context) {
    switch (op.kind) {
      case Op::Kind::kPost:
        // Claimed by another thread's Post, and not open yet: the slot is taken nevertheless.
        if (!op.yes) {
          return state.list != 0 ||
                 context.Overlapped([](const Op& other) { return other.kind == Op::Kind::kPost; });
        }
        if (state.list != 0) return false;
        state = {op.list, 1, true};
        return true;
      case Op::Kind::kEnter:
        if (op.list == 0) return !state.open;
        ++state.visitors;
        return state.open && state.list == op.list;
      case Op::Kind::kLeave:
      case Op::Kind::kLeaveDone: {
        if (op.kind == Op::Kind::kLeaveDone) state.open = false;
        if (--state.visitors < 0) return false;
        const bool last = !state.open && state.visitors == 0;
        const int list = last ? state.list : 0;
        if (last) state = {};
        return op.list == list;
      }
    }
    return false;
  }
};

void Count(void* data) {
  auto& count = *static_cast<ModelSync::plain<int>*>(data);
  count.set(count.get() + 1);
}

class RecordedRegistry {
 public:
  // Posts a list with one job, and runs it.
  void PostAndRun(int number) {
    auto* list = ModelSync::New<PostedList>(number);
    Check(list->Add({&Count, &list->runs}).has_value(), "a new list has room");
    list->Submit();
    if (Post(*list)) {
      RunAndLeave(*list);
    } else {
      while (RunOne(*list) != RunResult::kDone) {
      }
      TakeDown(list);
    }
  }

  // Whether the list is linked there now.
  bool Post(PostedList& list) {
    return Record("Post",
                  [&] {
                    const bool hangs = registry_.Post(&list, TaskOf(list.number)) !=
                                       JobListRegistry<ModelSync>::kNone;
                    return Op{Op::Kind::kPost, list.number, hangs};
                  })
        .yes;
  }

  // Looks at the slot as a worker does. Returns whether a list was linked there.
  bool Visit() {
    JobList<ModelSync>* list = nullptr;
    Record("Enter", [&] {
      list = registry_.Enter(0);
      return Op{Op::Kind::kEnter, list == nullptr ? 0 : static_cast<PostedList*>(list)->number};
    });
    if (list != nullptr) RunAndLeave(*static_cast<PostedList*>(list));
    return list != nullptr;
  }

  TaskId Leave() {
    TaskId task;
    Record("Leave", [&] {
      task = registry_.Leave(0);
      return Op{Op::Kind::kLeave, task.slot()};
    });
    return task;
  }

  void CheckUsed() const {
    Check(registry_.Used(0) == 1, "a thread that was informed of a slot does not overlook it");
    Check(registry_.Open(0) == 1, kCounted);
  }

  void CheckHistory() const {
    CheckLinearizable<RegistrySpec>(history_, "a job list registry is linearizable");
  }
  // No thread left a list before it had learnt that the list is done, unless another thread still
  // had it.
  void CheckTakenDown() const {
    int hanging = 0;
    for (std::size_t i = 0; i < history_.size(); ++i) {
      const Op& op = history_[i].op;
      if (op.kind == Op::Kind::kPost && op.yes) ++hanging;
      if ((op.kind == Op::Kind::kLeave || op.kind == Op::Kind::kLeaveDone) && op.list != 0)
        --hanging;
    }
    Check(hanging == 0, "every list that was posted is taken down");
  }

 private:
  using Op = BoardOp;

  // A stall is left to the thread that holds the fetch lock: that one looks once more.
  void RunAndLeave(PostedList& list) {
    RunResult result;
    do {
      result = RunOne(list);
    } while (result == RunResult::kProgress);
    TaskId task;
    if (result == RunResult::kDone) {
      Record("LeaveDone", [&] {
        task = registry_.LeaveDone(0);
        return Op{Op::Kind::kLeaveDone, task.slot()};
      });
    } else {
      task = Leave();
    }
    if (task.IsTask()) TakeDown(&list);
  }
  static void TakeDown(PostedList* list) {
    Check(list->Finished(), "a list that was taken down is finished");
    Check(list->runs.get() == list->jobs, kOnce);
    ModelSync::Delete(list);
  }
  static RunResult RunOne(JobList<ModelSync>& list) {
    const model::Call call("RunOne");
    return list.RunOne();
  }
  template <class F>
  Op Record(const char* name, F&& perform) {
    return history_.Record(name, perform);
  }

  JobListRegistry<ModelSync> registry_{1};
  History<BoardOp> history_;
};

template <int kVisitors>
struct OnePoster {
  static constexpr int kThreads = 1 + kVisitors;

  void Thread(int t) {
    if (t == 0) {
      registry.PostAndRun(1);
    } else {
      registry.Visit();
    }
  }
  void After() {
    registry.CheckHistory();
    registry.CheckTakenDown();
  }

  RecordedRegistry registry;
};
const Scenario<OnePoster<1>> one_visitor({
    .name = "one_visitor",
    .promise = "of two threads the last to leave destroys the list",
    .searches = {ContextBound(6), ContextBound(2).DeferringStores().StaleExchanges().DeepHistory(),
                 Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<OnePoster<2>> two_visitors({
    .name = "two_visitors",
    .promise = "of three threads the last to leave destroys the list",
    .searches = {ContextBound(3), Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The poster uses the slot twice; a visitor may meet either list.
struct PostTwice {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    for (int i = 0; i < 2; ++i) {
      if (t == 0) {
        registry.PostAndRun(1 + i);
      } else {
        registry.Visit();
      }
    }
  }
  void After() {
    registry.CheckHistory();
    registry.CheckTakenDown();
  }

  RecordedRegistry registry;
};
const Scenario<PostTwice> post_twice({
    .name = "post_twice",
    .promise = "a visitor of a slot that is used again meets the list that is linked there now",
    .searches = {ContextBound(3), Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A visitor that learns of the post in any way finds the list, also when its poster has left.
struct PostThenVisit {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      auto* list = ModelSync::New<PostedList>(1, 0);
      list->Submit();
      registry.Post(*list);
      registry.Leave();
      posted.store(true, std::memory_order::release);
    } else if (posted.load(std::memory_order::acquire)) {
      registry.CheckUsed();
      visited = true;
      Check(registry.Visit(), "a visitor that learns of the post finds the list");
    }
  }
  void After() {
    if (!visited) registry.Visit();
    registry.CheckHistory();
    registry.CheckTakenDown();
  }

  RecordedRegistry registry;
  ModelSync::atomic<bool> posted{false};
  bool visited = false;  // thread 1's
};
const Scenario<PostThenVisit> post_then_visit({
    .name = "post_then_visit",
    .promise = "a visitor that learns of the post finds the list",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two posters want the only slot; the poster without a slot runs its list alone.
struct TwoPosters {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t < 2) {
      registry.PostAndRun(1 + t);
    } else {
      registry.Visit();
    }
  }
  void After() {
    registry.CheckHistory();
    registry.CheckTakenDown();
  }

  RecordedRegistry registry;
};
const Scenario<TwoPosters> two_posters({
    .name = "two_posters",
    .promise = "two posters that want one slot do not get it at the same time",
    .searches = {ContextBound(2), Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two slots of one priority are used for the first time at once.
struct TwoSlots {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    const model::Call call("Post");
    slots[t] = registry.Post(&lists[t], TaskOf(1 + t));
  }
  void After() {
    Check(slots[0] + slots[1] == 1, "two posters have two slots");
    Check(registry.Used(0) == 2, "of two slots that were used at once each is counted");
  }

  JobListRegistry<ModelSync> registry{2};
  JobList<ModelSync> lists[2]{JobList<ModelSync>(1), JobList<ModelSync>(1)};
  std::uint32_t slots[2]{};
};
const Scenario<TwoSlots> two_slots({
    .name = "two_slots",
    .promise = "of two slots that are used for the first time at once each is counted",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A visitor closes a list that has just been attached, or comes before that or too late; it
// attaches a list of its own.
struct CloseThenPost {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 1) Visit();
    const std::uint32_t slot = Post(t);
    // Thread 0's list may have been closed by now. Thread 1's is not: no other thread visits it.
    if (t == 1) Check(registry.Open(0) != 0, kCounted);
    Close(slot);
  }
  void After() {
    Check(registry.Open(0) == 0, "when all lists have been closed the registry counts no list");
  }

  void Visit() {
    const model::Call call("Enter");
    if (registry.Enter(0) != nullptr) registry.LeaveDone(0);
  }
  std::uint32_t Post(int t) {
    const model::Call call("Post");
    return registry.Post(&lists[t], TaskOf(1 + t));
  }
  void Close(std::uint32_t slot) {
    const model::Call call("LeaveDone");
    registry.LeaveDone(slot);
  }

  JobListRegistry<ModelSync> registry{2};
  JobList<ModelSync> lists[2]{JobList<ModelSync>(1), JobList<ModelSync>(1)};
};
const Scenario<CloseThenPost> close_then_post({
    .name = "close_then_post",
    .promise = "an open list is counted while others are closed, and no list afterwards",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
