// ScriptQuestion: something that scripts may ask in a phase, and whose answer a task prepares.
//
//   const auto counted = pool.Add({.work = {&CountHorses, &map}});          // runs beside a phase
//   if (!counted) return std::unexpected(counted.error());
//   const ScriptQuestion questions[] = {{"crowd", *counted, &CrowdAt, &map}};
//   return system.RunPhase(pool, phase, nullptr, questions);
//
//   local horses = ask("crowd", self.place)                                 -- in the script
//
// An update that asks before the task is complete is dropped, and run again in a later round of its
// phase (rounds.h): no thread waits for the task while there are other updates.
//
// Thread safety: see the fields.
// Source: [cbloom2011], objects whose dependencies are "not done" come later in the tick. Test:
// tests/script/questions_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_QUESTION_H_
#define NOWAIT_SRC_SCRIPT_QUESTION_H_

#include <cstddef>
#include <string_view>

#include "src/jobs/task_id.h"
#include "src/math/vec3.h"

namespace nowait {

struct ScriptQuestion {
  static constexpr std::size_t kMost = 32;  // in a phase

  std::string_view name;  // different from those of the phase's other questions
  TaskId prepared;        // a task of the system's pool, which the phase's thread may wait for
  // Called from any thread, by several at once, after the task, also if that has thrown or was
  // cancelled. Until the phase ends, a place has the same answer. The place may be infinite or NaN.
  double (*answer)(const void* data, Vec3 place) noexcept = nullptr;
  const void* data = nullptr;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_QUESTION_H_
