// Countdown: which of many like events is the one that fails.
//
// Thread safety: Strikes and has_struck from any thread; Set by one thread at a time.
#ifndef NOWAIT_TESTS_WHOLE_FAULTS_COUNTDOWN_H_
#define NOWAIT_TESTS_WHOLE_FAULTS_COUNTDOWN_H_

#include <atomic>
#include <cstdint>

namespace nowait::whole {

// relaxed throughout: numbers; what they count orders nothing.
class Countdown {
 public:
  // The n-th event from now on strikes, n from 1; 0: none.
  void Set(std::uint64_t n) {
    struck_.store(false, std::memory_order::relaxed);
    left_.store(n, std::memory_order::relaxed);
  }
  void Clear() { left_.store(0, std::memory_order::relaxed); }

  // At each event: whether it is the one.
  bool Strikes() {
    std::uint64_t left = left_.load(std::memory_order::relaxed);
    while (left != 0) {
      if (!left_.compare_exchange_weak(left, left - 1, std::memory_order::relaxed)) continue;
      if (left != 1) return false;
      struck_.store(true, std::memory_order::relaxed);
      return true;
    }
    return false;
  }
  bool has_struck() const { return struck_.load(std::memory_order::relaxed); }

 private:
  std::atomic<std::uint64_t> left_{0};  // 0: none is set, or it has struck
  std::atomic<bool> struck_{false};
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_FAULTS_COUNTDOWN_H_
