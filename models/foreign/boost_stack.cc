// Model of boost::lockfree::stack (Tim Blechmann), Debian's libboost-dev, unchanged.
//
// Promise checked: what is popped was pushed, once; the pusher's writes before a push are read
// after the pop; nodes that come back to the free list and again into the stack are told apart.
//
// Examined: every execution of two and three threads with one or two operations each.
#include "models/foreign/boost_lockfree.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::Scenario;

using Stack = checked::boost::lockfree::stack<int>;

struct Recorded {
  void Push(int number) {
    notes[number].set(number);
    Check(stack.push(number), "there is room");
  }
  bool Pop() {
    int number = 0;
    if (!stack.pop(number)) return false;
    Check(notes[number].get() == number, "the pusher's note is there, and the element once");
    notes[number].set(0);
    return true;
  }

  Stack stack{2};
  ModelSync::plain<int> notes[4];
};

struct PushAndPop : Recorded {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    Push(t + 1);
    Check(Pop(), "one of the two is there");
  }
  void After() { Check(!Pop(), "nothing is left"); }
};
const Scenario<PushAndPop> push_and_pop({
    .name = "push_and_pop",
    .promise = "two threads push one and pop one each",
});

// A popper sleeps between its load of the top and its exchange while the other one pops both and
// pushes the first node again.
struct ComesAgain : Recorded {
  static constexpr int kThreads = 2;
  ComesAgain() {
    Push(1);
    Push(2);
  }
  void Thread(int t) {
    Pop();
    if (t == 0) return;
    Pop();
    Push(3);
  }
  void After() {
    while (Pop()) {
    }
    for (int i = 1; i < 4; ++i) Check(notes[i].get() == 0, "each element is popped");
  }
};
const Scenario<ComesAgain> comes_again({
    .name = "comes_again",
    .promise = "a node that comes back is no old top (ABA)",
});

}  // namespace
}  // namespace nowait
