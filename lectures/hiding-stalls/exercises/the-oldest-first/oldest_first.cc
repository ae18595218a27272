// Model of JobListRegistry::EnterOldest, which the exercise asks for.
//
// Promise checked: while no thread posts, the open list that was posted first is entered; and a
// list is found as long as one is attached throughout, whichever others are closed.
//
// Examined: every execution of two threads that choose at once, where a slot has been used again;
// of one that chooses while another closes the chosen list; and of one that chooses while another
// posts.
#include <atomic>
#include <cstdint>

#include "models/kit/scenario/model.h"
#include "src/jobs/job_list.h"
#include "src/jobs/job_list_registry.h"

namespace nowait {
namespace {

using model::Check;
using model::ContextBound;
using model::Random;
using model::Scenario;

using Registry = JobListRegistry<ModelSync>;
using List = JobList<ModelSync>;

constexpr const char* kOldest = "the oldest attached list is entered";
constexpr const char* kFound = "a list is found as long as one is attached";
constexpr const char* kOnce = "a list goes back to its owner once";

TaskId TaskOf(int number) { return TaskId(1, static_cast<std::uint16_t>(number), 1); }

// Two priorities of three slots; the lists are of the lower one, so that a slot's number is not its
// place in the range.
class Lists {
 public:
  static constexpr std::uint32_t kPriority = 1;

  // Hangs the list up, and leaves it there.
  void Post(int number) {
    const std::uint32_t slot = registry_.Post(&lists_[number], TaskOf(number), kPriority);
    Check(slot != Registry::kNone, "there is room");
    Check(!registry_.Leave(slot).IsTask(), kOnce);
  }
  // Enters the oldest; its number.
  int Enter(std::uint32_t* slot) {
    *slot = registry_.EnterOldest(kPriority);
    Check(*slot != Registry::kNone, kFound);
    const List* entered = registry_.Entered(*slot);
    for (int i = 0; i < kLists; ++i) {
      if (entered == &lists_[i]) return i;
    }
    Check(false, "it is a list that was posted");
    return kLists;
  }
  void CheckNoneHangs() {
    Check(registry_.EnterOldest(kPriority) == Registry::kNone,
          "nothing is found where nothing is attached");
  }
  void CheckOtherPriority() {
    Check(registry_.EnterOldest(0) == Registry::kNone, "the other priority's lists are its own");
  }
  void Leave(std::uint32_t slot, int* returned) { Count(registry_.Leave(slot), returned); }
  void LeaveDone(std::uint32_t slot, int* returned) { Count(registry_.LeaveDone(slot), returned); }

 private:
  static constexpr int kLists = 4;

  static void Count(TaskId task, int* returned) {
    if (task.IsTask()) ++*returned;
  }

  Registry registry_{3, 2};
  List lists_[kLists] = {List(1), List(1), List(1), List(1)};
};

// List 0 is gone, and list 2 is in its slot: list 1 is the oldest, and then list 2.
struct Reused {
  static constexpr int kThreads = 2;

  Reused() {
    lists.CheckNoneHangs();
    lists.Post(0);
    lists.Post(1);
    std::uint32_t slot = 0;
    int gone = 0;
    Check(lists.Enter(&slot) == 0, kOldest);
    lists.LeaveDone(slot, &gone);
    Check(gone == 1, kOnce);
    lists.Post(2);
    lists.CheckOtherPriority();
  }
  void Thread(int t) {
    std::uint32_t slot = 0;
    Check(lists.Enter(&slot) == 1, kOldest);
    lists.Leave(slot, &returned[t]);
  }
  void After() {
    Check(returned[0] + returned[1] == 0, kOnce);
    for (int oldest = 1; oldest <= 2; ++oldest) {
      std::uint32_t slot = 0;
      Check(lists.Enter(&slot) == oldest, kOldest);
      lists.LeaveDone(slot, &returned[0]);
    }
    Check(returned[0] == 2, kOnce);
    lists.CheckNoneHangs();
  }

  Lists lists;
  int returned[2] = {0, 0};  // each its thread's
};
const Scenario<Reused> reused({
    .name = "reused",
    .promise = "the oldest list is found, though a younger one is in an earlier slot",
    .searches = {ContextBound(4), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 learns that the oldest has nothing left to fetch; thread 1 may have chosen it.
struct ClosedMeanwhile {
  static constexpr int kThreads = 2;

  ClosedMeanwhile() {
    lists.Post(0);
    lists.Post(1);
  }
  void Thread(int t) {
    std::uint32_t slot = 0;
    const int list = lists.Enter(&slot);
    if (t == 0) {
      Check(list == 0, kOldest);
      lists.LeaveDone(slot, &returned[t]);
    } else {
      lists.Leave(slot, &returned[t]);
    }
  }
  void After() { Check(returned[0] + returned[1] == 1, kOnce); }

  Lists lists;
  int returned[2] = {0, 0};
};
const Scenario<ClosedMeanwhile> closed_meanwhile({
    .name = "closed",
    .promise = "when the chosen list is closed before it is entered, the next one is found",
    .searches = {ContextBound(4), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 attaches lists; thread 1 chooses.
struct PostedMeanwhile {
  static constexpr int kThreads = 2;

  PostedMeanwhile() {
    lists.Post(0);
    lists.Post(1);
    std::uint32_t slot = 0;
    int gone = 0;
    lists.Enter(&slot);
    lists.LeaveDone(slot, &gone);
  }
  void Thread(int t) {
    if (t == 0) {
      lists.Post(2);
      lists.Post(3);
      return;
    }
    std::uint32_t slot = 0;
    Check(lists.Enter(&slot) == 1, kOldest);
    lists.Leave(slot, &returned);
  }
  void After() {
    Check(returned == 0, kOnce);
    for (int oldest = 1; oldest <= 3; ++oldest) {
      std::uint32_t slot = 0;
      Check(lists.Enter(&slot) == oldest, kOldest);
      lists.LeaveDone(slot, &returned);
    }
    Check(returned == 3, kOnce);
  }

  Lists lists;
  int returned = 0;  // thread 1's
};
const Scenario<PostedMeanwhile> posted_meanwhile({
    .name = "posted",
    .promise = "a list that is attached already comes before those that are attached meanwhile",
    .searches = {ContextBound(4), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
