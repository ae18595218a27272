// The interleavings judge the checker, and these programs judge the interleavings. Their executions
// and ends were counted by hand. Each case explains the count.
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/oracle/waiting.h"

namespace nowait::model::oracle {
namespace {

using Kind = Step::Kind;
using Steps = std::vector<Step>;

constexpr std::size_t x = 0;
constexpr std::size_t y = 1;
constexpr std::size_t m = kFirstMutex;
constexpr std::size_t n = kFirstMutex + 1;
constexpr std::size_t c = kFirstCondition;

Step Do(Kind kind, std::size_t object, int value = 0, int expected = 0) {
  return {.kind = kind, .object = object, .value = value, .expected = expected};
}
Step Store(std::size_t atomic, int value) { return Do(Kind::kStore, atomic, value); }
Step Lock(std::size_t mutex) { return Do(Kind::kLock, mutex); }
Step Unlock(std::size_t mutex) { return Do(Kind::kUnlock, mutex); }
Step Write() { return Do(Kind::kWrite, 0); }

Outcomes Of(std::vector<Steps> threads) { return Interleave({std::move(threads)}); }

TEST_CASE("critical sections come one after another, in any order") {
  const Outcomes two = Of({{Lock(m), Write(), Unlock(m)}, {Lock(m), Write(), Unlock(m)}});
  CHECK(two.executions.size() == 2);
  CHECK(two.ends.empty());
  CHECK_FALSE(two.race);
  const Steps section = {Lock(m), Unlock(m)};
  CHECK(Of({section, section, section}).executions.size() == 6);
  CHECK(Of({{Lock(m), Write(), Unlock(m)}, {Write()}}).race);
  CHECK(Of({{Lock(m), Write(), Unlock(m)}, {Lock(n), Write(), Unlock(n)}}).race);
}

TEST_CASE("two mutexes in opposite order: a deadlock, or one thread after the other") {
  const Outcomes outcomes =
      Of({{Lock(m), Lock(n), Unlock(n), Unlock(m)}, {Lock(n), Lock(m), Unlock(m), Unlock(n)}});
  CHECK(outcomes.executions.size() == 2);
  CHECK(outcomes.ends == std::set<std::string>{FormatEnd(false, {1, 1}, {0, 0, 1, 1})});
}

TEST_CASE("a try_lock finds the mutex free, or taken, or fails spuriously once") {
  const Step try_lock = Do(Kind::kTryLock, m);
  // Before the section, in it, or after it; when free, each try may also fail spuriously.
  CHECK(Of({{Lock(m), Unlock(m)}, {try_lock, Unlock(m)}}).executions.size() == 2 + 1 + 2);
  CHECK(Of({{try_lock, Unlock(m), try_lock, Unlock(m)}, {}}).executions.size() == 3);
}

TEST_CASE("atomic wait: for a change, and for a notification after it") {
  const Step wait = Do(Kind::kWait, x, 0);
  const Outcomes told = Of({{Store(x, 1), Do(Kind::kWakeOne, x)}, {wait}});
  CHECK(told.executions.size() == 1);
  CHECK(told.ends.empty());
  CHECK(Of({{Store(x, 1)}, {wait}}).ends.size() == 1);
  CHECK(Of({{Do(Kind::kWakeOne, x), Store(x, 1)}, {wait}}).ends.size() == 1);
  // Of two sleepers one is woken, and the other one sleeps on; a late thread does not sleep.
  CHECK(Of({{Store(x, 1), Do(Kind::kWakeOne, x)}, {wait}, {wait}}).ends ==
        std::set<std::string>{FormatEnd(false, {2, 0, 1}, {1, 0, 0, 0}),
                              FormatEnd(false, {2, 1, 0}, {1, 0, 0, 0})});
  CHECK(Of({{Store(x, 1), Do(Kind::kWakeAll, x)}, {wait}, {wait}}).ends.empty());
  // The notifier does not know of the change, so no thread has to be woken.
  CHECK(Of({{Store(x, 1)}, {Do(Kind::kWakeAll, x)}, {wait}}).ends.size() == 1);
}

TEST_CASE("a condition variable: a look and a sleep with the mutex held miss nothing") {
  const Step sleep = {.kind = Kind::kSleepWhile, .object = c, .other = x, .value = 0};
  const Steps waits = {Lock(m), sleep, Unlock(m)};
  const Step notify = Do(Kind::kNotifyOne, c);
  // Too late to sleep; woken; woken spuriously before the store, and asleep again or not; and the
  // spurious wake-up before, between and after the other thread's steps.
  CHECK(Of({{Lock(m), Store(x, 1), notify, Unlock(m)}, waits}).ends.empty());
  // The store and the notification fall between the look and the sleep.
  CHECK(Of({{Store(x, 1), notify}, waits}).ends.size() == 1);
  CHECK(Of({{Lock(m), Store(x, 1), Unlock(m)}, waits}).ends.size() == 1);
  // One of two sleepers is woken.
  const Steps one = {Lock(m), Store(x, 1), notify, Unlock(m)};
  CHECK(Of({one, waits, waits}).ends.size() == 2);
  // Asleep, notified, awake: the only order without a spurious wake-up; or asleep, awake
  // spuriously, notified; or notified, asleep, awake spuriously. A thread that is notified before
  // it sleeps sleeps on.
  const Outcomes bare = Of({{notify}, {Lock(m), Do(Kind::kSleep, c), Unlock(m)}});
  CHECK(bare.executions.size() == 3);
  CHECK(bare.ends.size() == 1);
}

TEST_CASE("a loop that yields tries at most twice with the same result") {
  const Step await = Do(Kind::kAwait, x, 1);
  // At once, or after one attempt in vain.
  const Outcomes one = Of({{Store(x, 1)}, {await}});
  CHECK(one.executions.size() == 2);
  CHECK(one.ends.empty());
  CHECK(Of({{Store(x, 2)}, {await}}).ends ==
        std::set<std::string>{FormatEnd(true, {1, 0}, {2, 0, 0, 0})});
  // Each of two values may be read in vain or not.
  CHECK(Of({{Store(x, 2), Store(x, 1)}, {await}}).executions.size() == 4);
  const Step exchange = Do(Kind::kAwaitExchange, y, 1, 1);
  CHECK(Of({{Store(y, 1), exchange}, {exchange}}).ends ==
        std::set<std::string>{FormatEnd(true, {1, 0}, {0, 1, 0, 0}),
                              FormatEnd(true, {1, 1}, {0, 1, 0, 0})});
}

}  // namespace
}  // namespace nowait::model::oracle
