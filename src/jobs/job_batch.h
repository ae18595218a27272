// JobBatch: jobs from lambdas, and loops cut into jobs, on a list of its own that is used again.
//
//   batch.Add(rebuild);                    // a callable, taken by reference
//   batch.AddLoop(pairs, 64, collide);     // collide(begin, end) for pieces of 0 .. pairs-1
//   batch.Run(pool);                       // both at once; returns when all have returned
//
// Thread safety: one thread. The callables run on any thread, at the same time; they must live until
// Run has returned. What they write is visible after Run.
// The pieces of a loop depend on its length alone, not on the number of threads, so that results
// kept by piece come out the same with any number.
#ifndef NOWAIT_SRC_JOBS_JOB_BATCH_H_
#define NOWAIT_SRC_JOBS_JOB_BATCH_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/job_list.h"
#include "src/jobs/worker_pool.h"

namespace nowait {

class JobBatch {
 public:
  // capacity: how many jobs a batch can have.
  explicit JobBatch(std::uint32_t capacity = 256) : list_(capacity) { pieces_.reserve(capacity); }

  // A job that calls `body()`. kCapacity when the batch is full.
  template <class F>
  Result<void> Add(F& body) {
    return AddPiece({0, 0, &body}, [](void* data) {
      (*static_cast<F*>(static_cast<Piece*>(data)->body))();
    });
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
      auto added = AddPiece({begin, begin + std::min(length, count - begin), &body}, [](void* data) {
        const Piece& piece = *static_cast<Piece*>(data);
        (*static_cast<F*>(piece.body))(piece.begin, piece.end);
      });
      if (!added) return added;
    }
    return {};
  }

  // Runs everything added since the last Run, and empties the batch.
  void Run(WorkerPool& pool) {
    pool.Run(list_);
    list_.Clear();
    pieces_.clear();
  }

 private:
  struct Piece {
    std::uint32_t begin;
    std::uint32_t end;
    void* body;
  };

  Result<void> AddPiece(Piece piece, void (*function)(void*)) {
    if (pieces_.size() == list_.capacity()) {
      return Fail(ErrorCode::kCapacity, "job batch", list_.capacity());
    }
    pieces_.push_back(piece);  // never moves: reserved at creation
    return list_.Add({function, &pieces_.back()});
  }

  JobList<> list_;
  std::vector<Piece> pieces_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_JOB_BATCH_H_
