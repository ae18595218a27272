// Model of boost::lockfree::spsc_queue (Tim Blechmann), Debian's libboost-dev, unchanged.
//
// Promise checked: one producer and one consumer; elements come in order, nothing twice and nothing
// lost; the producer's writes before a push are read after the pop; a full queue refuses.
//
// Examined: every execution of a producer and a consumer that go round a ring of two elements.
#include "models/foreign/boost_lockfree.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::Scenario;

using Queue = checked::boost::lockfree::spsc_queue<int>;

template <int kElements, int kCapacity>
struct OneEach {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    for (int i = 0; i < kElements; ++i) t == 0 ? Produce(i + 1) : static_cast<void>(Consume());
  }
  void After() {
    while (Consume()) {
    }
    Check(taken == given, "each element that was pushed is popped once");
  }

  void Produce(int number) {
    notes[number].set(number);
    if (queue.push(number)) ++given;
  }
  bool Consume() {
    int number = 0;
    if (!queue.pop(number)) return false;
    Check(number > last, "elements come in order");
    Check(notes[number].get() == number, "the producer's note is there");
    last = number;
    ++taken;
    return true;
  }

  Queue queue{kCapacity};
  ModelSync::plain<int> notes[kElements + 1];
  int given = 0, taken = 0, last = 0;
};
const Scenario<OneEach<2, 1>> of_one({
    .name = "of_one",
    .promise = "two elements through a ring of one",
});
const Scenario<OneEach<3, 2>> of_two({
    .name = "of_two",
    .promise = "three elements round a ring of two",
});

// What the consumer has read is not overwritten: the producer goes round while it reads.
struct InPlace {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      Push(1);
      Push(2);
    } else {
      queue.consume_one([this](int slot) {
        Check(slots[slot].get() == 1, "an element is there as long as it is looked at");
      });
    }
  }
  void Push(int value) {
    if (queue.write_available() == 0) return;
    slots[0].set(value);
    queue.push(0);
  }

  Queue queue{1};
  ModelSync::plain<int> slots[1];
};
const Scenario<InPlace> in_place({
    .name = "in_place",
    .promise = "consume_one keeps its element until it returns",
});

}  // namespace
}  // namespace nowait
