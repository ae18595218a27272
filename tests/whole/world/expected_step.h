// ExpectedStep: the contacts that one step has to find, by testing each body against each other.
//
// Quadratic, and without tree, tasks, union-find or sorted lists: what it shares with the engine is
// the narrow phase alone. The worlds of programs are small.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_EXPECTED_STEP_H_
#define NOWAIT_TESTS_WHOLE_WORLD_EXPECTED_STEP_H_

#include <map>
#include <set>
#include <span>
#include <utility>

#include "src/bodies/body_snapshot.h"
#include "src/collision/sweep.h"
#include "src/world/world_def.h"

namespace nowait::world_programs {

using Pair = std::pair<BodyId, BodyId>;  // the first is less than the second

struct Joined {
  BodyId a;
  BodyId b;
  bool bodies_touch;
  bool ended;  // a gear of which a joint is gone, and no body: both wake, and it holds nothing
};

// The rest of a world's contacts and of the game's changes when a step begins.
struct BeforeStep {
  std::span<const BodySnapshot> bodies;
  std::set<Pair> contacts;         // as the events of earlier steps tell
  std::set<BodyId> disturbed;      // moved, removed, or given a velocity since the last step
  std::set<BodyId> moved;          // of these, those that were put elsewhere
  std::set<BodyId> fresh;          // in no step so far
  std::span<const Joined> joints;  // of bodies that are there or gone
  // The ways of the kinematic bodies that move, of one step.
  std::map<BodyId, Sweep> ways;
};

struct ExpectedStep {
  std::set<Pair> contacts;
  std::set<Pair> found;    // those of them in which a body is awake or fresh
  std::set<BodyId> awake;  // while the step goes on
};

ExpectedStep Expect(const BeforeStep& before, const WorldDef& def);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_EXPECTED_STEP_H_
