// Model of src/sync/event_count.h.
//
// Promise checked: no wake-up is lost (the failure would be a deadlock: a sleeper that nobody wakes
// any more), and what the waker wrote before NotifyAll is visible to whom it wakes (the failure
// would be a data race or a stale condition).
//
// The condition is a relaxed atomic beside the event count, or plain data behind it: the event count
// alone must order it.
//
// What the searches cover: one waker with one and two sleepers, two wakers with one sleeper; each in
// full or up to 3 switches, and at random with late stores and stale exchanges.
#include "src/sync/event_count.h"

#include <atomic>

#include "models/kit/model.h"

namespace nowait {
namespace {

using model::Check;
using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

constexpr const char* kSeen = "whoever returns from Await has seen the condition";

// Thread 0 wakes; the others sleep until it has.
template <int kSleepers>
struct OneWaker {
  static constexpr int kThreads = 1 + kSleepers;

  void Thread(int t) {
    if (t == 0) {
      payload.set(1);
      ready.store(true, std::memory_order::relaxed);
      events.NotifyAll();
      return;
    }
    // The condition is relaxed on purpose; the payload is read under what the event count orders.
    bool slept = false;
    while (!ready.load(std::memory_order::relaxed)) {
      const auto key = events.PrepareWait();
      if (ready.load(std::memory_order::relaxed)) break;
      events.Wait(key);
      slept = true;
    }
    if (slept) Check(payload.get() == 1, kSeen);
  }

  EventCount<ModelSync> events;
  ModelSync::atomic<bool> ready{false};
  ModelSync::plain<int> payload{0};
};
const Scenario<OneWaker<1>> one_sleeper({
    .name = "one_sleeper",
    .promise = "a sleeper is woken by the notification that follows its condition",
    .searches = {Full(), ContextBound(3).DeferringStores().StaleExchanges().DeepHistory(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<OneWaker<2>> two_sleepers({
    .name = "two_sleepers",
    .promise = "one notification wakes every thread that announced itself",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two conditions share one event count: each notification may be the other's.
struct TwoWakers {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t < 2) {
      done[t].store(true, std::memory_order::relaxed);
      events.NotifyAll();
      return;
    }
    events.Await([this] {
      return done[0].load(std::memory_order::relaxed) && done[1].load(std::memory_order::relaxed);
    });
    Check(done[0].load(std::memory_order::relaxed) && done[1].load(std::memory_order::relaxed),
          kSeen);
  }

  EventCount<ModelSync> events;
  ModelSync::atomic<bool> done[2];
};
const Scenario<TwoWakers> two_wakers({
    .name = "two_wakers",
    .promise = "a sleeper that waits for two conditions is woken for the later one",
    .searches = {ContextBound(2), ContextBound(1).DeferringStores().StaleExchanges(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
