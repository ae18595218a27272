#include "tests/whole/cores/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace nowait::whole {
namespace {

// Bounds of what a search tries, in nanoseconds.
constexpr double kLeast = 0.1;
constexpr double kMost = 1e6;

double CoreCosts::*Find(std::string_view name) {
  return std::find_if(CoreCosts::kAll.begin(), CoreCosts::kAll.end(),
                      [name](const auto& one) { return one.name == name; })
      ->cost;
}

}  // namespace

CoreCosts Search(const CoreCosts& begin, std::span<const std::string_view> names,
                 const std::function<double(const CoreCosts& costs)>& error) {
  constexpr int kSteps = 4;   // up, and down
  constexpr int kTurns = 10;  // with the same factor
  CoreCosts best = begin;
  double least = error(best);
  for (double factor = 2; factor > 1.005; factor = std::sqrt(factor)) {
    bool better = true;
    for (int turn = 0; better && turn < kTurns; ++turn) {
      better = false;
      for (const std::string_view name : names) {
        double CoreCosts::*const cost = Find(name);
        const CoreCosts middle = best;
        for (int i = -kSteps; i <= kSteps; ++i) {
          if (i == 0) continue;
          CoreCosts tried = middle;
          tried.*cost = std::clamp(middle.*cost * std::pow(factor, i), kLeast, kMost);
          const double found = error(tried);
          if (!(found < least)) continue;
          least = found;
          best = tried;
          better = true;
        }
      }
    }
  }
  return best;
}

CoreCosts FitCosts(std::span<const MeasuredPoint> points, const CoreCosts& measured,
                   const ComputePoint& compute) {
  const auto error = [&](const CoreCosts& costs, bool one_thread) {
    double sum = 0;
    for (const MeasuredPoint& point : points) {
      if (!point.fits || (point.threads == 1) != one_thread) continue;
      const double log = std::log(compute(costs, point) / point.nanoseconds);
      sum += log * log;
    }
    return sum;
  };
  constexpr std::array<std::string_view, 2> kOfOne = {"step", "update"};
  constexpr std::array<std::string_view, 1> kOfTwo = {"transfer"};
  const CoreCosts costs =
      Search(measured, kOfOne, [&](const CoreCosts& tried) { return error(tried, true); });
  return Search(costs, kOfTwo, [&](const CoreCosts& tried) { return error(tried, false); });
}

}  // namespace nowait::whole
