#include "models/kit/engine/sampled.h"

#include <fmt/format.h>

#include <cmath>

#include "models/kit/process/count.h"

namespace nowait::model {

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
      "{} different; of about {:.2g} (half of the probes say {:.2g} to {:.2g}); a defect of depth {} "
      "within {} steps is missed with a probability of {:.2g} at most",
      FormatCount(different), estimated, lower, upper, depth, steps, MissedAtMost());
}

}  // namespace nowait::model
