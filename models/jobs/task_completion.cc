// Model of src/jobs/task_completion.h.
//
// Promise checked: the word is linearizable (the specification is below). The Close that takes the
// last item off returns that, and gets all registered dependents, each once. A later registration
// or item is refused, and so is an id of another generation. The work before any Close happens
// before the code after the last one, and before that after an IsComplete and a Register that find
// the task complete (each writes or reads plain data).
//
// Examined: every execution of two and three threads that close, register, add and look,
// and of a slot that goes on to the next task meanwhile.
#include "src/jobs/task_completion.h"

#include <atomic>
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

constexpr std::uint16_t kNone = TaskCompletion<ModelSync>::kNone;

struct ItemsOp {
  enum class Kind { kOpen, kAddItem, kRegister, kClose, kIsComplete };
  Kind kind;
  std::uint32_t generation = 0;
  bool yes = false;
  unsigned dependents = 0;  // kRegister: the one's bit; kClose: the bits of all that it gets
  unsigned items = 1;       // kClose
  std::string Words() const {
    std::string of = "(";
    of += std::to_string(generation);
    of += ")";
    const std::string answer = yes ? " = true" : " = false";
    switch (kind) {
      case Kind::kOpen:
        return "Open() = " + std::to_string(generation);
      case Kind::kAddItem:
        return "AddItem" + of + answer;
      case Kind::kRegister:
        return "Register" + of + answer;
      case Kind::kClose:
        return "Close(" + std::to_string(items) + ")" + answer + " with dependents " +
               std::to_string(dependents);
      case Kind::kIsComplete:
        return "IsComplete" + of + answer;
    }
    return "";
  }
};

struct ItemsSpec {
  using Op = ItemsOp;
  struct State {
    std::uint32_t generation = 0;
    unsigned items = 0;
    unsigned dependents = 0;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op) {
    const bool open = state.generation == op.generation && state.items != 0;
    switch (op.kind) {
      case Op::Kind::kOpen:
        if (state.items != 0 || op.generation != state.generation + 1) return false;
        state = {op.generation, 1, 0};
        return true;
      case Op::Kind::kAddItem:
        if (op.yes) ++state.items;
        return op.yes == open;
      case Op::Kind::kRegister:
        if (op.yes && (state.dependents & op.dependents) != 0) return false;
        if (op.yes) state.dependents |= op.dependents;
        return op.yes == open;
      case Op::Kind::kClose:
        if (state.items < op.items) return false;
        state.items -= op.items;
        if (op.yes != (state.items == 0)) return false;
        return !op.yes || op.dependents == state.dependents;
      case Op::Kind::kIsComplete:
        return op.yes != open;
    }
    return false;
  }
};

// The word of one slot, with the links and the work around it.
class RecordedItems {
 public:
  std::uint32_t Open() {
    return Record("Open", [&] { return Op{Op::Kind::kOpen, items_.Open()}; }).generation;
  }
  bool AddItem(std::uint32_t generation) {
    return Record("AddItem",
                  [&] {
                    return Op{Op::Kind::kAddItem, generation, items_.AddItem(generation)};
                  })
        .yes;
  }
  void AddItemAlone(std::uint32_t generation) {
    Record("AddItemAlone", [&] {
      items_.AddItemAlone();
      return Op{Op::Kind::kAddItem, generation, true};
    });
  }
  void CloseAlone(std::uint32_t generation) {
    Record("CloseAlone", [&] {
      Check(items_.CloseAlone(), "an item that is not the last is taken off alone");
      return Op{Op::Kind::kClose, generation, false};
    });
  }
  bool HasOnly(unsigned items) const { return items_.HasOnly(items); }
  std::uint16_t FirstAlone() const { return items_.FirstAlone(); }
  // A registration that finds the task complete goes on at once, after its work.
  void Register(std::uint32_t generation, std::uint16_t dependent) {
    const auto link = [&](std::uint16_t second) {
      next_[dependent].store(second, std::memory_order::relaxed);
    };
    const Op op = Record("Register", [&] {
      const bool open = items_.Register(generation, dependent, link);
      return Op{Op::Kind::kRegister, generation, open, 1u << dependent};
    });
    if (!op.yes) ReadWork();
  }
  // worker: the thread whose work has been done.
  bool Close(int worker, unsigned items = 1) {
    work_[worker].set(1);
    const Op op = Record("Close", [&] {
      const auto closed = items_.Close(items);
      unsigned dependents = 0;
      if (closed.complete) {
        for (std::uint16_t i = closed.first; i != kNone;
             i = next_[i].load(std::memory_order::relaxed)) {
          dependents |= 1u << i;
        }
      }
      return Op{Op::Kind::kClose, 0, closed.complete, dependents, items};
    });
    if (op.yes) ReadWork();
    return op.yes;
  }
  void IsComplete(std::uint32_t generation) {
    const Op op = Record("IsComplete", [&] {
      return Op{Op::Kind::kIsComplete, generation, items_.IsComplete(generation)};
    });
    if (op.yes) ReadWork();
  }
  void CheckHistory() const {
    CheckLinearizable<ItemsSpec>(history_, "open work items are linearizable");
  }

 private:
  using Op = ItemsOp;

  template <class F>
  Op Record(const char* name, F&& perform) {
    return history_.Record(name, perform);
  }
  void ReadWork() const {
    for (const auto& work : work_) work.get();
  }

  TaskCompletion<ModelSync> items_;
  ModelSync::atomic<std::uint16_t> next_[2];
  ModelSync::plain<int> work_[2];
  History<ItemsOp> history_;
};

struct OneTask {
  OneTask() : generation(items.Open()) {}
  void After() { items.CheckHistory(); }

  RecordedItems items;
  std::uint32_t generation;
};

// The work and a child, done by two threads, while a third registers.
struct TwoItems : OneTask {
  static constexpr int kThreads = 3;

  TwoItems() { items.AddItem(generation); }
  void Thread(int t) {
    if (t < 2) {
      items.Close(t);
    } else {
      items.Register(generation, 0);
    }
  }
};
const Scenario<TwoItems> two_items({
    .name = "two_items",
    .promise =
        "a thread that takes the last item off comes after all the work, and gets the dependents",
    .searches = {Full(), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two registrations meet in the list.
struct TwoDependents : OneTask {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t < 2) {
      items.Register(generation, static_cast<std::uint16_t>(t));
    } else {
      items.Close(0);
    }
  }
};
const Scenario<TwoDependents> two_dependents({
    .name = "two_dependents",
    .promise =
        "dependents that register at the same time are all released, or find the task complete",
    .searches = {ContextBound(4), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A child that would come too late.
struct LateChild : OneTask {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      items.Close(0);
    } else if (items.AddItem(generation)) {
      items.Close(1);
    }
  }
};
const Scenario<LateChild> late_child({
    .name = "late_child",
    .promise = "a child is added to an open task, or refused",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The slot goes on to the next task, while others still name the first. Only the thread that
// completes the first task goes on to write: a late thread may read the first task's work.
struct NextTask : OneTask {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      items.Close(0);
      items.Open();
      return;
    }
    if (t == 1) {
      items.Register(generation, 0);
    } else {
      items.IsComplete(generation);
    }
  }
};
const Scenario<NextTask> next_task({
    .name = "next_task",
    .promise = "the id of a completed task stays complete when its slot is another task's",
    .searches = {Full(), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The next task gets a child at once, by the thread that alone knows it.
struct NextHasChild : OneTask {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      items.Close(0);
      items.AddItemAlone(items.Open());
    } else if (t == 1) {
      items.Register(generation, 0);
    } else {
      items.IsComplete(generation);
    }
  }
  void After() {
    Check(!items.Close(0) && items.Close(1), "each item is taken off by one Close");
    items.CheckHistory();
  }
};
const Scenario<NextHasChild> next_has_child({
    .name = "next_has_child",
    .promise = "also if that has got a child without a read-modify-write",
    .searches = {Full(), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same for a thread that adds a child.
struct NextParent : OneTask {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      if (items.Close(0)) items.Open();
    } else {
      // Refused, or added to the first task, which is then closed here.
      if (items.AddItem(generation)) items.Close(1);
    }
  }
};
const Scenario<NextParent> next_parent({
    .name = "next_parent",
    .promise = "a child is not added to the next task of a slot",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Walks: a thread that has read a field which the next task has written knows that the first task
// is no longer open.
struct Walker {
  static constexpr int kThreads = 2;

  Walker() : generation(items.Open()) {}
  void Thread(int t) {
    if (t == 0) {
      items.Close();
      const std::uint32_t next = items.Open();
      field.store(next, std::memory_order::release);
    } else {
      const std::uint32_t seen = field.load(std::memory_order::acquire);
      if (seen != 0) {
        model::Check(!items.IsStillOpen(generation), "a later task's field is recognised");
        model::Check(items.Look().generation == seen, "a field's task is in the slot");
      }
    }
  }

  TaskCompletion<ModelSync> items;
  ModelSync::atomic<std::uint32_t> field{0};
  std::uint32_t generation;
};
const Scenario<Walker> walker({
    .name = "walker",
    .promise = "a field that the next task wrote is recognised by the second look",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// TaskScheduler's argument about sleep. One thread completes the task and then asks for waiters;
// another announces itself as a waiter and then looks. They do not miss each other.
struct CompleteAndAsk {
  static constexpr int kThreads = 2;

  CompleteAndAsk() : generation(items.Open()) {}
  void Thread(int t) {
    if (t == 0) {
      items.Close();
      asked = waiters.load(std::memory_order::seq_cst) != 0;
    } else {
      waiters.fetch_add(1, std::memory_order::seq_cst);
      complete = items.IsComplete(generation);
    }
  }
  void After() {
    model::Check(asked || complete,
                 "of the completing thread and the waiting one, one sees the other");
  }

  TaskCompletion<ModelSync> items;
  ModelSync::atomic<int> waiters{0};
  bool asked = false;
  bool complete = false;
  std::uint32_t generation;
};
const Scenario<CompleteAndAsk> complete_and_ask({
    .name = "complete_and_ask",
    .promise =
        "a thread that completes a task learns of a waiter, or the waiter learns of the completion",
    .searches = {Full(), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// TaskGraph's argument about cycles. One thread adds a child and then looks; another publishes and
// then looks for children. They do not miss each other.
struct AddAndLook {
  static constexpr int kThreads = 2;

  AddAndLook() : generation(items.Open()) {}
  void Thread(int t) {
    if (t == 0) {
      items.AddItem(generation);
      saw[0] = published.load(std::memory_order::seq_cst) == 1;
    } else {
      published.store(1, std::memory_order::seq_cst);
      saw[1] = items.Look().items == 2;
    }
  }
  void After() {
    model::Check(saw[0] || saw[1],
                 "of a thread that adds a child and one that looks for it, one sees the other");
  }

  TaskCompletion<ModelSync> items;
  ModelSync::atomic<int> published{0};
  bool saw[2] = {};
  std::uint32_t generation;
};
const Scenario<AddAndLook> add_and_look({
    .name = "add_and_look",
    .promise = "a child that was added before is not missed by a thread that looks for one",
    .searches = {Full(), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same for a thread that registers and then publishes.
struct PublishAndLook {
  static constexpr int kThreads = 2;

  PublishAndLook() : generation(items.Open()) {}
  void Thread(int t) {
    if (t == 0) {
      items.Register(generation, 0, [](std::uint16_t) {});
      published[0].store(1, std::memory_order::seq_cst);
      saw[0] = published[1].load(std::memory_order::seq_cst) == 1;
    } else {
      published[1].store(1, std::memory_order::seq_cst);
      saw[1] = items.Look().first == 0;
    }
  }
  void After() {
    model::Check(saw[0] || saw[1], "of two that publish and then look one sees the other");
  }

  TaskCompletion<ModelSync> items;
  ModelSync::atomic<int> published[2];
  bool saw[2] = {};
  std::uint32_t generation;
};
const Scenario<PublishAndLook> publish_and_look({
    .name = "publish_and_look",
    .promise = "a registration that was published before is not missed",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// As next_has_child, and the next task loses its own item again, by the thread that alone knows it.
// That thread does not take the first task's dependent for one of the next.
struct NextLosesItem : OneTask {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      items.Close(0);
      const std::uint32_t next = items.Open();
      Check(items.FirstAlone() == kNone, "the next task has no dependents");
      items.AddItemAlone(next);
      items.CloseAlone(next);
    } else if (t == 1) {
      items.Register(generation, 0);
    } else {
      items.IsComplete(generation);
    }
  }
  void After() {
    Check(items.Close(1), "one item is left");
    items.CheckHistory();
  }
};
const Scenario<NextLosesItem> next_loses_item({
    .name = "next_loses_item",
    .promise = "an item is taken off without a read-modify-write while others name an earlier task",
    .searches = {Full(), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A thread that sees only its own items completes the task.
struct OnlyMine : OneTask {
  static constexpr int kThreads = 2;

  OnlyMine() {
    items.AddItem(generation);
    items.AddItem(generation);
  }
  void Thread(int t) {
    const unsigned mine = t == 0 ? 2 : 1;
    const bool only = items.HasOnly(mine);
    Check(items.Close(t, mine) || !only,
          "a thread that sees only its own items completes the task");
  }
};
const Scenario<OnlyMine> only_mine({
    .name = "only_mine",
    .promise = "a thread that sees only its own items completes the task",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Three items, of which one thread takes two off at once.
struct ThreeItems : OneTask {
  static constexpr int kThreads = 3;

  ThreeItems() {
    items.AddItem(generation);
    items.AddItem(generation);
  }
  void Thread(int t) {
    if (t < 2) {
      items.Close(t, t == 0 ? 2 : 1);
    } else {
      items.Register(generation, 0);
    }
  }
};
const Scenario<ThreeItems> three_items({
    .name = "three_items",
    .promise = "a thread that takes several items off at once comes after all the work, too",
    .searches = {Full(), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
