// JobBatch: jobs from lambdas, and loops cut into jobs, on a list of its own that is used again.
//
//   batch.Add(rebuild);                    // a callable, taken by reference
//   batch.AddLoop(pairs, 64, collide);     // collide(begin, end) for pieces of 0 .. pairs-1
//   batch.Run(pool);                       // both at once; returns when all have returned
//
// Thread safety: one thread. The callables run on any thread, at the same time; they must live
// until Run has returned. What they write is visible after Run. They create no tasks and wait for
// none.
// Blocking: Run helps, as TaskPool::Wait.
// The pieces of a loop depend on its length alone, not on the number of threads, so that results
// kept by piece come out the same with any number.
#ifndef NOWAIT_SRC_JOBS_JOB_BATCH_H_
#define NOWAIT_SRC_JOBS_JOB_BATCH_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/priority.h"
#include "src/jobs/run_job.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"

namespace nowait {

class JobBatch {
 public:
  // capacity: how many jobs a batch can have.
  explicit JobBatch(std::uint32_t capacity = 256) : list_(capacity) { pieces_.reserve(capacity); }

  // A job that calls `body()`. kCapacity when the batch is full.
  template <class F>
  Result<void> Add(F& body) {
    return AddPiece({0, 0, &body}, &RunPiece<&CallOnce<F>>);
  }

  // Jobs that call `body(begin, end)` for consecutive pieces of 0 .. count-1 of at least `grain`
  // elements (the last may be shorter), and of more where the batch has no room for so many jobs.
  // kCapacity when it has no room for any.
  template <class F>
  Result<void> AddLoop(std::uint32_t count, std::uint32_t grain, F& body) {
    const std::uint32_t room = list_.capacity() - static_cast<std::uint32_t>(pieces_.size());
    if (count > 0 && room == 0) return Fail(ErrorCode::kCapacity, "job batch", list_.capacity());
    const std::uint32_t length = room == 0 ? 0 : std::max(grain, (count + room - 1) / room);
    for (std::uint32_t begin = 0; begin < count; begin += std::min(length, count - begin)) {
      auto added =
          AddPiece({begin, begin + std::min(length, count - begin), &body}, &RunPiece<&CallOn<F>>);
      if (!added) return added;
    }
    return {};
  }

  // Runs everything added since the last Run, and empties the batch. It is a list and a task; where
  // the pool makes none, because it is full or has been shut down, the caller runs all jobs.
  // kNotOwner, or kWrongPhase (wait): the caller may not wait, and no job was run; the batch is
  // unchanged. kWrongPhase (job batch): `amount` jobs threw.
  template <class Queues>
  Result<void> Run(BasicTaskPool<Queues>& pool, Priority priority = Priority::kNormal) {
    if (auto may = pool.MayWait(); !may) return may;
    const auto task = pool.AddList(list_, {.priority = static_cast<std::uint8_t>(priority)});
    if (task) {
      const auto waited = pool.Wait(*task);
      NOWAIT_ASSERT(waited, "who has made a task may wait for it");
    }
    if (!list_.Finished()) RunAlone();
    const auto threw = std::count_if(pieces_.begin(), pieces_.end(),
                                     [](const Piece& piece) { return piece.body == nullptr; });
    list_.Clear();
    pieces_.clear();
    if (threw != 0) return Fail(ErrorCode::kWrongPhase, "job batch", threw, "jobs threw");
    return {};
  }

 private:
  struct Piece {
    std::uint32_t begin;
    std::uint32_t end;
    void* body;  // null after it has thrown
  };

  // The function of a piece's job: kCall(piece), of which is noted if it throws.
  template <void (*kCall)(const Piece&)>
  static void RunPiece(void* data) {
    Piece& piece = *static_cast<Piece*>(data);
    try {
      kCall(piece);
    } catch (...) {
      piece.body = nullptr;
      throw;
    }
  }
  template <class F>
  static void CallOnce(const Piece& piece) {
    (*static_cast<F*>(piece.body))();
  }
  template <class F>
  static void CallOn(const Piece& piece) {
    (*static_cast<F*>(piece.body))(piece.begin, piece.end);
  }

  Result<void> AddPiece(const Piece& piece, void (*function)(void*)) {
    if (pieces_.size() == list_.capacity()) {
      return Fail(ErrorCode::kCapacity, "job batch", list_.capacity());
    }
    pieces_.push_back(piece);  // never moves: reserved at creation
    return list_.Add({function, &pieces_.back()});
  }

  void RunAlone() {
    list_.Submit();
    Job job;
    while (list_.Fetch(&job) == RunResult::kProgress) {
      RunJob(job);
      list_.Returned();
    }
  }

  JobList<> list_;
  std::vector<Piece> pieces_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_JOB_BATCH_H_
