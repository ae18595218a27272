// Many callers on one pool, and pools that come and go.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "src/jobs/job_batch.h"
#include "src/jobs/worker_pool.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

TEST_CASE("callers with lists of their own, more than the board has slots") {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  constexpr std::uint32_t kCallers = WorkerPool::kMaxLists + 4;
  WorkerPool pool(workers);
  std::atomic<std::uint32_t> wrong{0};
  Together(kCallers, [&](std::uint32_t) {
    for (int round = 0; round < 60; ++round) {
      // The list dies at once after Run: a worker that still looked at it would be caught.
      JobBatch batch(16);
      std::vector<int> touched(37, 0);
      auto touch = [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) ++touched[i];
      };
      const bool added = batch.AddLoop(37, 4, touch).has_value();
      batch.Run(pool);
      if (!added || touched != std::vector<int>(37, 1)) {
        wrong.fetch_add(1, std::memory_order::relaxed);
      }
    }
  });
  REQUIRE(wrong == 0);
}

TEST_CASE("a pool may be destroyed right after its last run, or without one") {
  for (int round = 0; round < 100; ++round) {
    int runs = 0;
    auto run = [&] { ++runs; };
    WorkerPool pool(2);
    if (round % 3 == 0) continue;
    JobBatch batch(1);
    REQUIRE(batch.Add(run).has_value());
    batch.Run(pool);
    REQUIRE(runs == 1);
  }
}

TEST_CASE("each worker runs its start function once, with a number of its own") {
  std::vector<int> started(4, 0);
  {
    WorkerPool pool(4, [&](std::uint32_t worker) { ++started[worker]; });
  }
  REQUIRE(started == std::vector<int>(4, 1));
}

}  // namespace
}  // namespace nowait
