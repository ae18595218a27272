// Waiters: the threads that wait at a condition variable, as the value of a location.
//
// [thread.condition] 4 (N4861): notifications and the parts of a wait take place in a single order.
// Each is therefore a read-modify-write of this value, and the order is its modification order.
// They are relaxed, because a notification orders nothing for the thread that it wakes.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_WAITERS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_WAITERS_H_

#include <bit>

#include "models/kit/program/operation.h"
#include "models/kit/program/threads.h"

namespace nowait::model {

class Waiters {
 public:
  explicit Waiters(Word value) : value_(value) {}
  Word value() const { return value_; }

  int sleepers() const { return std::popcount(value_ & kSleepers); }
  bool IsNotified(int thread) const { return (value_ & Notified(thread)) != 0; }

  void Sleep(int thread) { value_ |= Sleeper(thread); }
  void Leave(int thread) { value_ &= ~(Sleeper(thread) | Notified(thread)); }
  void NotifyAll() { value_ = (value_ | value_ << kShift) & ~kSleepers; }
  // Wakes the sleeper with this number, counted by thread; no thread if there are too few.
  void NotifyOne(unsigned which) {
    Word sleepers = value_ & kSleepers;
    for (; which > 0; --which) sleepers &= sleepers - 1;
    const Word chosen = sleepers & (~sleepers + 1);
    value_ = (value_ & ~chosen) | chosen << kShift;
  }

 private:
  static constexpr int kShift = 32;
  static_assert(kMaxThreads <= kShift, "a bit for each sleeper, and one for each notified thread");
  static constexpr Word kSleepers = (Word{1} << kShift) - 1;
  static Word Sleeper(int thread) { return Word{1} << thread; }
  static Word Notified(int thread) { return Sleeper(thread) << kShift; }

  Word value_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_WAITERS_H_
