// ThreadedCalls: the calls that start threads in the engine and its apps, each as small as it can
// be.
#ifndef NOWAIT_TESTS_WHOLE_FAULTS_THREADED_CALLS_H_
#define NOWAIT_TESTS_WHOLE_FAULTS_THREADED_CALLS_H_

#include <functional>
#include <string>
#include <vector>

#include "src/apps/demo/scene.h"

namespace nowait::whole {

struct ThreadedCall {
  std::string name;
  // Runs all of it; returns its error in words, empty if it succeeded.
  std::function<std::string()> run;
};

// ground: outlives the calls. music: a file by WriteMusic.
std::vector<ThreadedCall> ThreadedCalls(const Ground& ground, const std::string& music);

// The words of a thread that was refused.
inline constexpr const char* kRefused =
    "capacity of threads reached (0): the system refuses another one";

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_FAULTS_THREADED_CALLS_H_
