#include "src/jobs/device_queue.h"

#include <atomic>
#include <barrier>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "src/sync/policy.h"

namespace nowait {
namespace {

// The calling thread's operations on atomics.
thread_local std::uint64_t operations = 0;

// StdSync, and every operation is counted: how often a thread looks says what it costs while there
// is nothing to do, whatever the machine.
struct CountingSync : StdSync {
  template <class T>
  class atomic {
   public:
    atomic() = default;
    explicit atomic(T value) : value_(value) {}

    T load(std::memory_order order) const { return Counted().load(order); }
    void store(T value, std::memory_order order) { Counted().store(value, order); }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) {
      return Counted().compare_exchange_weak(expected, desired, success, failure);
    }
    bool compare_exchange_retry(T& expected, T desired, std::memory_order success,
                                std::memory_order failure) {
      return compare_exchange_weak(expected, desired, success, failure);
    }
    T fetch_or(T value, std::memory_order order) { return Counted().fetch_or(value, order); }
    void wait(T old, std::memory_order order) const { Counted().wait(old, order); }
    void notify_all() { Counted().notify_all(); }

   private:
    StdSync::atomic<T>& Counted() const {
      ++operations;
      return value_;
    }
    mutable StdSync::atomic<T> value_;
  };
};

struct Request {};

// A queue without room for the end never returns from it.
TEST_CASE("as many requests as the queue is for, and the end, go in before any is taken") {
  for (const std::size_t most : {1u, 2u, 3u, 4u, 7u}) {
    CAPTURE(most);
    DeviceQueue<Request> queue(most);
    std::vector<Request> requests(most);
    for (Request& request : requests) queue.Push(request);
    queue.End();
    for (Request& request : requests) CHECK(queue.Take() == &request);  // in their order
    CHECK(queue.Take() == nullptr);
  }
}

TEST_CASE("a stopped queue stays stopped, and gives out all requests, the later ones too") {
  DeviceQueue<Request> queue(2);
  Request before, after;
  CHECK_FALSE(queue.stopped());
  queue.Push(before);
  CHECK_FALSE(queue.stopped());
  queue.Stop();
  CHECK(queue.stopped());
  queue.Push(after);
  CHECK(queue.Take() == &before);
  CHECK(queue.Take() == &after);
  queue.Stop();
  CHECK(queue.stopped());
}

TEST_CASE("a device's thread does next to nothing while there are no requests, or one stalls") {
  constexpr std::uint64_t kRequests = 50;
  constexpr int kMeanwhile = 500;
  DeviceQueue<Request, CountingSync> queue(1);
  Request request;
  std::barrier<> stalled(2), served(2);
  std::uint64_t device = 0;
  std::jthread thread([&] {
    while (queue.Take() != nullptr) {
      stalled.arrive_and_wait();
      served.arrive_and_wait();
    }
    device = operations;
  });
  const auto meanwhile = [] {
    for (int i = 0; i < kMeanwhile; ++i) std::this_thread::yield();
  };
  for (std::uint64_t i = 0; i < kRequests; ++i) {
    meanwhile();  // nothing to do
    queue.Push(request);
    stalled.arrive_and_wait();
    meanwhile();  // one stalls
    served.arrive_and_wait();
  }
  queue.End();
  thread.join();
  // Each request takes four. Each notification ends one sleep at most, and each sleep is two
  // looks in vain, an announcement and the sleep itself.
  constexpr std::uint64_t kGiven = kRequests + 1;
  constexpr std::uint64_t kSleeps = 2 * kGiven;
  INFO(device << " operations for " << kGiven << " requests");
  REQUIRE(device >= 4 * kGiven);
  REQUIRE(device <= 4 * kGiven + 6 * kSleeps);
}

}  // namespace
}  // namespace nowait
