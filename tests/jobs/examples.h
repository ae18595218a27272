// Examples: the calls of src/jobs that a game uses, about five lines each. examples_test.cc runs
// them. Each returns the first error.
#ifndef NOWAIT_TESTS_JOBS_EXAMPLES_H_
#define NOWAIT_TESTS_JOBS_EXAMPLES_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <thread>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/captured_work.h"
#include "src/jobs/device.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_plan.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"

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

// A task whose creation cannot fail here: an error would be printed, and end the program.
inline Result<void> AddWithoutError(TaskPool& pool, int* sum) {
  const TaskId first = pool.AddOrEnd([sum] { *sum = 1; });
  return pool.Wait(pool.AddOrEnd([sum] { *sum += 1; }, {.dependency = first}));
}

// A task that one worker alone runs, because a library wants all its calls on one thread.
inline TaskPoolDef WithSoundWorker() { return {.workers = 2, .named_workers = 1}; }
inline Result<void> MixSound(TaskPool& pool, std::thread::id* mixed_by) {
  const auto sound = pool.AffinityToWorker(0);
  if (!sound) return std::unexpected(sound.error());
  const auto mix =
      pool.Add([mixed_by] { *mixed_by = std::this_thread::get_id(); }, {.affinity = *sound});
  return mix ? pool.Wait(*mix) : Because(mix);
}

// A wait that gives up: the frame goes on without the path, and takes it when it is there.
inline Result<bool> WaitAWhile(TaskPool& pool, TaskId path) {
  const auto until = EngineSync::clock::now() + std::chrono::milliseconds(2);
  const auto waited = pool.Wait(path, {.until = until});
  if (waited) return true;
  if (waited.error().code == ErrorCode::kTimeout) return false;
  return std::unexpected(waited.error());
}

// A wait that helps with urgent tasks alone, besides what it needs.
inline Result<void> WaitUrgently(TaskPool& pool, int* sum) {
  const auto animate = pool.Add([sum] { ++*sum; });
  if (!animate) return Because(animate);
  return pool.Wait(*animate, {.from = Priority::kHigh});
}

// Memory that a worker takes before its first task, and gives back after its last one.
inline TaskPoolDef WithArenas(std::atomic<int>* arenas) {
  return {.workers = 2,
          .on_worker_start = [arenas](std::uint32_t) { ++*arenas; },
          .on_worker_stop = [arenas](std::uint32_t) { --*arenas; }};
}

// A disk that may hang: after two seconds in one request that is abandoned, and Wait returns.
inline TaskPoolDef WithDisk() {
  return {.devices = {"disk"}, .device_patience = std::chrono::seconds(2)};
}
inline Result<void> LoadFromDisk(TaskPool& pool, DeviceRequest& load, bool* shown) {
  const auto loaded = pool.AddRequest("disk", load);
  if (!loaded) return Because(loaded);
  const auto show =
      pool.Add([shown] { *shown = true; }, {.dependency = *loaded, .needs_success = true});
  if (!show) return Because(show);
  if (auto waited = pool.Wait(*show); !waited) return waited;
  return load.answer();  // kTimeout: the disk hangs
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
