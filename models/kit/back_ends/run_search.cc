// RunSearch: the only place that knows both back ends.
#include "models/kit/engine/run_search.h"

#include "models/kit/exhaustive/run_exhaustive.h"
#include "models/kit/exhaustive/sample/run_pct.h"
#include "models/kit/relacy/run_relacy.h"

namespace nowait::model {

SearchResult RunSearch(const ScenarioEntry& scenario, const Search& search, const Start& start,
                       SiteTable& sites, const SearchControl& control) {
  switch (search.kind) {
    case Search::Kind::kGraphs:
      return RunExhaustive(scenario, search, start, sites, control);
    case Search::Kind::kPct:
      return RunPct(scenario, search, start, sites, control);
    case Search::Kind::kFull:
    case Search::Kind::kContextBound:
    case Search::Kind::kRandom:
      break;
  }
  return RunRelacy(scenario, search, start, sites, control);
}

}  // namespace nowait::model
