// Scenarios of src/sync/spsc_ring.h.
#ifndef NOWAIT_MODELS_ARM_SPSC_RING_H_
#define NOWAIT_MODELS_ARM_SPSC_RING_H_

#include <cstdint>

#include "src/sync/spsc_ring.h"

namespace nowait::arm {

// The producer writes a note before each element; the consumer reads the note of what it pops. A
// ring of one cell, which is used again.
template <class Sync>
struct RingPassesNotes {
  static constexpr const char* kName = "spsc_ring passes_notes";
  static constexpr const char* kPromise =
      "elements come in order, each behind its note, and no cell is written too early";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      for (std::uint64_t i = 1; i <= 2; ++i) {
        notes[i - 1].set(i);
        pushed += ring.TryPush(i) ? 1 : 0;
      }
      return;
    }
    for (std::uint64_t& element : popped) {
      if (ring.TryPop(&element)) wrong = wrong || notes[element - 1].get() != element;
    }
  }
  bool Holds() {
    // The item popped first is the one pushed first; the others are popped afterwards.
    std::uint64_t next = 1;
    for (const std::uint64_t element : popped) {
      if (element != 0) wrong = wrong || element != next++;
    }
    std::uint64_t left = 0;
    int rest = 0;
    while (rest < 2 && ring.TryPop(&left)) {
      ++rest;
      wrong = wrong || left != next++;
    }
    return !wrong && static_cast<int>(next) - 1 == pushed;
  }

  SpscRing<std::uint64_t, Sync> ring{1};
  typename Sync::template plain<std::uint64_t> notes[2];
  int pushed = 0;
  std::uint64_t popped[2] = {};
  bool wrong = false;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_SPSC_RING_H_
