// A structure and its proof in one unit test, with nothing but Catch2 and //models/kit/exhaustive.
#include <catch2/catch.hpp>

#include "models/kit/exhaustive/explore.h"

struct Counting {
  static constexpr int kThreads = 3;
  void Thread(int) {
    while (taken.exchange(true, std::memory_order::acquire)) nowait::ModelSync::Yield();
    count.set(count.get() + 1);
    taken.store(false, std::memory_order::release);
  }
  void After() { nowait::model::Check(count.get() == kThreads, "no increment is lost"); }
  nowait::ModelSync::atomic<bool> taken{false};
  nowait::ModelSync::plain<int> count{0};
};

TEST_CASE("a spin lock keeps its data to one thread at a time") {
  CHECK(nowait::model::Explore<Counting>().passed());
}
