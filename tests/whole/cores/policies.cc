// The same work in two or more ways that the engine offers.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/base/or_end.h"
#include "src/jobs/job_list.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"
#include "tests/whole/cores/rounds.h"
#include "tests/whole/cores/shapes.h"
#include "tests/whole/cores/work.h"
#include "tests/whole/cores/workloads.h"

namespace nowait::whole {
namespace {

// The fan's tasks, made by tasks that divide their range and do not wait.
void Divide(TaskPool& pool, std::uint32_t tasks, std::uint64_t work) {
  if (tasks <= 1) return Work(work);
  const TaskId parent = OrEnd(pool.Current());
  for (const std::uint32_t half : {tasks / 2, tasks - tasks / 2}) {
    pool.AddOrEnd([&pool, half, work] { Divide(pool, half, work); }, {.parent = parent});
  }
}
void Split(const Rounds& rounds) {
  RunRounds<TaskPool>(rounds, [&, work = rounds.work](TaskPool& pool) {
    const std::uint32_t tasks = kTasks / rounds.part;
    OrEnd(pool.Wait(pool.AddOrEnd([&pool, tasks, work] { Divide(pool, tasks, work); })));
  });
}

// A list's jobs, of which each thread fetches so many at a time.
template <std::uint32_t kMost>
void ListBy(const Rounds& rounds) {
  JobList<> list(kTasks);
  std::uint64_t work = rounds.work;
  const Job job{[](void* data) { Work(*static_cast<const std::uint64_t*>(data)); }, &work};
  const auto run = [&list] {
    constexpr std::uint32_t kShare = 16;  // as job_list_runner.h
    JobList<>::Batch batch;
    for (;;) {
      const RunResult result = list.FetchBatch(kMost, kShare, &batch);
      if (result == RunResult::kDone) return;
      if (result != RunResult::kProgress) {
        EngineSync::Pause();
        continue;
      }
      for (std::uint32_t i = 0; i < batch.count; ++i) {
        const Job next = list.At(batch.first + i);
        next.function(next.data);
      }
      list.CompleteJobs(batch.count);
    }
  };
  RunRounds<TaskPool>(rounds, [&](TaskPool& pool) {
    list.Clear();
    for (std::uint32_t i = 0; i < kTasks / rounds.part; ++i) OrEnd(list.Add(job));
    list.Submit();
    const TaskId all = OrEnd(pool.AddEmpty());
    for (std::uint32_t i = 0; i < pool.threads(); ++i) pool.AddOrEnd(run, {.parent = all});
    OrEnd(pool.Wait(all));
  });
}

// A frame of many short chains of tasks and a long one, which is submitted last.
class Paths {
 public:
  Paths(std::uint64_t work, std::uint32_t part) : work_(work) {
    constexpr std::uint32_t kShort = 128;
    constexpr std::uint32_t kLong = 48;
    for (std::uint32_t i = 0; i <= kShort / part; ++i) {
      const std::uint32_t length = i == kShort / part ? kLong : 4 + i * 7 % 9;
      for (std::uint32_t k = 0; k < length; ++k) {
        tasks_.push_back({.units = 1 + (i * 5 + k * 3) % 3, .starts = k == 0});
      }
    }
  }

  void RunFrame(TaskPool& pool) {
    const TaskId frame = OrEnd(pool.AddEmpty());
    TaskId before;
    for (Task& task : tasks_) {
      if (task.starts) before = {};
      before = pool.AddOrEnd(
          [&task, work = work_] {
            const auto began = EngineSync::clock::now();
            Work(task.units * work);
            task.lasted = EngineSync::clock::now() - began;
          },
          {.parent = frame,
           .dependency = before,
           .priority = static_cast<std::uint8_t>(task.priority)});
    }
    OrEnd(pool.Wait(frame));
  }

  // The chain that took longest in the last frame is begun first in the next one.
  void PutLongestFirst() {
    std::size_t first = 0;
    std::size_t longest = 0;
    EngineSync::clock::duration most{};
    EngineSync::clock::duration sum{};
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].starts) {
        first = i;
        sum = {};
      }
      sum += tasks_[i].lasted;
      if (sum > most) {
        most = sum;
        longest = first;
      }
    }
    for (Task& task : tasks_) task.priority = Priority::kNormal;
    for (std::size_t i = longest; i < tasks_.size(); ++i) {
      if (i != longest && tasks_[i].starts) break;
      tasks_[i].priority = Priority::kHigh;
    }
  }

 private:
  struct Task {
    std::uint64_t units;
    bool starts;  // a chain
    Priority priority = Priority::kNormal;
    EngineSync::clock::duration lasted{};
  };
  const std::uint64_t work_;
  std::vector<Task> tasks_;
};

template <bool kLastFrame>
void FrameOfPaths(const Rounds& rounds) {
  Paths paths(rounds.work, rounds.part);
  RunRounds<TaskPool>(rounds, [&](TaskPool& pool) {
    if (kLastFrame) paths.PutLongestFirst();
    paths.RunFrame(pool);
  });
}

constexpr Workload kPolicies[] = {
    {"fan: stealing", "each thread has queues, and steals", &Fan<TaskPool>},
    {"fan: one queue", "one queue for all threads", &Fan<OneQueueTaskPool>},
    {"fan: split", "as many tasks, made by tasks that divide a range", &Split},
    {"tree: stealing", "each thread has queues, and steals", &Tree<TaskPool>},
    {"tree: one queue", "one queue for all threads", &Tree<OneQueueTaskPool>},
    {"list: by 1", "each thread fetches a job at a time", &ListBy<1>},
    {"list: by 16", "it fetches up to sixteen", &ListBy<16>},
    {"list: pool's", "it fetches more when it was turned away", &List},
    {"ranges: by 1", "pieces of one element", &Ranges<1>},
    {"ranges: by 16", "of 16", &Ranges<16>},
    {"ranges: by 256", "of 256", &Ranges<256>},
    {"paths: fixed", "one priority for all tasks", &FrameOfPaths<false>},
    {"paths: last", "last frame's longest chain is urgent", &FrameOfPaths<true>},
};

}  // namespace

std::span<const Workload> Policies() { return kPolicies; }

}  // namespace nowait::whole
