// Sampled: what a sample of execution graphs is worth (models/kit/exhaustive/sample/run_pct.h): the
// probability of meeting a defect, and how much of the scenario was seen.
#ifndef NOWAIT_MODELS_KIT_ENGINE_SAMPLED_H_
#define NOWAIT_MODELS_KIT_ENGINE_SAMPLED_H_

#include <cstdint>
#include <string>

namespace nowait::model {

struct Sampled {
  unsigned depth = 1;           // of the defects that the bound is about
  unsigned threads = 1;         // of the scenario
  unsigned steps = 1;           // among which the points of an execution were drawn
  unsigned choices = 1;         // the largest number of other results of one event
  std::uint64_t walks = 0;      // of this piece
  std::uint64_t different = 0;  // graphs among those

  // All executions of the scenario, by Knuth's probes (estimate.h): the mean, and the values that a
  // quarter of the probes is below and above.
  double estimated = 0;
  double lower = 0;
  double upper = 0;

  // The probability, at least, that one walk meets a given defect of this depth.
  double LeastProbability() const;
  // The probability, at most, that none of the walks has met it.
  double MissedAtMost() const;
  // Both, and the coverage, in one line.
  std::string Words() const;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_ENGINE_SAMPLED_H_
