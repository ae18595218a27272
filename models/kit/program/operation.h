// One step of a scenario as a checker sees it: its source location, its kind, and the type of the
// value that it moves.
//
// A Site is a std::source_location, captured by default arguments at the call (src/sync/policy.h).
// It identifies an operation in reports. Together with the kind of the operation, it is the key
// under which the sites of a structure are counted (models/kit/program/site_table.h).
#ifndef NOWAIT_MODELS_KIT_PROGRAM_OPERATION_H_
#define NOWAIT_MODELS_KIT_PROGRAM_OPERATION_H_

#include <atomic>
#include <cstdint>
#include <source_location>
#include <string>

namespace nowait::model {

using Site = std::source_location;
inline bool IsSamePlace(const Site& a, const Site& b) {
  return a.line() == b.line() && a.column() == b.column() && a.file_name() == b.file_name();
}

// The thread number of the steps before all threads, and of those after them.
inline constexpr int kSetUp = -1;
inline constexpr int kAfter = -2;

// A value as a checker stores it: the object representation of a T of at most eight bytes.
using Word = std::uint64_t;

// How to print a Word.
enum class ValueType : std::uint8_t {
  kUnsigned,
  kSigned,
  kFloat,
  kDouble,
  kBool,
  kPointer,
  kOther
};

enum class OperationKind : std::uint8_t {
  kLoad,
  kStore,
  kLateStore,  // a deferred store takes effect
  kCompareExchange,
  kExchange,
  kFetchAdd,
  kFetchSub,
  kFetchAnd,
  kFetchOr,
  kFetchXor,
  kWait,
  kSleep,  // a wait that found the old value puts its thread to sleep
  kNotify,
  kFence,
  kPlainRead,
  kPlainWrite,
  kLock,
  kTryLock,
  kUnlock,
  kWaitCondition,
  kWakeUp,  // a wait on a condition variable holds its mutex again
  kNotifyCondition,
  kYield,
  kNew,
  kDelete,
  kUse,        // the use of an object in a block that was freed
  kEndAtomic,  // the end of an object, where that is the error
  kEndPlain,
  kEndMutex,
  kEndCondition,
};

// How a compare-exchange may fail, and how its caller then continues.
enum class Trying : std::uint8_t {
  kStrong,  // it may not fail spuriously
  kWeak,    // it may fail spuriously
  kAgain,   // the same; a caller that fails starts over with the value found (src/sync/policy.h)
};

const char* Name(OperationKind kind);
const char* Name(std::memory_order order);

// Whether an operation of this order is a release (or an acquire) operation.
constexpr bool Releases(std::memory_order order) {
  return order == std::memory_order::release || order == std::memory_order::acq_rel ||
         order == std::memory_order::seq_cst;
}
constexpr bool Acquires(std::memory_order order) {
  return order == std::memory_order::acquire || order == std::memory_order::consume ||
         order == std::memory_order::acq_rel || order == std::memory_order::seq_cst;
}

std::string Format(Word value, ValueType type);

// "src/sync/event_count.h"; the second form adds the line: "src/sync/event_count.h:63".
std::string FileOf(const Site& site);
std::string Format(const Site& site);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_OPERATION_H_
