// A thread's accesses to memory that threads share, as events in program order.
//
// A value knows the reads that it was computed from, and so does an event: these are the
// dependencies of the architecture. They are syntactic: `eor w2, w2, w2` is 0 and depends on w2.
//
// Places are small on purpose. A set of a thread's events is one word.
#ifndef NOWAIT_MODELS_KIT_ARM_EVENT_H_
#define NOWAIT_MODELS_KIT_ARM_EVENT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace nowait::arm {

constexpr std::size_t kMostEvents = 64;  // of one execution

// A set of one thread's events, by their places in program order.
using Places = std::uint64_t;
inline bool Has(Places places, std::size_t place) { return ((places >> place) & 1) != 0; }
inline Places Only(std::size_t place) { return Places{1} << place; }

// The reads that a value comes from. `pick`: reads that only chose between values (the condition
// of a csel, the comparison of a cas that succeeds). They order writes, and no reads.
struct Sources {
  Places data = 0;
  Places pick = 0;

  Sources operator|(const Sources& other) const { return {data | other.data, pick | other.pick}; }
};
struct Value {
  std::uint64_t bits = 0;
  Sources from = {};
};

enum class Kind : std::uint8_t { kRead, kWrite, kFullFence, kLoadFence, kStoreFence, kIsb };

struct Event {
  Kind kind = Kind::kRead;
  std::uint64_t address = 0;
  std::uint64_t value = 0;
  bool acquire = false;     // A: ldar, ldaxr, an atomic with acquire
  bool acquire_pc = false;  // Q: ldapr
  bool release = false;     // L: stlr, stlxr, an atomic with release
  bool returns = true;      // of a read: false for an atomic whose result is discarded
  int rmw = -1;             // of a write: the place of the read that it belongs to
  Sources data = {};        // of a write: its value
  Sources address_from = {};
  Places control = 0;    // reads that a branch before it depends on
  Places addressed = 0;  // reads that the address of an access before it depends on
  Places acquired = 0;   // reads behind the value of an acquire of the thread's own memory

  bool Reads() const { return kind == Kind::kRead; }
  bool Writes() const { return kind == Kind::kWrite; }
  bool Accesses() const { return Reads() || Writes(); }
};

// One way through a thread's code: what it reads is given, everything else follows.
struct Path {
  std::vector<Event> events;
  std::vector<std::uint64_t> registers;          // at the end: x0 .. x30
  std::map<std::uint64_t, std::uint8_t> memory;  // its own bytes, at the end
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_EVENT_H_
