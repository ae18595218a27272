#include "tests/whole/counting_sync.h"

#include <catch2/catch.hpp>

#include "src/sync/event_count.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

TEST_CASE("each kind of operation is counted as the processor does it") {
  CountingSync::atomic<int> word{1};
  int expected = 0;
  CHECK(CountOperations([&] { word.load(std::memory_order::seq_cst); }).locked == 0);
  CHECK(CountOperations([&] { word.load(std::memory_order::relaxed); }).loads == 1);
  CHECK(CountOperations([&] { word.store(2, std::memory_order::release); }).locked == 0);
  CHECK(CountOperations([&] { word.store(2, std::memory_order::release); }).stores == 1);
  CHECK(CountOperations([&] { word.store(2, std::memory_order::seq_cst); }).locked == 1);
  const OperationCounts failed = CountOperations([&] {
    CHECK_FALSE(word.compare_exchange_strong(expected, 3, std::memory_order::relaxed,
                                             std::memory_order::relaxed));
  });
  CHECK(failed.locked == 1);
  CHECK(expected == 2);
  const OperationCounts all = CountOperations([&] {
    word.compare_exchange_weak(expected, 3, std::memory_order::relaxed, std::memory_order::relaxed);
    word.exchange(4, std::memory_order::relaxed);
    word.fetch_add(1, std::memory_order::relaxed);
    word.fetch_sub(1, std::memory_order::relaxed);
    word.fetch_or(8, std::memory_order::relaxed);
    word.fetch_and(8, std::memory_order::relaxed);
  });
  CHECK(all.locked == 6);
  CHECK(word.load(std::memory_order::relaxed) == 8);
}

TEST_CASE("a lock and an unlock are one locked operation each") {
  CountingSync::mutex mutex;
  CountingSync::shared_mutex shared;
  const OperationCounts counts = CountOperations([&] {
    mutex.lock();
    mutex.unlock();
    shared.lock();
    shared.unlock();
    shared.lock_shared();
    shared.unlock_shared();
  });
  CHECK(counts.locked == 6);
}

TEST_CASE("a structure over the policy is counted: a notification is one locked operation") {
  EventCount<CountingSync> events;
  const OperationCounts counts = CountOperations([&] { events.NotifyAll(); });
  CHECK(counts.locked == 1);
  CHECK(counts.loads == 1);
}

}  // namespace
}  // namespace nowait
