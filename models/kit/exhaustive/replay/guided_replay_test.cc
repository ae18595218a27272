// A recorded execution is followed. Where that is impossible, the place and the reason are
// reported.
#include "models/kit/exhaustive/replay/guided_replay.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <string>

#include "models/kit/diagnosis/diagnosed.h"

namespace nowait::model {
namespace {

using diagnosed::Buffering;
using diagnosed::Entry;
using diagnosed::FailureOf;
using diagnosed::LostUpdate;
using diagnosed::Order;
using diagnosed::Publication;

template <class S>
GuidedReplay ReplayIn(const Trace& recorded) {
  SiteTable sites;
  return RunGuidedReplay(Entry<S>("followed"), recorded, sites);
}

// The events of the threads, each with its kind, the store that it read and the value that it
// wrote.
std::string Gist(const Trace& trace) {
  std::string gist;
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const Event& event = trace[number];
    if (event.thread < 0) continue;
    gist += std::to_string(event.thread) + ' ' + Name(event.kind) + ' ' +
            std::to_string(event.from) + ' ' + std::to_string(event.written) + '\n';
  }
  return gist;
}

TEST_CASE("under the same orders the same happens") {
  using Racy = Publication<Order::relaxed, Order::acquire>;
  const Trace trace = FailureOf(Entry<Racy>("recorded")).trace;
  const GuidedReplay followed = ReplayIn<Racy>(trace);
  REQUIRE(followed.failure);
  CHECK(followed.failure->Label() == "data race");
  CHECK_FALSE(followed.diverges);
  CHECK(Gist(followed.trace) == Gist(trace));
}

template <class S>
void CheckFollowsItself() {
  const Trace trace = FailureOf(Entry<S>("recorded")).trace;
  const GuidedReplay followed = ReplayIn<S>(trace);
  CHECK_FALSE(followed.diverges);
  REQUIRE(followed.failure);
  CHECK(Gist(followed.trace) == Gist(trace));
}

// A queue of one element, passed under a mutex, with a wait that no notification ends.
struct NeverNotified {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    mutex.lock();
    if (t == 0) {
      while (full.get() == 0) changed.wait(mutex);
    } else {
      full.set(1);
    }
    mutex.unlock();
  }
  ModelSync::mutex mutex;
  ModelSync::condition_variable changed;
  ModelSync::plain<int> full{0};
};

// One thread frees a block, and the other one reuses it.
struct Reused {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    int* const block = ModelSync::New<int>(t);
    if (t == 0) {
      at.store(block, Order::relaxed);
      ModelSync::Delete(block);
    } else {
      Check(at.load(Order::relaxed) != block, "the block is another one");
      ModelSync::Delete(block);
    }
  }
  ModelSync::atomic<int*> at{nullptr};
};

TEST_CASE("of every kind of step") {
  CheckFollowsItself<Buffering<Order::relaxed, Order::relaxed>>();
  CheckFollowsItself<LostUpdate<Order::relaxed, Order::relaxed>>();
  CheckFollowsItself<NeverNotified>();
  CheckFollowsItself<Reused>();
}

TEST_CASE("the effect of an order shows at the failure, when all is read as before") {
  const Trace trace =
      FailureOf(Entry<Publication<Order::relaxed, Order::acquire>>("recorded")).trace;
  const GuidedReplay followed = ReplayIn<Publication<Order::release, Order::acquire>>(trace);
  CHECK_FALSE(followed.failure);
  REQUIRE(followed.diverges);
  CHECK(followed.diverges->recorded == trace.last());
  REQUIRE(followed.diverges->here != kNoEvent);
  CHECK(followed.trace[followed.diverges->here].kind == trace[trace.last()].kind);
  CHECK(followed.diverges->words == "all goes as recorded, and here nothing is wrong with it");
}

TEST_CASE("a store that can no longer be read is named, with the reason") {
  const Trace trace = FailureOf(Entry<Buffering<Order::relaxed, Order::relaxed>>("recorded")).trace;
  const GuidedReplay followed = ReplayIn<Buffering<Order::seq_cst, Order::seq_cst>>(trace);
  CHECK_FALSE(followed.failure);
  REQUIRE(followed.diverges);
  const Event& recorded = trace[followed.diverges->recorded];
  const Event& here = followed.trace[followed.diverges->here];
  CHECK(recorded.kind == OperationKind::kLoad);
  CHECK(recorded.read == 0);
  CHECK(here.thread == recorded.thread);
  CHECK(here.kind == OperationKind::kLoad);
  CHECK(here.read == 1);
  CHECK(followed.diverges->words.ends_with(
      "cannot read the first value: the seq_cst operations would have no single order"));
}

// The data of a message, as an atomic.
template <Order kStore>
struct StaleMessage {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      data.store(1, Order::relaxed);
      data.store(2, Order::relaxed);
      ready.store(true, kStore);
    } else if (ready.load(Order::acquire)) {
      Check(data.load(Order::relaxed) == 2, "the message is whole");
    }
  }
  ModelSync::atomic<int> data{0};
  ModelSync::atomic<bool> ready{false};
};

TEST_CASE("a store that is overwritten, as far as its reader can know, is not read") {
  const Trace trace = FailureOf(Entry<StaleMessage<Order::relaxed>>("recorded")).trace;
  const GuidedReplay followed = ReplayIn<StaleMessage<Order::release>>(trace);
  CHECK_FALSE(followed.failure);
  REQUIRE(followed.diverges);
  CHECK(trace[followed.diverges->recorded].kind == OperationKind::kLoad);
  CHECK(followed.diverges->store == trace[followed.diverges->recorded].from);
  CHECK(
      followed.diverges->words.ends_with("a newer store, or a read of one, happens before it now"));
  CHECK(followed.trace[followed.diverges->here].read == 2);
}

// The same threads, with an increment that cannot be lost.
struct KeptUpdate {
  static constexpr int kThreads = 2;
  void Thread(int) { count.fetch_add(1, Order::relaxed); }
  void After() { Check(count.load(Order::relaxed) == 2, "no increment is lost"); }
  ModelSync::atomic<int> count{0};
};

TEST_CASE("another program is followed to where it does something else") {
  const Trace trace = FailureOf(Entry<LostUpdate<Order::relaxed, Order::relaxed>>("lost")).trace;
  const GuidedReplay followed = ReplayIn<KeptUpdate>(trace);
  CHECK_FALSE(followed.failure);
  REQUIRE(followed.diverges);
  CHECK(followed.diverges->words ==
        "here the thread does something else next: fetch_add instead of load");
  CHECK(followed.trace[followed.diverges->here].kind == OperationKind::kFetchAdd);
}

// Thread 1 waits for thread 0's last store.
template <int kSteps>
struct Waiting {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 1) {
      while (x.load(Order::relaxed) < kSteps) ModelSync::Yield();
    } else {
      for (int i = 1; i <= kSteps; ++i) x.store(i, Order::relaxed);
      Check(kSteps != 1, "it takes more than one step");
    }
  }
  ModelSync::atomic<int> x{0};
};

TEST_CASE("a thread that spins looks again when there is something new") {
  const Trace trace = FailureOf(Entry<Waiting<1>>("one")).trace;
  const GuidedReplay followed = ReplayIn<Waiting<3>>(trace);
  CHECK_FALSE(followed.failure);
  CHECK_FALSE(followed.blocked);
}

}  // namespace
}  // namespace nowait::model
