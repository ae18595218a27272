#include "models/kit/exhaustive/explore.h"

#include <fmt/format.h>

#include "models/kit/exhaustive/run_exhaustive.h"

namespace nowait::model {

std::string Explored::Words() const {
  if (failure) {
    return fmt::format("execution {}: {}{}{} at {}\n{}", executions, Name(failure->kind),
                       failure->words.empty() ? "" : ": ", failure->words, Format(failure->site),
                       trace.Format());
  }
  std::string text = complete ? fmt::format("all {} executions examined", executions)
                              : fmt::format("not finished: {} executions examined", executions);
  const std::string reductions = omitted.Reductions();
  if (!omitted.gaps.empty()) text += " but for " + Listed(omitted.gaps);
  if (!reductions.empty()) text += "; without " + reductions;
  return text;
}

Explored Explore(const ScenarioEntry& scenario, const Search& limits) {
  SiteTable sites;
  SearchResult result = RunExhaustive(scenario, limits, {}, sites, {});
  return {.executions = result.executions,
          .complete = result.exhausted,
          .omitted = result.omitted,
          .failure = std::move(result.failure),
          .trace = std::move(result.trace)};
}

}  // namespace nowait::model
