// Model of src/jobs/list_board.h.
//
// Promise checked: the board is linearizable (the specification is below): a list that Enter
// returned hangs there, Leave tells the last visitor of a closed slot, and IsVacant says so. A list
// that was entered stays posted until Leave, and when the closed slot is vacant the poster may
// destroy the list at once (the failure would be a use after free, or an end that nothing orders
// after the last use).
//
// What is examined: every execution of one poster with one and two visitors, and of two posters for
// one slot with a visitor.
#include "src/jobs/list_board.h"

#include <atomic>
#include <cstdint>
#include <string>

#include "models/kit/linearizability.h"
#include "models/kit/model.h"
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

// Lists have numbers from 1 up: addresses come again.
struct PostedList : JobList<ModelSync> {
  explicit PostedList(int number) : JobList<ModelSync>(1), number(number) {}
  const int number;
};

// The board has one slot.
struct BoardOp {
  enum class Kind { kPost, kEnter, kLeave, kClose, kIsVacant, kVacate };
  Kind kind;
  int list = 0;      // kPost: the list; kEnter: the list that was there, or 0
  bool yes = false;  // kPost: whether it hangs now; kLeave, kIsVacant: the answer
  std::string Words() const {
    const std::string answer = yes ? "true" : "false";
    switch (kind) {
      case Kind::kPost:
        return "Post(list " + std::to_string(list) + ") = " + (yes ? "slot" : "kNone");
      case Kind::kEnter:
        return list == 0 ? "Enter() = null" : "Enter() = list " + std::to_string(list);
      case Kind::kLeave:
        return "Leave() = " + answer;
      case Kind::kClose:
        return "Close()";
      case Kind::kIsVacant:
        return "IsVacant() = " + answer;
      case Kind::kVacate:
        return "Vacate()";
    }
    return "";
  }
};

struct BoardSpec {
  using Op = BoardOp;
  struct State {
    int list = 0;  // that hangs there, or is being taken down; 0: the slot is free
    int visitors = 0;
    bool open = false;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op, const Context<Op>& context) {
    switch (op.kind) {
      case Op::Kind::kPost:
        // Claimed, and not open yet, by somebody else's Post: the slot is taken all the same.
        if (!op.yes) {
          return state.list != 0 ||
                 context.Overlapped([](const Op& other) { return other.kind == Op::Kind::kPost; });
        }
        if (state.list != 0) return false;
        state = {op.list, 0, true};
        return true;
      case Op::Kind::kEnter:
        if (op.list == 0) return !state.open;
        ++state.visitors;
        return state.open && state.list == op.list;
      case Op::Kind::kLeave:
        --state.visitors;
        return state.visitors >= 0 && op.yes == (!state.open && state.visitors == 0);
      case Op::Kind::kClose:
        state.open = false;
        return true;
      case Op::Kind::kIsVacant:
        return op.yes == (!state.open && state.visitors == 0);
      case Op::Kind::kVacate: {
        const bool was_vacant = !state.open && state.visitors == 0;
        state = {};
        return was_vacant;
      }
    }
    return false;
  }
};

void Count(void* data) {
  auto& count = *static_cast<ModelSync::plain<int>*>(data);
  count.set(count.get() + 1);
}

class RecordedBoard {
 public:
  // Posts a list with one job, helps, takes it down, destroys it.
  void PostAndRun(int number) {
    ModelSync::plain<int> runs;
    auto* list = ModelSync::New<PostedList>(number);
    list->Add({&Count, &runs});
    list->Submit();
    const bool hangs = Post(list);
    while (RunOne(*list) == RunResult::kStalled) ModelSync::Yield();
    if (hangs) {
      Record("Close", [this] {
        board_.Close(0);
        return Op{Op::Kind::kClose};
      });
      while (!IsVacant()) ModelSync::Yield();
    }
    Check(list->Finished(), "a list that was taken down is finished");
    Check(runs.get() == 1, kOnce);
    ModelSync::Delete(list);
    if (!hangs) return;
    Record("Vacate", [this] {
      board_.Vacate(0);
      return Op{Op::Kind::kVacate};
    });
  }

  // Whether the list hangs there now.
  bool Post(PostedList* list) {
    return Record("Post",
                  [&] {
                    const bool hangs = board_.Post(list) != ListBoard<ModelSync>::kNone;
                    return Op{Op::Kind::kPost, list->number, hangs};
                  })
        .yes;
  }

  // Looks at the slot as a worker does.
  void Visit() {
    JobList<ModelSync>* list = nullptr;
    Record("Enter", [&] {
      list = board_.Enter(0);
      return Op{Op::Kind::kEnter, list == nullptr ? 0 : static_cast<PostedList*>(list)->number};
    });
    if (list == nullptr) return;
    RunOne(*list);
    Record("Leave", [this] { return Op{Op::Kind::kLeave, 0, board_.Leave(0)}; });
  }

  void CheckHistory() const {
    CheckLinearizable<BoardSpec>(history_, "a list board is linearizable");
  }

 private:
  using Op = BoardOp;

  static RunResult RunOne(JobList<ModelSync>& list) {
    const model::Call call("RunOne");
    return list.RunOne();
  }
  template <class F>
  Op Record(const char* name, F&& perform) {
    return history_.Record(name, perform);
  }
  bool IsVacant() {
    return Record("IsVacant",
                  [this] {
                    return Op{Op::Kind::kIsVacant, 0, board_.IsVacant(0)};
                  })
        .yes;
  }

  ListBoard<ModelSync> board_{1};
  History<BoardOp> history_;
};

template <int kVisitors>
struct OnePoster {
  static constexpr int kThreads = 1 + kVisitors;

  void Thread(int t) {
    if (t == 0) {
      board.PostAndRun(1);
    } else {
      board.Visit();
    }
  }
  void After() { board.CheckHistory(); }

  RecordedBoard board;
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
        board.PostAndRun(1 + i);
      } else {
        board.Visit();
      }
    }
  }
  void After() { board.CheckHistory(); }

  RecordedBoard board;
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
      board.Post(&list);
      posted.store(true, std::memory_order::release);
    } else if (posted.load(std::memory_order::acquire)) {
      board.Visit();
    }
  }
  void After() { board.CheckHistory(); }

  PostedList list{1};
  RecordedBoard board;
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
      board.PostAndRun(1 + t);
    } else {
      board.Visit();
    }
  }
  void After() { board.CheckHistory(); }

  RecordedBoard board;
};
const Scenario<TwoPosters> two_posters({
    .name = "two_posters",
    .promise = "two posters that want one slot do not get it at the same time",
    .searches = {ContextBound(2), Random(100'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
