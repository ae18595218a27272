// How long a thread waits for an RwLock, by a clock that moves only while it does.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <thread>

#include "lectures/judge.h"
#include "src/sync/rw_lock.h"

namespace nowait {
namespace {

using std::chrono::nanoseconds;

// Counts its readings, so that the holder of the lock learns when another thread has begun to wait.
struct HandClock {
  using duration = nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<HandClock>;
  static constexpr bool is_steady = true;

  static time_point now() {
    const time_point time{nanoseconds(hands.load())};
    ++readings;
    readings.notify_all();
    return time;
  }

  inline static std::atomic<std::int64_t> hands = 0;
  inline static std::atomic<int> readings = 0;
};

using Lock = RwLock<HandClock>;

// Another thread waits for so long, once for each of these times.
WaitTime WaitFor(std::initializer_list<int> times, bool to_write) {
  Lock lock;
  WaitTime waited;
  WaitTime own;
  for (const int time : times) {
    const int before = HandClock::readings;
    lock.LockWrite(own);
    std::thread other([&] {
      if (to_write) {
        lock.LockWrite(waited);
        lock.UnlockWrite();
      } else {
        lock.LockRead(waited);
        lock.UnlockRead();
      }
    });
    HandClock::readings.wait(before);
    HandClock::hands += time;
    lock.UnlockWrite();
    other.join();
  }
  return waited;
}

int Main() {
  Judge judge;
  const WaitTime reader = WaitFor({300, 4000, 50}, false);
  const WaitTime writer = WaitFor({70, 20}, true);
  judge.Ask(reader.longest == nanoseconds(4000) && writer.longest == nanoseconds(70),
            "the longest wait is the longest one");
  judge.Ask(reader.waited == nanoseconds(4350) && reader.contended == 3 && reader.acquisitions == 3,
            "the other figures are as before");

  WaitTime both = reader;
  both += writer;
  WaitTime turned = writer;
  turned += reader;
  judge.Ask(both.longest == nanoseconds(4000) && turned.longest == nanoseconds(4000),
            "of two threads, the longer one's");
  judge.Ask(both.waited == nanoseconds(4440) && both.contended == 5, "and the sums are sums");

  const int before = HandClock::readings;
  Lock lock;
  WaitTime none;
  lock.LockRead(none);
  lock.UnlockRead();
  lock.LockWrite(none);
  lock.UnlockWrite();
  judge.Ask(none.longest == nanoseconds(0), "0 for a thread that never waited");
  judge.Ask(HandClock::readings == before, "and no reading of the clock");
  const WaitTime one = WaitFor({5}, true);
  judge.Ask(one.longest == nanoseconds(5), "a thread that waits once has waited longest then");
  judge.Ask(HandClock::readings == before + 2, "and has read the clock twice");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
