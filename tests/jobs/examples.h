// Examples: the calls of src/jobs that a game uses, about five lines each. examples_test.cc runs
// them. Each returns the first error.
#ifndef NOWAIT_TESTS_JOBS_EXAMPLES_H_
#define NOWAIT_TESTS_JOBS_EXAMPLES_H_

#include <array>
#include <cstdint>
#include <expected>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/captured_work.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_plan.h"
#include "src/jobs/task_pool.h"

namespace nowait {

inline std::unexpected<Error> Because(const Result<TaskId>& failed) {
  return std::unexpected(failed.error());
}

// A task with captures, and a wait that helps.
inline Result<void> AddAndWait(TaskPool& pool, int* sum) {
  const auto task = pool.Add([sum, more = 3] { *sum += more; });
  if (!task) return Because(task);
  return pool.Wait(*task);
}

// A name in the profile, and how the work has ended.
inline Result<void> NameAndOutcome(TaskPool& pool, TaskOutcome* outcome) {
  const auto task = pool.Add([] { throw 7; }, {}, {.name = "load", .outcome = outcome});
  if (!task) return Because(task);
  return pool.Wait(*task);  // then outcome->end() is kThrew
}

// A task after two others.
inline Result<void> AfterTwo(TaskPool& pool, int* left, int* right, int* sum) {
  const auto one = pool.Add([left] { *left = 1; });
  const auto two = pool.Add([right] { *right = 2; });
  if (!one || !two) return Because(one ? two : one);
  const auto both = pool.WhenAll(std::array{*one, *two});
  if (!both) return Because(both);
  const auto then = pool.Add([left, right, sum] { *sum = *left + *right; }, {.dependency = *both});
  return then ? pool.Wait(*then) : Because(then);
}

// A loop between two tasks of the graph.
inline Result<void> LoopAsNode(TaskPool& pool, JobBatch& batch, std::vector<int>& values) {
  const auto before = pool.Add([&values] { values.assign(100, 1); });
  if (!before) return Because(before);
  auto doubled = [&values](std::uint32_t i, std::uint32_t end) {
    for (; i < end; ++i) values[i] *= 2;
  };
  if (auto added = batch.AddLoop(100, 16, doubled); !added) return added;
  const auto loop = batch.AddTo(pool, {.dependency = *before});
  if (!loop) return Because(loop);
  if (auto waited = pool.Wait(*loop); !waited) return waited;
  return batch.Collect(pool);
}

// A task that is not run if the one before it has failed.
inline Result<void> OnlyAfterSuccess(TaskPool& pool, bool* shown) {
  const auto load = pool.Add([] { throw 7; });
  if (!load) return Because(load);
  const auto show =
      pool.Add([shown] { *shown = true; }, {.dependency = *load, .needs_success = true});
  return show ? pool.Wait(*show) : Because(show);
}

// A group that is not needed any more.
inline Result<std::uint32_t> GiveUp(TaskPool& pool, int* ran) {
  const auto level = pool.AddEmpty();
  if (!level) return Because(level);
  for (int i = 0; i < 5; ++i) {
    if (auto load = pool.Add([ran] { ++*ran; }, {.parent = *level}); !load) return Because(load);
  }
  return pool.CancelGroup(*level);  // how many will not be run
}

// A graph that is made once.
inline Result<void> MakePlan(TaskPlan& plan, int* a, int* b, int* sum) {
  const auto one = plan.Add([a] { ++*a; });
  const auto two = plan.Add([b] { ++*b; });
  if (!one || !two) return std::unexpected((one ? two : one).error());
  const auto last = plan.Add([a, b, sum] { *sum += *a + *b; }, std::array{*one, *two});
  if (!last) return std::unexpected(last.error());
  return {};
}
// And run in each frame.
inline Result<void> RunPlan(TaskPool& pool, TaskPlan& plan) {
  const auto frame = plan.AddTo(pool);
  return frame ? pool.Wait(*frame) : Because(frame);
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_JOBS_EXAMPLES_H_
