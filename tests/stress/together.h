// Together: runs a function on several threads that begin at the same moment, and joins them.
//
// Catch2's assertions belong to the main thread: what a thread notices is added to Findings
// (findings.h) and asserted after the join.
//
// Threads that wait for each other hang when a wake-up is lost. Bazel would end such a test with
// nothing but the word TIMEOUT. So, before Bazel's limit, Together prints the threads that have not
// ended, each with the last words that it has given to Doing, and aborts. Catch2 then names the
// test case and what it has captured: the seed, the number of threads.
#ifndef NOWAIT_TESTS_STRESS_TOGETHER_H_
#define NOWAIT_TESTS_STRESS_TOGETHER_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <latch>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace nowait {

// The doings of threads in a few words, for a message about those that do not end.
class Doing {
 public:
  explicit Doing(std::uint32_t threads) : words_(threads), ended_(threads) {}

  // Of the calling thread, if Together has started it. words: a literal, "waits for its turn".
  static void Now(const char* words) {
    // relaxed: for a message alone. A stronger order would hide races of the code under test.
    if (mine_ != nullptr) mine_->words_[number_].store(words, std::memory_order::relaxed);
  }
  // "thread 2"; "another thread" is one that Together has not started.
  static std::string ThreadWords() {
    return mine_ == nullptr ? "another thread" : "thread " + std::to_string(number_);
  }

  void Begin(std::uint32_t thread) {
    mine_ = this;
    number_ = thread;
  }
  void End(std::uint32_t thread) {
    mine_ = nullptr;
    ended_[thread].store(true, std::memory_order::relaxed);
  }

  // "thread 1 (waits for its turn), thread 3"
  std::string NotEnded() const {
    std::string list;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (ended_[i].load(std::memory_order::relaxed)) continue;
      list += (list.empty() ? "thread " : ", thread ") + std::to_string(i);
      const char* const words = words_[i].load(std::memory_order::relaxed);
      if (words != nullptr) list += std::string(" (") + words + ")";
    }
    return list;
  }

 private:
  static inline thread_local Doing* mine_ = nullptr;
  static inline thread_local std::uint32_t number_ = 0;

  std::vector<std::atomic<const char*>> words_;
  std::vector<std::atomic<bool>> ended_;
};

// The time that threads have to end, and what happens then.
struct TimeLimit {
  // Four fifths of the time that Bazel gives the whole test, less the time that has passed. Without
  // Bazel the time is that of a test of medium size.
  static std::chrono::milliseconds OfTest() {
    const char* const seconds = std::getenv("TEST_TIMEOUT");
    const long given = seconds == nullptr ? 300 : std::strtol(seconds, nullptr, 10);
    const std::chrono::milliseconds most(std::max(given, 10l) * 800);
    const auto past = std::chrono::steady_clock::now() - kStart;
    return std::max(most - std::chrono::duration_cast<std::chrono::milliseconds>(past),
                    std::chrono::milliseconds(1000));
  }
  static void PrintAndAbort(const std::string& words) {
    std::fprintf(stderr, "%s\n", words.c_str());
    std::abort();
  }

  static inline const auto kStart = std::chrono::steady_clock::now();

  std::chrono::milliseconds after = OfTest();
  std::function<void(const std::string&)> reached = PrintAndAbort;
};

// body(thread): called on each of `threads` new threads with its number.
template <class Body>
void Together(std::uint32_t threads, const Body& body, const TimeLimit& limit = {}) {
  Doing doing(threads);
  std::mutex mutex;
  std::condition_variable all_ended;
  std::uint32_t left = threads;
  std::jthread watch([&] {
    std::unique_lock lock(mutex);
    if (all_ended.wait_for(lock, limit.after, [&] { return left == 0; })) return;
    limit.reached("the time limit of " + std::to_string(limit.after.count() / 1000) +
                  " s is reached, and these threads have not ended: " + doing.NotEnded());
  });
  std::latch start(threads);
  std::vector<std::jthread> running;
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      doing.Begin(thread);
      start.arrive_and_wait();
      body(thread);
      doing.End(thread);
      const std::lock_guard lock(mutex);
      if (--left == 0) all_ended.notify_one();
    });
  }
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_STRESS_TOGETHER_H_
