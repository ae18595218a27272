// A structure and its proof in one unit test: nothing but Catch2 and //models/kit/exhaustive.
#include <catch2/catch.hpp>

#include "models/kit/exhaustive/explore.h"

using Order = std::memory_order;

template <class Sync, Order kUnlock = Order::release>
struct SpinLock {
  void Lock() {
    while (taken.exchange(true, Order::acquire)) Sync::Yield();
  }
  void Unlock() { taken.store(false, kUnlock); }
  typename Sync::template atomic<bool> taken{false};
};

template <Order kUnlock>
struct Counting {
  static constexpr int kThreads = 3;
  void Thread(int) {
    lock.Lock();
    count.set(count.get() + 1);
    lock.Unlock();
  }
  void After() { nowait::model::Check(count.get() == kThreads, "no increment is lost"); }
  SpinLock<nowait::ModelSync, kUnlock> lock;
  nowait::ModelSync::plain<int> count{0};
};

TEST_CASE("a spin lock keeps its data to one thread at a time") {
  CHECK(nowait::model::Explore<Counting<Order::release>>().passed());
}

TEST_CASE("its unlock must be a release") {
  const nowait::model::Explored weak = nowait::model::Explore<Counting<Order::relaxed>>();
  CHECK(weak.failure->kind == nowait::model::FailureKind::kDataRace);
  CHECK_THAT(weak.Words(), Catch::Contains("plain"));
}
