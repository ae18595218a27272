// MakePool: a pool for a test, which cannot go on without one.
#ifndef NOWAIT_TESTS_JOBS_MAKE_POOL_H_
#define NOWAIT_TESTS_JOBS_MAKE_POOL_H_

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"

namespace nowait {

// The pool of Create. An error is printed, and ends the program.
template <class Pool = TaskPool>
std::unique_ptr<Pool> MakePool(TaskPoolDef def) {
  auto pool = Pool::Create(std::move(def));
  if (!pool) {
    std::fprintf(stderr, "a test's pool: %s\n", ToString(pool.error()).c_str());
    std::abort();
  }
  return std::move(*pool);
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_JOBS_MAKE_POOL_H_
