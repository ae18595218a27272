// SharedState: the state that the scripts of one run of a program share.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_SHARED_STATE_H_
#define NOWAIT_TESTS_WHOLE_JOBS_SHARED_STATE_H_

#include <atomic>
#include <cstddef>
#include <deque>
#include <vector>

#include "tests/whole/jobs/hand_over.h"
#include "tests/whole/jobs/needs.h"
#include "tests/whole/jobs/priority_order.h"
#include "tests/whole/jobs/program.h"
#include "tests/whole/jobs/record.h"
#include "tests/whole/jobs/reports.h"
#include "tests/whole/jobs/second_pool.h"

namespace nowait::job_programs {

template <class Pool>
struct SharedState {
  explicit SharedState(const Program& of)
      : program(of),
        needs(of),
        order(of),
        records(of.tasks.size()),
        children(of.tasks.size()),
        handed_over(of.completers),
        signals(of.mains.size()) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].spec = &of.tasks[i];
      records[i].number = static_cast<int>(i);
      records[i].run = this;
    }
    for (const Script& script : of.mains) FindChildren(script, kNoTask);
    for (std::size_t i = 0; i < of.tasks.size(); ++i) {
      FindChildren(of.tasks[i].body, static_cast<int>(i));
    }
  }

  Record& Of(int task) { return records[static_cast<std::size_t>(task)]; }

  // Whether the task may be complete without its work.
  bool MayBeCancelled(const Record& record) const {
    // relaxed, all: each is set before the call that has the effect.
    if (record.cancel_asked.load(std::memory_order::relaxed)) return true;
    if (cancelling.load(std::memory_order::relaxed)) return true;
    if (record.spec->work == Work::kRequest) {
      return device_stopped.load(std::memory_order::relaxed);
    }
    const bool may_be_gone = record.spec->name > 1 || record.spec->worker != 0;
    return may_be_gone && leaving.load(std::memory_order::relaxed);
  }

  // For a caller that knows the task to be complete: so is all that it needed.
  void CheckComplete(int task) {
    std::vector<bool> met(records.size());
    CheckComplete(task, met);
  }

  const Program& program;
  const Needs needs;
  PriorityOrder<Pool> order;
  std::deque<Record> records;
  std::vector<std::vector<int>> children;  // which each task may get
  Pool* pool = nullptr;
  SecondPool<Pool>* second = nullptr;  // the first main thread's
  // The bits of an id of the second pool. release and acquire: as Record::id.
  std::atomic<std::uint64_t> stranger{0};
  Reports elsewhere;  // what is thrown by no task of the program
  HandOver handed_over;
  std::deque<std::atomic<bool>> signals;
  std::atomic<std::size_t> scripts_done{0};
  // The oracle's own, relaxed: they say what may be, and order nothing.
  std::atomic<bool> device_stopped{false};
  std::atomic<bool> refused{false};     // a task that has a dependency
  std::atomic<bool> leaving{false};     // a main thread may be gone
  std::atomic<bool> cancelling{false};  // the pool ends by cancelling
  std::atomic<bool> closed{false};

 private:
  void FindChildren(const Script& script, int current) {
    for (const Step& step : script) {
      const int parent = step.kind == StepKind::kRunLater ? current : step.parent;
      if (parent != kNoTask && step.task != kNoTask) {
        children[static_cast<std::size_t>(parent)].push_back(step.task);
      }
    }
  }

  void CheckComplete(int task, std::vector<bool>& met) {
    if (met[static_cast<std::size_t>(task)]) return;
    met[static_cast<std::size_t>(task)] = true;
    const Record& record = Of(task);
    record.CheckDone(MayBeCancelled(record));
    if (record.dependency != kNoTask) CheckComplete(record.dependency, met);
    for (const int child : children[static_cast<std::size_t>(task)]) {
      // relaxed: a child is complete before its parent; if the parent is, this was stored before.
      if (Of(child).parent.load(std::memory_order::relaxed) == task) CheckComplete(child, met);
    }
  }
};

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_SHARED_STATE_H_
