// An owner that pushes and takes, thieves that steal: each job is run once, and sees what was
// written for it.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "src/jobs/work_deque.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

// Plain: two runs of one job are a race as well as a wrong count.
struct Job {
  std::uint32_t written = 0;
  std::uint32_t runs = 0;
};

TEST_CASE("each job is taken or stolen, once") {
  const std::size_t capacity = GENERATE(1u, 2u, 64u);
  const std::uint32_t thieves = GENERATE(1u, 3u);
  constexpr std::uint32_t kJobs = 30'000;
  WorkDeque<Job*> deque(capacity);
  std::vector<Job> jobs(kJobs);
  std::atomic<std::uint32_t> left{kJobs};
  Findings wrong;
  const auto run = [&](Job* job) {
    if (job->written != 1) wrong.Add("a job is run unwritten", job - jobs.data());
    ++job->runs;
    left.fetch_sub(1, std::memory_order::relaxed);
  };
  Together(thieves + 1, [&](std::uint32_t thread) {
    if (thread != 0) {
      Doing::Now("steals until no job is left");
      while (left.load(std::memory_order::relaxed) != 0) {
        Job* job = nullptr;
        if (deque.Steal(&job) == StealResult::kItem) {
          run(job);
        } else {
          std::this_thread::yield();
        }
      }
      return;
    }
    // Batches of one, two, three: the last item is contended again and again.
    for (std::uint32_t next = 0; next < kJobs;) {
      for (std::uint32_t i = 0; i <= next % 3 && next < kJobs; ++i) {
        jobs[next].written = 1;
        if (!deque.Push(&jobs[next])) break;
        ++next;
      }
      for (Job* job; deque.Take(&job);) run(job);
    }
  });
  REQUIRE(wrong.Words() == "");
  REQUIRE(left == 0);
  std::uint32_t once = 0;
  for (const Job& job : jobs) once += job.runs == 1;
  REQUIRE(once == kJobs);
  Job* none;
  REQUIRE_FALSE(deque.Take(&none));
}

TEST_CASE("a deque that only thieves empty loses nothing") {
  const std::size_t capacity = GENERATE(1u, 4u);
  constexpr std::uint32_t kJobs = 20'000;
  WorkDeque<Job*> deque(capacity);
  std::vector<Job> jobs(kJobs);
  std::atomic<std::uint32_t> left{kJobs};
  Together(3, [&](std::uint32_t thread) {
    if (thread == 0) {
      for (Job& job : jobs) {
        job.written = 1;
        while (!deque.Push(&job)) std::this_thread::yield();
      }
      return;
    }
    Doing::Now("steals until no job is left");
    while (left.load(std::memory_order::relaxed) != 0) {
      Job* job = nullptr;
      if (deque.Steal(&job) != StealResult::kItem) {
        std::this_thread::yield();
        continue;
      }
      job->runs += job->written;
      left.fetch_sub(1, std::memory_order::relaxed);
    }
  });
  std::uint32_t once = 0;
  for (const Job& job : jobs) once += job.runs == 1;
  REQUIRE(once == kJobs);
}

}  // namespace
}  // namespace nowait
