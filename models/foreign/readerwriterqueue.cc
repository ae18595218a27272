// Model of moodycamel::ReaderWriterQueue (Cameron Desrochers), Debian's libreaderwriterqueue-dev,
// unchanged.
//
// Promise checked: with one producer and one consumer, the consumer gets the enqueued elements in
// order, none of them twice, and no element is lost; the producer's writes before an enqueue are
// read after the dequeue. Blocks are filled, left and reused.
//
// Examined: every execution of a producer of two or three elements and a consumer with as many
// attempts.
#include "models/foreign/readerwriterqueue.h"

#include "models/foreign/element.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::Scenario;

// A block of one element: the second enqueue reuses a block, or makes one.
using Queue = checked::moodycamel::ReaderWriterQueue<foreign::Element, 2>;

enum class Grows { kNever, kOnDemand };

template <int kElements, Grows kGrows>
struct OneEach {
  static constexpr int kThreads = 2;

  OneEach() {
    foreign::Element element;
    for (int i = 0; i < 3; ++i) {
      queue.try_enqueue(0);
      queue.try_dequeue(element);
    }
    places.Learned();
  }
  void Thread(int t) {
    for (int i = 0; i < kElements; ++i) t == 0 ? Produce(i + 1) : static_cast<void>(Consume());
  }
  void After() {
    while (Consume()) {
    }
    Check(taken == given, "each element that was enqueued is dequeued once");
  }

  void Produce(int number) {
    const bool done =
        kGrows == Grows::kOnDemand ? queue.enqueue(number) : queue.try_enqueue(number);
    if (done) ++given;
  }
  bool Consume() {
    foreign::Element element;
    if (!queue.try_dequeue(element)) return false;
    const int number = element.Number();
    Check(number > last, "elements come in order");
    last = number;
    ++taken;
    return true;
  }

  foreign::Places places;
  Queue queue{1};
  int given = 0, taken = 0, last = 0;  // the producer's; the consumer's
};
const Scenario<OneEach<2, Grows::kNever>> bounded({
    .name = "bounded",
    .promise = "two elements through a queue that does not grow",
});
const Scenario<OneEach<2, Grows::kOnDemand>> grows({
    .name = "grows",
    .promise = "two elements through a queue that grows",
});
const Scenario<OneEach<3, Grows::kOnDemand>> round_again({
    .name = "round_again",
    .promise = "three elements: blocks are left and taken again",
});

}  // namespace
}  // namespace nowait
