// Model of src/jobs/device_queue.h, with the queue and the event count under it.
//
// Promise checked: each request is taken once, those of one thread in order, and then the end. The
// maker's writes before Push are read after Take (plain data: the failure would be a data race). A
// request that comes after Stop is refused. No thread sleeps or loops for ever.
//
// Examined: every execution of one and two threads that push, with Stop before, between and
// beside it, and of a thread that pushes where the queue has just gone round.
#include "src/jobs/device_queue.h"

#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Call;
using model::Check;
using model::ContextBound;
using model::Random;
using model::Scenario;

struct Request {
  void Make(int number) { made.set(number); }
  // By the device.
  void Answer(int number, bool refused) {
    Check(made.get() == number, "a request is as its maker left it");
    answers.set(answers.get() + 1);
    was_refused.set(refused);
  }
  void CheckAnswered() const { Check(answers.get() == 1, "each request is taken once"); }

  ModelSync::plain<int> made{0};
  ModelSync::plain<int> answers{0};
  ModelSync::plain<bool> was_refused{false};
};

// A device of two requests, numbered 1 and 2.
struct Device {
  explicit Device(std::size_t most) : queue(most) {}
  void Push(Request& request, int number) {
    const Call call("Push");
    request.Make(number);
    queue.Push(request);
  }
  Request* Take() {
    const Call call("Take");
    return queue.Take();
  }
  void Stop() {
    const Call call("Stop");
    queue.Stop();
  }
  void End() {
    const Call call("End");
    queue.End();
  }
  void Answer(Request& request) { request.Answer(&request == &first ? 1 : 2, queue.stopped()); }

  DeviceQueue<Request, ModelSync> queue;
  Request first;
  Request second;
};

// One thread asks twice, and stops the device in between if kStop.
template <bool kStop>
struct InTurn {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      device.Push(device.first, 1);
      if (kStop) device.Stop();
      device.Push(device.second, 2);
      device.End();
      return;
    }
    Check(device.Take() == &device.first, "one thread's requests are taken in order");
    device.first.Answer(1, device.queue.stopped());
    Check(device.Take() == &device.second, "one thread's requests are taken in order");
    device.second.Answer(2, device.queue.stopped());
    Check(device.Take() == nullptr, "the end comes after all requests");
  }
  void After() {
    Check(device.second.was_refused.get() == kStop, "a request that comes after Stop is refused");
    Check(kStop || !device.first.was_refused.get(), "a device that is not stopped serves");
  }

  Device device{2};
};
const Scenario<InTurn<false>> in_turn({
    .name = "in_turn",
    .promise = "requests are taken in order, and then the end",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<InTurn<true>> stopped_between({
    .name = "stopped_between",
    .promise = "a request after Stop is refused, one before it is served or refused",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two threads ask. Without an end: with it there are too many executions.
struct TwoAsk {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) device.Push(device.first, 1);
    if (t == 1) device.Push(device.second, 2);
    if (t == 2) {
      for (int i = 0; i < 2; ++i) device.Answer(*device.Take());
    }
  }
  void After() {
    device.first.CheckAnswered();
    device.second.CheckAnswered();
  }

  Device device{2};
};
const Scenario<TwoAsk> two_ask({
    .name = "two_ask",
    .promise = "no request is lost while the device falls asleep",
    .searches = {ContextBound(1), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Another thread stops the device; a thread that has been notified of that knows the fate of its
// request.
struct StoppedBeside {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      device.Stop();
      // release: pairs with the acquire below.
      told.store(true, std::memory_order::release);
    } else if (t == 1) {
      const bool knows = told.load(std::memory_order::acquire);
      knew.set(knows);
      device.Push(device.first, 1);
      device.End();
    } else {
      while (Request* request = device.Take()) device.Answer(*request);
    }
  }
  void After() {
    device.first.CheckAnswered();
    Check(!knew.get() || device.first.was_refused.get(),
          "a request that comes after Stop is refused");
  }

  Device device{1};
  ModelSync::atomic<bool> told{false};
  ModelSync::plain<bool> knew{false};
};
const Scenario<StoppedBeside> stopped_beside({
    .name = "stopped_beside",
    .promise = "a stopped device takes each pushed request, and refuses it",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A task that one request makes ready asks the device again, on the device's own thread. The queue
// goes round, and another thread pushes into a cell that it need not know to be free.
struct Overtaken {
  static constexpr int kThreads = 2;
  static constexpr int kCells = 4;  // the cells of a queue of two requests and the end, rounded up

  Overtaken() { device.Push(device.first, 1); }
  void Thread(int t) {
    if (t == 0) {
      device.Push(device.second, 2);
      return;
    }
    int again = kCells - 1;
    for (int taken = 0; taken < kCells + 1; ++taken) {
      Request* const request = device.Take();
      if (request == &device.first && again-- > 0) device.Push(device.first, 1);
      if (request == &device.second) device.second.Answer(2, false);
    }
  }
  void After() { device.second.CheckAnswered(); }

  Device device{2};
};
const Scenario<Overtaken> overtaken({
    .name = "overtaken",
    .promise = "a queue that seems full has room",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
