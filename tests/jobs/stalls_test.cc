// Stalls of a round, by a script: the fetch lock turns the round away so many times. The
// counts, and the next fetch.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/job_list_registry.h"
#include "src/jobs/job_list_runner.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_id.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

// The next so many attempts at a fetch lock fail: in a round nothing else is a strong exchange.
struct StallingSync : StdSync {
  template <class T>
  class atomic : public StdSync::atomic<T> {
   public:
    using StdSync::atomic<T>::atomic;
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure) {
      if (stalls != 0) {
        --stalls;
        return false;
      }
      return StdSync::atomic<T>::compare_exchange_strong(expected, desired, success, failure);
    }
  };
  static inline int stalls = 0;
};

using List = JobList<StallingSync>;
using Registry = JobListRegistry<StallingSync>;

struct Scene {
  struct Host {
    bool HasNews() {
      if (scene.run != 0) scene.batches.push_back(scene.run);
      scene.run = 0;
      return scene.news;
    }
    void SectionEnded() {}
    auto RunsOf(TaskId) {
      return [this](const Job&) {
        ++scene.run;
        ++scene.jobs;
      };
    }
    void Complete(TaskId list) { scene.completed += std::to_string(list.slot()); }
    Scene& scene;
  };

  void Post(List& list, std::uint16_t task, int jobs) {
    for (int i = 0; i < jobs; ++i) REQUIRE(list.Add({}));
    list.Submit();
    REQUIRE_FALSE(registry.Leave(registry.Post(&list, TaskId(1, task, 1))).IsTask());
  }
  bool Round(int stalls) {
    StallingSync::stalls = stalls;
    const bool ran = RunJobLists(registry, 0, Host{*this}, counts);
    CHECK(StallingSync::stalls == 0);
    return ran;
  }

  Registry registry{2};
  List first{1000};
  List second{1000};
  ListRunCounts counts;
  std::vector<int> batches;  // jobs between two questions for news
  int run = 0;
  int jobs = 0;
  bool news = false;
  std::string completed;
};

TEST_CASE("a stall is hidden behind a list that has a job, and counted as that") {
  Scene scene;
  scene.Post(scene.first, 1, 1);
  scene.Post(scene.second, 2, 1);
  CHECK(scene.Round(1));
  CHECK(scene.jobs == 2);
  CHECK(scene.counts.jobs == 2);
  CHECK(scene.counts.stalls == 1);
  CHECK(scene.counts.hidden == 1);
  CHECK(scene.counts.yields == 0);
  // The round left the first list, and has come back to it.
  CHECK(scene.completed == "21");
}

TEST_CASE("a stall with no other list is not hidden, and the round looks again") {
  Scene scene;
  scene.Post(scene.first, 1, 1);
  CHECK(scene.Round(1));
  CHECK(scene.jobs == 1);
  CHECK(scene.counts.stalls == 1);
  CHECK(scene.counts.hidden == 0);
  CHECK(scene.completed == "1");
}

TEST_CASE("a round that is always turned away yields, and ends when there is news") {
  Scene scene;
  scene.Post(scene.first, 1, 1);
  scene.news = true;
  StallingSync::stalls = 1'000'000;
  CHECK(RunJobLists(scene.registry, 0, Scene::Host{scene}, scene.counts));
  CHECK(StallingSync::stalls > 0);
  StallingSync::stalls = 0;
  CHECK(scene.jobs == 0);
  CHECK(scene.counts.yields == 1);
  CHECK(scene.counts.hidden == 0);
  CHECK(scene.completed.empty());
  // It has left the list, which is where it was.
  scene.news = false;
  CHECK(scene.Round(0));
  CHECK(scene.jobs == 1);
  CHECK(scene.completed == "1");
}

TEST_CASE("a round fetches one job at a time, and twice as many after each stall, up to 16") {
  Scene scene;
  scene.Post(scene.first, 1, 1000);
  SECTION("without a stall") {
    CHECK(scene.Round(0));
    CHECK(scene.batches == std::vector<int>(1000, 1));
  }
  SECTION("with one") {
    CHECK(scene.Round(1));
    CHECK(scene.batches.front() == 2);
  }
  SECTION("with three") {
    CHECK(scene.Round(3));
    CHECK(scene.batches.front() == 8);
  }
  SECTION("with five") {
    CHECK(scene.Round(5));
    CHECK(scene.batches.front() == 16);
    // A piece is at most a sixteenth of the rest, and at least one.
    int left = 1000;
    for (const int batch : scene.batches) {
      CHECK(batch == std::max(1, std::min(16, left / 16)));
      left -= batch;
    }
    CHECK(left == 0);
  }
  CHECK(scene.counts.jobs == 1000);
}

}  // namespace
}  // namespace nowait
