#include "tests/whole/world/judge.h"

#include <algorithm>

#include "tests/whole/scheduler/fault_scope.h"
#include "tests/whole/world/run.h"

namespace nowait::world_programs {
namespace {

// The program with nothing done to its second world. No call to the first one is left out.
WorldProgram FirstWorldAlone(const WorldProgram& program) {
  WorldProgram alone = program;
  const auto drop = [](Calls& calls) {
    std::erase_if(calls, [](const Call& call) { return call.world != 0; });
  };
  for (Round& round : alone.rounds) {
    for (Calls& calls : round.game) drop(calls);
    for (Calls& calls : round.meanwhile) drop(calls);
    for (TaskPlan& task : round.tasks) drop(task.calls);
  }
  return alone;
}

History OfFirstWorld(History history) {
  std::erase_if(history.frames, [](const Frame& frame) { return frame.world != 0; });
  return history;
}

}  // namespace

Failure Judge(const WorldProgram& program) {
  const History history = Run(program, program.workers);
  if (Failure failure = Check(program, history)) return failure;
  // A call that a fault has hit did something else than in the runs that would be compared.
  if (!IsOrdered(program) || whole::FaultHasStruck()) return {};
  const std::string outcome = Outcome(history);
  for (const std::uint32_t workers : {0u, 3u}) {
    if (workers == program.workers) continue;
    const History other = Run(program, workers);
    if (Failure failure = Check(program, other)) return failure;
    if (whole::FaultHasStruck()) return {};
    if (Outcome(other) != outcome) {
      return "the outcome depends on the number of workers (" + std::to_string(program.workers) +
             ", " + std::to_string(workers) + "):\n" + outcome + "or\n" + Outcome(other);
    }
  }
  if (program.worlds.size() < 2) return {};
  const History alone = Run(FirstWorldAlone(program), program.workers);
  if (whole::FaultHasStruck()) return {};
  const std::string beside = Outcome(OfFirstWorld(history));
  if (Outcome(OfFirstWorld(alone)) != beside) {
    return "a world's outcome depends on the world beside it:\n" + beside + "or\n" +
           Outcome(OfFirstWorld(alone));
  }
  return {};
}

}  // namespace nowait::world_programs
