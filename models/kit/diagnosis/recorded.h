// Recorded: every execution of a small scenario, for a reader who wants to choose which thread goes
// next and what it reads, and to see where that leads.
//
// Most executions share most of their steps, so operations are kept once. An execution in which a
// thread fails is recorded past that: the thread does nothing more, the others run to their ends,
// so that they can be chosen too.
#ifndef NOWAIT_MODELS_KIT_DIAGNOSIS_RECORDED_H_
#define NOWAIT_MODELS_KIT_DIAGNOSIS_RECORDED_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/program/trace.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

struct Recorded {
  static constexpr std::int32_t kFirstValue = -1;

  // An operation and its result, whichever store that came from.
  struct Operation {
    Event event;       // `from`, `place` and `call` left out
    std::string call;  // the innermost one's name; empty outside calls
  };
  struct Step {
    std::uint32_t operation = 0;      // its index
    std::int32_t from = kFirstValue;  // the step of this execution that it reads from
  };
  enum class Verdict : std::uint8_t { kPasses, kFails, kBlocks };
  struct Execution {
    Verdict verdict = Verdict::kPasses;
    std::string words;  // the failure
    std::vector<Step> steps;
  };

  bool complete = false;  // there are no other executions
  std::string words;      // "all 22 executions"; otherwise how many of how many, and which limit
                          // ended it
  std::vector<Operation> operations;
  std::vector<Execution> executions;
};

// "passes", "fails", "blocks".
const char* Name(Recorded::Verdict verdict);

struct RecordedLimits {
  std::size_t executions = 2'000;
  // Of all of them together, give or take an execution. In a record a step is up to 11 bytes.
  std::size_t steps = 60'000;
};

// Set-up and the steps after the threads are left out.
Recorded RecordExecutions(const ScenarioEntry& scenario, const RecordedLimits& limits = {});

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_DIAGNOSIS_RECORDED_H_
