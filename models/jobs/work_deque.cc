// Model of src/jobs/work_deque.h.
//
// Promise checked: the deque is linearizable as a bounded deque, but for a Steal that lost against
// another removal and a Push that did not see an overlapping Steal (the specification is below).
// Therefore no item is returned twice and no item is lost. The owner's writes before a Push are
// read by the thread that has the item (the items name plain data).
//
// Examined: every execution of an owner with one and with two thieves, over deques of one,
// two and four cells: the last item, the last but one that the owner takes without asking, cells
// that are used again, an owner that takes and pushes while a thief steals.
#include "src/jobs/work_deque.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::CheckLinearizable;
using model::Context;
using model::ContextBound;
using model::History;
using model::Random;
using model::Scenario;

constexpr const char* kIsADeque =
    "a work deque is linearizable, but for thieves that lost and an owner that did not see a theft";
constexpr std::size_t kItems = 6;  // numbered from 1 up

struct DequeOp {
  enum class Kind { kPush, kTake, kSteal };
  Kind kind;
  int item = 0;  // pushed, taken or stolen; 0: no item
  StealResult result = StealResult::kItem;
  bool done = true;  // kPush, kTake

  bool Removed() const { return kind != Kind::kPush && item != 0; }
  std::string Words() const {
    const std::string name = std::to_string(item);
    switch (kind) {
      case Kind::kPush:
        return "Push(" + name + ") = " + (done ? "true" : "false");
      case Kind::kTake:
        return "Take() = " + (done ? name : "nothing");
      case Kind::kSteal:
        if (result == StealResult::kItem) return "Steal() = " + name;
        return result == StealResult::kEmpty ? "Steal() = kEmpty" : "Steal() = kLost";
    }
    return "";
  }
};

template <std::size_t kCapacity>
struct DequeSpec {
  using Op = DequeOp;
  struct State {
    std::array<int, kCapacity> items{};  // the oldest first
    std::size_t size = 0;
    std::array<int, kItems> stolen{};  // in order
    std::size_t steals = 0;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op, const Context<Op>& context) {
    switch (op.kind) {
      case Op::Kind::kPush:
        if (!op.done) return state.size + StolenMeanwhile(state, context) >= kCapacity;
        if (state.size == kCapacity) return false;
        state.items[state.size++] = op.item;
        return true;
      case Op::Kind::kTake: {
        if (!op.done) return state.size == 0;
        if (state.size == 0) return false;
        const bool is_newest = state.items[--state.size] == op.item;
        state.items[state.size] = 0;
        return is_newest;
      }
      case Op::Kind::kSteal: {
        if (op.result == StealResult::kEmpty) return state.size == 0;
        if (op.result == StealResult::kLost) {
          return context.Overlapped([](const Op& other) { return other.Removed(); });
        }
        if (state.size == 0 || state.items[0] != op.item) return false;
        for (std::size_t i = 1; i < kCapacity; ++i) state.items[i - 1] = state.items[i];
        state.items[--state.size] = 0;
        state.stolen[state.steals++] = op.item;
        return true;
      }
    }
    return false;
  }

 private:
  static std::size_t StolenMeanwhile(const State& state, const Context<Op>& context) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < state.steals; ++i) {
      if (context.Overlapped([&](const Op& other) {
            return other.kind == Op::Kind::kSteal && other.item == state.stolen[i];
          })) {
        ++count;
      }
    }
    return count;
  }
};

template <std::size_t kCapacity>
class RecordedDeque {
 public:
  // The owner's.
  void Push(int number) {
    notes_[number].set(number);
    history_.Record("Push", [&] {
      return DequeOp{DequeOp::Kind::kPush, number, {}, deque_.Push(number)};
    });
  }
  DequeOp Take() {
    return history_.Record("Take", [this] {
      int number = 0;
      const bool done = deque_.Take(&number);
      return DequeOp{DequeOp::Kind::kTake, number, {}, done};
    });
  }
  bool TakeAndRead() {
    const DequeOp op = Take();
    if (op.done) Read(op.item);
    return op.done;
  }
  // A thief's.
  void Steal() {
    const DequeOp op = history_.Record("Steal", [this] {
      int number = 0;
      const StealResult result = deque_.Steal(&number);
      return DequeOp{DequeOp::Kind::kSteal, number, result};
    });
    if (op.result == StealResult::kItem) Read(op.item);
  }
  // Any thread's.
  bool Any() const { return deque_.Any(); }

  void CheckHistory() {
    while (TakeAndRead()) {
    }
    CheckLinearizable<DequeSpec<kCapacity>>(history_, kIsADeque);
  }

 private:
  // An item that was never pushed has no note, and the history is not linearizable.
  void Read(int number) {
    if (number != 0) Check(notes_[number].get() == number, "the owner's note is there");
  }

  WorkDeque<int, ModelSync> deque_{kCapacity};
  ModelSync::plain<int> notes_[kItems + 1];
  History<DequeOp> history_;
};

// Items 1 .. kPushed are in it at the beginning. Thread 0 is the owner.
template <std::size_t kCapacity, int kPushed>
struct Filled {
  Filled() {
    for (int i = 1; i <= kPushed; ++i) deque.Push(i);
  }
  void After() { deque.CheckHistory(); }

  RecordedDeque<kCapacity> deque;
};

struct LastItem : Filled<2, 1> {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      deque.TakeAndRead();
    } else {
      deque.Steal();
    }
  }
};
const Scenario<LastItem> last_item({
    .name = "last_item",
    .promise = "the last item goes to the owner or to one of two thieves",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The owner takes the second without asking; a thief that had the first comes for it.
struct LastButOne : Filled<2, 2> {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    for (int i = 0; i < 2; ++i) {
      if (t == 0) {
        deque.TakeAndRead();
      } else {
        deque.Steal();
      }
    }
  }
};
const Scenario<LastButOne> last_but_one({
    .name = "last_but_one",
    .promise = "of two items the owner takes one and a thief does not steal it as well",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same with two thieves: the second learns from the first that one item is left.
struct TwoThieves : Filled<2, 2> {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      deque.TakeAndRead();
    } else {
      deque.Steal();
    }
  }
};
const Scenario<TwoThieves> two_thieves({
    .name = "two_thieves",
    .promise = "of two items the owner takes one, and neither of two thieves steals it as well",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The item that is taken has a successor with the same number.
struct TakeAndPush : Filled<2, 2> {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      deque.TakeAndRead();
      deque.Push(3);
      deque.TakeAndRead();
    } else {
      deque.Steal();
      deque.Steal();
    }
  }
};
const Scenario<TakeAndPush> take_and_push({
    .name = "take_and_push",
    .promise = "an item that takes the place of one that was taken is not mistaken for it",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two thieves, one after the other, and an owner that takes and pushes.
struct TakeAndPushThree : Filled<2, 2> {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      deque.TakeAndRead();
      deque.Push(3);
    } else {
      deque.Steal();
    }
  }
};
const Scenario<TakeAndPushThree> take_and_push_three({
    .name = "take_and_push_three",
    .promise = "the same with two thieves",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// All of these, longer.
struct Longer : Filled<4, 3> {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      deque.TakeAndRead();
      deque.TakeAndRead();
      deque.Push(4);
      deque.TakeAndRead();
    } else {
      deque.Steal();
      deque.Steal();
    }
  }
};
const Scenario<Longer> longer({
    .name = "longer",
    .promise = "three items and one more have one taker each",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

struct ThreeThieves : Filled<4, 3> {
  static constexpr int kThreads = 4;

  void Thread(int t) {
    if (t == 0) {
      deque.TakeAndRead();
      deque.TakeAndRead();
    } else {
      deque.Steal();
    }
  }
};
const Scenario<ThreeThieves> three_thieves({
    .name = "three_thieves",
    .promise =
        "three thieves learn from each other what is left, and the owner takes no item of theirs",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Another thread becomes the owner, and a thief is informed of that. The former owner's last call
// is a Push, or the Take of the only item.
template <bool kPushes>
struct Told : Filled<2, 1> {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      if (kPushes) {
        deque.Push(2);
      } else {
        deque.Take();
      }
      told.store(1, std::memory_order::release);  // pairs with the acquire below
      return;
    }
    while (told.load(std::memory_order::acquire) == 0) ModelSync::Yield();
    if (t == 1) {
      deque.Push(3);
      deque.TakeAndRead();
    } else {
      if (kPushes) Check(deque.Any(), "there is an item whose Push has returned, and no removal");
      deque.Steal();
    }
  }

  ModelSync::atomic<int> told{0};
};
const Scenario<Told<true>> told_after_push({
    .name = "told_after_push",
    .promise =
        "an owner follows another that has pushed, and a thief that knows of items finds one",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Told<false>> told_after_take({
    .name = "told_after_take",
    .promise = "an owner follows another that has taken the last item",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A deque that becomes empty and is filled again.
struct FromEmpty : Filled<4, 0> {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      deque.TakeAndRead();
      deque.Push(1);
      deque.TakeAndRead();
      deque.Push(2);
      deque.Push(3);
    } else {
      deque.Steal();
      deque.Steal();
    }
  }
};
const Scenario<FromEmpty> from_empty({
    .name = "from_empty",
    .promise = "an empty deque has nothing, and an item that is pushed then is there once",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The owner goes round the cells while a thief reads them.
template <std::size_t kCapacity>
struct Reused : Filled<kCapacity, kCapacity> {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    constexpr int kFilled = static_cast<int>(kCapacity);
    if (t == 0) {
      for (int i = 1; i <= 2; ++i) this->deque.Push(kFilled + i);
      this->deque.TakeAndRead();
      this->deque.Push(kFilled + 3);
    } else {
      this->deque.Steal();
      this->deque.Steal();
    }
  }
};
const Scenario<Reused<1>> reused_1({
    .name = "reused_1",
    .promise = "a cell is written again only when its item is gone, of one cell",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Reused<2>> reused_2({
    .name = "reused_2",
    .promise = "a cell is written again only when its item is gone, of two",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The owner may not see that there is room, while the thief does not see that there is more.
struct FullAndEmpty : Filled<2, 0> {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    for (int i = 1; i <= 3; ++i) {
      if (t == 0) {
        deque.Push(i);
      } else {
        deque.Steal();
      }
    }
  }
};
const Scenario<FullAndEmpty> full_and_empty({
    .name = "full_and_empty",
    .promise = "a full deque refuses, and a thief finds its items in order",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same, longer, with two thieves.
struct ReusedLonger : Filled<2, 2> {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      deque.Push(3);
      deque.TakeAndRead();
      deque.Push(4);
      deque.Push(5);
    } else {
      deque.Steal();
      deque.Steal();
    }
  }
};
const Scenario<ReusedLonger> reused_longer({
    .name = "reused_longer",
    .promise = "two thieves and an owner that goes round find one taker for each item",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two thieves at the same cell, which the owner fills again for the faster one.
struct ReusedThree : Filled<1, 1> {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      deque.Push(2);
      deque.TakeAndRead();
    } else {
      deque.Steal();
    }
  }
};
const Scenario<ReusedThree> reused_three({
    .name = "reused_three",
    .promise = "a slow thief does not get an item that was put in the cell for another",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
