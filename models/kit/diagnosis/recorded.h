// Recorded: every execution of a small scenario, for a reader who chooses which thread goes next
// and what it reads, and sees where that leads.
//
// Executions share most of their steps, so each operation is stored once. An execution in which a
// thread fails is recorded beyond the failure: that thread does nothing more, and the others run to
// their ends, so that their steps can be chosen too.
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

  // An operation and its result, independent of the store that the result came from.
  struct Operation {
    Event event;       // without `from`, `place` and `call`
    std::string call;  // the name of the innermost call; empty outside calls
  };
  struct Step {
    std::uint32_t operation = 0;      // the index of the operation
    std::int32_t from = kFirstValue;  // the step of this execution that it reads from
  };
  enum class Verdict : std::uint8_t { kPasses, kFails, kBlocks };
  struct Execution {
    Verdict verdict = Verdict::kPasses;
    std::string words;  // the failure in words
    std::vector<Step> steps;
  };

  bool complete = false;  // whether these are all executions
  std::string words;      // "all 22 executions"; otherwise how many of how many, and which limit
                          // ended it
  std::vector<Operation> operations;
  std::vector<Execution> executions;
};

// "passes", "fails", "blocks".
const char* Name(Recorded::Verdict verdict);

struct RecordedLimits {
  std::size_t executions = 2'000;
  // The limit for all executions together, give or take one. A recorded step takes up to 11 bytes.
  std::size_t steps = 60'000;
};

// Leaves out set-up and the steps after the threads.
Recorded RecordExecutions(const ScenarioEntry& scenario, const RecordedLimits& limits = {});

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_DIAGNOSIS_RECORDED_H_
