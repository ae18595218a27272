// ParallelFor: a loop, cut into tasks, that the caller helps with and waits for.
//
//   auto done = ParallelFor(pool, bodies, 64, [&](std::uint32_t begin, std::uint32_t end) { ... });
//   if (!done) return done;
//
// The pieces are equal but for the last, at least `grain` long, and at most 5 for each of the
// pool's threads (the number of [bitsquid2010]). That is enough for late or slow threads to leave
// little to wait for, and few enough to be handed out at no cost that counts. So they depend on the
// number of threads; results that must not depend on it are kept by element.
//
// Thread safety: as TaskPool::Wait: workers' tasks, and main threads. The body runs on several
// threads at the same time.
//
// Promise: without an error, body was called for each piece once, and its work happens before the
// return. Pieces for which no task could be made, because the capacity is reached, were done by the
// caller. kWrongPhase (loop): `amount` pieces were not done, or not to their end. They threw, which
// was reported wherever they ran, or the pool was shut down with kCancel. Other errors are those of
// TaskPool::MayWait and Add, and kCapacity (memory); nothing has been called then. Like each wait,
// it submits the tasks that the caller holds. But where there is no room for a task of its own, it
// waits for nothing and submits nothing.
//
// Source: [bitsquid2010]: "heavy jobs are split into a maximum of 5 * thread_count tasks". Lecture:
// dependencies, helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_PARALLEL_FOR_H_
#define NOWAIT_SRC_JOBS_PARALLEL_FOR_H_

#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/sync/held_locks.h"
#include "src/sync/policy.h"

namespace nowait {

inline constexpr std::uint32_t kPiecesPerThread = 5;

template <class Queues, class F>
Result<void> ParallelFor(BasicTaskPool<Queues>& pool, std::uint32_t count, std::uint32_t grain,
                         const F& body, Priority priority = Priority::kHigh) {
  struct Piece {
    static void Run(void* data) {
      Piece& piece = *static_cast<Piece*>(data);
      (*piece.body)(piece.begin, piece.end);
      piece.done = true;
    }
    const F* body;
    std::uint32_t begin;
    std::uint32_t end;
    bool done = false;
    bool has_task = false;
  };
  NOWAIT_ASSERT(HoldsNoLock<EngineSync>(), "no lock is held across a loop's pieces");
  if (auto may = pool.MayWait(); !may) return may;
  const std::uint32_t most = kPiecesPerThread * pool.threads();
  const std::uint32_t length = std::max({grain, count / most + (count % most != 0 ? 1u : 0u), 1u});
  std::vector<Piece> pieces;
  try {
    pieces.reserve(count / length + 1);
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kCapacity, "memory", 0, "for the pieces of a loop");
  }
  for (std::uint32_t begin = 0; begin < count; begin += std::min(length, count - begin)) {
    pieces.push_back({&body, begin, begin + std::min(length, count - begin)});
  }
  const auto loop = pool.AddEmpty();
  if (!loop && loop.error().code != ErrorCode::kCapacity) return std::unexpected(loop.error());
  const auto run_here = [&pool](Piece& piece) {
    try {
      Piece::Run(&piece);
    } catch (...) {
      pool.ReportThrown();
    }
  };
  for (Piece& piece : pieces) {
    const TaskDef def{.work = {&Piece::Run, &piece},
                      .parent = loop.value_or(TaskId()),
                      .priority = static_cast<std::uint8_t>(priority)};
    piece.has_task = loop && pool.Add(def);
  }
  for (Piece& piece : pieces) {
    if (!piece.has_task) run_here(piece);
  }
  if (loop) {
    const auto waited = pool.Wait(*loop);
    NOWAIT_ASSERT(waited, "the creator of a task may wait for it");
  }
  const auto not_done =
      std::count_if(pieces.begin(), pieces.end(), [](const Piece& piece) { return !piece.done; });
  if (not_done != 0) {
    return Fail(ErrorCode::kWrongPhase, "loop", not_done, "pieces threw or were cancelled");
  }
  return {};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_PARALLEL_FOR_H_
