#include "models/kit/mutation/commands.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <expected>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/mutation/judge.h"
#include "models/kit/mutation/minimise.h"
#include "models/kit/mutation/mutation.h"
#include "models/kit/mutation/mutation_run.h"
#include "models/kit/mutation/notes.h"
#include "models/kit/process/files.h"

namespace nowait::model {
namespace {

constexpr int kUsageError = 2;

// The preparation that all three commands share.
struct Preparation {
  Notes notes;
  Judge judge;
  Subject subject;
};

std::expected<Preparation, std::string> Prepare(const std::vector<ScenarioEntry>& scenarios,
                                                const MutationOptions& options,
                                                Depth depth = Depth::kQuick) {
  auto notes = ReadNotes(options.notes);
  if (!notes) return std::unexpected(notes.error());
  Judge judge(scenarios, options.executions != 0 ? options.executions : notes->executions,
              options.back_ends);
  auto subject = Subject::Visit(judge, *notes, depth);
  if (!subject) return std::unexpected(subject.error());
  return Preparation{*std::move(notes), std::move(judge), *std::move(subject)};
}

int Complain(const std::string& what) {
  fmt::print(stderr, "{}\n", what);
  return kUsageError;
}

int Conclude(int passed, int failed) {
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

bool WriteJson(const std::string& file, const nlohmann::ordered_json& json) {
  if (file.empty()) return true;
  const bool written = WriteWhole(file, json.dump(2) + "\n");
  if (!written) fmt::print(stderr, "{} cannot be written: {}\n", file, std::strerror(errno));
  return written;
}

nlohmann::ordered_json ToJson(const MutantReport& report, const SurvivorNote* note) {
  const Verdict& verdict = report.verdict;
  nlohmann::ordered_json json = {{"mutation", report.mutation},
                                 {"fate", Name(report.fate)},
                                 {"executions", verdict.executions}};
  if (verdict.killed) {
    json["scenario"] = verdict.scenario;
    json["search"] = Format(verdict.search);
    json["failure"] = verdict.failure.Label();
  } else if (note != nullptr) {
    json["because"] = note->because;
    if (!note->litmus.empty()) json["litmus"] = note->litmus;
    if (!note->shown_by.empty()) json["shown_by"] = note->shown_by;
  }
  if (!verdict.killed) json["exact"] = verdict.exact();
  return json;
}

nlohmann::ordered_json ToJson(const MinimalOrder& order) {
  return {{"operation", order.operation},
          {"in_source", Name(order.in_source)},
          {"weakest", Name(order.weakest)},
          {"forbidden_by", order.forbidden_by},
          {"because", order.because}};
}

}  // namespace

int RunMutations(const std::vector<ScenarioEntry>& scenarios, const MutationOptions& options) {
  const auto preparation = Prepare(scenarios, options, Depth::kWhole);
  if (!preparation) return Complain(preparation.error());
  const auto& [notes, judge, subject] = *preparation;

  std::map<Fate, int> fates;
  int failed = 0;
  nlohmann::ordered_json mutants = nlohmann::ordered_json::array();
  unsigned number = 0;
  fmt::print("{}: mutations of {} atomic operations\n", options.structure, subject.sites().size());
  for (const auto& [site, mutation] : subject.Mutations()) {
    if (number++ % options.shards != options.shard) continue;
    const MutantReport report = JudgeMutation(judge, notes, *site, mutation);
    fmt::print("{}", Format(report));
    std::fflush(stdout);
    ++fates[report.fate];
    if (IsFailure(report.fate)) ++failed;
    mutants.push_back(ToJson(report, notes.FindSurvivor(mutation.name)));
  }
  int judged = 0;
  for (const auto& [fate, count] : fates) {
    fmt::print("  {}: {}\n", Name(fate), count);
    judged += count;
  }
  int passed = judged - failed;
  if (options.shard == 0) {
    for (const std::string& name : UnknownNames(subject, notes)) {
      fmt::print("  {} names {}, which is not there\n", options.notes, name);
      ++failed;
    }
  }
  if (!WriteJson(options.json, {{"structure", options.structure}, {"mutants", mutants}})) {
    return kUsageError;
  }
  return Conclude(passed, failed);
}

std::expected<Edits, std::string> FindMutation(const std::vector<ScenarioEntry>& scenarios,
                                               const MutationOptions& options,
                                               const std::string& name) {
  const auto preparation = Prepare(scenarios, options);
  if (!preparation) return std::unexpected(preparation.error());
  for (const auto& [site, mutation] : preparation->subject.Mutations()) {
    if (mutation.name != name) continue;
    Edits edits;
    edits.Set(site->record.site, site->record.kind, site->record.order, mutation.edit);
    return edits;
  }
  return std::unexpected(
      fmt::format("{} has no mutation '{}'; --mutate lists them", options.structure, name));
}

int RunMinimiser(const std::vector<ScenarioEntry>& scenarios, const MutationOptions& options,
                 const std::string& table, TableUse use) {
  const auto preparation = Prepare(scenarios, options);
  if (!preparation) return Complain(preparation.error());
  const auto& [notes, judge, subject] = *preparation;

  const auto progress = [](const std::string& operation) {
    fmt::print(stderr, "minimising {}\n", operation);
  };
  const MinimalOrders minimal = Minimise(judge, subject, notes, progress);
  const std::vector<MinimalOrder>& orders = minimal.orders;
  const std::string text = FormatOrders(options.structure, minimal);
  fmt::print("{}", text);

  int passed = 0;
  int failed = 0;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const MinimalOrder& order : orders) {
    const bool explained = !order.SourceIsStronger() || !order.because.empty();
    ++(explained ? passed : failed);
    if (!explained) {
      fmt::print("{} is {} in the source, {} is enough, and {} does not say why\n", order.operation,
                 Name(order.in_source), Name(order.weakest), options.notes);
    }
    rows.push_back(ToJson(order));
  }
  for (const StrongerNote& note : notes.stronger) {
    for (const std::string& site : note.sites) {
      for (const MinimalOrder& order : orders) {
        if (order.operation != site || order.SourceIsStronger()) continue;
        fmt::print("{} says why {} is stronger than needed, and it is not\n", options.notes, site);
        ++failed;
      }
    }
  }
  if (use == TableUse::kUpdate) {
    if (!WriteWhole(table, text)) {
      return Complain(fmt::format("{} cannot be written: {}", table, std::strerror(errno)));
    }
  } else {
    const auto committed = ReadAll(table);
    if (!committed)
      return Complain(fmt::format("{} cannot be read: {}", table, std::strerror(errno)));
    const bool same = *committed == text;
    ++(same ? passed : failed);
    if (!same) {
      fmt::print("{} differs from this table; ./nowait check {} --minimise --update writes it\n",
                 table, options.structure);
    }
  }
  if (!WriteJson(options.json, {{"structure", options.structure},
                                {"exact", minimal.together.exact()},
                                {"orders", rows}})) {
    return kUsageError;
  }
  return Conclude(passed, failed);
}

}  // namespace nowait::model
