#include "src/jobs/job_list.h"

#include <catch2/catch.hpp>
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
