// Film: the last steps of each world of a test case, kept for the case that it fails.
//
// Run (scene.h) films each of its steps. When an assertion fails, filming ends; when the test case
// ends, each film is written as a page that opens at the step of the failure, and the page's file
// is printed. Under Bazel the pages are among the test's outputs.
//
// Thread safety: the thread of the test case. Cost: a copy of the world's bodies, and the changes
// since the step before, in memory: 16 MiB for each of at most 8 worlds.
#ifndef NOWAIT_TESTS_WORLD_FILM_H_
#define NOWAIT_TESTS_WORLD_FILM_H_

#include "src/world/world.h"

namespace nowait {

// Adds the world as it is after an update of 1/60 s. In a program without a film it does nothing.
void Film(const World& world);

}  // namespace nowait

#endif  // NOWAIT_TESTS_WORLD_FILM_H_
