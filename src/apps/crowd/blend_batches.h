// BlendBatches: the blends of a frame as idempotent tasks, some in each.
//
//   auto done = batches->Run(blends);          every blend's `out` has been written
//
// A blend is a pure function of two poses, so that a task of blends may be run twice at the same
// time (src/jobs/idempotent_job.h). When the system puts a thread aside in the middle of one, the
// thread that waits for the frame does it again and goes on. The late thread may still be reading
// and writing when the next frame has begun: a batch has copies of its poses and two places for
// results, and is not used again before the late thread has left.
//
// Thread safety: Run by one thread of the pool at a time. The pool is closed before this ends.
// Errors: those of TaskPool::MayWait and Wait; of Create, kCapacity "memory". Where no batch or no
// task is free, the caller blends by itself.
// Source: [bitsquid2010], the blending task that takes longer than it should, and the remark on it.
// Test: tests/apps/crowd/blend_batches_test.cc.
#ifndef NOWAIT_SRC_APPS_CROWD_BLEND_BATCHES_H_
#define NOWAIT_SRC_APPS_CROWD_BLEND_BATCHES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "src/animation/pose.h"
#include "src/animation/skeleton.h"
#include "src/base/result.h"
#include "src/jobs/idempotent_job.h"
#include "src/jobs/task_pool.h"
#include "src/sync/index_pool.h"

namespace nowait {

struct BlendJob {
  const Pose* a;
  const Pose* b;
  float weight;  // of b
  Pose* out;
};

struct BlendBatchesDef {
  std::uint32_t batches = 64;
  // kIdempotent tasks; otherwise plain ones, for comparison.
  bool idempotent = true;
  // Called at the beginning of each task by the thread that runs it; `is_caller`: that thread has
  // called Run. For tests and measurements of threads that are put aside.
  void (*begins)(void* data, int run, bool is_caller) = nullptr;
  void* data = nullptr;
};

class BlendBatches {
 public:
  static constexpr std::uint32_t kBlends = 8;  // in a batch: some microseconds

  static Result<std::unique_ptr<BlendBatches>> Create(TaskPool& pool, const Skeleton& skeleton,
                                                      const BlendBatchesDef& def);
  BlendBatches(const BlendBatches&) = delete;
  BlendBatches& operator=(const BlendBatches&) = delete;

  Result<void> Run(std::span<const BlendJob> blends);

 private:
  struct Batch {
    Batch(BlendBatches& all, std::uint32_t number, const Skeleton& skeleton);
    void Compute(int run);
    void Commit(int run);

    BlendBatches& owner;
    const std::uint32_t index;
    std::uint32_t count = 0;
    const void* caller = nullptr;
    std::vector<Pose> a, b;
    std::array<float, kBlends> weight{};
    std::array<Pose*, kBlends> to{};
    std::array<std::vector<Pose>, 2> out;
    IdempotentJob job;
  };

  BlendBatches(TaskPool& pool, const BlendBatchesDef& def)
      : pool_(pool), def_(def), free_(def.batches) {}
  bool Add(std::span<const BlendJob> blends, TaskId loop);

  TaskPool& pool_;
  const BlendBatchesDef def_;
  IndexPool<> free_;
  std::deque<Batch> batches_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_CROWD_BLEND_BATCHES_H_
