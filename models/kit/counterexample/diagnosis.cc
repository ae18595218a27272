#include "models/kit/counterexample/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/counterexample/causal_past.h"
#include "models/kit/counterexample/from_trace.h"
#include "models/kit/counterexample/kinds.h"
#include "models/kit/counterexample/object_names.h"
#include "models/kit/counterexample/orders.h"
#include "models/kit/counterexample/shown.h"
#include "models/kit/diagnosis/recorded.h"
#include "models/kit/diagnosis/repair.h"
#include "models/kit/exhaustive/replay/guided_replay.h"
#include "models/kit/mutation/editing_machine.h"

namespace nowait::model::counterexample {
namespace {

Repair::Operation OperationOf(const Strengthening& strengthening) {
  Repair::Operation operation;
  operation.kind = model::Name(strengthening.kind);
  operation.site = PlaceOf(strengthening.site);
  operation.order = model::Name(strengthening.in_source);
  if (!strengthening.on_failure) {
    operation.repaired = model::Name(strengthening.to);
  } else {
    operation.failure_order = model::Name(strengthening.from);
    operation.repaired_failure = model::Name(strengthening.to);
  }
  return operation;
}

// Why the two racing accesses are now ordered although each thread acts as before: the edges that
// lead from one to the other. Empty if the repair concerns something else.
std::string WhyNoRace(const Trace& shown, const model::Failure& failure, const Trace& repaired) {
  const std::vector<EventNumber> race = Blamed(shown, Orders(shown), failure);
  if (failure.kind != FailureKind::kDataRace || race.size() != 2) return "";
  const EventNumber first = CounterpartOf(repaired, shown, race[0]);
  const EventNumber second = CounterpartOf(repaired, shown, race[1]);
  if (first == kNoEvent || second == kNoEvent) return "";
  std::string edges;
  for (const Step& step : Orders(repaired).Path(first, second)) {
    if (shown[race[0]].thread < 0 || repaired[static_cast<EventNumber>(step.from)].thread ==
                                         repaired[static_cast<EventNumber>(step.to)].thread) {
      continue;
    }
    edges +=
        fmt::format("{}[{}] {} [{}]", edges.empty() ? "" : " and ", step.from, step.why, step.to);
  }
  if (edges.empty()) return "";
  const auto access = [&](EventNumber number) {
    return repaired[number].writes ? "write" : "read";
  };
  return fmt::format(
      "the same steps are no race: {}, so the {} in [{}] happens before the {} in [{}]", edges,
      access(first), first, access(second), second);
}

// The counterpart of the failing execution under the repair.
void AddExecution(const ScenarioEntry& failing, const Trace& shown, const model::Failure& failure,
                  const Edits& edits, SourceText& text, Repair& repair) {
  EditingMachine machine(edits);
  const Interposition interposition(machine);
  SiteTable unwanted;
  const GuidedReplay followed = RunGuidedReplay(failing, shown, unwanted);
  if (followed.failure || followed.blocked) return;
  const bool with_after = !shown.empty() && shown[shown.last()].thread == kAfter;
  repair.execution = ExecutionAsRun(followed.trace, with_after, text);
  if (!followed.diverges) return;
  // If the thread does nothing more, it diverges at its end.
  const EventNumber here = followed.diverges->here;
  const int other = NumberAsRun(followed.trace, here != kNoEvent ? here : followed.trace.last());
  repair.diverges = Repair::Divergence{
      static_cast<int>(followed.diverges->recorded),
      std::min(other, static_cast<int>(repair.execution->events.size())), followed.diverges->words};
  if (followed.diverges->recorded != shown.last()) return;
  const std::string no_race =
      WhyNoRace(shown, failure, CausalPast(followed.trace, model::Failure()));
  if (!no_race.empty()) repair.diverges->words = no_race;
}

class RecordedBuilder {
 public:
  RecordedBuilder(const model::Recorded& recorded, std::map<ObjectKey, std::string> names)
      : recorded_(recorded), names_(std::move(names)) {}

  Recorded Build() {
    Recorded built;
    built.complete = recorded_.complete;
    built.words = recorded_.words;
    for (const model::Recorded::Operation& operation : recorded_.operations) {
      built.operations.push_back(OperationOf(operation));
    }
    for (const model::Recorded::Execution& execution : recorded_.executions) {
      Recorded::Execution& added = built.executions.emplace_back();
      added.verdict = model::Name(execution.verdict);
      added.words = execution.words;
      for (const model::Recorded::Step& step : execution.steps) {
        added.order.push_back({static_cast<int>(step.operation), step.from});
      }
    }
    return built;
  }

 private:
  Recorded::Operation OperationOf(const model::Recorded::Operation& recorded) {
    const model::Event& event = recorded.event;
    Recorded::Operation operation;
    operation.thread = event.thread;
    operation.call = recorded.call;
    operation.kind = model::Name(event.kind);
    const auto name = names_.find({KindOfObject(event.kind), event.object});
    if (name != names_.end()) operation.object = name->second;
    if (event.kind == OperationKind::kCompareExchange) {
      operation.order = model::Name(event.success);
      operation.failure_order = model::Name(event.failure);
    } else if (IsAtomicAccess(event.kind) || event.kind == OperationKind::kFence) {
      operation.order = model::Name(event.order);
    }
    operation.site = PlaceOf(event.site);
    if (event.reads) operation.read = ValueOf(event.read, event.type);
    if (event.writes) operation.written = ValueOf(event.written, event.type);
    operation.outcome = OutcomeOf(event);
    return operation;
  }

  // A pointer is shown by the order in which pointers appear, as in an execution (from_trace.cc).
  std::string ValueOf(Word value, ValueType type) {
    if (type != ValueType::kPointer || value == 0) return NumberOf(value, type);
    const auto [entry, is_new] = pointers_.try_emplace(value, pointers_.size() + 1);
    return fmt::format("pointer {}", entry->second);
  }

  const model::Recorded& recorded_;
  const std::map<ObjectKey, std::string> names_;
  std::map<Word, std::size_t> pointers_;
};

}  // namespace

Minimised MinimisedOf(const ScenarioEntry& found_in, const Trace& found,
                      const model::Failure& failure, const MinimalCounterexample& smallest,
                      SourceText& text) {
  const auto size_of = [&](const ScenarioEntry& scenario, const Trace& trace,
                           const std::optional<model::Failure>& failed) {
    Size size = SizeOf(ExecutionOf(trace, failed, text), scenario.threads);
    size.scenario = scenario.text.name;
    return size;
  };
  return {size_of(found_in, found, failure),
          size_of(*smallest.scenario, smallest.trace, smallest.failure), smallest.Words()};
}

std::optional<Repair> RepairOf(const std::vector<ScenarioEntry>& scenarios,
                               const ScenarioEntry& failing, const Trace& trace,
                               const model::Failure& failure, SourceText& text) {
  // The trace as the record shows it, which gives its events these numbers.
  const Trace shown = Show(trace, failure).trace;
  const model::Repair found = FindRepair(scenarios, failing, shown);
  if (found.kind == model::Repair::Kind::kUnknown) return std::nullopt;
  Repair repair;
  repair.words = found.words;
  repair.verdict = found.verdict;
  if (found.kind == model::Repair::Kind::kOneOrder) {
    repair.operation = OperationOf(found.orders.front());
  }
  if (found.kind != model::Repair::Kind::kNoOrder) {
    AddExecution(failing, shown, failure, found.edits, text, repair);
  }
  return repair;
}

Recorded RecordedOf(const ScenarioEntry& failing, const Trace& trace, const model::Failure& failure,
                    SourceText& text) {
  const model::Recorded recorded = RecordExecutions(failing);
  Trace operations;
  for (const model::Recorded::Operation& operation : recorded.operations) {
    operations.Add(operation.event.thread, operation.event.kind, operation.event.site) =
        operation.event;
  }
  // The objects keep the names that they have in the failing execution.
  std::map<ObjectKey, std::string> names = NamesOf(Show(trace, failure).trace, trace, text);
  names.merge(NamesOf(operations, trace, text));
  return RecordedBuilder(recorded, std::move(names)).Build();
}

}  // namespace nowait::model::counterexample
