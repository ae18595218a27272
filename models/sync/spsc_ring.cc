// Model of src/sync/spsc_ring.h.
//
// Promise checked: the ring is linearizable as a bounded queue in which failing calls may disregard
// overlapping calls (the specification is below). The producer's writes before a TryPush are read
// after the TryPop (the elements name plain data). A cell is not written again before its element
// has been read. The conclusions that SizeHint allows each side hold.
//
// Examined: every execution of a producer and a consumer that go round rings of one and two cells
// more than once, and of sides that pass from one thread to another.
#include "src/sync/spsc_ring.h"

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

constexpr const char* kIsAQueue =
    "a ring is linearizable as a bounded queue, but for failing calls that something overlaps";
constexpr std::size_t kElements = 6;  // numbered from 1

struct RingOp {
  bool pushes;
  int element = 0;  // pushed, or popped; 0: there was no element
  bool done;
  std::string Words() const {
    const std::string name = std::to_string(element);
    if (pushes) return "TryPush(" + name + ") = " + (done ? "true" : "false");
    return "TryPop() = " + (done ? name : "nothing");
  }
};

template <std::size_t kCapacity>
struct RingSpec {
  using Op = RingOp;
  struct State {
    std::array<int, kElements> pushed{};  // the oldest first, including those that were popped
    std::size_t pushes = 0, pops = 0;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op, const Context<Op>& context) {
    const std::size_t size = state.pushes - state.pops;
    if (op.pushes && op.done) {
      if (size == kCapacity) return false;
      state.pushed[state.pushes++] = op.element;
      return true;
    }
    if (op.pushes) return size + Overlapped(context, state, false, 0, state.pops) >= kCapacity;
    if (!op.done) return size <= Overlapped(context, state, true, state.pops, state.pushes);
    return size != 0 && state.pushed[state.pops++] == op.element;
  }

 private:
  // The number of elements from begin to end whose TryPush, or TryPop, overlaps.
  static std::size_t Overlapped(const Context<Op>& context, const State& state, bool pushes,
                                std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (context.Overlapped([&](const Op& other) {
            return other.done && other.pushes == pushes && other.element == state.pushed[i];
          })) {
        ++count;
      }
    }
    return count;
  }
};

// The elements are large enough to be torn, and each names a note that its producer writes.
struct Element {
  int number;
  std::array<int, 7> same;
};

template <std::size_t kCapacity>
class RecordedRing {
 public:
  bool TryPush(int number) {
    notes_[number - 1].set(number);
    return history_
        .Record("TryPush",
                [&] {
                  Element element{number, {}};
                  element.same.fill(number);
                  return RingOp{true, number, ring_.TryPush(element)};
                })
        .done;
  }
  // The element's number, or 0.
  int TryPop() {
    return history_
        .Record("TryPop",
                [this] {
                  Element element{};
                  const bool done = ring_.TryPop(&element);
                  return RingOp{false, element.number, done};
                })
        .element;
  }
  bool TryPopAndRead() {
    const int number = TryPop();
    if (number == 0) return false;
    Check(notes_[number - 1].get() == number, "the producer's note is there");
    return true;
  }
  std::size_t SizeHint() const { return ring_.SizeHint(); }

  void CheckHistory() {
    while (TryPopAndRead()) {
    }
    CheckLinearizable<RingSpec<kCapacity>>(history_, kIsAQueue);
  }

 private:
  SpscRing<Element, ModelSync> ring_{kCapacity};
  ModelSync::plain<int> notes_[kElements];
  History<RingOp> history_;
};

// The producer tries to push more elements than there is room for; the consumer tries to pop as
// many.
template <std::size_t kCapacity, int kCalls>
struct RoundAndRound {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    for (int i = 1; i <= kCalls; ++i) {
      if (t == 0) {
        ring.TryPush(i);
      } else {
        ring.TryPopAndRead();
      }
    }
  }
  void After() { ring.CheckHistory(); }

  RecordedRing<kCapacity> ring;
};
const Scenario<RoundAndRound<1, 4>> one_cell({
    .name = "one_cell",
    .promise = "a cell that is used again and again holds one element at a time",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<RoundAndRound<2, 5>> two_cells({
    .name = "two_cells",
    .promise = "a ring of two that is gone round twice is a queue of two",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().DeepHistory()},
});

// Each side asks, and relies on the answer.
struct Hints {
  static constexpr int kThreads = 2;
  static constexpr std::size_t kCapacity = 2;

  void Thread(int t) {
    int next = 1;
    for (int i = 0; i < 2; ++i) {
      const std::size_t hint = ring.SizeHint();
      Check(hint <= kCapacity, "a hint is no more than the capacity");
      if (t == 0) {
        for (std::size_t k = hint; k < kCapacity; ++k) {
          Check(ring.TryPush(next++), "there is as much room as the hint leaves");
        }
      } else {
        for (std::size_t k = 0; k < hint; ++k) {
          Check(ring.TryPopAndRead(), "there are as many elements as the hint says");
        }
      }
    }
  }
  void After() { ring.CheckHistory(); }

  RecordedRing<kCapacity> ring;
};
const Scenario<Hints> hints({
    .name = "hints",
    .promise = "a side that goes by the hint does not fail",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().DeepHistory()},
});

// Each side belongs to one thread and then, once that thread has announced it, to another.
struct HandedOver {
  static constexpr int kThreads = 4;

  void Thread(int t) {
    switch (t) {
      case 0:
        ring.TryPush(1);
        ring.TryPush(2);
        second_produces.store(1, std::memory_order::release);  // pairs with the acquire in Await
        break;
      case 1:
        Await(second_produces);
        ring.TryPush(3);
        break;
      case 2:
        ring.TryPop();
        second_consumes.store(1, std::memory_order::release);  // likewise
        break;
      case 3:
        Await(second_consumes);
        ring.TryPop();
        break;
    }
  }
  void After() { ring.CheckHistory(); }

  static void Await(ModelSync::atomic<int>& flag) {
    while (flag.load(std::memory_order::acquire) == 0) ModelSync::Yield();
  }

  RecordedRing<1> ring;
  ModelSync::atomic<int> second_produces{0}, second_consumes{0};
};
const Scenario<HandedOver> handed_over({
    .name = "handed_over",
    .promise = "a side may go from thread to thread when something orders that",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

}  // namespace
}  // namespace nowait
