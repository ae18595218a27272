// OrNoMemory: no exception crosses the public API, even when the system has no memory left.
#ifndef NOWAIT_SRC_BASE_OR_NO_MEMORY_H_
#define NOWAIT_SRC_BASE_OR_NO_MEMORY_H_

#include <new>
#include <utility>

#include "src/base/result.h"

namespace nowait {

// Returns call()'s Result, or kCapacity "memory" if it could not allocate.
template <class F>
auto OrNoMemory(F&& call) -> decltype(call()) {
  try {
    return std::forward<F>(call)();
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kCapacity, "memory");
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BASE_OR_NO_MEMORY_H_
