#include "src/sync/policy.h"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "src/sync/held_locks.h"
#include "src/sync/scoped_lock.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NOWAIT_SANITIZED
#endif
#endif

namespace nowait {
namespace {

static_assert(sizeof(StdSync::atomic<std::uint32_t>) == sizeof(std::uint32_t),
              "the policy costs the engine nothing");
static_assert(sizeof(StdSync::plain<double>) == sizeof(double));

static_assert(sizeof(StdSync::mutex) == sizeof(std::mutex));
static_assert(sizeof(StdSync::thread) == sizeof(std::jthread));
static_assert(std::is_same_v<EngineSync, StdSync>, "the tests run what is shipped");

TEST_CASE("elements of a new array are default-constructed") {
  SyncArray<StdSync, StdSync::atomic<std::uint32_t>> array(5);
  REQUIRE(array.size() == 5);
  for (std::size_t i = 0; i < array.size(); ++i) {
    REQUIRE(array[i].load(std::memory_order::relaxed) == 0);
  }
}

TEST_CASE("a thread keeps its slot, and threads that live together have different ones") {
  const std::uint32_t mine = StdSync::ThreadSlot();
  std::uint32_t theirs = mine;
  std::jthread([&] { theirs = StdSync::ThreadSlot(); }).join();
  REQUIRE(StdSync::ThreadSlot() == mine);
  REQUIRE(theirs != mine);
}

TEST_CASE("a thread-local value is a thread's own, by type and tag") {
  struct One;
  struct Other;
  StdSync::PerThread<int, One>() = 7;
  int theirs = -1;
  std::jthread([&] { theirs = StdSync::PerThread<int, One>()++; }).join();
  REQUIRE(theirs == 0);
  REQUIRE(StdSync::PerThread<int, One>() == 7);
  REQUIRE(StdSync::PerThread<int, Other>() == 0);
}

// The sanitizers need more address space than a limit that stacks soon reach.
#if !defined(NOWAIT_SANITIZED)
TEST_CASE("a thread that the system refuses is an error, and those before it run") {
  std::uint32_t ran = 0;
  StdSync::mutex mutex;
  Error refused{};
  {
    std::vector<StdSync::thread> threads;
    rlimit space;
    REQUIRE(getrlimit(RLIMIT_AS, &space) == 0);
    // For a few hundred stacks.
    const rlimit some = {rlim_t{1} << 32, space.rlim_max};
    REQUIRE(setrlimit(RLIMIT_AS, &some) == 0);
    for (int i = 0; i < 100'000; ++i) {
      auto thread = StdSync::thread::Start("test", [&] {
        const ScopedLock lock(mutex);
        ++ran;
      });
      if (!thread) {
        refused = thread.error();
        break;
      }
      threads.push_back(std::move(*thread));
    }
    REQUIRE(setrlimit(RLIMIT_AS, &space) == 0);
    REQUIRE(!threads.empty());
    for (auto& thread : threads) thread.join();
    REQUIRE(ran == threads.size());
  }
  REQUIRE(refused == Error{ErrorCode::kCapacity, "threads", 0, "the system refuses another one"});
}
#endif

TEST_CASE("an atomic begins at zero, and each change of it returns the value before") {
  constexpr auto order = std::memory_order::relaxed;
  StdSync::atomic<std::uint32_t> value;
  CHECK(value.load(order) == 0);
  value.store(5, order);
  CHECK(value.exchange(9, order) == 5);
  CHECK(value.fetch_add(4, order) == 9);
  CHECK(value.fetch_sub(1, order) == 13);
  CHECK(value.fetch_or(3, order) == 12);
  CHECK(value.fetch_and(6, order) == 15);
  CHECK(value.load(order) == 6);
  std::uint32_t expected = 6;
  CHECK(value.compare_exchange_strong(expected, 7, order, order));
  CHECK(value.load(order) == 7);
  CHECK(StdSync::plain<int>().get() == 0);
}

// Whether another thread gets a lock by such a call, which it gives back at once.
template <class Try, class Release>
bool AnotherGets(const Try& try_lock, const Release& release) {
  bool got = false;
  std::jthread([&] {
    got = try_lock();
    if (got) release();
  }).join();
  return got;
}

TEST_CASE("a shared mutex is one writer's, or any number of readers'") {
  StdSync::shared_mutex mutex;
  const auto reads = [&] {
    return AnotherGets([&] { return mutex.try_lock_shared(); }, [&] { mutex.unlock_shared(); });
  };
  const auto writes = [&] {
    return AnotherGets([&] { return mutex.try_lock(); }, [&] { mutex.unlock(); });
  };
  mutex.lock_shared();
  CHECK(reads());
  CHECK_FALSE(writes());
  mutex.unlock_shared();
  CHECK(writes());
  mutex.lock();
  CHECK_FALSE(reads());
  CHECK_FALSE(writes());
  mutex.unlock();
  CHECK(reads());
}

TEST_CASE(
    "a scoped lock holds its mutex until the end of its block, and is counted if it says so") {
  StdSync::mutex mutex;
  const auto is_free = [&] {
    return AnotherGets([&] { return mutex.try_lock(); }, [&] { mutex.unlock(); });
  };
  const std::uint32_t before = HeldLocks::OfThisThread().scoped;
  {
    const ScopedLock<StdSync::mutex, true> lock(mutex);
    CHECK_FALSE(is_free());
    CHECK(HeldLocks::OfThisThread().scoped == before + 1);
  }
  CHECK(is_free());
  CHECK(HeldLocks::OfThisThread().scoped == before);
  {
    const ScopedLock<StdSync::mutex, false> lock(mutex);
    CHECK_FALSE(is_free());
    CHECK(HeldLocks::OfThisThread().scoped == before);
  }
}

TEST_CASE("a thread is joined once, by a call or by its destructor") {
  int ran = 0;
  {
    auto first = StdSync::thread::Start("test", [&] { ++ran; });
    REQUIRE(first);
    CHECK(first->joinable());
    first->join();
    CHECK(ran == 1);
    CHECK_FALSE(first->joinable());
    const auto second = StdSync::thread::Start("test", [&] { ++ran; });
    REQUIRE(second);
  }
  CHECK(ran == 2);
  CHECK_FALSE(StdSync::thread().joinable());
}

TEST_CASE("a sleep does not end before its time, which may have passed") {
  const auto until = StdSync::clock::now() + std::chrono::microseconds(200);
  StdSync::SleepUntil(until);
  CHECK(StdSync::clock::now() >= until);
  StdSync::SleepUntil(until - std::chrono::hours(1));
}

TEST_CASE("a failed exchange reports the value that it found") {
  StdSync::atomic<std::uint32_t> value(7);
  std::uint32_t expected = 5;
  REQUIRE_FALSE(value.compare_exchange_strong(expected, 6, std::memory_order::acquire,
                                              std::memory_order::relaxed));
  REQUIRE(expected == 7);
}

TEST_CASE("a wait gives the mutex up, and has it again when it returns") {
  StdSync::mutex mutex;
  StdSync::condition_variable changed;
  bool asked = false;
  bool answered = false;
  std::jthread other([&] {
    mutex.lock();
    while (!asked) changed.wait(mutex);
    answered = true;
    changed.notify_one();
    mutex.unlock();
  });
  mutex.lock();
  asked = true;
  changed.notify_all();
  while (!answered) changed.wait(mutex);
  bool free = true;
  std::jthread([&] { free = mutex.try_lock(); }).join();
  REQUIRE_FALSE(free);
  mutex.unlock();
}

}  // namespace
}  // namespace nowait
