// Failure: the error found in one execution.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_FAILURE_H_
#define NOWAIT_MODELS_KIT_PROGRAM_FAILURE_H_

#include <cstdint>
#include <string>

#include "models/kit/program/operation.h"

namespace nowait::model {

enum class FailureKind : std::uint8_t {
  kInvariant,      // a Check of the scenario
  kAssertion,      // a NOWAIT_ASSERT of the modelled source
  kDataRace,       // two accesses to plain data, or an access and the end of an object, unordered
  kUseAfterFree,   // an access to an object that no longer exists
  kDoubleFree,     // Delete of a pointer that New did not return, or that was already deleted
  kLeak,           // memory or an object that is left over when the scenario ends
  kUninitialized,  // a load that may read from before the object was constructed
  kDeadlock,       // every thread that has not ended is asleep or waits for a mutex
  kLivelock,       // an execution longer than the limit: a retry loop that makes no progress
  kInvalidOrder,   // an order that the operation does not accept (a store that acquires)
  kMutexMisuse,    // unlocked by a thread that does not hold it, locked twice, or destroyed while
                   // locked
  kCrash,          // a signal that would end a program: a null pointer that is followed, an abort

  // Errors of the scenario, not of the structure: the scenario cannot be checked in this form.
  kNondeterminism,      // the same choices lead to another behaviour in a second run
  kUnregisteredMemory,  // threads share plain memory that is not a ModelSync::plain
  kNotFinished,         // an execution with more steps than the back end supports

  // An error of the run.
  kProcessLost,  // a process that worked on the search ended before it had delivered its results
};

// The kind as mutants declare it (models/model.bzl), such as "data race".
const char* Name(FailureKind kind);

// Whether this kind is a verdict on the structure under test. The other kinds leave the question
// open: the search has neither found a defect nor excluded one.
constexpr bool IsVerdict(FailureKind kind) {
  return kind != FailureKind::kNondeterminism && kind != FailureKind::kUnregisteredMemory &&
         kind != FailureKind::kNotFinished && kind != FailureKind::kProcessLost;
}

// The remedy for a kind that is not a verdict; empty for the other kinds.
const char* Advice(FailureKind kind);

struct Failure {
  FailureKind kind = FailureKind::kInvariant;
  std::string words;    // the broken invariant, or details of the kind; then further lines, if any
  Site site;            // line 0 if no single operation is responsible
  int thread = kAfter;  // the thread that was running when the failure was found

  // A mutant's declared failure is compared with this: the invariant's words, otherwise the kind.
  std::string Label() const {
    return kind == FailureKind::kInvariant ? words.substr(0, words.find('\n')) : Name(kind);
  }
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_FAILURE_H_
