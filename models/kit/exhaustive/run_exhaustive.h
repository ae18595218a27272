// The back end that enumerates execution graphs: every execution of a scenario that the memory
// model allows, exactly once.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXHAUSTIVE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXHAUSTIVE_H_

#include "models/kit/engine/run_search.h"

namespace nowait::model {

// Like RunSearch (models/kit/engine/run_search.h), for searches of kind kGraphs.
//
// Its states are paths in the tree of graphs: ".3.0.12", and "." for the root (exploration.h).
SearchResult RunExhaustive(const ScenarioEntry& scenario, const Search& search, const Start& start,
                           SiteTable& sites, const SearchControl& control);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXHAUSTIVE_H_
