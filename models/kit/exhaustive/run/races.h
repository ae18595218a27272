// Data races: whether an access to something that is not atomic is ordered by happens-before after
// the accesses before it.
//
// [intro.races] 21. An execution runs the accesses in an order that respects happens-before, so it
// is enough to compare each with those that ran before it: the last write, and each thread's last
// read. An access is ordered after one of another thread when it knows of an event which that
// thread performed later; accesses between two events of a thread cannot be distinguished.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_RACES_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_RACES_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/kit/exhaustive/graph/clock.h"

namespace nowait::model {

// Where an access stands: how many events its thread had performed. -1: before all threads.
struct Epoch {
  int thread = -1;
  unsigned done = 0;

  bool IsBefore(int other, const Clock& known) const {
    return thread < 0 || thread == other || known[thread] > done;
  }
};

// The accesses to one datum.
class Accesses {
 public:
  // Whether the access, by a thread that knows `known`, races with no earlier one.
  bool Read(const Epoch& now, const Clock& known) {
    reads_[static_cast<std::size_t>(now.thread)] = now;
    return write_.IsBefore(now.thread, known);
  }
  bool Write(const Epoch& now, const Clock& known) {
    bool ordered = write_.IsBefore(now.thread, known);
    for (const Epoch& read : reads_) ordered = ordered && read.IsBefore(now.thread, known);
    if (ordered) write_ = now;
    return ordered;
  }
  // Of an access that has raced: its counterpart; the last write, if that is one of them.
  Epoch RacedWith(int thread, const Clock& known) const {
    if (!write_.IsBefore(thread, known)) return write_;
    const auto racing = [&](const Epoch& read) { return !read.IsBefore(thread, known); };
    const auto found = std::ranges::find_if(reads_, racing);
    return found == reads_.end() ? Epoch() : *found;
  }
  // The construction.
  void Begin(const Epoch& now) { write_ = now; }

 private:
  Epoch write_;
  std::array<Epoch, kMaxThreads> reads_{};
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_RACES_H_
