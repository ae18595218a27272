// nowait::check::as_std: std, with the checker's atomics, threads and locks in the place of the
// library's. For code that names std::atomic and cannot be changed:
//
//   #include <nowait_check/as_std.h>     // brings the standard headers
//   namespace checked {
//   namespace std = nowait::check::as_std;
//   #include <their/queue.h>             // now checked::their::Queue
//   }
//
// Inside `checked` the name std is looked up in `checked` first, and means as_std there: names that
// as_std declares itself hide those of the real std, and all others are the real ones'. No macro
// replaces a word, and what is outside of `checked` does not change. Because an include inside of a
// namespace puts all that it includes there, the headers that theirs includes come before, outside:
// this one brings those of C++. Not reached is code that writes ::std, that opens namespace std
// (a compile error), or whose atomics are a compiler's builtins.
#ifndef NOWAIT_CHECK_AS_STD_H_
#define NOWAIT_CHECK_AS_STD_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cmath>
#include <compare>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <queue>
#include <shared_mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "nowait_check/check.h"

namespace nowait::check::as_std {

using namespace ::std;

using check::atomic;
using check::atomic_flag;
using check::atomic_signal_fence;
using check::atomic_thread_fence;
using check::condition_variable;
using check::mutex;
using check::thread;

using atomic_bool = atomic<bool>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_size_t = atomic<::std::size_t>;
using atomic_uint32_t = atomic<::std::uint32_t>;
using atomic_uint64_t = atomic<::std::uint64_t>;
using atomic_uintptr_t = atomic<::std::uintptr_t>;

namespace this_thread {
inline void yield(machine::Site site = machine::Site::current()) noexcept { check::yield(site); }
// No time passes under the checker: yield() in a loop that waits.
template <class Time>
void sleep_for(const Time&) = delete;
template <class Time>
void sleep_until(const Time&) = delete;
}  // namespace this_thread

// The checker has none of these: they are not to be the real ones by mistake.
struct use_check_mutex_instead {
  use_check_mutex_instead() = delete;
};
using recursive_mutex = use_check_mutex_instead;
using shared_mutex = use_check_mutex_instead;
using shared_timed_mutex = use_check_mutex_instead;
using timed_mutex = use_check_mutex_instead;
using recursive_timed_mutex = use_check_mutex_instead;
using condition_variable_any = use_check_mutex_instead;
struct use_check_thread_instead {
  use_check_thread_instead() = delete;
};
using jthread = use_check_thread_instead;
template <class T>
class atomic_ref {
  atomic_ref() = delete;  // make the object a check::atomic
};

// Watched as `new` is: what objects of the checker lie in has to be of the execution.
inline void* malloc(::std::size_t size) {
  return machine::Allocate(size, alignof(::std::max_align_t));
}
inline void free(void* block) {
  if (block != nullptr) machine::Free(block);
}
void* calloc(::std::size_t, ::std::size_t) = delete;  // malloc and memset
void* realloc(void*, ::std::size_t) = delete;

}  // namespace nowait::check::as_std

#endif  // NOWAIT_CHECK_AS_STD_H_
