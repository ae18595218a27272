// Repair: the memory orders that are responsible for a failure.
//
// The failing execution is run again with one order at a time strengthened, among the atomic
// operations that it executed. Where that order forbids the execution, all executions of that
// scenario are searched, and then those of the others. The weakest single order with which they
// pass is the repair: the missing order. If no single order suffices, several together may. If even
// seq_cst everywhere does not, the algorithm is wrong: the executions under seq_cst are among those
// under any order, so no memory order is responsible.
#ifndef NOWAIT_MODELS_KIT_DIAGNOSIS_REPAIR_H_
#define NOWAIT_MODELS_KIT_DIAGNOSIS_REPAIR_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/mutation/edits.h"
#include "models/kit/program/operation.h"
#include "models/kit/program/trace.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

// One strengthened order of one operation.
struct Strengthening {
  Site site;
  OperationKind kind = OperationKind::kLoad;
  std::memory_order in_source = std::memory_order::relaxed;  // of a compare-exchange: on success
  bool on_failure = false;  // the failure order of a compare-exchange
  std::memory_order from = std::memory_order::relaxed;
  std::memory_order to = std::memory_order::relaxed;

  // "store at src/jobs/job_list.h:120: release instead of relaxed"
  std::string Words() const;
};

struct Repair {
  enum class Kind : std::uint8_t {
    kOneOrder,
    kSeveralOrders,  // `orders` may name a set that cannot be made smaller or weaker
    kNoOrder,
    kUnknown,  // a search reached its limit, or ended without a verdict
  };

  Kind kind = Kind::kUnknown;
  std::vector<Strengthening> orders;
  std::string words;    // one sentence
  std::string verdict;  // how much was searched: "all 120 executions of 2x1 examined"

  // The edits to run in order to observe it: the orders, or seq_cst everywhere if there are no
  // orders. They apply on top of the existing edits.
  Edits edits;
};

// Limits, in numbers of graphs visited in one trial.
struct RepairLimits {
  std::uint64_t graphs = 20'000;   // in the failing scenario
  std::uint64_t others = 100'000;  // in the other scenarios together
};

// The repair of the failure of `failing`, which is one of `scenarios` and has this trace. The edits
// of the active Interposition remain in force.
Repair FindRepair(const std::vector<ScenarioEntry>& scenarios, const ScenarioEntry& failing,
                  const Trace& trace, const RepairLimits& limits = {});

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_DIAGNOSIS_REPAIR_H_
