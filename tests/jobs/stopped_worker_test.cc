// A worker that the system stops: inside the fetch lock of a list, and outside of it, in a job. The
// others can go on meanwhile, and nothing is lost when it goes on.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "src/jobs/job_list.h"
#include "src/jobs/job_list_registry.h"
#include "src/jobs/job_list_runner.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_id.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

// The calling thread's action in front of its next atomic store. In a round that is the one that
// gives a fetch lock back: the registry and the count of jobs are changed by read-modify-writes.
thread_local std::function<void()> before_store;

struct StoppingSync : StdSync {
  template <class T>
  class atomic : public StdSync::atomic<T> {
   public:
    using StdSync::atomic<T>::atomic;
    void store(T value, std::memory_order order) {
      if (before_store) std::exchange(before_store, {})();
      StdSync::atomic<T>::store(value, order);
    }
  };
};

using List = JobList<StoppingSync>;
using Registry = JobListRegistry<StoppingSync>;

// One thread waits here until another one lets it go on.
struct Gate {
  void Stop() {
    stopped.release();
    go_on.acquire();
  }
  std::binary_semaphore stopped{0};
  std::binary_semaphore go_on{0};
};

struct Host {
  std::atomic<int>& completed;
  bool HasNews() { return false; }
  void SectionEnded() {}
  auto RunsOf(TaskId) {
    return [](const Job& job) { job.function(job.data); };
  }
  void Complete(TaskId) { ++completed; }
};

struct Scene {
  // A job that counts its runs, and then does something.
  struct Counted {
    std::atomic<int> runs{0};
    std::function<void()> then;
  };
  static void Run(void* data) {
    auto& counted = *static_cast<Counted*>(data);
    ++counted.runs;
    if (counted.then) counted.then();
  }
  void Fill(List& list, std::vector<Counted>& jobs) {
    for (Counted& job : jobs) REQUIRE(list.Add({&Run, &job}));
    list.Submit();
    const std::uint32_t slot = registry.Post(&list, TaskId(1, 1, 1), 0);
    REQUIRE(slot != Registry::kNone);
    REQUIRE_FALSE(registry.Leave(slot).IsTask());
  }
  ListRunCounts Round() {
    ListRunCounts counts;
    RunJobLists(registry, 0, Host{completed}, counts);
    return counts;
  }
  static bool EachOnce(const std::vector<Counted>& jobs) {
    for (const Counted& job : jobs) {
      if (job.runs != 1) return false;
    }
    return true;
  }

  Registry registry{2, 1};
  List first{4};
  List second{4};
  std::vector<Counted> jobs_of_first = std::vector<Counted>(4);
  std::vector<Counted> jobs_of_second = std::vector<Counted>(4);
  std::atomic<int> completed{0};
  Gate gate;
};

TEST_CASE("a worker stopped inside the fetch lock: the others do another list, and lose nothing") {
  Scene scene;
  scene.Fill(scene.first, scene.jobs_of_first);
  std::jthread stopped([&] {
    before_store = [&] { scene.gate.Stop(); };
    scene.Round();
  });
  scene.gate.stopped.acquire();

  // Nobody can fetch there, and nobody waits for it.
  for (int i = 0; i < 100; ++i) {
    Job job;
    REQUIRE(scene.first.Fetch(&job) == RunResult::kStalled);
  }
  // The last job of the second list lets the worker go on: it is reached while that one is stopped.
  scene.jobs_of_second.back().then = [&] {
    CHECK(scene.jobs_of_first.front().runs == 0);
    scene.gate.go_on.release();
  };
  scene.Fill(scene.second, scene.jobs_of_second);
  const ListRunCounts counts = scene.Round();
  stopped.join();

  CHECK(counts.hidden >= 1);
  CHECK(scene.EachOnce(scene.jobs_of_first));
  CHECK(scene.EachOnce(scene.jobs_of_second));
  CHECK(scene.completed == 2);
}

TEST_CASE("a worker stopped in a job: the others do the rest of its list, and it completes it") {
  Scene scene;
  scene.jobs_of_first.front().then = [&] { scene.gate.Stop(); };
  scene.Fill(scene.first, scene.jobs_of_first);
  std::jthread stopped([&] { scene.Round(); });
  scene.gate.stopped.acquire();

  const ListRunCounts counts = scene.Round();
  CHECK(counts.jobs == 3);
  CHECK(counts.stalls == 0);
  CHECK_FALSE(scene.first.Finished());
  CHECK(scene.completed == 0);

  scene.gate.go_on.release();
  stopped.join();
  CHECK(scene.EachOnce(scene.jobs_of_first));
  CHECK(scene.first.Finished());
  CHECK(scene.completed == 1);
}

}  // namespace
}  // namespace nowait
