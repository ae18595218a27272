// Model of src/sync/frame_pipe.h, with the rings and event counts under it.
//
// Promise checked: frames are taken in order, each once, and each side owns a buffer while it has
// the buffer (plain data: the failure would be a data race, or another frame's number). No thread
// sleeps for ever.
//
// Examined: every execution of one and of two frames through one buffer, and of two through two
// buffers; and of two frames through one buffer where neither side waits.
#include "src/sync/frame_pipe.h"

#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Call;
using model::Check;
using model::ContextBound;
using model::Random;
using model::Scenario;

struct Frame {
  ModelSync::plain<int> number{0};
  ModelSync::plain<int> used{0};
};

template <int kBuffers, int kFrames>
struct Frames {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      for (int i = 1; i <= kFrames; ++i) Produce(i);
      const Call call("End");
      pipe.End();
    } else {
      int next = 1;
      while (Frame* frame = Take()) {
        Check(frame->number.get() == next++,
              "frames are taken in the order in which they were made");
        frame->used.set(1);
        const Call call("Release");
        pipe.Release();
      }
      Check(next == kFrames + 1, "the end comes after the last frame");
    }
  }
  void Produce(int number) {
    const Call call("Fill, Publish");
    Frame& frame = pipe.Fill();
    Check(frame.used.get() == (number > kBuffers ? 1 : 0),
          "a buffer comes back when it has been used");
    frame.number.set(number);
    frame.used.set(0);
    pipe.Publish();
  }
  Frame* Take() {
    const Call call("Take");
    return pipe.Take();
  }

  FramePipe<Frame, ModelSync> pipe{kBuffers};
};
const Scenario<Frames<1, 1>> one_of_one({
    .name = "one_of_one",
    .promise = "a frame is handed over, and then the end",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Frames<1, 2>> two_of_one({
    .name = "two_of_one",
    .promise = "two frames take turns with one buffer",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Frames<2, 2>> two_of_two({
    .name = "two_of_two",
    .promise = "a second frame is made while the first is used",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The producer leaves a frame out if no buffer is back; the consumer looks and continues.
struct WithoutWaiting {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    for (int i = 1; i <= 2; ++i) t == 0 ? Produce(i) : Consume();
  }
  void Produce(int number) {
    const Call call("TryFill, Publish");
    Frame* const frame = pipe.TryFill();
    Check(frame != nullptr || number > 1, "the first buffer is there");
    if (frame == nullptr) return;
    frame->number.set(number);
    pipe.Publish();
  }
  void Consume() {
    const Call call("TryTake, Release");
    Frame* frame = nullptr;
    if (!pipe.TryTake(&frame)) return;
    Check(frame->number.get() > last, "frames are taken in the order in which they were made");
    last = frame->number.get();
    pipe.Release();
  }

  FramePipe<Frame, ModelSync> pipe{1};
  int last = 0;  // the consumer's
};
const Scenario<WithoutWaiting> without_waiting({
    .name = "without_waiting",
    .promise = "frames are left out, and those that are taken are whole and in order",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
