#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "src/jobs/job_list.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

void Increment(void* data) { ++*static_cast<int*>(data); }

TEST_CASE("a job behind a sync point waits for those in front of it, wherever they run") {
  // Fetched and not returned: as if another worker were running it.
  int runs = 0;
  JobList<> list(3, 1);
  REQUIRE(list.Add({Increment, &runs}).has_value());
  REQUIRE(list.Add({Increment, &runs}).has_value());
  REQUIRE(list.AddSyncPoint().has_value());
  REQUIRE(list.Add({Increment, &runs}).has_value());
  list.Submit();
  Job first;
  Job second;
  REQUIRE(list.Fetch(&first) == RunResult::kProgress);
  REQUIRE(list.Fetch(&second) == RunResult::kProgress);
  REQUIRE(list.RunOne() == RunResult::kWaiting);
  REQUIRE_FALSE(list.Run(second));
  REQUIRE(list.RunOne() == RunResult::kWaiting);
  REQUIRE(list.Run(first));
  REQUIRE(list.RunOne() == RunResult::kProgress);
  REQUIRE(list.RunOne() == RunResult::kDone);
  REQUIRE(list.Finished());
  REQUIRE(runs == 3);
}

TEST_CASE("a sync point that says nothing new needs no room") {
  int runs = 0;
  JobList<> list(2, 1);
  REQUIRE(list.AddSyncPoint().has_value());  // before the first job
  REQUIRE(list.Add({Increment, &runs}).has_value());
  REQUIRE(list.AddSyncPoint().has_value());
  REQUIRE(list.AddSyncPoint().has_value());  // at the same place
  REQUIRE(list.Add({Increment, &runs}).has_value());
  REQUIRE(list.AddSyncPoint().error() == Error{ErrorCode::kCapacity, "job list's sync points", 1});
  list.Submit();
  REQUIRE(list.RunOne() == RunResult::kProgress);
  REQUIRE(list.RunOne() == RunResult::kProgress);
  REQUIRE(list.RunOne() == RunResult::kDone);
}

TEST_CASE("a sync point behind the last job keeps nobody") {
  int runs = 0;
  JobList<> list(1, 1);
  REQUIRE(list.Add({Increment, &runs}).has_value());
  REQUIRE(list.AddSyncPoint().has_value());
  list.Submit();
  Job job;
  REQUIRE(list.Fetch(&job) == RunResult::kProgress);
  REQUIRE(list.RunOne() == RunResult::kDone);
  REQUIRE_FALSE(list.Run(job));
  REQUIRE(list.Finished());
}

TEST_CASE("a cleared list has lost its sync points") {
  int runs = 0;
  JobList<> list(2, 1);
  for (int round = 0; round < 2; ++round) {
    REQUIRE(list.Add({Increment, &runs}).has_value());
    if (round == 0) {
      REQUIRE(list.AddSyncPoint().has_value());
    }
    REQUIRE(list.Add({Increment, &runs}).has_value());
    list.Submit();
    Job first;
    Job second;
    REQUIRE(list.Fetch(&first) == RunResult::kProgress);
    REQUIRE(list.Fetch(&second) == (round == 0 ? RunResult::kWaiting : RunResult::kProgress));
    list.Run(first);
    while (list.RunOne() == RunResult::kProgress) {
    }
    if (round == 1) list.Run(second);
    REQUIRE(list.Finished());
    list.Clear();
  }
  REQUIRE(runs == 4);
}

// Prefix sums by doubling (Hillis and Steele): each pass reads what the one before wrote,
// everywhere.
TEST_CASE("the passes of an algorithm are the sections of one list, with any number of workers") {
  constexpr std::uint32_t kCount = 64;
  constexpr std::uint32_t kPasses = 6;
  struct Step {
    const std::vector<int>* from;
    std::vector<int>* to;
    std::uint32_t index;
    std::uint32_t distance;
  };
  const std::uint32_t workers = GENERATE(0u, 1u, 3u, 8u);
  const auto owned = MakePool({.workers = workers});
  TaskPool& pool = *owned;
  const auto here = pool.Register("main");
  JobList<> list(kCount * kPasses, kPasses - 1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::vector<int>> sums(kPasses + 1, std::vector<int>(kCount, 1));
    std::vector<Step> steps;
    steps.reserve(kCount * kPasses);
    for (std::uint32_t pass = 0; pass < kPasses; ++pass) {
      REQUIRE(list.AddSyncPoint().has_value());
      for (std::uint32_t i = 0; i < kCount; ++i) {
        steps.push_back({&sums[pass], &sums[pass + 1], i, 1u << pass});
        const auto added = list.Add({[](void* data) {
                                       const Step& step = *static_cast<Step*>(data);
                                       int sum = (*step.from)[step.index];
                                       if (step.index >= step.distance) {
                                         sum += (*step.from)[step.index - step.distance];
                                       }
                                       (*step.to)[step.index] = sum;
                                     },
                                     &steps.back()});
        REQUIRE(added.has_value());
      }
    }
    REQUIRE(pool.Wait(*pool.AddList(list)).has_value());
    for (std::uint32_t i = 0; i < kCount; ++i) {
      REQUIRE(sums[kPasses][i] == static_cast<int>(i) + 1);
    }
    list.Clear();
  }
}

}  // namespace
}  // namespace nowait
