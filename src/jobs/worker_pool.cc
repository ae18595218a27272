#include "src/jobs/worker_pool.h"

#include <utility>

#include "src/base/assert.h"

namespace nowait {
namespace {

thread_local bool inside_a_job = false;

// A stall means that somebody is fetching: a few instructions. On few cores that somebody may have
// lost its core in the middle, so give ours away instead of spinning.
void StepAside() { std::this_thread::yield(); }

RunResult RunJob(JobList<>& list) {
  inside_a_job = true;
  const RunResult result = list.RunOne();
  inside_a_job = false;
  return result;
}

}  // namespace

WorkerPool::WorkerPool(std::uint32_t workers, std::function<void(std::uint32_t)> on_start) {
  threads_.reserve(workers);
  for (std::uint32_t i = 0; i < workers; ++i) {
    threads_.emplace_back([this, on_start, i] {
      if (on_start) on_start(i);
      Work();
    });
  }
}

WorkerPool::~WorkerPool() {
  // relaxed: NotifyAll publishes it to whoever sleeps or is about to.
  closing_.store(true, std::memory_order::relaxed);
  posted_.NotifyAll();
}

void WorkerPool::Run(JobList<>& list) {
  NOWAIT_ASSERT(!inside_a_job, "a job may not run a list and wait for it");
  list.Submit();
  const std::uint32_t slot = board_.Post(&list);
  if (slot == ListBoard<>::kNone) {
    RunAll(list);
    return;
  }
  posted_.NotifyAll();
  RunAll(list);
  board_.Close(slot);
  left_.Await([&] { return list.Finished() && board_.IsVacant(slot); });
  board_.Vacate(slot);
}

void WorkerPool::RunAll(JobList<>& list) {
  for (;;) {
    switch (RunJob(list)) {
      case RunResult::kProgress: break;
      case RunResult::kStalled: StepAside(); break;
      case RunResult::kDone: return;
    }
  }
}

void WorkerPool::Work() {
  while (!closing_.load(std::memory_order::relaxed)) {
    // Announce first and look afterwards, as src/sync/event_count.h has it.
    const auto key = posted_.PrepareWait();
    Round round;
    while ((round = GoRound()) != Round::kIdle) {
      if (round == Round::kStalled) StepAside();
    }
    if (closing_.load(std::memory_order::relaxed)) return;
    posted_.Wait(key);
  }
}

// Runs what can be run from each posted list, and hides a stall behind the next one.
WorkerPool::Round WorkerPool::GoRound() {
  Round round = Round::kIdle;
  for (std::uint32_t slot = 0; slot < board_.size(); ++slot) {
    JobList<>* list = board_.Enter(slot);
    if (list == nullptr) continue;
    RunResult result;
    do {
      result = RunJob(*list);
      if (result == RunResult::kProgress) round = Round::kRan;
    } while (result == RunResult::kProgress);
    if (result == RunResult::kStalled && round == Round::kIdle) round = Round::kStalled;
    if (board_.Leave(slot)) left_.NotifyAll();
  }
  return round;
}

}  // namespace nowait
