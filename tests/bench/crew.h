// Crew: threads that do something together, again and again, for benchmarks with several threads.
//
// Run(f) calls f(0) on the caller and f(1) .. f(size-1) on the others, at the same time, and
// returns when all have returned. The threads stay, so a run costs two passages of a barrier.
#ifndef NOWAIT_TESTS_BENCH_CREW_H_
#define NOWAIT_TESTS_BENCH_CREW_H_

#include <barrier>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace nowait {

class Crew {
 public:
  explicit Crew(int size) : barrier_(size) {
    for (int i = 1; i < size; ++i) {
      threads_.emplace_back([this, i] {
        for (;;) {
          barrier_.arrive_and_wait();
          if (!task_) return;
          task_(i);
          barrier_.arrive_and_wait();
        }
      });
    }
  }
  ~Crew() {
    task_ = {};
    barrier_.arrive_and_wait();
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void Run(std::function<void(int)> task) {
    task_ = std::move(task);
    barrier_.arrive_and_wait();
    task_(0);
    barrier_.arrive_and_wait();
  }

 private:
  std::barrier<> barrier_;
  std::function<void(int)> task_;  // written while the others wait for the barrier
  std::vector<std::jthread> threads_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_CREW_H_
