#include "src/jobs/job_list.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>
#include <vector>

namespace nowait {
namespace {

void Increment(void* data) { ++*static_cast<int*>(data); }

TEST_CASE("jobs run in the order in which they were added, then the list is done") {
  JobList<> list(3);
  std::vector<int> order;
  struct Entry {
    std::vector<int>* order;
    int number;
  } entries[3] = {{&order, 0}, {&order, 1}, {&order, 2}};
  for (Entry& entry : entries) {
    const Job job{[](void* data) {
                    auto* entry = static_cast<Entry*>(data);
                    entry->order->push_back(entry->number);
                  },
                  &entry};
    REQUIRE(list.Add(job).has_value());
  }
  list.Submit();
  REQUIRE_FALSE(list.Finished());
  for (int i = 0; i < 3; ++i) REQUIRE(list.RunOne() == RunResult::kProgress);
  REQUIRE(list.Finished());
  REQUIRE(list.RunOne() == RunResult::kDone);
  REQUIRE(list.RunOne() == RunResult::kDone);
  REQUIRE(order == std::vector<int>{0, 1, 2});
}

TEST_CASE("an empty list is done and finished at once") {
  JobList<> list(0);
  list.Submit();
  REQUIRE(list.Finished());
  REQUIRE(list.RunOne() == RunResult::kDone);
}

TEST_CASE("a full list names its capacity and stays as it was") {
  int runs = 0;
  JobList<> list(1);
  REQUIRE(list.Add({Increment, &runs}).has_value());
  REQUIRE(list.Add({Increment, &runs}).error() == Error{ErrorCode::kCapacity, "job list", 1});
  list.Submit();
  REQUIRE(list.RunOne() == RunResult::kProgress);
  REQUIRE(list.RunOne() == RunResult::kDone);
  REQUIRE(runs == 1);
}

TEST_CASE("a cleared list can be filled and run again") {
  int runs = 0;
  JobList<> list(2);
  for (int round = 1; round <= 3; ++round) {
    REQUIRE(list.Add({Increment, &runs}).has_value());
    REQUIRE(list.Add({Increment, &runs}).has_value());
    list.Submit();
    while (list.RunOne() == RunResult::kProgress) {
    }
    REQUIRE(list.Finished());
    REQUIRE(runs == 2 * round);
    list.Clear();
  }
}

// A list of so many jobs, each of which counts.
void Fill(JobList<>& list, int* runs, int jobs) {
  for (int i = 0; i < jobs; ++i) REQUIRE(list.Add({Increment, runs}).has_value());
}

TEST_CASE("a batch is a share of the jobs that are left: at most so many, at least one") {
  int runs[40];
  JobList<> list(40);
  for (int& each : runs) REQUIRE(list.Add({Increment, &each}).has_value());
  CHECK(list.size() == 40);
  list.Submit();
  JobList<>::Batch batch;
  const auto fetch = [&](std::uint32_t most, std::uint32_t share) {
    REQUIRE(list.FetchBatch(most, share, &batch) == RunResult::kProgress);
    return std::pair(batch.first, batch.count);
  };
  CHECK(fetch(16, 8) == std::pair(0u, 5u));  // 40 / 8
  CHECK(fetch(16, 8) == std::pair(5u, 4u));  // 35 / 8
  CHECK(fetch(3, 8) == std::pair(9u, 3u));   // 3, and not 31 / 8
  CHECK(fetch(16, 1000) == std::pair(12u, 1u));
  CHECK(list.At(12).data == &runs[12]);
  CHECK(fetch(16, 1) == std::pair(13u, 16u));
  CHECK(fetch(16, 1) == std::pair(29u, 11u));  // the rest
  CHECK(list.FetchBatch(16, 1, &batch) == RunResult::kDone);
  CHECK_FALSE(list.Finished());
  static_cast<void>(list.CompleteJobs(39));
  CHECK_FALSE(list.Finished());
  static_cast<void>(list.CompleteJobs());
  CHECK(list.Finished());
}

TEST_CASE("a batch ends at a sync point, and the next one begins when all before it are back") {
  int runs = 0;
  JobList<> list(8, 1);
  Fill(list, &runs, 3);
  REQUIRE(list.AddSyncPoint().has_value());
  Fill(list, &runs, 5);
  list.Submit();
  JobList<>::Batch batch;
  REQUIRE(list.FetchBatch(16, 1, &batch) == RunResult::kProgress);
  CHECK((batch.first == 0 && batch.count == 3));
  CHECK(list.FetchBatch(16, 1, &batch) == RunResult::kWaiting);
  CHECK_FALSE(list.CompleteJobs(2));
  CHECK(list.FetchBatch(16, 1, &batch) == RunResult::kWaiting);
  CHECK((batch.first == 0 && batch.count == 3));  // left alone
  CHECK(list.CompleteJobs(1));  // a section has ended, and another one is behind it
  REQUIRE(list.FetchBatch(16, 1, &batch) == RunResult::kProgress);
  CHECK((batch.first == 3 && batch.count == 5));
  CHECK_FALSE(list.CompleteJobs(5));  // none is behind this one
  CHECK(list.Finished());
}

TEST_CASE("a fetch that gives no job leaves the caller's alone") {
  int runs = 0;
  const Job before{Increment, &runs};
  JobList<> list(1);
  list.Submit();
  Job job = before;
  CHECK(list.Fetch(&job) == RunResult::kDone);
  CHECK(job.function == before.function);
  CHECK(job.data == before.data);
}

TEST_CASE("a list of one size is filled again with fewer jobs, and has only those") {
  int runs = 0;
  JobList<> list(4, 2);
  CHECK(list.capacity() == 4);
  CHECK(list.sync_points() == 2);
  Fill(list, &runs, 4);
  list.Submit();
  while (list.RunOne() == RunResult::kProgress) {
  }
  list.Clear();
  CHECK(list.size() == 0);
  Fill(list, &runs, 1);
  list.Submit();
  CHECK(list.RunOne() == RunResult::kProgress);
  CHECK(list.RunOne() == RunResult::kDone);
  CHECK(runs == 5);
}

TEST_CASE("a running job does not hold the fetch lock") {
  struct Nested {
    JobList<>* list;
    RunResult inner;
  };
  JobList<> list(2);
  int runs = 0;
  Nested nested{&list, RunResult::kStalled};
  const Job outer{[](void* data) {
                    auto* nested = static_cast<Nested*>(data);
                    nested->inner = nested->list->RunOne();
                  },
                  &nested};
  REQUIRE(list.Add(outer).has_value());
  REQUIRE(list.Add({Increment, &runs}).has_value());
  list.Submit();
  REQUIRE(list.RunOne() == RunResult::kProgress);
  REQUIRE(nested.inner == RunResult::kProgress);
  REQUIRE(runs == 1);
  REQUIRE(list.Finished());
}

}  // namespace
}  // namespace nowait
