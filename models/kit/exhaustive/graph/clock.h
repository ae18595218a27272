// Clock: for each thread, how many of its first events belong to a set that is closed under program
// order. Every set given by a relation like happens-before is of this kind.
//
// Vector clocks: Fidge; Mattern; both 1988.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_CLOCK_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_CLOCK_H_

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "models/kit/scenario/scenario.h"

namespace nowait::model {

class Clock {
 public:
  // The number of events of the thread.
  std::uint16_t operator[](int thread) const { return events_[static_cast<std::size_t>(thread)]; }

  // Whether the set contains event number `index` of the thread, counted from 0.
  bool Has(int thread, unsigned index) const { return (*this)[thread] > index; }

  void Include(int thread, unsigned index) {
    auto& events = events_[static_cast<std::size_t>(thread)];
    events = std::max(events, static_cast<std::uint16_t>(index + 1));
  }
  void Join(const Clock& other) {
    for (std::size_t t = 0; t < events_.size(); ++t) {
      events_[t] = std::max(events_[t], other.events_[t]);
    }
  }

  // Equality of sets, and an arbitrary order for containers.
  friend auto operator<=>(const Clock&, const Clock&) = default;

 private:
  std::array<std::uint16_t, kMaxThreads> events_{};
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_CLOCK_H_
