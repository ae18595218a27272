// Shorten: the least of a program that still breaks a promise.
//
// Takes away frames, bodies, the ground, changes and queries, one group after the other, and halves
// what cannot go at once (delta debugging); then puts fields back to their defaults. The rest is
// small enough to be read.
//
// Source: A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE
// 28(2), 2002.
#ifndef NOWAIT_TESTS_WHOLE_NUMBERS_SHORTEN_H_
#define NOWAIT_TESTS_WHOLE_NUMBERS_SHORTEN_H_

#include <cstddef>
#include <functional>

#include "tests/whole/numbers/number_program.h"

namespace nowait::number_programs {

// fails: whether a program breaks a promise; `program` does. Tries at most `tries` programs.
NumberProgram Shorten(NumberProgram program, const std::function<bool(const NumberProgram&)>& fails,
                      std::size_t tries = 2000);

}  // namespace nowait::number_programs

#endif  // NOWAIT_TESTS_WHOLE_NUMBERS_SHORTEN_H_
