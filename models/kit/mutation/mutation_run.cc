#include "models/kit/mutation/mutation_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nowait::model {
namespace {

Fate FateOf(const Verdict& verdict, const Mutation& mutation, const SurvivorNote* note) {
  if (verdict.killed) return note == nullptr ? Fate::kKilled : Fate::kStale;
  if (!mutation.WeakensAnOrder() && verdict.effects == 0) {
    return note == nullptr ? Fate::kNoEffect : Fate::kStale;
  }
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
  }
  return "?";
}

bool IsFailure(Fate fate) { return fate == Fate::kUnexplained || fate == Fate::kStale; }

std::expected<Subject, std::string> Subject::Visit(const Judge& judge, const Notes& notes) {
  SiteTable sites;
  const Verdict verdict = judge.Try(Edits(), &sites);
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
  MutantReport report{mutation.name, Fate::kKilled, judge.Try(edits)};
  report.fate = FateOf(report.verdict, mutation, notes.FindSurvivor(mutation.name));
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
  return unknown;
}

std::string Format(const MutantReport& report) {
  std::string text = fmt::format("  {:<56} {:<11}", report.mutation, Name(report.fate));
  const Verdict& verdict = report.verdict;
  if (verdict.killed) {
    text += fmt::format(" by {} after {} executions: {}", verdict.scenario, verdict.executions,
                        verdict.failure.Label());
  } else if (report.fate != Fate::kNoEffect) {
    text += fmt::format(" {} executions", verdict.executions);
  } else if (report.fate == Fate::kStale) {
    text += " it has no effect";
  }
  return text + "\n";
}

}  // namespace nowait::model
