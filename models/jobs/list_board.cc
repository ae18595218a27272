// Model of src/jobs/list_board.h.
//
// Promise checked: a list that Enter returned stays posted until Leave; when the closed slot is
// vacant, the poster may destroy the list at once (the failure would be a use after free, or an end
// that nothing orders after the last use); a slot that was given back can be used again.
//
// What the searches cover: one poster with one and two visitors, and two posters for one slot with
// a visitor; up to a number of switches, and at random with late stores and stale exchanges.
#include "src/jobs/list_board.h"

#include "models/kit/model.h"
#include "src/jobs/job_list.h"

namespace nowait {
namespace {

using model::Check;
using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

constexpr const char* kOnce = "a job on a posted list runs exactly once";

void Count(void* data) {
  auto& count = *static_cast<ModelSync::plain<int>*>(data);
  count.set(count.get() + 1);
}

// Posts a list with one job, helps, takes it down, destroys it. Returns whether it got a slot.
bool PostAndRun(ListBoard<ModelSync>& board) {
  ModelSync::plain<int> runs;
  auto* list = ModelSync::New<JobList<ModelSync>>(1u);
  list->Add({&Count, &runs});
  list->Submit();
  const std::uint32_t slot = board.Post(list);
  while (list->RunOne() == RunResult::kStalled) ModelSync::Yield();
  if (slot != ListBoard<ModelSync>::kNone) {
    board.Close(slot);
    while (!board.IsVacant(slot)) ModelSync::Yield();
  }
  Check(list->Finished(), "a list that was taken down is finished");
  Check(runs.get() == 1, kOnce);
  ModelSync::Delete(list);
  if (slot == ListBoard<ModelSync>::kNone) return false;
  board.Vacate(slot);
  return true;
}

// Looks at slot 0 as a worker does.
void Visit(ListBoard<ModelSync>& board) {
  JobList<ModelSync>* list = board.Enter(0);
  if (list == nullptr) return;
  list->RunOne();
  board.Leave(0);
}

template <int kVisitors>
struct OnePoster {
  static constexpr int kThreads = 1 + kVisitors;

  void Thread(int t) {
    if (t == 0) {
      PostAndRun(board);
    } else {
      Visit(board);
    }
  }

  ListBoard<ModelSync> board{1};
};
const Scenario<OnePoster<1>> one_visitor({
    .name = "one_visitor",
    .promise = "a list is destroyed only after its visitor has left",
    .searches = {ContextBound(6), ContextBound(4).DeferringStores().StaleExchanges().DeepHistory(),
                 Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<OnePoster<2>> two_visitors({
    .name = "two_visitors",
    .promise = "a list is destroyed only after both visitors have left",
    .searches = {ContextBound(3), Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The poster uses the slot twice; a visitor may meet either list.
struct PostTwice {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    for (int i = 0; i < 2; ++i) {
      if (t == 0) {
        Check(PostAndRun(board), "a slot that was given back can be used again");
      } else {
        Visit(board);
      }
    }
  }

  ListBoard<ModelSync> board{1};
};
const Scenario<PostTwice> post_twice({
    .name = "post_twice",
    .promise = "a visitor of a slot that is used again meets the list that hangs there now",
    .searches = {ContextBound(3), Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A visitor that learns of the post in any way finds the list.
struct PostThenVisit {
  static constexpr int kThreads = 2;

  PostThenVisit() { list.Submit(); }
  void Thread(int t) {
    if (t == 0) {
      Check(board.Post(&list) == 0, "a board without lists has a free slot");
      posted.store(true, std::memory_order::release);
    } else if (posted.load(std::memory_order::acquire)) {
      Check(board.Enter(0) == &list, "a list that was posted is found until its slot is closed");
      board.Leave(0);
    }
  }

  JobList<ModelSync> list{1};
  ListBoard<ModelSync> board{1};
  ModelSync::atomic<bool> posted{false};
};
const Scenario<PostThenVisit> post_then_visit({
    .name = "post_then_visit",
    .promise = "a visitor that learns of the post finds the list",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two posters want the only slot; who gets none runs its list alone.
struct TwoPosters {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t < 2) {
      PostAndRun(board);
    } else {
      Visit(board);
    }
  }

  ListBoard<ModelSync> board{1};
};
const Scenario<TwoPosters> two_posters({
    .name = "two_posters",
    .promise = "two posters that want one slot do not get it at the same time",
    .searches = {ContextBound(2), Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
