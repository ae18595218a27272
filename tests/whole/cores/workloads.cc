#include "tests/whole/cores/workloads.h"

#include <array>
#include <cstdint>
#include <vector>

#include "src/base/or_end.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/task_pool.h"
#include "tests/whole/cores/rounds.h"
#include "tests/whole/cores/work.h"

namespace nowait::whole {
namespace {

constexpr std::uint32_t kTasks = 4096;
constexpr std::uint32_t kChain = 1024;
constexpr std::uint32_t kSide = 32;
constexpr std::uint32_t kStages = 10;
constexpr std::uint32_t kOfStage = 200;
constexpr std::uint32_t kTree = 14;

// One thread makes them all.
void Fan(const Rounds& rounds) {
  RunRounds<TaskPool>(rounds, [work = rounds.work](TaskPool& pool) {
    const TaskId all = OrEnd(pool.AddEmpty());
    for (std::uint32_t i = 0; i < kTasks; ++i) {
      pool.AddOrEnd([work] { Work(work); }, {.parent = all});
    }
    OrEnd(pool.Wait(all));
  });
}

// As the calls of a recursive Fibonacci function: each waits for its two.
void Grow(TaskPool& pool, std::uint32_t n, std::uint64_t work) {
  if (n >= 2) {
    const TaskId one = pool.AddOrEnd([&pool, n, work] { Grow(pool, n - 1, work); });
    const TaskId other = pool.AddOrEnd([&pool, n, work] { Grow(pool, n - 2, work); });
    OrEnd(pool.Wait(one));
    OrEnd(pool.Wait(other));
  }
  Work(work);
}
constexpr std::uint32_t Calls(std::uint32_t n) {
  return n < 2 ? 1 : 1 + Calls(n - 1) + Calls(n - 2);
}
void Tree(const Rounds& rounds) {
  RunRounds<TaskPool>(rounds, [work = rounds.work](TaskPool& pool) {
    OrEnd(pool.Wait(pool.AddOrEnd([&pool, work] { Grow(pool, kTree, work); })));
  });
}

void Chain(const Rounds& rounds) {
  RunRounds<TaskPool>(rounds, [work = rounds.work](TaskPool& pool) {
    TaskId last;
    for (std::uint32_t i = 0; i < kChain; ++i) {
      last = pool.AddOrEnd([work] { Work(work); }, {.dependency = last});
    }
    OrEnd(pool.Wait(last));
  });
}

// Each cell of a square comes after its neighbours above and to the left.
void Wavefront(const Rounds& rounds) {
  RunRounds<TaskPool>(rounds, [work = rounds.work](TaskPool& pool) {
    std::array<TaskId, kSide> above{};
    for (std::uint32_t row = 0; row < kSide; ++row) {
      TaskId left;
      for (TaskId& cell : above) {
        const TaskId task = pool.AddOrEnd([work] { Work(work); }, {.dependency = cell});
        if (left.IsTask()) OrEnd(pool.DependsOn(task, left));
        left = cell = task;
      }
    }
    OrEnd(pool.Wait(above.back()));
  });
}

template <std::uint32_t kGrain>
void Loop(const Rounds& rounds) {
  RunRounds<TaskPool>(rounds, [work = rounds.work](TaskPool& pool) {
    OrEnd(ParallelFor(pool, kTasks, kGrain, [work](std::uint32_t begin, std::uint32_t end) {
      Work((end - begin) * work);
    }));
  });
}

// Pieces from ranges that the threads steal from each other.
template <std::uint32_t kGrain>
void Ranges(const Rounds& rounds) {
  auto body = [work = rounds.work](std::uint32_t begin, std::uint32_t end) {
    Work((end - begin) * work);
  };
  JobBatch batch;
  RunRounds<TaskPool>(rounds, [&](TaskPool& pool) {
    OrEnd(batch.AddLoop(kTasks, kGrain, body));
    OrEnd(batch.Run(pool));
  });
}

void List(const Rounds& rounds) {
  auto body = [work = rounds.work](std::uint32_t) { Work(work); };
  JobBatch batch(kTasks);
  RunRounds<TaskPool>(rounds, [&](TaskPool& pool) {
    OrEnd(batch.AddEach(kTasks, body));
    OrEnd(batch.Run(pool));
  });
}

// Stages behind each other, as in a frame of a game.
void Frame(const Rounds& rounds) {
  RunRounds<TaskPool>(rounds, [work = rounds.work](TaskPool& pool) {
    TaskId stage;
    for (std::uint32_t i = 0; i < kStages; ++i) {
      const TaskId next = OrEnd(pool.AddEmpty());
      for (std::uint32_t k = 0; k < kOfStage; ++k) {
        pool.AddOrEnd([work] { Work(work); }, {.parent = next, .dependency = stage});
      }
      stage = next;
    }
    OrEnd(pool.Wait(stage));
  });
}

constexpr Workload kWorkloads[] = {
    {"fan", "4,096 tasks, made by one thread", kTasks, Fan, true},
    {"tree", "1,219 calls, each waits for its two", Calls(kTree), Tree, true},
    {"chain", "1,024 tasks, one after another", kChain, Chain, true},
    {"wavefront", "32 x 32 cells, each after two", kSide * kSide, Wavefront, false},
    {"loop", "ParallelFor over 4,096, grain 1", kTasks, Loop<1>, false},
    {"ranges", "a batch's loop over 4,096, grain 16", kTasks, Ranges<16>, false},
    {"list", "a batch of 4,096 jobs", kTasks, List, true},
    {"frame", "10 stages of 200 tasks", kStages * kOfStage, Frame, false},
};

}  // namespace

std::span<const Workload> Workloads() { return kWorkloads; }

}  // namespace nowait::whole
