// Threads of a program: the policy's, so that a scheduler may have them; and which one calls.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_THREADS_H_
#define NOWAIT_TESTS_WHOLE_JOBS_THREADS_H_

#include <cstdint>
#include <utility>

#include "src/sync/policy.h"
#include "tests/whole/jobs/record.h"

namespace nowait::job_programs {

using Thread = EngineSync::thread;

// The main thread that the calling thread is, from 1; 0: none.
inline std::uint8_t& MainThread() {
  struct Tag;
  return EngineSync::PerThread<std::uint8_t, Tag>();
}

// The worker with a name that the calling thread is, from 1; 0: none.
inline std::uint8_t& Worker() {
  struct Tag;
  return EngineSync::PerThread<std::uint8_t, Tag>();
}

template <class Function>
Thread Start(Function function) {
  auto thread = EngineSync::thread::Start("a thread of the program", std::move(function));
  Expect(thread.has_value(), "the test has its threads", kNoTask);
  return std::move(*thread);
}

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_THREADS_H_
