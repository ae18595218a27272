// The back end that uses Relacy: it samples interleavings, bounds them, or tries all that it knows.
// No other code includes Relacy.
#ifndef NOWAIT_MODELS_KIT_RELACY_RUN_RELACY_H_
#define NOWAIT_MODELS_KIT_RELACY_RUN_RELACY_H_

#include "models/kit/engine/run_search.h"

namespace nowait::model {

// As RunSearch (models/kit/engine/run_search.h), for every kind of search but kGraphs.
SearchResult RunRelacy(const ScenarioEntry& scenario, const Search& search, const Start& start,
                       SiteTable& sites, const SearchControl& control);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_RELACY_RUN_RELACY_H_
