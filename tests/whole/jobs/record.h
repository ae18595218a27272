// Record: the oracle's knowledge of one task of a program, and the checks that look at it.
//
// A task's work leaves plain data behind. A reader to which the API promises an order reads them
// without any synchronisation of its own: where the promise is broken ThreadSanitizer sees a race,
// and other builds may see an old value. Only values that are read without a promise of order are
// atomic, and relaxed, so that the oracle adds no order to the program's.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_RECORD_H_
#define NOWAIT_TESTS_WHOLE_JOBS_RECORD_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "src/jobs/device.h"
#include "src/jobs/idempotent_job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_id.h"
#include "tests/whole/jobs/program.h"
#include "tests/whole/jobs/reports.h"
#include "tests/whole/scheduler/step.h"

namespace nowait::job_programs {

// The program has failed: under the scheduler this run ends; on real threads, which may be
// anywhere, the process does, with the promise on stderr.
[[noreturn]] void Fail(std::string_view promise, int task, std::string_view detail,
                       whole::Site site);

inline void Expect(bool kept, std::string_view promise, int task, std::string_view detail = {},
                   whole::Site site = whole::Site::current()) {
  if (!kept) Fail(promise, task, detail, site);
}

struct Record {
  // One job of a list.
  struct Cell {
    Record* of = nullptr;
    std::uint32_t number = 0;
    std::uint32_t runs = 0;
  };

  const Task* spec = nullptr;
  int number = kNoTask;
  void* run = nullptr;  // the Run that it belongs to

  // The id's bits, for other scripts. release and acquire: an id has to be handed over in order.
  std::atomic<std::uint64_t> id{0};
  // Asked before the call: a waiter may see the task complete before the call has returned.
  std::atomic<bool> cancel_asked{false};
  std::atomic<bool> submitted{false};  // said by its creator afterwards
  std::atomic<int> parent{kNoTask};    // said by its creator while the task is held
  std::atomic<std::uint32_t> cancelled{0};
  std::atomic<std::uint32_t> completed{0};  // successful CompleteExternal
  std::atomic<std::uint32_t> handed_over{0};
  Reports reports;

  // The creator's, before it is submitted.
  int dependency = kNoTask;

  // The work's.
  std::uint32_t runs = 0;
  bool done = false;
  std::array<std::uint32_t, 2> computed{};
  std::uint32_t commits = 0;
  std::atomic<std::uint32_t> releases{0};  // perhaps after the completion
  std::vector<Cell> cells;
  std::unique_ptr<JobList<>> list;
  std::optional<DeviceRequest> request;
  IdempotentJob idempotent;

  TaskId Id() const { return TaskId::FromBits(id.load(std::memory_order::acquire)); }

  // Whether its work has begun; asked by a thread that is ordered with it.
  bool HasBegun() const;
  // That its own work is done, or will not be done. The caller knows it to be complete.
  void CheckDone(bool may_be_cancelled) const;
  // After the program: every thread has been joined.
  void CheckEnd(bool may_be_cancelled) const;

 private:
  bool HasRun() const;
  void CheckWork() const;
  void CheckExternal() const;
};

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_RECORD_H_
