// Lists on a pool: batches of many threads that die at once, lists with sync points among tasks
// that depend on each other, waits for lists inside tasks, and pools that come and go.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

std::vector<std::string> Names(std::uint32_t count) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

TEMPLATE_TEST_CASE("callers with batches of their own, more than there is room to hang", "",
                   EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  constexpr std::uint32_t kCallers = TestType::kMaxLists + 4;
  const auto owned = MakePool<TestType>({.main_threads = Names(kCallers), .workers = workers});
  TestType& pool = *owned;
  Findings wrong;
  Together(kCallers, [&](std::uint32_t t) {
    const auto here = pool.Register(std::to_string(t));
    for (int round = 0; round < 60; ++round) {
      // The list dies at once after Run: a thread that still looked at it would be caught.
      JobBatch batch(16);
      std::vector<int> touched(37, 0);
      auto touch = [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) ++touched[i];
      };
      const bool ran = batch.AddLoop(37, 4, touch) && batch.Run(pool);
      if (!ran) wrong.Add("a batch is refused: round", round);
      if (touched != std::vector<int>(37, 1)) {
        wrong.Add("a batch has ended without one run of each job: round", round);
      }
    }
  });
  REQUIRE(wrong.Words() == "");
}

// Plain data that jobs of a list write, each its own, section after section: what a section reads
// of the one before, and what comes after the list reads of all, is a data race if the pool does
// not order it.
struct Passes {
  Passes(std::uint32_t width, std::uint32_t sections)
      : list(width * sections, sections), values((sections + 1) * width, 1) {
    steps.reserve(std::size_t{width} * sections);
    for (std::uint32_t section = 0; section < sections; ++section) {
      ok = ok && list.AddSyncPoint();
      for (std::uint32_t i = 0; i < width; ++i) {
        steps.push_back({this, section * width, (section + 1) * width + i, width});
        ok = ok && list.Add({&Step::Run, &steps.back()});
      }
    }
  }
  // Each value is the sum of those of the section before.
  bool Done() const {
    int expected = 1;
    const auto width = steps.empty() ? 1u : steps[0].width;
    for (std::size_t i = 0; i < values.size(); i += width) {
      for (std::size_t k = i; k < i + width; ++k) {
        if (values[k] != expected) return false;
      }
      expected *= static_cast<int>(width);
    }
    return ok;
  }
  struct Step {
    static void Run(void* data) {
      const Step& step = *static_cast<Step*>(data);
      int sum = 0;
      for (std::uint32_t i = 0; i < step.width; ++i) sum += step.passes->values[step.from + i];
      step.passes->values[step.to] = sum;
    }
    Passes* passes;
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t width;
  };
  bool ok = true;
  JobList<> list;
  std::vector<int> values;
  std::vector<Step> steps;
};

TEMPLATE_TEST_CASE("lists with sync points, behind each other and behind tasks", "", EACH_POLICY) {
  const std::uint32_t mains = GENERATE(1u, 3u);
  const std::uint32_t workers = GENERATE(0u, 1u, 6u);
  const std::uint32_t seed = 20100325;
  CAPTURE(seed, mains, workers);
  const auto owned = MakePool<TestType>({.main_threads = Names(mains), .workers = workers});
  TestType& pool = *owned;
  Findings wrong;
  // A task that makes a list, waits for it and looks at what it did.
  std::function<void()> inner = [&] {
    Passes passes(3, 2);
    const auto task = pool.AddList(passes.list);
    if (!task || !pool.Wait(*task)) wrong.Add("a list inside a task is refused");
    if (!passes.Done()) wrong.Add("a list inside a task has ended with a section undone");
  };
  const Job inner_job = {[](void* data) { (*static_cast<std::function<void()>*>(data))(); },
                         &inner};
  Together(mains, [&](std::uint32_t t) {
    const auto here = pool.Register(std::to_string(t));
    std::mt19937 random(seed + t);
    for (int round = 0; round < 300; ++round) {
      std::vector<std::unique_ptr<Passes>> lists;
      std::vector<TaskId> tasks;
      std::vector<bool> cancelled;
      const auto top = pool.AddEmpty();
      for (int i = 0; i < 6; ++i) {
        const TaskId before =
            tasks.empty() || random() % 2 == 0 ? TaskId() : tasks[random() % tasks.size()];
        const auto priority = static_cast<std::uint8_t>(random() % 3);
        const TaskDef def = {.parent = *top, .dependency = before, .priority = priority};
        Result<TaskId> task;
        if (random() % 3 == 0) {
          TaskDef with_work = def;
          with_work.work = inner_job;
          task = pool.Add(with_work);
          lists.push_back(nullptr);
        } else {
          lists.push_back(std::make_unique<Passes>(1 + random() % 4, random() % 4));
          task = pool.AddList(lists.back()->list, def);
        }
        if (!task) wrong.Add("a task is refused: round", round);
        tasks.push_back(task.value_or(TaskId()));
        const auto cancel = random() % 8 == 0 ? pool.Cancel(tasks.back()) : Result<bool>(false);
        cancelled.push_back(cancel && *cancel);
      }
      Doing::Now("waits for six lists and tasks");
      if (!pool.Wait(*top)) wrong.Add("a wait is refused: round", round);
      for (std::size_t i = 0; i < lists.size(); ++i) {
        if (lists[i] != nullptr && !cancelled[i] && !lists[i]->Done()) {
          wrong.Add("a list has ended with a section undone: round, list", round, i);
        }
      }
    }
  });
  REQUIRE(wrong.Words() == "");
}

TEMPLATE_TEST_CASE("a pool may be closed right after its last batch, or without one", "",
                   EACH_POLICY) {
  for (int round = 0; round < 100; ++round) {
    int runs = 0;
    auto run = [&] { ++runs; };
    const auto owned = MakePool<TestType>({.workers = 2});
    TestType& pool = *owned;
    if (round % 3 == 0) continue;
    const auto here = pool.Register("main");
    JobBatch batch(1);
    REQUIRE(batch.Add(run).has_value());
    REQUIRE(batch.Run(pool).has_value());
    REQUIRE(runs == 1);
    if (round % 3 == 1) REQUIRE(pool.Close(TaskShutdown::kFinish).has_value());
  }
}

}  // namespace
}  // namespace nowait
