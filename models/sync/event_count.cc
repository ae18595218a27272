// Model of src/sync/event_count.h.
//
// Promise checked: PrepareWait, Wait and NotifyAll are linearizable: a Wait returns when a
// notification has come since its PrepareWait, and not before, and Epoch gives another key exactly
// then. No wake-up is lost (the failure would be a deadlock: a sleeper that no thread wakes). The
// waker's writes before NotifyAll are visible to the threads that it wakes (the failure would be a
// data race or a stale condition).
//
// The condition is a relaxed atomic beside the event count, or plain data behind it: the event
// count alone must order it.
//
// Examined: every execution of one waker with one and two sleepers, of two wakers with one sleeper,
// and of two notifications with a thread that polls and a sleeper.
#include "src/sync/event_count.h"

#include <array>
#include <atomic>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::CheckLinearizable;
using model::ContextBound;
using model::Full;
using model::History;
using model::Random;
using model::Scenario;

constexpr const char* kSeen = "a thread that returns from Await has seen the condition";

struct EventOp {
  enum class Kind { kPrepareWait, kWait, kNotifyAll, kEpoch };
  Kind kind;
  std::uint32_t thread;
  bool news = false;  // kEpoch: whether the key differs from PrepareWait's
  std::string Words() const {
    if (kind == Kind::kEpoch) return news ? "Epoch() = another key" : "Epoch() = key";
    if (kind == Kind::kNotifyAll) return "NotifyAll()";
    return kind == Kind::kWait ? "Wait(key)" : "PrepareWait() = key";
  }
};

struct EventSpec {
  using Op = EventOp;
  struct State {
    std::array<bool, model::kMaxThreads> notified{};  // since the thread's last PrepareWait
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op) {
    switch (op.kind) {
      case Op::Kind::kPrepareWait:
        state.notified[op.thread] = false;
        return true;
      case Op::Kind::kWait:
        return state.notified[op.thread];
      case Op::Kind::kNotifyAll:
        state.notified.fill(true);
        return true;
      case Op::Kind::kEpoch:
        return op.news == state.notified[op.thread];
    }
    return false;
  }
};

class RecordedEvents {
 public:
  using Key = EventCount<ModelSync>::Key;

  Key PrepareWait() {
    Key key;
    Record("PrepareWait", EventOp::Kind::kPrepareWait, [&] { key = events_.PrepareWait(); });
    return key;
  }
  void Wait(Key key) {
    Record("Wait", EventOp::Kind::kWait, [&] { events_.Wait(key); });
  }
  void NotifyAll() {
    Record("NotifyAll", EventOp::Kind::kNotifyAll, [&] { events_.NotifyAll(); });
  }
  bool HasNews(Key key) {
    return history_
        .Record("Epoch",
                [&] {
                  return EventOp{EventOp::Kind::kEpoch, ModelSync::ThreadSlot(),
                                 events_.Epoch() != key};
                })
        .news;
  }
  void CheckHistory() const {
    CheckLinearizable<EventSpec>(history_, "an event count is linearizable");
  }

 private:
  template <class F>
  void Record(const char* name, EventOp::Kind kind, F&& perform) {
    history_.Record(name, [&] {
      perform();
      return EventOp{kind, ModelSync::ThreadSlot()};
    });
  }

  EventCount<ModelSync> events_;
  History<EventOp> history_;
};

// Thread 0 wakes the others, which sleep until it does.
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
    // The condition is relaxed on purpose; the event count orders the payload.
    bool slept = false;
    while (!ready.load(std::memory_order::relaxed)) {
      const auto key = events.PrepareWait();
      if (ready.load(std::memory_order::relaxed)) break;
      events.Wait(key);
      slept = true;
    }
    if (slept) Check(payload.get() == 1, kSeen);
  }
  void After() { events.CheckHistory(); }

  RecordedEvents events;
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

// Thread 1 has work to do and asks now and then whether it should look around. Thread 2 meanwhile
// announces itself and does not sleep.
struct News {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      payload.store(1, std::memory_order::relaxed);
      events.NotifyAll();
      events.NotifyAll();
    } else if (t == 2) {
      events.PrepareWait();
    } else {
      const auto key = events.PrepareWait();
      const int before = payload.load(std::memory_order::relaxed);
      events.HasNews(key);
      if (!events.HasNews(key)) return;
      // Once it announces itself, it sees the data of the notification.
      events.PrepareWait();
      Check(before == 1 || payload.load(std::memory_order::relaxed) == 1, kSeen);
    }
  }
  void After() { events.CheckHistory(); }

  RecordedEvents events;
  ModelSync::atomic<int> payload{0};
};
const Scenario<News> news({
    .name = "news",
    .promise = "a thread that has announced itself can ask whether a notification has come since",
    .searches = {ContextBound(3), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two conditions share one event count: each notification may be meant for the other condition.
struct TwoWakers {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t < 2) {
      done[t].store(true, std::memory_order::relaxed);
      const model::Call call("NotifyAll");
      events.NotifyAll();
      return;
    }
    const model::Call call("Await");
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
