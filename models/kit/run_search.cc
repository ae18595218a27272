// RunSearch: the one place that knows both back ends.
#include "models/kit/back_end.h"
#include "models/kit/exhaustive/back_end.h"
#include "models/kit/relacy/back_end.h"

namespace nowait::model {

SearchResult RunSearch(const ScenarioEntry& scenario, const Search& search, const Start& start,
                       SiteTable& sites, const SearchControl& control) {
  return search.kind == Search::Kind::kGraphs
             ? RunExhaustive(scenario, search, start, sites, control)
             : RunRelacy(scenario, search, start, sites, control);
}

}  // namespace nowait::model
