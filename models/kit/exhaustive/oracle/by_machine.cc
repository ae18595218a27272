#include <cstddef>
#include <memory>
#include <optional>

#include "models/kit/exhaustive/oracle/checker.h"
#include "models/kit/exhaustive/oracle/graph_signature.h"
#include "models/kit/exhaustive/oracle/straight_line_program.h"
#include "models/kit/exhaustive/run/exhaustive_machine.h"
#include "models/kit/exhaustive/search/extension.h"
#include "models/kit/exhaustive/search/work_list.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::oracle {
Findings FindByMachine(const StraightLine& program) {
  using Outcome = ExhaustiveMachine::Outcome;
  const ScenarioEntry scenario = ScenarioOf(program);
  Findings findings;
  SiteTable sites;
  WorkList work_list;
  Extension extension(work_list);
  Graph graph;
  // On the heap: the machine is large, and fibers hold pointers into their execution.
  const auto machine = std::make_unique<ExhaustiveMachine>(scenario, graph, extension, sites);
  SetCurrentMachine(machine.get());
  work_list.Begin(Graph(), TreePath(), 1);
  while (!work_list.empty()) {
    if (findings.executions.size() == kMaxExecutions) {
      findings.complaint = "the search does not end";
      break;
    }
    work_list.Pop(graph);
    const Outcome outcome = machine->Execute();
    work_list.EndVisit();
    if (outcome == Outcome::kCompleted) {
      findings.executions.push_back(SignatureOf(graph, program));
      continue;
    }
    const std::optional<Failure>& failure = machine->failure();
    if (failure && failure->kind == FailureKind::kDataRace) {
      findings.race = true;
    } else {
      findings.complaint = failure ? failure->words : "a thread is blocked";
    }
    break;
  }
  SetCurrentMachine(nullptr);
  return findings;
}

}  // namespace nowait::model::oracle
