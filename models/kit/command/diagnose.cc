#include "models/kit/command/diagnose.h"

#include <optional>

#include "models/kit/counterexample/diagnosis.h"
#include "models/kit/counterexample/from_trace.h"
#include "models/kit/diagnosis/minimise_counterexample.h"

namespace nowait::model {

counterexample::Counterexample Diagnose(const std::string& structure,
                                        const std::vector<ScenarioEntry>& scenarios,
                                        const ScenarioEntry& scenario, const SearchReport& report,
                                        const std::string& mutation, Shows shows,
                                        counterexample::SourceText& text) {
  const Failure& found = *report.result.failure;
  if (!IsVerdict(found.kind)) return RecordOf(structure, scenario, report, mutation, text);
  const ScenarioEntry* shown_in = &scenario;
  SearchReport shown = report;
  std::optional<MinimalCounterexample> smallest;
  if (shows != Shows::kFound) {
    const std::vector<ScenarioEntry> none;
    smallest = MinimiseCounterexample(shows == Shows::kSmallest ? scenarios : none, scenario,
                                      found.Label());
  }
  if (smallest) {
    shown_in = smallest->scenario;
    shown.search = Graphs();
    shown.result.failure = smallest->failure;
    shown.result.trace = smallest->trace;
    shown.result.replay = smallest->replay;
  }
  counterexample::Counterexample record = RecordOf(structure, *shown_in, shown, mutation, text);
  record.search = {Format(report.search), report.result.executions};
  if (smallest) {
    record.minimised = MinimisedOf(scenario, report.result.trace, found, *smallest, text);
  }
  const Failure& failure = *shown.result.failure;
  record.repair = RepairOf(scenarios, *shown_in, shown.result.trace, failure, text);
  record.recorded = RecordedOf(*shown_in, shown.result.trace, failure, text);
  if (record.repair && record.repair->execution) {
    record.sources = SourcesOf({&record.execution, &*record.repair->execution}, text);
  }
  return record;
}

}  // namespace nowait::model
