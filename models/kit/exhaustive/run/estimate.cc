#include "models/kit/exhaustive/run/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "models/kit/exhaustive/run/exploration.h"
#include "models/kit/exhaustive/search/tree_path.h"

namespace nowait::model {

std::string Estimate::Words() const {
  if (failure) return fmt::format("a probe failed: {}", failure->Label());
  return fmt::format(
      "about {:.2g} executions, {:.0f} graphs a second; {} probes say {:.2g} to {:.2g}, half of "
      "them "
      "{:.2g} to {:.2g}, and {:.0f}% of the mean is the largest one's",
      executions, per_second, probes, smallest, largest, lower, upper,
      100 * largest / (executions * probes));
}

Estimate EstimateExecutions(const ScenarioEntry& scenario, unsigned probes, std::uint64_t seed) {
  SiteTable sites;
  const auto exploration = std::make_unique<Exploration>(scenario, sites);
  SetCurrentMachine(&exploration->machine());
  std::mt19937_64 random(seed);
  std::vector<double> found;
  std::uint64_t visits = 0;
  const auto start = std::chrono::steady_clock::now();
  while (found.size() < probes && !exploration->failure()) {
    found.push_back(exploration->Probe([&] {
      ++visits;
      return static_cast<double>(random() >> 11) * 0x1p-53;  // the precision of a double
    }));
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  SetCurrentMachine(nullptr);
  std::ranges::sort(found);
  return {.probes = probes,
          .executions = std::accumulate(found.begin(), found.end(), 0.0) / probes,
          .smallest = found.front(),
          .lower = found[found.size() / 4],
          .upper = found[found.size() - 1 - found.size() / 4],
          .largest = found.back(),
          .per_second = static_cast<double>(visits + found.size()) / taken.count(),
          .failure = exploration->failure(),
          .failed_at = exploration->failure() ? Format(exploration->path()) : ""};
}

}  // namespace nowait::model
