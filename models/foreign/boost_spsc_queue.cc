// Model of boost::lockfree::spsc_queue (Tim Blechmann), Debian's libboost-dev, unchanged.
//
// Promise checked: with one producer and one consumer, elements come in order, none of them twice,
// and no element is lost; a place in the ring is not written while it is read (element.h).
//
// Examined: every execution of a producer and a consumer that go round a ring of two elements.
#include "models/foreign/boost_lockfree.h"
#include "models/foreign/element.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::Scenario;

using Queue = checked::boost::lockfree::spsc_queue<foreign::Element>;

template <int kElements, int kCapacity>
struct OneEach {
  static constexpr int kThreads = 2;

  OneEach() {
    for (int i = 0; i <= kCapacity; ++i) {
      queue.push(0);
      queue.pop();
    }
    places.Learned();
  }
  void Thread(int t) {
    for (int i = 0; i < kElements; ++i) t == 0 ? Produce(i + 1) : static_cast<void>(Consume());
  }
  void After() {
    while (Consume()) {
    }
    Check(taken == given, "each element that was pushed is popped once");
  }

  void Produce(int number) {
    if (queue.push(number)) ++given;
  }
  bool Consume() {
    foreign::Element element;
    if (!queue.pop(element)) return false;
    const int number = element.Number();
    Check(number > last, "elements come in order");
    last = number;
    ++taken;
    return true;
  }

  foreign::Places places;
  Queue queue{kCapacity};
  int given = 0, taken = 0, last = 0;
};
const Scenario<OneEach<3, 1>> of_one({
    .name = "of_one",
    .promise = "three elements round a ring of one",
});
const Scenario<OneEach<4, 2>> of_two({
    .name = "of_two",
    .promise = "four elements round a ring of two",
});

// The other functions: a look at an element in place, and whether there is room.
struct InPlace {
  static constexpr int kThreads = 2;

  InPlace() {
    for (int i = 0; i < 2; ++i) {
      queue.push(0);
      queue.pop();
    }
    places.Learned();
  }
  void Thread(int t) {
    if (t == 0) {
      for (int i = 1; i < 4; ++i) {
        if (queue.write_available() != 0) queue.push(i);
      }
    } else {
      for (int i = 0; i < 2; ++i) {
        queue.consume_one([this](const foreign::Element& element) {
          Check(element.Number() > last, "elements come in order");
          last = element.number;
        });
      }
      if (queue.read_available() == 0) return;
      Check(queue.front().Number() > last, "the next one can be looked at");
      queue.pop();
    }
  }

  foreign::Places places;
  Queue queue{1};
  int last = 0;
};
const Scenario<InPlace> in_place({
    .name = "in_place",
    .promise = "an element is there as long as it is looked at",
});

// The consumer drops elements without a look at them: each one ends in the ring.
struct Dropped {
  static constexpr int kThreads = 2;

  Dropped() {
    for (int i = 0; i < 2; ++i) {
      queue.push(0);
      queue.pop();
    }
    places.Learned();
  }
  void Thread(int t) {
    for (int i = 1; i < 4; ++i) t == 0 ? queue.push(i) : queue.pop();
  }

  foreign::Places places;
  Queue queue{1};
};
const Scenario<Dropped> dropped({
    .name = "dropped",
    .promise = "the end of an element comes after its push, and before the next one in its place",
});

}  // namespace
}  // namespace nowait
