// Lanes: a counterexample in the terminal.
//
// Time runs downwards, and each thread has a lane. A step stands in its thread's lane, under the
// call that it belongs to, with its source line below it. Numbers in square brackets are steps: a
// read names the step whose store it reads.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_LANES_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_LANES_H_

#include <cstdio>
#include <string>
#include <string_view>

#include "models/kit/counterexample/counterexample.h"

namespace nowait::model::counterexample {

struct LanesStyle {
  int width = 100;  // of a line; longer lines are cut
  bool colors = false;
};

enum class Colors { kAuto, kNever, kAlways };
// "auto", "never", "always"
Colors ColorsFrom(std::string_view word);

// As wide as the terminal, or 100 without one. kAuto: colours on a terminal, unless the environment
// sets NO_COLOR (no-color.org) or declares the terminal dumb.
LanesStyle StyleFor(std::FILE* file, Colors colors);

// The execution in lanes, then the broken invariant and the command that reproduces it.
std::string FormatLanes(const Counterexample& record, const LanesStyle& style);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_LANES_H_
