// Which back ends a run uses (--with), and so which searches it makes of a scenario.
//
// The exhaustive one (models/kit/exhaustive) runs the searches of kind kGraphs, Relacy
// (models/kit/relacy) all others. Neither knows of the other: RunSearch
// (models/kit/program/machine.h) asks the search which of them it belongs to.
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

// "relacy", "exhaustive", "both"; and back, nothing when it is not understood.
const char* Name(BackEnds back_ends);
std::optional<BackEnds> ParseBackEnds(std::string_view text);

// Whether this search is run by one of them.
bool Includes(BackEnds back_ends, const Search& search);

// Whether a run with them examines every execution of the scenario, or fails.
bool Completes(BackEnds back_ends, const ScenarioText& scenario);

// Where every execution is examined, Relacy's searches prove nothing more. They compare the two
// back ends with each other, and so many executions of each search are enough for that.
inline constexpr std::uint64_t kComparedExecutions = 20'000;

// The searches of a run with them: every execution graph first, if the scenario is not bounded,
// then those that the scenario names. After the graphs each of them has at most
// kComparedExecutions. May be nothing.
std::vector<Search> SearchesOf(const ScenarioText& scenario, BackEnds back_ends);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_BACK_ENDS_BACK_ENDS_H_
