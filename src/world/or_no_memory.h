// OrNoMemory: no exception crosses the public API, also when the system has no memory left.
#ifndef NOWAIT_SRC_WORLD_OR_NO_MEMORY_H_
#define NOWAIT_SRC_WORLD_OR_NO_MEMORY_H_

#include <new>
#include <utility>

#include "src/base/result.h"

namespace nowait {

// What call() returns, a Result, or kCapacity "memory" if it could not allocate.
template <class F>
auto OrNoMemory(F&& call) -> decltype(call()) {
  try {
    return std::forward<F>(call)();
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kCapacity, "memory");
  }
}

// The error of a job batch that could not be run, or some of whose jobs have thrown: they do nothing that
// can fail but allocate.
inline std::unexpected<Error> JobsThrew(const Error& of_batch) {
  if (of_batch.code == ErrorCode::kCapacity) return std::unexpected(of_batch);
  return Fail(ErrorCode::kCapacity, "memory", of_batch.amount, "so many jobs of the update threw");
}

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_OR_NO_MEMORY_H_
