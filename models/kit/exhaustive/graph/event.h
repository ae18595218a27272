// GraphEvent: a node of an execution graph: one step of a thread on an atomic, a fence, or a
// choice.
//
// A read-modify-write is a single event that reads and writes. The papers use two, a read and an
// exclusive write. The value that a successful exchange writes is known as soon as the value that
// it reads is known, so no graph ever contains only one half.
//
// The thread's Request does not depend on its result. The result (Evaluate) follows from the value
// that the event reads and from the variant. Variant 0 is the ordinary outcome. The others are
// outcomes that the standard leaves open: a weak exchange that fails spuriously, or the choice of
// the sleeper that a notification wakes. A search tries all variants.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_EVENT_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_EVENT_H_

#include <atomic>
#include <cstdint>

#include "models/kit/exhaustive/graph/clock.h"
#include "models/kit/exhaustive/graph/observation_hash.h"
#include "models/kit/program/machine.h"
#include "models/kit/program/operation.h"

namespace nowait::model {

// The position of an event in the order in which the graph's events were added, from 0.
using Slot = std::uint16_t;
// No slot. As the source of a read: the object's initial value.
inline constexpr Slot kNoSlot = 0xffff;
inline constexpr Slot kInitial = kNoSlot;

// The index of a location in its graph.
using LocationIndex = std::uint16_t;
inline constexpr LocationIndex kNoLocation = 0xffff;

// The effect of an event, given the value that it reads.
enum class Effect : std::uint8_t {
  kRead,             // load
  kReadUnlessEqual,  // blocks when it reads `operand`: atomic::wait
  kWrite,            // store `operand`
  kUpdate,           // reads v and writes combine(v, operand)
  kExchangeIfEqual,  // replaces `expected` by `operand`
  kExchangeAgain,    // the same, but blocks if it reads anything other than `expected`
  kAcquireLock,      // reads 0 and writes `operand`; blocks if it reads anything else
  kTryLock,          // the same, but fails instead of blocking
  kSleep,            // reads a set of waiters (waiters.h) and falls asleep in it
  kWakeUp,           // leaves the set; blocks unless it was notified
  kNotifyOne,        // wakes one sleeper of the set
  kNotifyAll,
  kFence,
  kChoose,  // selects one of `operand` variants
  // Operations on memory. A location stands for the blocks of one size (allocation.h).
  kAllocate,  // reads a kFree and takes its block, or the initial value: a new block
  kFree,      // writes `operand`, the block
};

constexpr bool IsOfMemory(Effect effect) {
  return effect == Effect::kAllocate || effect == Effect::kFree;
}

struct Request {
  Effect effect = Effect::kRead;
  OperationKind kind = OperationKind::kLoad;               // for traces
  bool weak = false;                                       // compare-exchange: may fail spuriously
  std::memory_order order = std::memory_order::relaxed;    // of a compare-exchange: on success
  std::memory_order failure = std::memory_order::relaxed;  // of a compare-exchange only
  Word expected = 0;
  Word operand = 0;
  Combine combine = nullptr;

  bool operator==(const Request&) const = default;
};

struct GraphEvent {
  Request request;
  Site site;

  // The event's position.
  std::uint8_t thread = 0;
  std::uint16_t index = 0;  // among the events of its thread
  LocationIndex location = kNoLocation;

  // The event's result.
  Slot source = kInitial;  // the write that the event reads
  bool reads = false;
  bool writes = false;
  bool blocks = false;  // its thread waits here for another value
  std::uint8_t variant = 0;
  std::memory_order order = std::memory_order::relaxed;
  Word read = 0;
  Word written = 0;

  // The neighbours of a write in modification order, and its place there, from 0.
  Slot older = kNoSlot;
  Slot newer = kNoSlot;
  std::uint16_t place = 0;
  // The preceding event that reads the same location; see graph.h.
  Slot earlier_read = kNoSlot;

  // happens_before.h explains them.
  Clock happens_before;
  Clock porf;
  Clock released;
  Clock acquirable;
  Clock fenced;
};
// Graphs are copied and searched constantly. This is two cache lines, and an index is a shift.
static_assert(sizeof(GraphEvent) == 128);

// Adds what the thread observes, the value read and the variant, as one word.
inline ObservationHash With(const ObservationHash& observations, const GraphEvent& event) {
  constexpr Word kSpread = 0x9e3779b97f4a7c15;
  return observations.With(event.read + event.variant * kSpread);
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_EVENT_H_
