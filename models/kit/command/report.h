// The output of a model: for people, and as JSON for programs.
#ifndef NOWAIT_MODELS_KIT_COMMAND_REPORT_H_
#define NOWAIT_MODELS_KIT_COMMAND_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/counterexample/counterexample.h"
#include "models/kit/counterexample/source_text.h"
#include "models/kit/engine/run_search.h"
#include "models/kit/process/count.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/scenario.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

struct SearchReport {
  Search search;
  SearchResult result;
  Shard shard = {};

  // Every execution was to be examined, and was not. Never passed.
  bool unfinished() const {
    return search.kind == Search::Kind::kGraphs && !result.exhausted && !result.failure;
  }
  // Every execution graph of the scenario.
  bool whole() const {
    return search.kind == Search::Kind::kGraphs && result.exhausted && !result.failure &&
           shard.count == 1;
  }
};

struct ScenarioReport {
  const ScenarioEntry* scenario;
  std::vector<SearchReport> searches;

  bool passed() const;
  // "passed", of a scenario of which every execution that C++20 allows was examined. Otherwise not
  // this word alone: "passed but for load buffering", "passed as far as it was searched", "not
  // finished", "failed".
  std::string Verdict() const;
};

// A site's record by names, which outlive the program that counted
// (models/kit/command/saved_run.h).
struct SiteCount {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string kind;
  std::string order;
  std::string failure;  // of a compare-exchange; empty for the others
  std::uint64_t hits = 0;
};

// The sites of a run: those counted in earlier pieces of it and those counted in this one, sorted.
std::vector<SiteCount> CountSites(const std::vector<SiteCount>& earlier, const SiteTable& sites);

// "41%"; 100% only when nothing is left.
std::string FormatFraction(double fraction);

// "  bound:2+stale            12,345 executions, exhausted, 0.12 s"; a search of a tree that was
// left early says "not exhausted (41%)". Of graphs: "all 12,345 executions examined", or "NOT
// FINISHED (about 41%)".
std::string FormatSearch(const SearchReport& report);

// The failing execution and all that is to be said of it. mutation: the name of the one in effect;
// or empty.
counterexample::Counterexample RecordOf(const std::string& structure, const ScenarioEntry& scenario,
                                        const SearchReport& report, const std::string& mutation,
                                        counterexample::SourceText& text);

// Behaviour that C++20 allows and the searches leave out
// (models/kit/back_ends/unsupported_behaviours.h); and in which scenarios, when it is not all.
std::string FormatUnsupportedBehaviours(const std::vector<ScenarioReport>& reports);

// The executions that were left out because another one leads to the same; and the scenarios that
// have passed with a reserve. Empty if there is nothing to report.
std::string FormatReductions(const std::vector<ScenarioReport>& reports);
std::string FormatReserves(const std::vector<ScenarioReport>& reports);

std::string FormatSites(const std::vector<SiteCount>& sites);

// Schema: {"structure", "scenarios": [{"name", "promise", "threads", "passed", "verdict",
// "bounded"?, "searches": [{"search", "executions", "exhausted", "fraction", "seconds", "omitted"?:
// {"blocked", "rounds", "tries", "gaps": [names]}, "failure"?: {"kind", "words", "site", "seed",
// "state"}}]}], "left_out"?: [names], "unsupported_behaviours": [{"words", "rows", "scenarios"}],
// "sites": [{"file", "line", "column", "kind", "order", "failure_order"?, "hits"}]}. passed:
// nothing failed; verdict: ScenarioReport::Verdict. bounded: why not every execution is examined.
// exhausted: of graphs, that every one was. omitted: of graphs (models/kit/engine/omitted.h).
// left_out: scenarios that were not run because an earlier one had failed.
// unsupported_behaviours: behaviour that C++20 allows and no search of these scenarios produces,
// with the litmus rows that show it (models/kit/back_ends/unsupported_behaviours.h).
std::string ToJson(const std::string& structure, const std::vector<ScenarioReport>& reports,
                   const std::vector<std::string>& left_out, const std::vector<SiteCount>& sites);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_REPORT_H_
