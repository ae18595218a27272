// Threads: counts those that the process starts, and has the system refuse one of them.
//
// A program that links this has its pthread_create. A test sweeps over an operation: the first
// thread is refused, then the second, ... until the operation starts fewer (EachThread).
//
// Thread safety: the counters are for any thread; a fault is set by one thread at a time.
#ifndef NOWAIT_TESTS_WHOLE_FAULTS_THREADS_H_
#define NOWAIT_TESTS_WHOLE_FAULTS_THREADS_H_

#include <cstdint>

namespace nowait::whole {

// Threads that have been started and whose function has not returned.
std::int64_t LiveThreads();

// While it lives, the n-th thread of the process is refused (n from 1), and no other one.
class ThreadFault {
 public:
  explicit ThreadFault(std::uint64_t n);
  ~ThreadFault();
  ThreadFault(const ThreadFault&) = delete;
  ThreadFault& operator=(const ThreadFault&) = delete;

  // Whether it has happened.
  bool has_struck() const;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_FAULTS_THREADS_H_
