// OrEnd: the value of a Result, where an error is a mistake of the program and nothing can go on.
//
//   const TaskId frame = OrEnd(pool.AddEmpty());     game.cc:12: capacity of open tasks reached (4)
//
// An error is printed, with the place of the call, and ends the program (abort): the one exception
// from the rule of src/base/result.h that release builds never abort. Where an error can come from
// outside (a file, a player, a full pool that the program can wait for) the Result is handled
// instead.
//
// Thread safety: any thread.
#ifndef NOWAIT_SRC_BASE_OR_END_H_
#define NOWAIT_SRC_BASE_OR_END_H_

#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <type_traits>
#include <utility>

#include "src/base/result.h"

namespace nowait {

[[noreturn, gnu::cold]] inline void EndBecauseOf(const Error& error,
                                                 const std::source_location& at) {
  std::fprintf(stderr, "%s:%u: %s\n", at.file_name(), static_cast<unsigned>(at.line()),
               ToString(error).c_str());
  std::abort();
}

template <class T>
T OrEnd(Result<T> result, const std::source_location& at = std::source_location::current()) {
  if (!result) [[unlikely]]
    EndBecauseOf(result.error(), at);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BASE_OR_END_H_
