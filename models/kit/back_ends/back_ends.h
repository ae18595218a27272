// The back ends that a run uses (--with), and therefore the searches that it makes of a scenario.
//
// The exhaustive back end (models/kit/exhaustive) runs the searches of kinds kGraphs and kPct.
// Relacy (models/kit/relacy) runs all others. Neither knows of the other: RunSearch
// (models/kit/engine/run_search.h) asks the search which back end it belongs to.
#ifndef NOWAIT_MODELS_KIT_BACK_ENDS_BACK_ENDS_H_
#define NOWAIT_MODELS_KIT_BACK_ENDS_BACK_ENDS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "models/kit/scenario/scenario.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

enum class BackEnds : std::uint8_t { kRelacy, kExhaustive, kBoth };

// Converts to "relacy", "exhaustive" or "both", and back. Parsing returns nothing for other text.
const char* Name(BackEnds back_ends);
std::optional<BackEnds> ParseBackEnds(std::string_view text);

// Whether one of these back ends runs this search.
bool Includes(BackEnds back_ends, const Search& search);

// Whether a run with these back ends either examines every execution of the scenario or fails.
bool Completes(BackEnds back_ends, const ScenarioText& scenario);

// The limit of Relacy's searches where every execution is examined. They prove nothing further
// there. They compare the two back ends, and this many executions of each suffice for that.
inline constexpr std::uint64_t kComparedExecutions = 20'000;

// The searches of a run with these back ends: every execution graph first, unless the scenario is
// bounded, then the searches that the scenario names. After the graphs, each of those runs at most
// kComparedExecutions. The result may be empty.
std::vector<Search> SearchesOf(const ScenarioText& scenario, BackEnds back_ends);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_BACK_ENDS_BACK_ENDS_H_
