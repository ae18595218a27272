#include "models/kit/mutation/mutation_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/back_ends/unsupported_behaviours.h"

namespace nowait::model {
namespace {

// The first statement of the notes that no longer holds; empty if all of them hold.
std::string Stale(const MutantReport& report, bool has_effect, const Notes& notes) {
  const Verdict& verdict = report.verdict;
  if (notes.FindDisagreement(report.mutation) != nullptr && !verdict.disagrees) {
    return "the back ends agree on it";
  }
  const SurvivorNote* note = notes.FindSurvivor(report.mutation);
  if (note == nullptr) return "";
  if (verdict.killed) return "it is killed";
  if (!has_effect) return "it has no effect";
  if (note->survivor_class == SurvivorClass::kUnverified && verdict.exact() &&
      !LeavesOut(Graphs(), note->litmus)) {
    return fmt::format("every execution was examined, and what {} shows is among them",
                       note->litmus);
  }
  return "";
}

Fate FateOf(const MutantReport& report, bool has_effect, const Notes& notes) {
  if (!report.stale.empty()) return Fate::kStale;
  const Verdict& verdict = report.verdict;
  if (verdict.disagrees && notes.FindDisagreement(report.mutation) == nullptr) {
    return Fate::kDisagreement;
  }
  if (verdict.killed) return Fate::kKilled;
  if (!has_effect) return Fate::kNoEffect;
  const SurvivorNote* note = notes.FindSurvivor(report.mutation);
  if (note == nullptr) return Fate::kUnexplained;
  switch (note->survivor_class) {
    case SurvivorClass::kEquivalent:
      return Fate::kEquivalent;
    case SurvivorClass::kUnverified:
      return Fate::kUnverified;
    case SurvivorClass::kPerformance:
      return Fate::kPerformance;
  }
  return Fate::kUnexplained;
}

}  // namespace

const char* Name(Fate fate) {
  switch (fate) {
    case Fate::kKilled:
      return "killed";
    case Fate::kNoEffect:
      return "no effect";
    case Fate::kEquivalent:
      return "equivalent";
    case Fate::kUnverified:
      return "unverified";
    case Fate::kPerformance:
      return "performance";
    case Fate::kUnexplained:
      return "SURVIVED";
    case Fate::kStale:
      return "STALE NOTE";
    case Fate::kDisagreement:
      return "BACK ENDS DISAGREE";
  }
  return "?";
}

bool IsFailure(Fate fate) {
  return fate == Fate::kUnexplained || fate == Fate::kStale || fate == Fate::kDisagreement;
}

std::expected<Subject, std::string> Subject::Visit(Judge& judge, const Notes& notes, Depth depth) {
  SiteTable sites;
  const Verdict verdict = judge.Visit(sites, depth);
  if (verdict.killed) {
    return std::unexpected(fmt::format("the source itself fails in {} ({}): {}", verdict.scenario,
                                       Format(verdict.search), verdict.failure.Label()));
  }
  return Subject(NameSites(sites, notes.sources));
}

std::vector<std::pair<const NamedSite*, Mutation>> Subject::Mutations() const {
  std::vector<std::pair<const NamedSite*, Mutation>> mutations;
  for (const NamedSite& site : sites_) {
    for (Mutation& mutation : MutationsOf(site)) {
      mutations.emplace_back(&site, std::move(mutation));
    }
  }
  return mutations;
}

MutantReport JudgeMutation(const Judge& judge, const Notes& notes, const NamedSite& site,
                           const Mutation& mutation) {
  Edits edits;
  edits.Set(site.record.site, site.record.kind, site.record.order, mutation.edit);
  MutantReport report{mutation.name, Fate::kKilled, judge.Try(edits), ""};
  const bool has_effect = mutation.WeakensAnOrder() || report.verdict.effects != 0;
  report.stale = Stale(report, has_effect, notes);
  report.fate = FateOf(report, has_effect, notes);
  return report;
}

std::vector<std::string> UnknownNames(const Subject& subject, const Notes& notes) {
  std::set<std::string> known;
  for (const NamedSite& site : subject.sites()) known.insert(site.name);
  for (const auto& [site, mutation] : subject.Mutations()) known.insert(mutation.name);
  std::vector<std::string> unknown;
  const auto look = [&](const std::vector<std::string>& names) {
    std::copy_if(names.begin(), names.end(), std::back_inserter(unknown),
                 [&](const std::string& name) { return !known.contains(name); });
  };
  for (const SurvivorNote& note : notes.survivors) look(note.mutations);
  for (const StrongerNote& note : notes.stronger) look(note.sites);
  for (const DisagreementNote& note : notes.disagreements) look(note.mutations);
  return unknown;
}

std::string Format(const MutantReport& report) {
  std::string text = fmt::format("  {:<56} {:<11}", report.mutation, Name(report.fate));
  const Verdict& verdict = report.verdict;
  if (!report.stale.empty()) text += fmt::format(" {};", report.stale);
  if (verdict.killed) {
    text += fmt::format(" by {} ({}) after {} executions: {}", verdict.scenario,
                        Format(verdict.search), verdict.executions, verdict.failure.Label());
  } else if (verdict.exact()) {
    text += fmt::format(" no counterexample exists in the scenarios, {} executions",
                        verdict.executions);
  } else if (report.fate != Fate::kNoEffect) {
    text += fmt::format(" {} executions, and every one of {} of {} scenarios", verdict.executions,
                        verdict.examined, verdict.scenarios);
  }
  return text + "\n";
}

}  // namespace nowait::model
