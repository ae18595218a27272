// Whether a history keeps what the headers of src/world promise.
//
// Each check names the broken promise in its first words; the rest says where.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_CHECK_H_
#define NOWAIT_TESTS_WHOLE_WORLD_CHECK_H_

#include <optional>

#include "tests/whole/world/history.h"
#include "tests/whole/world/lives.h"
#include "tests/whole/world/program.h"

namespace nowait::world_programs {

using Failure = std::optional<Broken>;

// Results of calls: what is refused, why, and what the answers say about each body's life.
Failure CheckAnswers(const WorldProgram& program, const History& history,
                     const LivesOfWorlds& lives);

// Results of queries: bodies that they must find, and must not find.
Failure CheckQueries(const WorldProgram& program, const History& history,
                     const LivesOfWorlds& lives);

// Updates: events, contacts, waking and sleeping, steps that fail.
Failure CheckFrames(const WorldProgram& program, const History& history);

// All of it, and what has been noticed while the program ran.
Failure Check(const WorldProgram& program, const History& history);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_CHECK_H_
