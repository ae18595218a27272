// Lanes: a counterexample in the terminal.
//
// Time goes down, and each thread has a lane: a step stands in the lane of its thread, under the
// call that it belongs to, with its line of the source under it. Numbers in square brackets are
// steps: a read names the one whose store it reads.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_LANES_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_LANES_H_

#include <cstdio>
#include <string>
#include <string_view>

#include "models/kit/counterexample/counterexample.h"

namespace nowait::model::counterexample {

struct LanesStyle {
  int width = 100;  // of a line; longer ones are cut
  bool colors = false;
};

enum class Colors { kAuto, kNever, kAlways };
// "auto", "never", "always"
Colors ColorsFrom(std::string_view word);

// As wide as the terminal, 100 where there is no terminal. kAuto: colours on a terminal, unless the
// environment has NO_COLOR (no-color.org) or says that the terminal is a dumb one.
LanesStyle StyleFor(std::FILE* file, Colors colors);

// The execution in lanes, then the broken invariant and the command that repeats it.
std::string FormatLanes(const Counterexample& record, const LanesStyle& style);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_LANES_H_
