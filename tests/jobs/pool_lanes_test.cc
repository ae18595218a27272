// A pool's lanes in a profile, and what its workers write there.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "src/jobs/frame_loop.h"
#include "src/jobs/job_batch.h"
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

// A mark, and the number of the lane that has it.
struct LaneMark {
  std::uint32_t lane;
  std::uint32_t about;

  friend bool operator==(const LaneMark&, const LaneMark&) = default;
};

std::vector<LaneMark> MarksOf(const Profile& profile, std::string_view name) {
  std::vector<LaneMark> marks;
  for (const Lane& lane : profile.lanes()) {
    for (const Span& span : lane.spans) {
      if (span.name == name) marks.push_back({lane.number, span.about});
    }
  }
  return marks;
}

TEST_CASE("a stolen task is a mark of the thief, about the lane of the thread that had it") {
  Profile profile({});
  const auto pool = MakePool({.workers = 2, .profile = &profile});
  const auto here = pool->Register("main");
  REQUIRE(here);
  std::atomic<bool> is_stolen = false;
  std::uint16_t maker_lane = 0, thief_lane = 0;
  const auto child = [&thief_lane, &is_stolen] {
    thief_lane = LaneNumber();
    is_stolen = true;
  };
  // Its thread takes nothing from its own queue meanwhile.
  const auto maker = [&maker_lane, &pool, &child, &is_stolen] {
    maker_lane = LaneNumber();
    const auto made = pool->Add(child);
    if (!made || !pool->Submit(*made)) return;
    while (!is_stolen) std::this_thread::yield();
  };
  REQUIRE(pool->Wait(*pool->Add(maker)));
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  REQUIRE(is_stolen);
  CHECK(maker_lane != thief_lane);
  CHECK(MarksOf(profile, "steal") == std::vector<LaneMark>{{thief_lane, maker_lane}});
}

TEST_CASE("a steal in one pool names no lane of another one") {
  Profile profile({});
  const auto pool = MakePool({.workers = 1, .profile = &profile});
  const auto other = MakePool({.workers = 1, .profile = &profile});
  const auto here = pool->Register("main");
  REQUIRE(here);
  const auto there = other->Register("main");  // whose lane this thread has from here on
  REQUIRE(there);
  std::atomic<bool> is_begun = false, is_stolen = false;
  const auto child = [&is_stolen] { is_stolen = true; };
  const auto maker = [&pool, &child, &is_begun, &is_stolen] {
    is_begun = true;
    const auto made = pool->Add(child);
    if (!made || !pool->Submit(*made)) return;
    while (!is_stolen) std::this_thread::yield();
  };
  const TaskId task = *pool->Add(maker);
  REQUIRE(pool->Submit(task));
  while (!is_begun) std::this_thread::yield();  // by the worker
  REQUIRE(pool->Wait(task));
  REQUIRE(is_stolen);
  CHECK(MarksOf(profile, "steal").empty());
}

TEST_CASE("stolen pieces of a loop are a mark, about the hand that had them") {
  Profile profile({});
  const auto pool = MakePool({.workers = 1, .profile = &profile});
  const auto here = pool->Register("main");
  REQUIRE(here);
  JobBatch batch(2);
  std::atomic<bool> is_begun = false;
  std::atomic<int> others = 0;
  std::uint32_t first = 0;
  // The first of four pieces goes on until the other hand has done all others.
  auto piece = [&](std::uint32_t begin, std::uint32_t) {
    if (is_begun.exchange(true)) {
      ++others;
      return;
    }
    first = begin;
    while (others < 3) std::this_thread::yield();
  };
  REQUIRE(batch.AddLoop(4, 1, piece));
  REQUIRE(batch.Run(*pool));
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  const auto marks = MarksOf(profile, "steal pieces");
  REQUIRE(marks.size() == 1);
  CHECK(marks[0].about == first / 2);
}

}  // namespace
}  // namespace nowait
