// Repair: the memory orders that are to blame for a failure.
//
// The failing execution is run again with one order at a time made stronger, of the atomic
// operations that it executed. Where that order forbids it, all executions are searched, of that
// scenario and then of the others. The weakest single order with which they pass is the repair: the
// missing one. If no single one suffices, several together may. If not even seq_cst everywhere
// does, no memory order is to blame, since the executions under seq_cst are among those of any
// order. Then the algorithm is wrong.
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

// One order of one operation, made stronger.
struct Strengthening {
  Site site;
  OperationKind kind = OperationKind::kLoad;
  std::memory_order in_source = std::memory_order::relaxed;  // of a compare-exchange: on success
  bool on_failure = false;  // the second order of a compare-exchange
  std::memory_order from = std::memory_order::relaxed;
  std::memory_order to = std::memory_order::relaxed;

  // "store at src/jobs/job_list.h:120: release instead of relaxed"
  std::string Words() const;
};

struct Repair {
  enum class Kind : std::uint8_t {
    kOneOrder,
    kSeveralOrders,  // of which `orders` may name a set that cannot be made smaller or weaker
    kNoOrder,
    kUnknown,  // a search came to its limit, or to an end that is no verdict
  };

  Kind kind = Kind::kUnknown;
  std::vector<Strengthening> orders;
  std::string words;    // one sentence
  std::string verdict;  // how much was searched for it: "all 120 executions of 2x1 examined"

  // The edits to run in order to see it: the orders, or seq_cst everywhere when there are no
  // orders. To be laid over the edits that were there.
  Edits edits;
};

// Of graphs that are visited in one trial.
struct RepairLimits {
  std::uint64_t graphs = 20'000;   // in the failing scenario
  std::uint64_t others = 100'000;  // in the other ones together
};

// The repair of the failure of this scenario, one of `scenarios`, whose trace this is. The edits of
// the active Interposition stay.
Repair FindRepair(const std::vector<ScenarioEntry>& scenarios, const ScenarioEntry& failing,
                  const Trace& trace, const RepairLimits& limits = {});

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_DIAGNOSIS_REPAIR_H_
