// GraphEvent: a node of an execution graph: one step of a thread on an atomic, a fence, or a
// choice.
//
// A read-modify-write is one event that reads and writes. The papers make it two, a read and an
// exclusive write. The value that a successful exchange writes is known as soon as the value that
// it reads is known, so there is never a graph with one half.
//
// The thread's Request does not depend on its result; the result (Evaluate) follows from the value
// that it reads and from the variant. Variant 0 is the ordinary outcome; others are left open by
// the standard: a weak exchange that fails spuriously, the sleeper that a notification wakes. A
// search tries them all.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_EVENT_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_EVENT_H_

#include <atomic>
#include <cstdint>

#include "models/kit/exhaustive/graph/clock.h"
#include "models/kit/exhaustive/graph/observation_hash.h"
#include "models/kit/program/machine.h"
#include "models/kit/program/operation.h"

namespace nowait::model {

// The place of an event in the order in which the events of its graph were added, from 0.
using Slot = std::uint16_t;
// In place of a slot: no slot. As the source of a read: the value that the object began with.
inline constexpr Slot kNoSlot = 0xffff;
inline constexpr Slot kInitial = kNoSlot;

// A location's place among those of its graph.
using LocationIndex = std::uint16_t;
inline constexpr LocationIndex kNoLocation = 0xffff;

// The effect of an event, given the value that it reads.
enum class Effect : std::uint8_t {
  kRead,             // load
  kReadUnlessEqual,  // blocks when it reads `operand`: atomic::wait
  kWrite,            // store `operand`
  kUpdate,           // reads v, writes combine(v, operand)
  kExchangeIfEqual,  // compare-exchange of `expected` by `operand`
  kExchangeAgain,    // the same, and blocks when it reads anything else than `expected`
  kAcquireLock,      // reads 0, writes `operand`; blocks when it reads anything else
  kTryLock,          // the same, and fails instead
  kSleep,            // reads a set of waiters (waiters.h) and goes to sleep in it
  kWakeUp,           // leaves the set; blocks unless it was notified
  kNotifyOne,        // one sleeper of the set
  kNotifyAll,
  kFence,
  kChoose,  // one of `operand` variants
  // Of memory. A location stands for the blocks of one size (allocation.h).
  kAllocate,  // reads a kFree and takes its block, or the initial value: a new block
  kFree,      // writes `operand`, the block
};

constexpr bool IsOfMemory(Effect effect) {
  return effect == Effect::kAllocate || effect == Effect::kFree;
}

struct Request {
  Effect effect = Effect::kRead;
  OperationKind kind = OperationKind::kLoad;  // for traces
  bool weak = false;                          // a compare-exchange that may fail spuriously
  std::memory_order order = std::memory_order::relaxed;    // of a compare-exchange: on success
  std::memory_order failure = std::memory_order::relaxed;  // compare-exchange only
  Word expected = 0;
  Word operand = 0;
  Combine combine = nullptr;

  bool operator==(const Request&) const = default;
};

struct GraphEvent {
  Request request;
  Site site;

  // Where it stands.
  std::uint8_t thread = 0;
  std::uint16_t index = 0;  // among its thread's events
  LocationIndex location = kNoLocation;

  // Its result.
  Slot source = kInitial;  // the write that it reads
  bool reads = false;
  bool writes = false;
  bool blocks = false;  // its thread waits here for another value
  std::uint8_t variant = 0;
  std::memory_order order = std::memory_order::relaxed;
  Word read = 0;
  Word written = 0;

  // A write's neighbours in modification order, and its place there from 0.
  Slot older = kNoSlot;
  Slot newer = kNoSlot;
  std::uint16_t place = 0;
  // The event before it that reads the same location; graph.h.
  Slot earlier_read = kNoSlot;

  // happens_before.h explains them.
  Clock happens_before;
  Clock porf;
  Clock released;
  Clock acquirable;
  Clock fenced;
};
// Graphs are copied and searched all the time: two cache lines, and an index is a shift.
static_assert(sizeof(GraphEvent) == 128);

// The thread observes the value that it read and the variant, in one word.
inline ObservationHash With(const ObservationHash& observations, const GraphEvent& event) {
  constexpr Word kSpread = 0x9e3779b97f4a7c15;
  return observations.With(event.read + event.variant * kSpread);
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_EVENT_H_
