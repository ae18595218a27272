// The back end over Relacy: samples interleavings, or bounds them, or tries all that it knows.
// Nothing else includes Relacy.
#ifndef NOWAIT_MODELS_KIT_RELACY_RUN_RELACY_H_
#define NOWAIT_MODELS_KIT_RELACY_RUN_RELACY_H_

#include "models/kit/machine.h"

namespace nowait::model {

// As RunSearch (models/kit/machine.h), for every kind of search but kGraphs.
SearchResult RunRelacy(const ScenarioEntry& scenario, const Search& search, const Start& start,
                       SiteTable& sites, const SearchControl& control);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_RELACY_RUN_RELACY_H_
