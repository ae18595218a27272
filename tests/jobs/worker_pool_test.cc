#include "src/jobs/worker_pool.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "src/jobs/job_batch.h"

namespace nowait {
namespace {

TEST_CASE("every piece of a loop runs exactly once, with any number of workers") {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u, 7u);
  const std::uint32_t count = GENERATE(0u, 1u, 63u, 64u, 1000u);
  WorkerPool pool(workers);
  JobBatch batch(32);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> touched(count, 0);
    auto body = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) ++touched[i];
    };
    REQUIRE(batch.AddLoop(count, 7, body).has_value());
    batch.Run(pool);
    REQUIRE(touched == std::vector<int>(count, 1));
  }
}

TEST_CASE("several threads may run lists of their own at once, more than the board has slots") {
  WorkerPool pool(2);
  std::atomic<int> sum{0};
  std::vector<std::jthread> callers;
  for (std::uint32_t t = 0; t < WorkerPool::kMaxLists + 4; ++t) {
    callers.emplace_back([&] {
      JobBatch batch(8);
      auto one = [&] { sum.fetch_add(1, std::memory_order::relaxed); };
      for (int round = 0; round < 50; ++round) {
        for (int i = 0; i < 4; ++i) static_cast<void>(batch.Add(one));
        batch.Run(pool);
      }
    });
  }
  callers.clear();
  REQUIRE(sum == (static_cast<int>(WorkerPool::kMaxLists) + 4) * 50 * 4);
}

TEST_CASE("a full batch says so and keeps what it has") {
  JobBatch batch(2);
  int ran = 0;
  auto body = [&] { ++ran; };
  REQUIRE(batch.Add(body).has_value());
  REQUIRE(batch.Add(body).has_value());
  const auto third = batch.Add(body);
  REQUIRE(third.error() == Error{ErrorCode::kCapacity, "job batch", 2});
  WorkerPool pool(0);
  batch.Run(pool);
  REQUIRE(ran == 2);
}

}  // namespace
}  // namespace nowait
