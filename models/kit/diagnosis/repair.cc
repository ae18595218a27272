#include "models/kit/diagnosis/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "models/kit/engine/meter.h"
#include "models/kit/exhaustive/replay/guided_replay.h"
#include "models/kit/exhaustive/run/exploration.h"
#include "models/kit/mutation/editing_machine.h"
#include "models/kit/mutation/mutation.h"
#include "models/kit/process/count.h"
#include "models/kit/program/site_table.h"

namespace nowait::model {
namespace {

// How much an order demands. Orders that demand less are tried first.
int StrengthOf(std::memory_order order) {
  if (order == std::memory_order::seq_cst) return 3;
  return (Acquires(order) ? 1 : 0) + (Releases(order) ? 1 : 0);
}

bool Same(const Site& a, const Site& b) {
  return a.line() == b.line() && a.column() == b.column() && FileOf(a) == FileOf(b);
}

// One order of an operation of the failing execution, and the orders that could replace it, from
// the weakest up.
struct Candidate {
  Strengthening operation;
  std::vector<std::memory_order> stronger;

  Strengthening To(std::memory_order order) const {
    Strengthening strengthening = operation;
    strengthening.to = order;
    return strengthening;
  }
};

std::vector<Candidate> CandidatesOf(const SiteRecord& record) {
  std::vector<Candidate> candidates;
  const auto add = [&](bool on_failure, std::memory_order from,
                       std::vector<std::memory_order> stronger) {
    if (stronger.empty()) return;
    candidates.push_back(
        {{record.site, record.kind, record.order, on_failure, from, from}, std::move(stronger)});
  };
  add(false, record.order, StrongerOrders(record.kind, record.order));
  if (record.kind == OperationKind::kCompareExchange) {
    add(true, record.failure, StrongerFailureOrders(record.failure));
  }
  return candidates;
}

Edits EditsOf(const std::vector<Strengthening>& strengthenings) {
  Edits edits;
  for (const Strengthening& strengthening : strengthenings) {
    const Edit* const before =
        edits.Find(strengthening.site, strengthening.kind, strengthening.in_source);
    Edit edit = before != nullptr ? *before : Edit();
    (strengthening.on_failure ? edit.failure : edit.order) = strengthening.to;
    edits.Set(strengthening.site, strengthening.kind, strengthening.in_source, edit);
  }
  return edits;
}

Edits SeqCstEverywhere() {
  Edits edits;
  edits.SetOthers({.order = std::memory_order::seq_cst, .failure = std::memory_order::seq_cst});
  return edits;
}

struct Examined {
  std::uint64_t executions = 0;
  bool whole = false;
  std::optional<Failure> failure;
};

// Subtracts the graphs that it visits from `graphs`.
Examined Examine(const ScenarioEntry& scenario, std::uint64_t& graphs) {
  SiteTable unwanted;
  const SearchControl control;
  Search search = Graphs();
  search.seconds = std::numeric_limits<double>::infinity();  // a verdict must not depend on speed
  Meter meter(search, 1, control);
  const auto exploration = std::make_unique<Exploration>(scenario, unwanted);
  exploration->Begin(meter, Shard());
  exploration->Run(meter, [&] { return --graphs == 0; });
  return {meter.executions(), meter.exhausted(), exploration->failure()};
}

// Tries edits until one execution fails or all have been searched.
class Trials {
 public:
  Trials(const std::vector<ScenarioEntry>& scenarios, const ScenarioEntry& failing,
         const Trace& trace, const RepairLimits& limits)
      : scenarios_(scenarios), failing_(failing), trace_(trace), limits_(limits) {}

  // The failure; nothing if the edits pass.
  struct Trial {
    std::optional<Failure> failure;
    const ScenarioEntry* failed_in = nullptr;
    std::string verdict;
    bool exact = true;  // every execution of every unbounded scenario was examined

    bool passes() const { return !failure; }
  };

  // Tries the failing scenario, beginning with the failing execution if it still exists.
  Trial TryFailing(const Edits& edits) const {
    EditingMachine machine(edits);
    const Interposition interposition(machine);
    SiteTable unwanted;
    const GuidedReplay followed = RunGuidedReplay(failing_, trace_, unwanted);
    if (followed.failure && IsVerdict(followed.failure->kind)) {
      return {.failure = followed.failure, .failed_in = &failing_, .verdict = ""};
    }
    std::uint64_t graphs = limits_.graphs;
    const Examined examined = Examine(failing_, graphs);
    return {examined.failure, &failing_, Words(failing_, examined), examined.whole};
  }

  // Tries the other unbounded scenarios as well.
  Trial TryAll(const Edits& edits) const {
    Trial trial = TryFailing(edits);
    if (!trial.passes()) return trial;
    EditingMachine machine(edits);
    const Interposition interposition(machine);
    std::uint64_t graphs = limits_.others;
    unsigned whole = 0;
    unsigned left_out = 0;
    std::string parts;
    for (const ScenarioEntry& scenario : scenarios_) {
      if (&scenario == &failing_ || !scenario.text.bounded.empty()) continue;
      if (graphs == 0) {
        ++left_out;
        continue;
      }
      const Examined examined = Examine(scenario, graphs);
      if (examined.failure) {
        return {examined.failure, &scenario, Words(scenario, examined), examined.whole};
      }
      trial.exact = trial.exact && examined.whole;
      if (examined.whole) ++whole;
      if (!examined.whole) parts += "; " + Words(scenario, examined);
    }
    if (whole > 0) {
      trial.verdict +=
          fmt::format("; and all of {} other scenario{}", whole, whole == 1 ? "" : "s");
    }
    trial.verdict += parts;
    if (left_out > 0) trial.verdict += fmt::format("; and {} not", left_out);
    trial.exact = trial.exact && left_out == 0;
    return trial;
  }

 private:
  static std::string Words(const ScenarioEntry& scenario, const Examined& examined) {
    return fmt::format("{} {} executions of {} examined", examined.whole ? "all" : "the first",
                       FormatCount(examined.executions), scenario.text.name);
  }

  const std::vector<ScenarioEntry>& scenarios_;
  const ScenarioEntry& failing_;
  const Trace& trace_;
  const RepairLimits& limits_;
};

// The orders of the operations that the threads executed, in the order of their first execution.
std::vector<Candidate> CandidatesOf(const ScenarioEntry& failing, const Trace& trace) {
  SiteTable sites;
  RunGuidedReplay(failing, trace, sites);
  const std::vector<SiteRecord> records = sites.Sorted();
  std::vector<Candidate> candidates;
  std::vector<bool> taken(records.size(), false);
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const Event& event = trace[number];
    for (std::size_t i = 0; i < records.size() && event.thread >= 0; ++i) {
      if (taken[i] || records[i].kind != event.kind || !Same(records[i].site, event.site)) continue;
      taken[i] = true;
      std::ranges::move(CandidatesOf(records[i]), std::back_inserter(candidates));
    }
  }
  return candidates;
}

// Tries every single order, the weakest first, and the first among equals.
std::optional<std::pair<Strengthening, Trials::Trial>> FindOne(
    const Trials& trials, const std::vector<Candidate>& candidates) {
  for (int strength = 1; strength <= StrengthOf(std::memory_order::seq_cst); ++strength) {
    for (const Candidate& candidate : candidates) {
      for (const std::memory_order order : candidate.stronger) {
        if (StrengthOf(order) != strength) continue;
        const Strengthening strengthening = candidate.To(order);
        Trials::Trial trial = trials.TryAll(EditsOf({strengthening}));
        if (trial.passes()) return std::pair(strengthening, std::move(trial));
      }
    }
  }
  return std::nullopt;
}

// Starts from seq_cst everywhere and returns each operation to its own order, or to the weakest one
// that suffices. Empty if not even seq_cst everywhere suffices.
std::vector<Strengthening> FindSeveral(const Trials& trials,
                                       const std::vector<Candidate>& candidates) {
  std::vector<Strengthening> all;
  for (const Candidate& candidate : candidates)
    all.push_back(candidate.To(std::memory_order::seq_cst));
  if (!trials.TryFailing(EditsOf(all)).passes()) return {};
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    std::vector<std::memory_order> weaker = candidates[i].stronger;
    weaker.pop_back();
    weaker.insert(weaker.begin(), candidates[i].operation.from);
    for (const std::memory_order order : weaker) {
      const std::memory_order before = std::exchange(all[i].to, order);
      if (trials.TryFailing(EditsOf(all)).passes()) break;
      all[i].to = before;
    }
  }
  std::erase_if(all, [](const Strengthening& one) { return one.to == one.from; });
  return all;
}

std::string FailureWords(const Trials::Trial& trial) {
  return fmt::format("{}: {}", trial.failed_in->text.name, trial.failure->Label());
}

// Records the result of seq_cst everywhere. Returns whether that result is final.
bool SaysNoOrder(const Trials::Trial& everywhere, Repair& repair) {
  if (everywhere.passes()) return false;
  repair.verdict = fmt::format("with seq_cst everywhere, {}", FailureWords(everywhere));
  const bool understood = IsVerdict(everywhere.failure->kind);
  repair.kind = understood ? Repair::Kind::kNoOrder : Repair::Kind::kUnknown;
  repair.words = understood ? "no memory order repairs this: it is the algorithm that is wrong"
                            : "whether a memory order repairs this is not known";
  return true;
}

}  // namespace

std::string Strengthening::Words() const {
  return fmt::format("{}{} at {}: {} instead of {}", Name(kind),
                     on_failure ? ", when it fails," : "", Format(site), Name(to), Name(from));
}

Repair FindRepair(const std::vector<ScenarioEntry>& scenarios, const ScenarioEntry& failing,
                  const Trace& trace, const RepairLimits& limits) {
  const Trials trials(scenarios, failing, trace, limits);
  Repair repair;
  // A scenario that does not fail within the limits in the first place says nothing about a repair.
  if (trials.TryFailing(Edits()).passes()) {
    repair.words = "whether a memory order repairs this is not known: it was not found again";
    return repair;
  }
  repair.edits = SeqCstEverywhere();
  if (SaysNoOrder(trials.TryFailing(repair.edits), repair)) return repair;
  const std::vector<Candidate> candidates = CandidatesOf(failing, trace);
  if (auto found = FindOne(trials, candidates)) {
    repair.kind = Repair::Kind::kOneOrder;
    repair.orders = {found->first};
    repair.words =
        fmt::format("one memory order repairs this{}: {}",
                    found->second.exact ? "" : ", as far as it was examined", found->first.Words());
    repair.verdict = found->second.verdict;
    repair.edits = EditsOf(repair.orders);
    return repair;
  }
  const Trials::Trial everywhere = trials.TryAll(repair.edits);
  if (SaysNoOrder(everywhere, repair)) return repair;
  repair.kind = Repair::Kind::kSeveralOrders;
  repair.words = "memory orders are to blame, and no single one";
  repair.verdict = "with seq_cst everywhere, " + everywhere.verdict;
  std::vector<Strengthening> several = FindSeveral(trials, candidates);
  if (several.empty()) return repair;
  const Trials::Trial together = trials.TryAll(EditsOf(several));
  if (!together.passes()) return repair;
  repair.orders = std::move(several);
  repair.edits = EditsOf(repair.orders);
  repair.verdict = together.verdict;
  repair.words += "; these together repair it";
  for (const Strengthening& one : repair.orders) repair.words += "; " + one.Words();
  return repair;
}

}  // namespace nowait::model
