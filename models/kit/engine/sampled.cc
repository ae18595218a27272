#include "models/kit/engine/sampled.h"

#include <fmt/format.h>

#include <cmath>

#include "models/kit/process/count.h"

namespace nowait::model {

namespace {

// Two digits of a number, because it is an estimate.
std::string About(double number) {
  if (number >= 1e15) return fmt::format("{:.1e}", number);
  const double unit = number < 100 ? 1 : std::pow(10, std::floor(std::log10(number)) - 1);
  return FormatCount(static_cast<std::uint64_t>(std::llround(number / unit) * std::llround(unit)));
}

}  // namespace

double Sampled::LeastProbability() const {
  double probability = 1.0 / threads;
  for (unsigned i = 1; i < depth; ++i) probability /= 2.0 * steps * choices;
  return probability;
}

// By the logarithm, because one minus a small probability is one.
double Sampled::MissedAtMost() const {
  return std::exp(static_cast<double>(walks) * std::log1p(-LeastProbability()));
}

std::string Sampled::Words() const {
  return fmt::format(
      "{} different, of about {} (half of the probes say {} to {}); a defect of depth {} within {} "
      "steps is missed with a probability of {:.2g} at most, if no event has more than {} other "
      "{}",
      FormatCount(different), About(estimated), About(lower), About(upper), depth, steps,
      MissedAtMost(), choices, choices == 1 ? "choice" : "choices");
}

}  // namespace nowait::model
