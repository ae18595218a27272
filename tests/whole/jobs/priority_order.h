// PriorityOrder: where one thread runs everything, what is more urgent is begun first.
//
// It is decidable there: no other thread takes a task, or makes one ready, between the choice and
// the begin. Judged is what the thread begins outside all tasks, where it takes the most urgent
// (task_scheduler.h); inside one it takes what that needs. Outside, nothing is held any more when
// something begins: each call that runs tasks has submitted it.
//
// Left open: a list that is waited for is begun by the wait itself; and of kTurn looks one takes
// the oldest work, which goes past the tasks that have a name.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_PRIORITY_ORDER_H_
#define NOWAIT_TESTS_WHOLE_JOBS_PRIORITY_ORDER_H_

#include <fmt/format.h>

#include <cstdint>

#include "src/jobs/task_scheduler.h"
#include "tests/whole/jobs/program.h"
#include "tests/whole/jobs/record.h"

namespace nowait::job_programs {

// How often a thread looks for a task in one wait without beginning one, at most, where no other
// thread makes any.
inline constexpr std::uint32_t kLooksInVain = 4;

template <class Pool>
class PriorityOrder {
 public:
  explicit PriorityOrder(const Program& program)
      : judges_(program.mains.size() == 1 && program.workers == 0 && !program.devices &&
                !HasExternals(program)) {}

  // Around the script of a task.
  class Inside {
   public:
    explicit Inside(PriorityOrder& order) : order_(order) {
      if (order_.judges_) ++order_.depth_;
    }
    ~Inside() {
      if (order_.judges_) --order_.depth_;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    PriorityOrder& order_;
  };

  // Before a call that waits for a list.
  void WaitsFor(int list) {
    if (judges_) waits_for_ = list;
  }
  // Before a call that may look for a task so often, besides once for each that it begins.
  void MayLook(std::uint32_t times) {
    if (judges_) looks_ += times;
  }

  // One of `records` begins, and has not written anything yet.
  template <class Records>
  void Begins(const Record& record, const Records& records, const Pool& pool) {
    if (!judges_) return;
    ++looks_;
    if (depth_ != 0 || record.number == waits_for_) return;
    for (const Record& other : records) {
      if (other.spec->priority >= record.spec->priority || !IsReady(other, records, pool)) continue;
      const bool goes_past = !record.spec->IsNamed() && other.spec->IsNamed();
      if (goes_past && looks_ >= kTurn) continue;
      Fail("what is more urgent is begun first", record.number,
           fmt::format("t{} was ready", other.number), whole::Site::current());
    }
  }

 private:
  template <class Records>
  static bool IsReady(const Record& other, const Records& records, const Pool& pool) {
    if (!other.Id().IsTask() || other.HasBegun()) return false;
    if (other.cancel_asked.load(std::memory_order::relaxed)) return false;
    if (other.dependency == kNoTask) return true;
    return pool.IsComplete(records[static_cast<std::size_t>(other.dependency)].Id());
  }

  static constexpr std::uint32_t kTurn = TaskScheduler<>::kTurn;

  const bool judges_;
  std::uint32_t depth_ = 0;
  std::uint32_t looks_ = 0;  // at most
  int waits_for_ = kNoTask;
};

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_PRIORITY_ORDER_H_
