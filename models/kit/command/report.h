// The output of a model, as text for readers and as JSON for programs.
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

  // Every execution was to be examined but was not. Such a scenario never passes.
  bool unfinished() const {
    return search.kind == Search::Kind::kGraphs && !result.exhausted && !result.failure;
  }
  // Whether every execution graph of the scenario was examined.
  bool whole() const {
    return search.kind == Search::Kind::kGraphs && result.exhausted && !result.failure &&
           shard.count == 1;
  }
};

struct ScenarioReport {
  const ScenarioEntry* scenario;
  std::vector<SearchReport> searches;

  bool passed() const;
  // Just "passed" only if every execution that C++20 allows was examined. Otherwise one of
  // "passed but for load buffering", "passed as far as it was searched", "not finished" and
  // "failed".
  std::string Verdict() const;
};

// A site's record by name. Names outlive the program that counted the hits
// (models/kit/command/saved_run.h).
struct SiteCount {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string kind;
  std::string order;
  std::string failure;  // of a compare-exchange; otherwise empty
  std::uint64_t hits = 0;
};

// The sites of a run, sorted: those counted in its earlier pieces and those counted in this one.
std::vector<SiteCount> CountSites(const std::vector<SiteCount>& earlier, const SiteTable& sites);

// Such as "41%". Returns 100% only if nothing is left to do.
std::string FormatFraction(double fraction);

// "  bound:2+stale            12,345 executions, exhausted, 0.12 s". A tree search that stopped
// early says "not exhausted (41%)". A search of graphs says "all 12,345 executions examined" or
// "NOT FINISHED (about 41%)".
std::string FormatSearch(const SearchReport& report);

// The failing execution and everything that is known about it. mutation: the name of the mutation
// in effect, or empty.
counterexample::Counterexample RecordOf(const std::string& structure, const ScenarioEntry& scenario,
                                        const SearchReport& report, const std::string& mutation,
                                        counterexample::SourceText& text);

// The behaviours that C++20 allows and the searches leave out
// (models/kit/back_ends/unsupported_behaviours.h), with the scenarios concerned if not all are.
std::string FormatUnsupportedBehaviours(const std::vector<ScenarioReport>& reports);

// The executions that were left out because another one has the same outcome, and the scenarios
// that passed with a reservation. Empty if there is nothing to report.
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
