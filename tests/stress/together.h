// Together: runs a function on several threads that begin at the same moment, and joins them.
//
// Catch2's assertions belong to the main thread: what a thread notices is counted in an atomic and
// asserted after the join.
#ifndef NOWAIT_TESTS_STRESS_TOGETHER_H_
#define NOWAIT_TESTS_STRESS_TOGETHER_H_

#include <cstdint>
#include <latch>
#include <thread>
#include <vector>

namespace nowait {

// body(thread): called on each of `threads` new threads with its number.
template <class Body>
void Together(std::uint32_t threads, const Body& body) {
  std::latch start(threads);
  std::vector<std::jthread> running;
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      start.arrive_and_wait();
      body(thread);
    });
  }
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_STRESS_TOGETHER_H_
