// RunSearch: the only place that knows both back ends.
#include "models/kit/engine/run_search.h"

#include "models/kit/exhaustive/run_exhaustive.h"
#include "models/kit/relacy/run_relacy.h"

namespace nowait::model {

SearchResult RunSearch(const ScenarioEntry& scenario, const Search& search, const Start& start,
                       SiteTable& sites, const SearchControl& control) {
  return search.kind == Search::Kind::kGraphs
             ? RunExhaustive(scenario, search, start, sites, control)
             : RunRelacy(scenario, search, start, sites, control);
}

}  // namespace nowait::model
