// Data races: whether an access to a non-atomic object is ordered, by happens-before, after the
// earlier accesses.
//
// [intro.races] 21. An execution runs the accesses in an order that respects happens-before, so
// each needs to be compared only with those that ran before it: the last write, and each thread's
// last read. An access is ordered after one of another thread if it knows of an event that the
// other thread performed later. Accesses between the same two events of a thread cannot be
// distinguished.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_RACES_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_RACES_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/kit/exhaustive/graph/clock.h"

namespace nowait::model {

// The position of an access: how many events its thread had performed. -1: before all threads.
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
  // The counterpart of an access that raced; the last write, if that is one of them.
  Epoch RacedWith(int thread, const Clock& known) const {
    if (!write_.IsBefore(thread, known)) return write_;
    const auto racing = [&](const Epoch& read) { return !read.IsBefore(thread, known); };
    const auto found = std::ranges::find_if(reads_, racing);
    return found == reads_.end() ? Epoch() : *found;
  }
  // Records the construction.
  void Begin(const Epoch& now) { write_ = now; }

 private:
  Epoch write_;
  std::array<Epoch, kMaxThreads> reads_{};
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_RACES_H_
