// Create and Register, each as the pool's own; asked for once more if the run's fault has hit it.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_ASK_POOL_H_
#define NOWAIT_TESTS_WHOLE_JOBS_ASK_POOL_H_

#include <string_view>
#include <utility>

#include "src/jobs/task_pool.h"
#include "tests/whole/scheduler/fault_scope.h"

namespace nowait::job_programs {

template <class Pool>
auto Create(const TaskPoolDef& def) {
  return whole::AskTwice([&def] {
    TaskPoolDef copy = def;
    return whole::MeetingFaults([&copy] { return Pool::Create(std::move(copy)); });
  });
}

template <class Pool>
auto Register(Pool& pool, std::string_view name) {
  return whole::AskTwice([&] { return whole::MeetingFaults([&] { return pool.Register(name); }); });
}

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_ASK_POOL_H_
