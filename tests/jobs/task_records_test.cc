// The records of a pool's tasks in a profile, and the graph of work that is made of them: every
// kind of task, each way to give it a dependency or a parent, and no record without a lane.
#include "src/jobs/task_records.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "src/jobs/job_batch.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_pool.h"
#include "src/profile/critical_path.h"
#include "src/profile/profile.h"
#include "src/profile/schedule.h"
#include "src/profile/work_graph.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

// Each policy of queues.
#define EACH_POLICY TaskPool, OneQueueTaskPool

using Kind = TaskRecord::Kind;

// Some microseconds of work.
void Work(int thousands) {
  volatile std::uint64_t value = 1;
  for (int i = 0; i < 1000 * thousands; ++i) value = value * 6364136223846793005u + 1;
}

const TaskRecord& RecordOf(const Profile& profile, TaskId task) {
  for (const Lane& lane : profile.lanes()) {
    const auto at = std::ranges::find(lane.tasks, NumberOf(task), &TaskRecord::task);
    if (at != lane.tasks.end()) return *at;
  }
  FAIL("the task has no record");
  throw 0;
}

std::vector<Span> SpansAbout(const Profile& profile, std::string_view name, TaskId task) {
  std::vector<Span> spans;
  for (const Lane& lane : profile.lanes()) {
    for (const Span& span : lane.spans) {
      if (span.name == name && span.about == NumberOf(task)) spans.push_back(span);
    }
  }
  return spans;
}

TEMPLATE_TEST_CASE("a record has the task's parent, dependency, kind and priority", "",
                   EACH_POLICY) {
  Profile profile({});
  TaskId first, all, second, later, list, twice;
  JobBatch batch;
  IdempotentJob idempotent{.compute = [](void*, int) { Work(1); },
                           .commit = [](void*, int) {},
                           .release = [](void*) {},
                           .data = nullptr};
  auto job = [] { Work(1); };
  {
    const auto pool = MakePool<TestType>({.workers = 1, .profile = &profile});
    auto here = *pool->Register("main");
    first = *pool->Add([] { Work(1); }, {.priority = 2});
    all = *pool->AddEmpty();
    second = *pool->Add([] { Work(1); }, {.parent = all, .dependency = first, .priority = 1});
    later = *pool->Add([] { Work(1); });
    REQUIRE(pool->DependsOn(later, second));
    REQUIRE(pool->AddChild(all, later));
    REQUIRE(batch.Add(job));
    list = *batch.AddTo(*pool, {.parent = all});
    twice = *pool->AddIdempotent(idempotent, {.parent = all});
    const auto affinity = *pool->AffinityTo("main");
    const TaskId bound = *pool->Add([] {}, {.parent = all, .affinity = affinity});
    REQUIRE(pool->Wait(all));
    REQUIRE(batch.Collect(*pool));
    CHECK(RecordOf(profile, bound).bound);
  }
  CHECK(RecordOf(profile, first).parent == TaskRecord::kNoTask);
  CHECK(RecordOf(profile, first).dependency == TaskRecord::kNoTask);
  CHECK(RecordOf(profile, first).priority == 2);
  CHECK(RecordOf(profile, first).kind == Kind::kWork);
  CHECK(RecordOf(profile, all).kind == Kind::kEmpty);
  CHECK(RecordOf(profile, second).parent == NumberOf(all));
  CHECK(RecordOf(profile, second).dependency == NumberOf(first));
  CHECK_FALSE(RecordOf(profile, second).bound);
  CHECK(RecordOf(profile, list).kind == Kind::kList);
  CHECK(RecordOf(profile, twice).kind == Kind::kIdempotent);
  CHECK_FALSE(SpansAbout(profile, "task", twice).empty());
  std::vector<TaskRecord> links;
  for (const TaskRecord& record : profile.lanes()[0].tasks) {
    if (record.kind == Kind::kLink) links.push_back(record);
  }
  REQUIRE(links.size() == 2);
  CHECK((links[0].task == NumberOf(later) && links[0].dependency == NumberOf(second)));
  CHECK((links[1].task == NumberOf(later) && links[1].parent == NumberOf(all)));
  for (const TaskId task : {first, second, later}) {
    const std::vector<Span> runs = SpansAbout(profile, "task", task);
    REQUIRE(runs.size() == 1);
    CHECK(RecordOf(profile, task).time <= runs[0].begin);
  }
  CHECK(SpansAbout(profile, "wait", all).size() == 1);
  CHECK(SpansAbout(profile, "jobs", list).size() == 1);
}

TEMPLATE_TEST_CASE("a thread without a lane, or with one of another pool, records no task", "",
                   EACH_POLICY) {
  Profile profile({});
  Lane* const other = *profile.AddLane("another pool's");
  const auto pool = MakePool<TestType>({.workers = 0});
  auto here = *pool->Register("main");
  REQUIRE(pool->Wait(*pool->Add([] {})));
  const LaneScope use(other);
  REQUIRE(pool->Wait(*pool->Add([] {})));
  CHECK(other->tasks.empty());
}

TEMPLATE_TEST_CASE("the graph of a frame is the one that was made, on any threads", "",
                   EACH_POLICY) {
  for (const std::uint32_t workers : {0u, 1u, 3u}) {
    CAPTURE(workers);
    Profile profile({});
    std::uint64_t begin = 0, end = 0;
    {
      const auto pool = MakePool<TestType>({.workers = workers, .profile = &profile});
      auto here = *pool->Register("main");
      begin = SteadyNanoseconds();
      const ProfileScope frame("frame");
      const TaskId a = *pool->Add([] {
        const ProfileScope span("a");
        Work(20);
      });
      const auto side = [&](const char* name, int length) {
        return *pool->Add(
            [name, length] {
              const ProfileScope span(name);
              Work(length);
            },
            {.dependency = a});
      };
      const TaskId sides[] = {side("b", 100), side("c", 40)};
      const TaskId both = *pool->WhenAll(sides);
      const TaskId d = *pool->Add(
          [] {
            const ProfileScope span("d");
            Work(20);
          },
          {.dependency = both});
      REQUIRE(pool->Wait(d));
      Work(10);
      end = SteadyNanoseconds();
    }
    const WorkGraph graph = MakeWorkGraph(profile, begin, end);
    std::uint64_t work = 0;
    std::size_t by_times = 0;
    for (const auto& node : graph.nodes) {
      work += node.work;
      by_times += node.by_times ? 1 : 0;
    }
    CHECK(by_times == 1);  // the frame's begin
    std::vector<std::string_view> names;
    for (const auto& piece : FindCriticalPath(graph).pieces) {
      const std::string_view name = piece.span.name;
      if (name != "task" && name != "wait") names.push_back(name);
    }
    const std::uint64_t one = Simulate(graph, {.threads = 1}).length;
    const std::uint64_t two = Simulate(graph, {.threads = 2}).length;
    CHECK(one == work);
    CHECK(two == LongestChain(graph));
    CHECK(two < one);
    // Through the side that ended last; and the other one, if that has kept the thread busy.
    const std::size_t sides = names.size() - 4;
    REQUIRE((sides == 1 || sides == 2));
    CHECK((names[0] == "frame" && names[1] == "a"));
    CHECK((names[sides + 2] == "d" && names[sides + 3] == "frame"));
    for (std::size_t i = 0; i < sides; ++i) CHECK((names[2 + i] == "b" || names[2 + i] == "c"));
  }
}

}  // namespace
}  // namespace nowait
