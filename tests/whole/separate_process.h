// RunApart: runs something in a process of its own, so that it may crash, hang or end at any place.
//
// A random program that breaks a promise leaves threads behind that nobody can end. So programs are
// run in a child process; the parent judges its output on stderr, its end and its progress.
//
// A hang is known by patience alone: the child has not reported progress for so long, although it
// could have run (usable_time.h: a busy machine is not held against it). The time is no
// measurement: it is far above what a program takes, and it is spent only on a hang that is to be
// reported.
//
// Thread safety: by a thread that is its process's only one, since the child is a fork of it.
#ifndef NOWAIT_TESTS_WHOLE_SEPARATE_PROCESS_H_
#define NOWAIT_TESTS_WHOLE_SEPARATE_PROCESS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace nowait::whole {

struct ProcessOutcome {
  enum class Kind : std::uint8_t { kFine, kFailed, kHung };

  bool fine() const { return kind == Kind::kFine; }

  Kind kind = Kind::kFine;
  std::uint64_t progress = 0;  // what was reported last
  std::string text;            // why; the child's stderr, shortened in its middle if it is long
};

// The child's report to its parent: a number that grows.
using Progress = std::atomic<std::uint64_t>;

// work: called in the child, which ends when it returns. With AddressSanitizer, leaks are looked
// for then.
ProcessOutcome RunApart(const std::function<void(Progress&)>& work, std::chrono::seconds patience);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SEPARATE_PROCESS_H_
