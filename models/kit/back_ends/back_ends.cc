#include "models/kit/back_ends/back_ends.h"

#include <optional>
#include <string_view>
#include <vector>

namespace nowait::model {

const char* Name(BackEnds back_ends) {
  switch (back_ends) {
    case BackEnds::kRelacy:
      return "relacy";
    case BackEnds::kExhaustive:
      return "exhaustive";
    case BackEnds::kBoth:
      return "both";
  }
  return "?";
}

std::optional<BackEnds> ParseBackEnds(std::string_view text) {
  for (const BackEnds back_ends : {BackEnds::kRelacy, BackEnds::kExhaustive, BackEnds::kBoth}) {
    if (text == Name(back_ends)) return back_ends;
  }
  return std::nullopt;
}

bool Includes(BackEnds back_ends, const Search& search) {
  const BackEnds owner = search.IsOnGraphs() ? BackEnds::kExhaustive : BackEnds::kRelacy;
  return back_ends == BackEnds::kBoth || back_ends == owner;
}

bool Completes(BackEnds back_ends, const ScenarioText& scenario) {
  return scenario.bounded.empty() && Includes(back_ends, scenario.graphs);
}

std::vector<Search> SearchesOf(const ScenarioText& scenario, BackEnds back_ends) {
  const bool completes = Completes(back_ends, scenario);
  std::vector<Search> searches;
  if (completes) searches.push_back(scenario.graphs);
  for (const Search& search : scenario.searches) {
    if (!Includes(back_ends, search)) continue;
    const bool is_longer = search.executions == 0 || search.executions > kComparedExecutions;
    searches.push_back(completes && is_longer ? search.AtMost(kComparedExecutions) : search);
  }
  return searches;
}

}  // namespace nowait::model
