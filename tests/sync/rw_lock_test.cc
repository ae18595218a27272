#include "src/sync/rw_lock.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

namespace nowait {
namespace {

using std::chrono::milliseconds;

// Every look at it takes a millisecond, and the looks can be counted.
struct CountingClock {
  using time_point = std::chrono::time_point<std::chrono::steady_clock>;
  static time_point now() {
    const int look = looks.fetch_add(1, std::memory_order::relaxed) + 1;
    looks.notify_all();
    return time_point(milliseconds(look));
  }
  static inline std::atomic<int> looks{0};
};

using Lock = RwLock<CountingClock>;

TEST_CASE("a lock taken at once reads no clock and counts no waiting") {
  CountingClock::looks = 0;
  Lock lock;
  WaitTime wait;
  { const WriteScope scope(lock, wait); }
  {
    const ReadScope one(lock, wait);
    const ReadScope two(lock, wait);
  }
  REQUIRE(wait.acquisitions == 3);
  REQUIRE(wait.contended == 0);
  REQUIRE(wait.waited.count() == 0);
  REQUIRE(CountingClock::looks == 0);
}

TEST_CASE("a thread that has to wait learns for how long") {
  CountingClock::looks = 0;
  const bool writes = GENERATE(false, true);
  Lock lock;
  WaitTime mine, theirs;
  lock.LockWrite(mine);
  std::jthread other([&] {
    if (writes) {
      const WriteScope scope(lock, theirs);
    } else {
      const ReadScope scope(lock, theirs);
    }
  });
  // It looks at the clock once it has found the lock taken.
  CountingClock::looks.wait(0);
  lock.UnlockWrite();
  other.join();
  REQUIRE(mine.contended == 0);
  REQUIRE(theirs.acquisitions == 1);
  REQUIRE(theirs.contended == 1);
  REQUIRE(theirs.waited == milliseconds(1));
}

TEST_CASE("a writer that waits for readers learns it, too, and its time is added to earlier ones") {
  CountingClock::looks = 0;
  Lock lock;
  WaitTime mine, theirs{.acquisitions = 2, .contended = 1, .waited = milliseconds(5)};
  lock.LockRead(mine);
  std::jthread other([&] {
    lock.LockWrite(theirs);
    lock.UnlockWrite();
  });
  CountingClock::looks.wait(0);
  lock.UnlockRead();
  other.join();
  REQUIRE(mine.acquisitions == 1);
  REQUIRE(mine.contended == 0);
  REQUIRE(theirs.acquisitions == 3);
  REQUIRE(theirs.contended == 2);
  REQUIRE(theirs.waited == milliseconds(6));
}

TEST_CASE("waiting times add up") {
  WaitTime sum{.acquisitions = 1, .contended = 0, .waited = milliseconds(0)};
  sum += WaitTime{.acquisitions = 5, .contended = 2, .waited = milliseconds(3)};
  REQUIRE(sum.acquisitions == 6);
  REQUIRE(sum.contended == 2);
  REQUIRE(sum.waited == milliseconds(3));
}

}  // namespace
}  // namespace nowait
