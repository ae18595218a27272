// Model of src/jobs/bounded_queue.h.
//
// Promise checked: the queue is linearizable as a bounded queue in which a call may also fail
// because of one that overlaps it and owns the cell (the specification is below). The producer's
// writes before a TryPush are read after the TryPop (the elements name plain data). A cell belongs
// to one thread at a time.
//
// Examined: every execution of two and three threads that put in and take out, with queues
// of one and two cells that are gone round, and with producers that are overtaken by a whole round;
// of two and three at full queues whose oldest element is replaced.
#include "src/jobs/bounded_queue.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"

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

constexpr const char* kIsAQueue =
    "a bounded queue is linearizable, but for calls that fail because of one that overlaps them";
constexpr std::size_t kElements = 8;  // numbered from 1 up

struct QueueOp {
  enum class Kind : std::uint8_t { kPush, kPop, kReplace };
  Kind kind;
  bool done;
  int pushed = 0;  // or to be pushed; 0: no element
  int popped = 0;
  int more = 0;  // pushed behind that one by the same call: the next numbers
  std::string Words() const {
    const std::string in = std::to_string(pushed), out = std::to_string(popped);
    if (kind == Kind::kPush && more != 0) {
      return "TryPushMany(" + in + ", ...) = " + std::to_string(1 + more);
    }
    if (kind == Kind::kPush) return "TryPush(" + in + ") = " + (done ? "true" : "false");
    if (kind == Kind::kPop) return "TryPop() = " + (done ? out : "nothing");
    return "TryReplaceOldest(" + in + ") = " + (done ? out : "no");
  }
};

template <std::size_t kCapacity>
struct QueueSpec {
  using Op = QueueOp;
  struct State {
    std::array<int, kElements> pushed{};  // the oldest first, with those that were popped
    std::size_t pushes = 0, pops = 0;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op, const Context<Op>& context) {
    if (op.kind == Op::Kind::kReplace) {
      if (!op.done) return true;
      if (state.pushes != state.pops + kCapacity) return false;
      state.pushed[state.pushes++] = op.pushed;
      return state.pushed[state.pops++] == op.popped;
    }
    if (op.kind == Op::Kind::kPush && op.done) {
      for (int i = 0; i <= op.more; ++i) {
        if (state.pushes == state.pops + kCapacity) return false;
        state.pushed[state.pushes++] = op.pushed + i;
      }
      return true;
    }
    if (op.kind == Op::Kind::kPush) {
      if (state.pushes == state.pops + kCapacity) return true;
      // The cell of some place that it may have found to be the next is still being emptied.
      for (std::size_t place = kCapacity; place <= state.pushes; ++place) {
        const bool may_be_next =
            place == state.pushes || !Preceded(context, true, state.pushed[place]);
        if (may_be_next && Overlapped(context, false, state.pushed[place - kCapacity])) return true;
      }
      return false;
    }
    if (!op.done) {
      if (state.pushes == state.pops) return true;
      // Some element that it may have found to be the oldest is still being put in.
      for (std::size_t place = 0; place <= state.pops; ++place) {
        const bool may_be_oldest =
            place == state.pops || !Preceded(context, false, state.pushed[place]);
        if (may_be_oldest && Overlapped(context, true, state.pushed[place])) return true;
      }
      return false;
    }
    return state.pops != state.pushes && state.pushed[state.pops++] == op.popped;
  }

 private:
  static auto Is(bool pushes, int element) {
    return [=](const Op& other) {
      if (!pushes) return other.done && other.popped == element;
      return other.done && other.pushed <= element && element <= other.pushed + other.more;
    };
  }
  static bool Overlapped(const Context<Op>& context, bool pushes, int element) {
    return context.Overlapped(Is(pushes, element));
  }
  static bool Preceded(const Context<Op>& context, bool pushes, int element) {
    return context.Preceded(Is(pushes, element));
  }
};

// The elements are large enough to be torn, and each names a note that its producer leaves.
struct Element {
  int number;
  std::array<int, 7> same;
};

template <std::size_t kCapacity>
class RecordedQueue {
 public:
  bool TryPush(int number) {
    notes_[number - 1].set(number);
    return history_
        .Record("TryPush",
                [&] {
                  Element element{number, {}};
                  element.same.fill(number);
                  return QueueOp{QueueOp::Kind::kPush, queue_.TryPush(element), number};
                })
        .done;
  }
  // Numbers one behind the other; returns how many have been pushed.
  int TryPushMany(int first, int count) {
    std::array<Element, 2> elements{};
    for (int i = 0; i < count; ++i) {
      notes_[first + i - 1].set(first + i);
      elements[i].number = first + i;
      elements[i].same.fill(first + i);
    }
    int pushed = 0;
    history_.Record("TryPushMany", [&] {
      pushed = static_cast<int>(queue_.TryPushMany(elements.data(), count));
      return QueueOp{QueueOp::Kind::kPush, pushed != 0, first, 0, pushed == 0 ? 0 : pushed - 1};
    });
    return pushed;
  }
  // The element's number, or 0.
  int TryPop() {
    return history_
        .Record("TryPop",
                [this] {
                  Element element{};
                  const bool done = queue_.TryPop(&element);
                  return QueueOp{QueueOp::Kind::kPop, done, 0, element.number};
                })
        .popped;
  }
  bool TryPopAndRead() { return Read(TryPop()); }
  bool Any() const { return queue_.Any(); }
  // The oldest element's number, or 0.
  int TryReplaceOldest(int number) {
    notes_[number - 1].set(number);
    return history_
        .Record("TryReplaceOldest",
                [&] {
                  Element element{number, {}}, oldest{};
                  element.same.fill(number);
                  const bool done = queue_.TryReplaceOldest(element, &oldest);
                  return QueueOp{QueueOp::Kind::kReplace, done, number, oldest.number};
                })
        .popped;
  }
  bool TryReplaceOldestAndRead(int number) { return Read(TryReplaceOldest(number)); }

  // No other thread is there any more: a call that fails now does not fail because of another.
  void CheckHistory() {
    while (TryPopAndRead()) {
    }
    CheckLinearizable<QueueSpec<kCapacity>>(history_, kIsAQueue);
  }

 private:
  bool Read(int number) {
    if (number == 0) return false;
    Check(notes_[number - 1].get() == number, "the producer's note is there");
    return true;
  }

  BoundedQueue<Element, ModelSync> queue_{kCapacity};
  ModelSync::plain<int> notes_[kElements];
  History<QueueOp> history_;
};

// Both threads put one in and take one out, twice.
template <std::size_t kCapacity>
struct InAndOut {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    for (int i = 1; i <= 2; ++i) {
      queue.TryPush(2 * t + i);
      queue.TryPopAndRead();
    }
  }
  void After() { queue.CheckHistory(); }

  RecordedQueue<kCapacity> queue;
};
const Scenario<InAndOut<1>> in_and_out_1({
    .name = "in_and_out_1",
    .promise = "one cell that two threads fill and empty is a queue of one",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<InAndOut<2>> in_and_out_2({
    .name = "in_and_out_2",
    .promise = "two cells that two threads fill and empty are a queue of two",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One thread puts in two at once. The other takes out two that have been there, or puts in two at
// once as well, and takes one out.
template <std::size_t kCapacity>
struct ManyIn {
  static constexpr int kThreads = 2;

  ManyIn() {
    if (kCapacity == 2) queue.TryPushMany(5, 2);
  }
  void Thread(int t) {
    if (t == 0) {
      pushed = queue.TryPushMany(1, 2);
    } else if (kCapacity == 2) {
      queue.TryPopAndRead();
      queue.TryPopAndRead();
    } else {
      Check(queue.TryPushMany(3, 2) == 2, "in an empty queue there is room for two");
      queue.TryPopAndRead();
    }
  }
  void After() {
    Check(kCapacity == 2 || pushed == 2, "beside two there is room for two");
    queue.CheckHistory();
  }

  RecordedQueue<kCapacity> queue;
  int pushed = 0;
};
const Scenario<ManyIn<2>> many_in_2({
    .name = "many_in_2",
    .promise = "two elements that are put in at once find their cells empty",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<ManyIn<4>> many_in_4({
    .name = "many_in_4",
    .promise = "two calls that put in two each do not mix them up",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Three threads, one cell.
struct Three {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    queue.TryPush(t + 1);
    queue.TryPopAndRead();
  }
  void After() { queue.CheckHistory(); }

  RecordedQueue<1> queue;
};
const Scenario<Three> three({
    .name = "three",
    .promise = "a cell has one owner at a time among three threads",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two producers that wrap round, and a consumer that sees their elements.
template <std::size_t kCapacity>
struct TwoProducers {
  static constexpr int kThreads = 3;

  TwoProducers() { queue.TryPush(1); }
  void Thread(int t) {
    if (t == 2) {
      queue.TryPopAndRead();
      queue.TryPopAndRead();
    } else {
      queue.TryPush(2 + t);
    }
  }
  void After() { queue.CheckHistory(); }

  RecordedQueue<kCapacity> queue;
};
const Scenario<TwoProducers<1>> two_producers_1({
    .name = "two_producers_1",
    .promise = "two producers do not share a cell that has become free",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<TwoProducers<2>> two_producers_2({
    .name = "two_producers_2",
    .promise = "nothing is lost behind a producer that has not finished",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two consumers of a full queue, and a producer that follows them round.
struct TwoConsumers {
  static constexpr int kThreads = 3;

  TwoConsumers() {
    queue.TryPush(1);
    queue.TryPush(2);
  }
  void Thread(int t) {
    if (t == 2) {
      queue.TryPush(3);
      queue.TryPush(4);
    } else {
      queue.TryPopAndRead();
    }
  }
  void After() { queue.CheckHistory(); }

  RecordedQueue<2> queue;
};
const Scenario<TwoConsumers> two_consumers({
    .name = "two_consumers",
    .promise = "a cell is filled again only when its consumer has read it",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Each thread knows that the thread before it has returned: nothing overlaps.
struct Told {
  static constexpr int kThreads = 3;

  Told() { queue.TryPush(1); }
  void Thread(int t) {
    // acquire and release: pair with each other.
    while (turn.load(std::memory_order::acquire) != t) ModelSync::Yield();
    switch (t) {
      case 0:
        Check(queue.TryPop() == 1, "an element whose TryPush has returned is there");
        break;
      case 1:
        Check(queue.TryPush(2), "a cell whose TryPop has returned is free");
        break;
      case 2:
        Check(queue.TryPop() == 2, "an element whose TryPush has returned is there");
        break;
    }
    turn.store(t + 1, std::memory_order::release);
  }
  void After() { queue.CheckHistory(); }

  RecordedQueue<1> queue;
  ModelSync::atomic<int> turn{0};
};
const Scenario<Told> told({
    .name = "told",
    .promise = "a call does not fail for one that has returned",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 asks whether there is an element, and knows what has returned.
struct AsksForAny {
  static constexpr int kThreads = 2;

  AsksForAny() { queue.TryPush(1); }
  void Thread(int t) {
    if (t == 0) {
      queue.TryPop();
      told.store(1, std::memory_order::release);  // pairs with the acquire below
      return;
    }
    while (told.load(std::memory_order::acquire) == 0) ModelSync::Yield();
    Check(!queue.Any(), "there is no element when all have been taken");
    queue.TryPush(2);
    Check(queue.Any(), "there is an element whose TryPush has returned");
  }
  void After() { queue.CheckHistory(); }

  RecordedQueue<1> queue;
  ModelSync::atomic<int> told{0};
};
const Scenario<AsksForAny> asks_for_any({
    .name = "asks_for_any",
    .promise = "a thread that asks for any element sees those that have been put in, and no others",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same for two elements that are put in at once.
struct ToldOfTwo {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    // acquire and release: pair with each other.
    if (t == 0) {
      queue.TryPushMany(1, 2);
      told.store(true, std::memory_order::release);
    } else {
      while (!told.load(std::memory_order::acquire)) ModelSync::Yield();
      for (int i = 1; i <= 2; ++i) {
        Check(queue.TryPop() == i, "an element whose TryPushMany has returned is there");
      }
    }
  }
  void After() { queue.CheckHistory(); }

  RecordedQueue<2> queue;
  ModelSync::atomic<bool> told{false};
};
const Scenario<ToldOfTwo> told_of_two({
    .name = "told_of_two",
    .promise = "elements that were put in at once are there when the call has returned",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 goes round the queue while thread 0 puts one in.
template <std::size_t kCapacity, int kRounds>
struct Overtaken {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      queue.TryPush(1);
      return;
    }
    for (int i = 0; i < kRounds; ++i) {
      queue.TryPush(2 + i);
      queue.TryPopAndRead();
    }
  }
  void After() { queue.CheckHistory(); }

  RecordedQueue<kCapacity> queue;
};
const Scenario<Overtaken<1, 3>> overtaken_1({
    .name = "overtaken_1",
    .promise = "an element does not land behind the head if its producer is overtaken, of one cell",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Overtaken<2, 4>> overtaken_2({
    .name = "overtaken_2",
    .promise = "an element does not land behind the head if its producer is overtaken, of two",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A full queue: one thread replaces the oldest element, another takes an element out and puts one
// in.
template <std::size_t kCapacity>
struct Replace {
  static constexpr int kThreads = 2;

  Replace() {
    for (std::size_t i = 1; i <= kCapacity; ++i) queue.TryPush(static_cast<int>(i));
  }
  void Thread(int t) {
    if (t == 0) {
      queue.TryReplaceOldestAndRead(3);
      queue.TryReplaceOldestAndRead(4);
    } else {
      queue.TryPopAndRead();
      queue.TryPush(5);
      queue.TryPopAndRead();
    }
  }
  void After() { queue.CheckHistory(); }

  RecordedQueue<kCapacity> queue;
};
const Scenario<Replace<1>> replace_1({
    .name = "replace_1",
    .promise = "the only element is replaced in one step",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Replace<2>> replace_2({
    .name = "replace_2",
    .promise = "the older of two elements is replaced by the newest in one step",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two threads that replace, and one that takes out and puts in.
struct ReplaceThree {
  static constexpr int kThreads = 3;

  ReplaceThree() {
    queue.TryPush(1);
    queue.TryPush(2);
  }
  void Thread(int t) {
    if (t < 2) {
      queue.TryReplaceOldestAndRead(3 + t);
    } else {
      queue.TryPopAndRead();
      queue.TryPush(5);
    }
  }
  void After() { queue.CheckHistory(); }

  RecordedQueue<2> queue;
};
const Scenario<ReplaceThree> replace_three({
    .name = "replace_three",
    .promise = "each element is replaced by one thread, or taken out by one",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Each thread knows that the thread before it has returned: nothing overlaps.
struct ReplaceTold {
  static constexpr int kThreads = 2;

  ReplaceTold() {
    queue.TryPush(1);
    queue.TryPush(2);
  }
  void Thread(int t) {
    // acquire and release: pair with each other.
    while (turn.load(std::memory_order::acquire) != t) ModelSync::Yield();
    if (t == 0) {
      Check(queue.TryReplaceOldest(3) == 1, "a full queue's oldest element is replaced");
    } else {
      Check(!queue.TryPush(4) && queue.TryPop() == 2 && queue.TryPop() == 3,
            "the replaced element is gone, and the rest is in order");
      Check(queue.TryReplaceOldest(5) == 0, "an empty queue's oldest element is not replaced");
    }
    turn.store(t + 1, std::memory_order::release);
  }
  void After() { queue.CheckHistory(); }

  RecordedQueue<2> queue;
  ModelSync::atomic<int> turn{0};
};
const Scenario<ReplaceTold> replace_told({
    .name = "replace_told",
    .promise = "a full queue whose oldest element was replaced is full",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
