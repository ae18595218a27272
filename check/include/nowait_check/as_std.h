// nowait::check::as_std: std with the checker's atomics, threads and locks in place of the
// library's. It is for code that names std::atomic and cannot be changed:
//
//   #include <nowait_check/as_std.h>     // brings the standard headers
//   namespace checked {
//   namespace std = nowait::check::as_std;
//   #include <their/queue.h>             // now checked::their::Queue
//   }
//
// Inside `checked` the name std is looked up in `checked` first and means as_std there. Names that
// as_std declares hide those of the real std; all other names are the real ones. No macro replaces
// a word, and names outside of `checked` do not change. An include inside a namespace puts
// everything that it includes there, so the headers that their header includes must come before,
// outside: this one brings those of C++. Not covered is code that writes ::std, that opens
// namespace std (a compile error), or whose atomics are compiler builtins.
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

// All of them, because a missing one would be the real one.
using atomic_bool = atomic<bool>;
using atomic_char = atomic<char>;
using atomic_schar = atomic<signed char>;
using atomic_uchar = atomic<unsigned char>;
using atomic_short = atomic<short>;
using atomic_ushort = atomic<unsigned short>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_char8_t = atomic<char8_t>;
using atomic_char16_t = atomic<char16_t>;
using atomic_char32_t = atomic<char32_t>;
using atomic_wchar_t = atomic<wchar_t>;
using atomic_int8_t = atomic<::std::int8_t>;
using atomic_uint8_t = atomic<::std::uint8_t>;
using atomic_int16_t = atomic<::std::int16_t>;
using atomic_uint16_t = atomic<::std::uint16_t>;
using atomic_int32_t = atomic<::std::int32_t>;
using atomic_uint32_t = atomic<::std::uint32_t>;
using atomic_int64_t = atomic<::std::int64_t>;
using atomic_uint64_t = atomic<::std::uint64_t>;
using atomic_int_least8_t = atomic<::std::int_least8_t>;
using atomic_uint_least8_t = atomic<::std::uint_least8_t>;
using atomic_int_least16_t = atomic<::std::int_least16_t>;
using atomic_uint_least16_t = atomic<::std::uint_least16_t>;
using atomic_int_least32_t = atomic<::std::int_least32_t>;
using atomic_uint_least32_t = atomic<::std::uint_least32_t>;
using atomic_int_least64_t = atomic<::std::int_least64_t>;
using atomic_uint_least64_t = atomic<::std::uint_least64_t>;
using atomic_int_fast8_t = atomic<::std::int_fast8_t>;
using atomic_uint_fast8_t = atomic<::std::uint_fast8_t>;
using atomic_int_fast16_t = atomic<::std::int_fast16_t>;
using atomic_uint_fast16_t = atomic<::std::uint_fast16_t>;
using atomic_int_fast32_t = atomic<::std::int_fast32_t>;
using atomic_uint_fast32_t = atomic<::std::uint_fast32_t>;
using atomic_int_fast64_t = atomic<::std::int_fast64_t>;
using atomic_uint_fast64_t = atomic<::std::uint_fast64_t>;
using atomic_intptr_t = atomic<::std::intptr_t>;
using atomic_uintptr_t = atomic<::std::uintptr_t>;
using atomic_size_t = atomic<::std::size_t>;
using atomic_ptrdiff_t = atomic<::std::ptrdiff_t>;
using atomic_intmax_t = atomic<::std::intmax_t>;
using atomic_uintmax_t = atomic<::std::uintmax_t>;
using atomic_signed_lock_free = atomic<int>;
using atomic_unsigned_lock_free = atomic<unsigned>;

namespace this_thread {
inline void yield(machine::Site site = machine::Site::current()) noexcept { check::yield(site); }
// No time passes under the checker: yield() in a loop that waits.
template <class Time>
void sleep_for(const Time&) = delete;
template <class Time>
void sleep_until(const Time&) = delete;
}  // namespace this_thread

// The checker has none of these. They are declared so that the real ones are not used by mistake.
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
struct use_check_atomic_and_wait_instead {
  use_check_atomic_and_wait_instead() = delete;
};
using binary_semaphore = use_check_atomic_and_wait_instead;
template <::std::ptrdiff_t = 1>
using counting_semaphore = use_check_atomic_and_wait_instead;
using latch = use_check_atomic_and_wait_instead;
template <class = void>
using barrier = use_check_atomic_and_wait_instead;
using once_flag = use_check_atomic_and_wait_instead;
template <class>
using promise = use_check_atomic_and_wait_instead;
template <class>
using packaged_task = use_check_atomic_and_wait_instead;
template <class... Args>
void async(Args&&...) = delete;  // a check::thread
template <class T>
class atomic_ref {
  atomic_ref() = delete;  // make the object a check::atomic
};

// Watched like `new`: memory that contains objects of the checker must belong to the execution.
inline void* malloc(::std::size_t size) {
  return machine::Allocate(size, alignof(::std::max_align_t));
}
inline void free(void* block) {
  if (block != nullptr) machine::Free(block);
}
void* calloc(::std::size_t, ::std::size_t) = delete;  // malloc and memset
void* realloc(void*, ::std::size_t) = delete;
void* aligned_alloc(::std::size_t, ::std::size_t) = delete;  // new with an alignment

}  // namespace nowait::check::as_std

#endif  // NOWAIT_CHECK_AS_STD_H_
