#include "tests/whole/cores/workloads.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "src/base/or_end.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/task_pool.h"
#include "tests/whole/cores/rounds.h"
#include "tests/whole/cores/shapes.h"
#include "tests/whole/cores/work.h"

namespace nowait::whole {
namespace {

void Chain(const Rounds& rounds) {
  constexpr std::uint32_t kLength = 1024;
  RunRounds<TaskPool>(rounds, [&, work = rounds.work](TaskPool& pool) {
    TaskId last;
    for (std::uint32_t i = 0; i < kLength / rounds.part; ++i) {
      last = pool.AddOrEnd([work] { Work(work); }, {.dependency = last});
    }
    OrEnd(pool.Wait(last));
  });
}

// Each cell of a square comes after its neighbours above and to the left.
void Wavefront(const Rounds& rounds) {
  constexpr std::uint32_t kSide = 32;
  RunRounds<TaskPool>(rounds, [&, work = rounds.work](TaskPool& pool) {
    const auto side = static_cast<std::uint32_t>(kSide / std::sqrt(rounds.part));
    std::vector<TaskId> above(side);
    for (std::uint32_t row = 0; row < side; ++row) {
      TaskId left;
      for (TaskId& cell : above) {
        const bool both = left.IsTask() && cell.IsTask();
        const TaskId one = left.IsTask() ? left : cell;
        const TaskId before = both ? OrEnd(pool.WhenAll(std::array{left, cell})) : one;
        left = cell = pool.AddOrEnd([work] { Work(work); }, {.dependency = before});
      }
    }
    OrEnd(pool.Wait(above.back()));
  });
}

void Loop(const Rounds& rounds) {
  RunRounds<TaskPool>(rounds, [&, work = rounds.work](TaskPool& pool) {
    OrEnd(ParallelFor(
        pool, kTasks / rounds.part, 1,
        [work](std::uint32_t begin, std::uint32_t end) { Work((end - begin) * work); }));
  });
}

// Stages behind each other, as in a frame of a game.
void Frame(const Rounds& rounds) {
  constexpr std::uint32_t kStages = 10;
  constexpr std::uint32_t kOfStage = 200;
  RunRounds<TaskPool>(rounds, [&, work = rounds.work](TaskPool& pool) {
    TaskId stage;
    for (std::uint32_t i = 0; i < kStages; ++i) {
      const TaskId next = OrEnd(pool.AddEmpty());
      for (std::uint32_t k = 0; k < kOfStage / rounds.part; ++k) {
        pool.AddOrEnd([work] { Work(work); }, {.parent = next, .dependency = stage});
      }
      stage = next;
    }
    OrEnd(pool.Wait(stage));
  });
}

constexpr Workload kWorkloads[] = {
    {"fan", "4,096 tasks, made by one thread", &Fan<TaskPool>, true},
    {"tree", "1,219 calls, each waits for its two", &Tree<TaskPool>, true},
    {"chain", "1,024 tasks, one after another", &Chain, false},
    {"wavefront", "32 x 32 cells, each after two", &Wavefront, true},
    {"loop", "ParallelFor over 4,096", &Loop, false},
    {"ranges", "a batch's loop over 4,096 by 16", &Ranges<16>, false},
    {"list", "a batch of 4,096 jobs", &List, true},
    {"frame", "10 stages of 200 tasks", &Frame, false},
};

}  // namespace

std::span<const Workload> Workloads() { return kWorkloads; }

}  // namespace nowait::whole
