// What a model prints: for people, and as JSON for programs.
#ifndef NOWAIT_MODELS_KIT_REPORT_H_
#define NOWAIT_MODELS_KIT_REPORT_H_

#include <string>
#include <vector>

#include "models/kit/back_end.h"
#include "models/kit/scenario.h"
#include "models/kit/search.h"
#include "models/kit/site_table.h"

namespace nowait::model {

struct SearchReport {
  Search search;
  SearchResult result;
};

struct ScenarioReport {
  const ScenarioEntry* scenario;
  std::vector<SearchReport> searches;

  bool passed() const;
};

// "  bound:2+stale            12,345 executions, exhausted, 0.12 s"
std::string FormatSearch(const SearchReport& report);

// The failing execution step by step, what it breaks, and the command that repeats it.
std::string FormatFailure(const std::string& structure, const ScenarioEntry& scenario,
                          const SearchReport& report);

std::string FormatSites(const SiteTable& sites);

// Schema: {"structure", "scenarios": [{"name", "promise", "threads", "passed", "searches":
// [{"search", "executions", "exhausted", "seconds", "failure"?: {"kind", "words", "site", "seed",
// "state"}}]}], "sites": [{"file", "line", "column", "kind", "order", "failure_order"?, "hits"}]}
std::string ToJson(const std::string& structure, const std::vector<ScenarioReport>& reports,
                   const SiteTable& sites);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_REPORT_H_
