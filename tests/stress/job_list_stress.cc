// Workers on one list: each job exactly once, and Finished() publishes what the jobs did.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <thread>
#include <vector>

#include "src/jobs/job_list.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

TEST_CASE("each job runs exactly once, with any number of workers") {
  const std::uint32_t workers = GENERATE(1u, 2u, 3u, 8u);
  constexpr std::uint32_t kJobs = 200;
  JobList<> list(kJobs);
  std::vector<int> runs(kJobs);  // plain: two runs of one job are a race as well as a wrong count
  for (int round = 0; round < 40; ++round) {
    runs.assign(kJobs, 0);
    for (int& count : runs) {
      const auto added = list.Add({[](void* data) { ++*static_cast<int*>(data); }, &count});
      REQUIRE(added.has_value());
    }
    list.Submit();
    std::atomic<std::uint32_t> progress{0};
    Findings wrong;
    // One more than there are workers: it only watches, and reads as soon as it may.
    Together(workers + 1, [&](std::uint32_t thread) {
      if (thread == workers) {
        Doing::Now("waits until the list is finished");
        while (!list.Finished()) std::this_thread::yield();
        for (const int count : runs) {
          if (count != 1) wrong.Add("the list is finished, and a job has so many runs", count);
        }
        return;
      }
      Doing::Now("runs jobs until the list is done");
      for (RunResult result; (result = list.RunOne()) != RunResult::kDone;) {
        if (result == RunResult::kProgress) progress.fetch_add(1, std::memory_order::relaxed);
        if (result == RunResult::kStalled) std::this_thread::yield();
      }
    });
    REQUIRE(wrong.Words() == "");
    REQUIRE(progress == kJobs);
    REQUIRE(list.Finished());
    REQUIRE(runs == std::vector<int>(kJobs, 1));
    list.Clear();
  }
}

}  // namespace
}  // namespace nowait
