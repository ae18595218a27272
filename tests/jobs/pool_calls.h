// Calls of a pool that must succeed, and work for its tasks.
#ifndef NOWAIT_TESTS_JOBS_POOL_CALLS_H_
#define NOWAIT_TESTS_JOBS_POOL_CALLS_H_

#include <catch2/catch.hpp>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"

// The pools of a TEMPLATE_TEST_CASE.
#define EACH_POLICY TaskPool, OneQueueTaskPool

namespace nowait {

// A task's work from a callable that outlives it.
inline Job Call(std::function<void()>& work) {
  return {[](void* data) { (*static_cast<std::function<void()>*>(data))(); }, &work};
}

// Letters in the order in which they were written.
class Letters {
 public:
  std::function<void()> Write(char letter) {
    return [this, letter] {
      const std::scoped_lock lock(mutex_);
      written_ += letter;
    };
  }
  std::string written() const {
    const std::scoped_lock lock(mutex_);
    return written_;
  }

 private:
  mutable std::mutex mutex_;
  std::string written_;
};

template <class T>
T Get(Result<T> result) {
  INFO((result ? std::string() : ToString(result.error())));
  REQUIRE(result);
  return *std::move(result);
}
inline void Do(const Result<void>& result) {
  INFO((result ? std::string() : ToString(result.error())));
  REQUIRE(result);
}
template <class T>
ErrorCode CodeOf(const Result<T>& result) {
  REQUIRE_FALSE(result);
  return result.error().code;
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_JOBS_POOL_CALLS_H_
