// Allocations: counts what the process allocates, and makes one of them fail.
//
// A program that links this has its operator new and delete. A test sweeps over an operation: it
// fails the first allocation, then the second, ... until the operation needs no more
// (EachAllocation).
//
// Thread safety: the counters are for any thread; a fault is set by one thread at a time.
#ifndef NOWAIT_TESTS_WHOLE_FAULTS_ALLOCATIONS_H_
#define NOWAIT_TESTS_WHOLE_FAULTS_ALLOCATIONS_H_

#include <cstdint>

namespace nowait::whole {

// Allocations that have not been freed.
std::int64_t LiveAllocations();
// The allocator's memory for them, in bytes.
std::int64_t LiveBytes();

// While it lives, the n-th allocation of the process fails (n from 1), and no other one.
class AllocationFault {
 public:
  explicit AllocationFault(std::uint64_t n);
  ~AllocationFault();
  AllocationFault(const AllocationFault&) = delete;
  AllocationFault& operator=(const AllocationFault&) = delete;

  // Whether it has happened.
  bool has_struck() const;
};

// Calls run(n) for n = 1, 2, ... with the n-th allocation failing, until one run needs fewer;
// returns how many did fail. A run that goes on allocating without end is stopped by `most`.
template <class Run>
std::uint64_t EachAllocation(const Run& run, std::uint64_t most = 100000) {
  for (std::uint64_t n = 1; n <= most; ++n) {
    if (!run(n)) return n - 1;
  }
  return most;
}

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_FAULTS_ALLOCATIONS_H_
