#include "src/sync/policy.h"

#include <catch2/catch.hpp>
#include <thread>

namespace nowait {
namespace {

static_assert(sizeof(StdSync::atomic<std::uint32_t>) == sizeof(std::uint32_t),
              "the policy costs the engine nothing");
static_assert(sizeof(StdSync::plain<double>) == sizeof(double));

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

TEST_CASE("a failed exchange tells what it found") {
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
