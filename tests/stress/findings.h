// Findings: what threads have noticed, in words, for an assertion after they have ended.
//
// Catch2's assertions belong to the main thread, and a number alone says too little. A thread adds
// what is wrong; the first finding is kept in full, the others are counted.
//
//   Findings wrong;
//   Together(4, [&](std::uint32_t thread) {
//     if (!pool.Wait(task)) wrong.Add("the wait for its task is refused", round);
//   });
//   REQUIRE(wrong.Words() == "");
//
// A failure prints "124 findings; the first, of thread 2: the wait for its task is refused (17)".
// Thread safety: any thread.
#ifndef NOWAIT_TESTS_STRESS_FINDINGS_H_
#define NOWAIT_TESTS_STRESS_FINDINGS_H_

#include <cstdint>
#include <mutex>
#include <string>

#include "tests/stress/together.h"

namespace nowait {

class Findings {
 public:
  // words: a clause. numbers: the round, the index or the values that belong to it.
  template <class... Numbers>
  void Add(const char* words, Numbers... numbers) {
    const std::lock_guard lock(mutex_);
    if (++count_ > 1) return;
    first_ = words;
    std::string listed;
    ((listed += (listed.empty() ? "" : ", ") + std::to_string(numbers)), ...);
    if (!listed.empty()) first_ += " (" + listed + ")";
    thread_ = Doing::ThreadWords();
  }

  // Empty: nothing is wrong.
  std::string Words() const {
    const std::lock_guard lock(mutex_);
    if (count_ == 0) return "";
    return std::to_string(count_) + (count_ == 1 ? " finding" : " findings; the first") + ", of " +
           thread_ + ": " + first_;
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t count_ = 0;
  std::string first_;
  std::string thread_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_STRESS_FINDINGS_H_
