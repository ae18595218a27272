// A pool's lanes in a profile, and what its workers write there.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "src/jobs/frame_loop.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

std::int64_t SumOf(const Lane& lane, std::string_view name) {
  std::int64_t sum = 0;
  for (const Sample& sample : lane.samples) sum += sample.name == name ? sample.value : 0;
  return sum;
}
std::int64_t SpansOf(const Lane& lane, std::string_view name) {
  return std::count_if(lane.spans.begin(), lane.spans.end(),
                       [name](const Span& span) { return span.name == name; });
}

// The bound only ends a test that has failed.
template <class Pool>
bool IsComplete(const Pool& pool, TaskId task) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!pool.IsComplete(task)) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::yield();
  }
  return true;
}

TEMPLATE_TEST_CASE("lanes are those of main threads, then of workers, then of devices", "",
                   EACH_POLICY) {
  Profile profile({});
  const auto pool = MakePool<TestType>({.main_threads = {"update", "render"},
                                        .devices = {"disk", "net"},
                                        .workers = 2,
                                        .profile = &profile});
  std::vector<std::string> names;
  for (const Lane& lane : profile.lanes()) names.push_back(lane.name);
  CHECK(names ==
        std::vector<std::string>{"update", "render", "worker 1", "worker 2", "disk", "net"});
}

TEMPLATE_TEST_CASE("threads for which a profile has no lane work without one", "", EACH_POLICY) {
  Profile profile({.lanes = 1});
  const auto pool = MakePool<TestType>({.devices = {"disk"}, .workers = 1, .profile = &profile});
  const auto here = pool->Register("main");
  REQUIRE(here);
  const TaskId task = *pool->Add({.work = {[](void*) {}, nullptr}});
  REQUIRE(pool->Submit(task));
  CHECK(IsComplete(*pool, task));  // a worker has run it
  REQUIRE(pool->Wait(task));
  REQUIRE(profile.lanes().size() == 1);
  CHECK(profile.lanes()[0].name == "main");
  CHECK(SpansOf(profile.lanes()[0], "task") == 0);
  CHECK(SpansOf(profile.lanes()[0], "wait") == 1);
}

TEMPLATE_TEST_CASE("a worker's lane has a span for each task, and sums up to what it ran", "",
                   EACH_POLICY) {
  Profile profile({});
  const auto pool = MakePool<TestType>({.workers = 1, .profile = &profile});
  const auto here = pool->Register("main");
  REQUIRE(here);
  TaskId last;
  for (int i = 0; i < 10; ++i) {
    last = *pool->Add({.work = {[](void*) {}, nullptr}, .dependency = last});
    REQUIRE(pool->Submit(last));
  }
  JobList<> list(7);
  for (int i = 0; i < 7; ++i) REQUIRE(list.Add({[](void*) {}, nullptr}));
  const TaskId jobs = *pool->AddList(list, {.dependency = last});
  REQUIRE(pool->Submit(jobs));
  REQUIRE(IsComplete(*pool, jobs));  // the main thread helps with none of it
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  const Lane& worker = profile.lanes()[1];
  CHECK(SpansOf(worker, "task") == 10);
  CHECK(SumOf(worker, "tasks") == 10 + 1);  // the list is one, too
  CHECK(SumOf(worker, "jobs") == 7);
  CHECK(pool->Counts().ran == 11);
  CHECK(pool->Counts().lists.jobs == 7);
}

TEST_CASE("each frame of a loop leaves its number in the lane of the thread that begins it") {
  Profile profile({});
  const auto pool = MakePool({.workers = 0, .profile = &profile});
  const auto here = pool->Register("main");
  REQUIRE(here);
  FrameLoop loop(*pool, [](const Frame&) {});
  REQUIRE(loop.Start(4));
  REQUIRE(loop.Wait());
  std::vector<std::int64_t> numbers;
  for (const Sample& sample : profile.lanes()[0].samples) {
    if (std::string_view(sample.name) == "frame") numbers.push_back(sample.value);
  }
  CHECK(numbers == std::vector<std::int64_t>{0, 1, 2, 3});
}

}  // namespace
}  // namespace nowait
