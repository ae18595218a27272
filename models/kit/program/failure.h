// Failure: the error that was found in one execution.
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
  kUseAfterFree,   // an access to an object that is gone
  kDoubleFree,     // Delete of a pointer that New did not return, or that is deleted already
  kLeak,           // something is left when the scenario is over
  kUninitialized,  // a load that may read from before the object was constructed
  kDeadlock,       // every thread that has not ended sleeps or waits for a mutex
  kLivelock,       // an execution longer than the limit: a retry loop without progress
  kInvalidOrder,   // a memory order that the operation does not take (a store that acquires)
  kMutexMisuse,    // unlocked by a thread that does not hold it, locked twice, destroyed while
                   // locked

  // Of the scenario, not of the structure: the scenario cannot be checked as it is.
  kNondeterminism,      // it behaves differently when it is run again with the same choices
  kUnregisteredMemory,  // threads share plain memory that is no ModelSync::plain
  kNotFinished,         // an execution of more steps than the back end can take

  // Of the run.
  kProcessLost,  // one of the processes that worked on the search is gone, with its results
};

// "data race"; the word that mutants are declared with (models/model.bzl).
const char* Name(FailureKind kind);

// Whether it is a verdict on the structure under test. The others say that nothing is known about
// it: a search for defects has neither found one nor excluded one.
constexpr bool IsVerdict(FailureKind kind) {
  return kind != FailureKind::kNondeterminism && kind != FailureKind::kUnregisteredMemory &&
         kind != FailureKind::kNotFinished && kind != FailureKind::kProcessLost;
}

// The remedy for a kind that is no verdict; empty for the others.
const char* Advice(FailureKind kind);

struct Failure {
  FailureKind kind = FailureKind::kInvariant;
  std::string words;  // the broken invariant, or more about the kind; then lines of details, if any
  Site site;          // line 0 when no single operation is to blame
  int thread = kAfter;  // that was running when it was found

  // A mutant's declared failure is compared with this: the invariant's words, otherwise the kind.
  std::string Label() const {
    return kind == FailureKind::kInvariant ? words.substr(0, words.find('\n')) : Name(kind);
  }
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_FAILURE_H_
