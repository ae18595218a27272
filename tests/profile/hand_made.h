// Recordings of tasks that are made by hand, for tests of the work graph.
#ifndef NOWAIT_TESTS_PROFILE_HAND_MADE_H_
#define NOWAIT_TESTS_PROFILE_HAND_MADE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "src/profile/profile.h"

namespace nowait {

// Lane 0 is the main thread's.
struct HandMade {
  explicit HandMade(std::uint32_t lanes) : profile({.lanes = lanes}) {
    for (std::uint32_t i = 0; i < lanes; ++i) {
      own.push_back(*profile.AddLane(i == 0 ? "main" : "worker " + std::to_string(i)));
    }
  }
  void Make(TaskRecord task, std::uint32_t lane = 0) { own[lane]->AddTask(task); }
  void Task(std::uint32_t lane, std::uint32_t task, std::uint64_t begin, std::uint64_t end) {
    own[lane]->AddSpan({"task", begin, end, task});
  }
  void Work(std::uint32_t lane, const char* name, std::uint64_t begin, std::uint64_t end) {
    own[lane]->AddSpan({name, begin, end});
  }
  void Wait(std::uint32_t lane, std::uint32_t task, std::uint64_t begin, std::uint64_t end) {
    own[lane]->AddSpan({"wait", begin, end, task});
  }

  Profile profile;
  std::vector<Lane*> own;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_PROFILE_HAND_MADE_H_
