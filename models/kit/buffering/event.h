// A thread's events in program order, with the reads that each depends on.
//
// An event depends on a read for certain where the program kept the read's value in a Carried<T>
// (carried.h). A read is lost where its value became a plain T: whatever the thread does later may
// depend on it, or may not.
//
// A set of a thread's events is one word. An execution has at most kMaxEvents of
// models/kit/axioms/relation.h, with the initial values of its objects.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_EVENT_H_
#define NOWAIT_MODELS_KIT_BUFFERING_EVENT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/kit/program/machine.h"
#include "models/kit/program/operation.h"

namespace nowait::model::buffering {

// A set of one thread's events, by their places in program order.
using Places = std::uint64_t;
inline constexpr std::size_t kMostPlaces = 64;
inline bool Has(Places places, std::size_t place) { return (places >> place & 1) != 0; }
inline Places Only(std::size_t place) { return Places{1} << place; }

// An atomic or a plain datum. Each kind is numbered from 1 (models/kit/program/machine.h). A mutex
// is an atomic of 0 or 1, with numbers among those of the atomics.
struct Location {
  bool plain = false;
  ObjectId object = 0;

  auto operator<=>(const Location&) const = default;
};

struct Event {
  enum class Kind : std::uint8_t {
    kRead,
    kWrite,
    kUpdate,  // a read-modify-write that writes
    kFence,
    kPlainRead,
    kPlainWrite,
  };

  Kind kind = Kind::kRead;
  ObjectId object = 0;
  std::memory_order order = std::memory_order::relaxed;
  Word read = 0;
  Word written = 0;
  ValueType type = ValueType::kUnsigned;
  Site site = {};
  // The program's call, unless that is an access of an atomic: kLock, kTryLock, kUnlock, kWait.
  std::optional<OperationKind> call = std::nullopt;

  Places data = 0;       // the written value was computed from them
  Places compared = 0;   // of a compare-exchange: the expected value was computed from them
  Places address = 0;    // the object was chosen by them
  Places addressed = 0;  // the object of an access before it was chosen by them
  Places control = 0;    // a branch before it was decided by them
  Places lost = 0;       // before it, their values became plain

  bool IsPlain() const { return kind == Kind::kPlainRead || kind == Kind::kPlainWrite; }
  bool IsFence() const { return kind == Kind::kFence; }
  bool Reads() const {
    return kind == Kind::kRead || kind == Kind::kUpdate || kind == Kind::kPlainRead;
  }
  bool Writes() const {
    return kind == Kind::kWrite || kind == Kind::kUpdate || kind == Kind::kPlainWrite;
  }
  Location At() const { return {IsPlain(), object}; }
};

using Events = std::vector<Event>;

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_EVENT_H_
