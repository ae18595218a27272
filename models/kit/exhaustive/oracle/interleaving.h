// One interleaving under way: the state that its steps have left, and its text.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_INTERLEAVING_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_INTERLEAVING_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/exhaustive/oracle/waiting.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::oracle::interleaving {

// The number of known steps of each thread.
using Known = std::array<unsigned, kMaxThreads>;

inline void Join(Known& known, const Known& other) {
  for (std::size_t t = 0; t < known.size(); ++t) known[t] = std::max(known[t], other[t]);
}

struct Written {
  Done::Place place;
  std::size_t thread = 0;
  unsigned time = 0;  // the writer's step
};

struct Object {
  int value = 0;
  std::vector<Written> writes;
  Known released{};  // the knowledge of the last writer and of the release sequence that it
                     // continues
};

enum class Sleep : std::uint8_t { kAwake, kAsleep, kNotified };

struct ThreadState {
  std::size_t at = 0;
  int phase = 0;  // within a step that has several phases
  int found = 0;
  std::array<bool, kObjects> holds{};
  Known known{};
  Sleep sleep = Sleep::kAwake;
  std::size_t sleeps_on = 0;
  std::size_t observed = 0;  // atomic::wait: the number of writes that preceded the value it saw
  bool has_woken_spuriously = false;
  bool has_failed_spuriously = false;
  std::vector<Done> done;
  // Besides done, what a repetition has to repeat: the requests, and the values that were
  // read.
  struct Round {
    Step::Kind kind;
    std::size_t object;
    int value;
    int expected;
    int read;
    unsigned variant;
    bool changes;
    bool operator==(const Round&) const = default;
  };
  std::vector<Round> rounds;
  // The last yield.
  std::size_t yielded_after = 0;
  int yielded_at = -1;
};

struct State {
  std::vector<ThreadState> threads;
  std::array<Object, kObjects> objects;
  // The plain datum: the last write, and each thread's last read. Time 0: no access.
  std::size_t writer = 0;
  unsigned written = 0;
  Known read{};
  int undeclared = 0;
};

// The execution so far.
std::string WriteOut(const State& state);
// spins: whether some thread retries for ever.
std::string EndOf(const State& state, bool spins);
// Everything that the remaining steps depend on, and the execution so far.
std::string KeyOf(const State& state);

}  // namespace nowait::model::oracle::interleaving

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_INTERLEAVING_H_
