// Model of TryPeek in src/sync/spsc_ring.h: grades the exercise.
//
// Promise checked: the element that is seen is the one that is taken next, and its producer's work
// is seen with it (each element names plain data that its producer wrote). A look takes nothing
// away and makes no room. A look may find nothing only when nothing was put in before it.
//
// Examined: every execution of a producer and a consumer that go round rings of one and two
// cells, and of a consumer that has been notified of an element.
#include <atomic>
#include <cstddef>

#include "models/kit/scenario/model.h"
#include "src/sync/spsc_ring.h"

namespace nowait {
namespace {

using model::Check;
using model::Scenario;

constexpr int kElements = 4;  // numbered from 1 up

template <std::size_t kCapacity>
class NotedRing {
 public:
  bool TryPush(int number) {
    const model::Call call("TryPush");
    notes_[number - 1].set(number);
    return ring_.TryPush(number);
  }
  // The element's number, or 0.
  int TryPeek() {
    const model::Call call("TryPeek");
    int number = 0;
    return ring_.TryPeek(&number) ? Noted(number) : 0;
  }
  int TryPop() {
    const model::Call call("TryPop");
    int number = 0;
    return ring_.TryPop(&number) ? Noted(number) : 0;
  }

 private:
  int Noted(int number) {
    Check(notes_[number - 1].get() == number, "the producer's note is there");
    return number;
  }

  SpscRing<int, ModelSync> ring_{kCapacity};
  ModelSync::plain<int> notes_[kElements];
};

template <std::size_t kCapacity, int kCalls>
struct LookThenTake {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    int next = 1;
    for (int i = 0; i < kCalls; ++i) {
      if (t == 0) {
        if (ring.TryPush(next)) ++next;
        continue;
      }
      const int seen = ring.TryPeek();
      Check(seen == 0 || ring.TryPeek() == seen, "a look takes nothing away");
      const int taken = ring.TryPop();
      Check(seen == 0 || taken == seen, "what was seen is what is taken");
      Check(taken == 0 || taken == next++, "elements come out in order");
    }
  }

  NotedRing<kCapacity> ring;
};
const Scenario<LookThenTake<1, 3>> one_cell({
    .name = "one_cell",
    .promise = "what is seen in a ring of one is what is taken",
    .searches = {},  // a sample adds nothing to all executions
});
const Scenario<LookThenTake<2, 3>> two_cells({
    .name = "two_cells",
    .promise = "what is seen in a ring of two is what is taken",
    .searches = {},  // likewise
});

// The consumer knows that an element is there.
struct Told {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      ring.TryPush(1);
      there.store(1, std::memory_order::release);  // pairs with the acquire below
    } else if (there.load(std::memory_order::acquire) == 1) {
      Check(ring.TryPeek() == 1, "a consumer that was notified of an element sees it");
    }
  }
  void After() {
    Check(!ring.TryPush(2), "a look makes no room");
    Check(ring.TryPop() == 1, "a look takes nothing away");
  }

  NotedRing<1> ring;
  ModelSync::atomic<int> there{0};
};
const Scenario<Told> told({
    .name = "told",
    .promise = "a consumer that was notified of an element sees it, and it stays there",
    .searches = {},  // likewise
});

}  // namespace
}  // namespace nowait
