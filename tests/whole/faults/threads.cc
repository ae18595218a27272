#include "tests/whole/faults/threads.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <new>

#include "tests/whole/faults/countdown.h"

namespace nowait::whole {
namespace {

// relaxed: a number. A thread's join orders what it did before it was counted out.
constinit std::atomic<std::int64_t> live{0};
constinit Countdown fault;

struct Begin {
  void* (*function)(void*);
  void* argument;
};

void* Run(void* data) {
  const Begin begin = *std::unique_ptr<Begin>(static_cast<Begin*>(data));
  void* const result = begin.function(begin.argument);
  live.fetch_sub(1, std::memory_order::relaxed);
  return result;
}

}  // namespace

std::int64_t LiveThreads() { return live.load(std::memory_order::relaxed); }

ThreadFault::ThreadFault(std::uint64_t n) { fault.Set(n); }

ThreadFault::~ThreadFault() { fault.Clear(); }

bool ThreadFault::has_struck() const { return fault.has_struck(); }

}  // namespace nowait::whole

using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

// A sanitizer's own, which has to know of each thread; null without one.
extern "C" [[gnu::weak]] Create __interceptor_pthread_create;

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*function)(void*), void* argument) noexcept {
  using nowait::whole::Begin;
  if (nowait::whole::fault.Strikes()) return EAGAIN;
  std::unique_ptr<Begin> begin(new (std::nothrow) Begin{function, argument});
  if (begin == nullptr) return EAGAIN;
  static Create* const next = reinterpret_cast<Create*>(dlsym(RTLD_NEXT, "pthread_create"));
  Create* const create =
      &__interceptor_pthread_create != nullptr ? &__interceptor_pthread_create : next;
  nowait::whole::live.fetch_add(1, std::memory_order::relaxed);
  const int failed = create(thread, attributes, &nowait::whole::Run, begin.get());
  if (failed == 0) {
    begin.release();
  } else {
    nowait::whole::live.fetch_sub(1, std::memory_order::relaxed);
  }
  return failed;
}
