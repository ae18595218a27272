// KinematicStage: the kinematic bodies that move in a step, and their ways.
//
// A kinematic body moves by its velocity, or to a target that the game has set, whatever is in its
// way. So its way is known before the step: the solver, the search for contacts and the continuous
// stage read it, on any thread, and the body is put at its end after all others.
//
//   begin    List: the ways of this step
//   collide  a body that moves, or has come to a stand, looks for sleepers and wakes those that it
//            touches or would pass
//   solve    Widen: the tree's boxes contain the ways; each constraint has a copy of the body,
//            which moves with each sub-step
//   finish   Finish: places, boxes, velocities
//
// A target is reached at the end of the update, over all its steps, and then the body stands. One
// that is too far for the limits of speed is approached in straight lines, at the limit, in as many
// updates as it takes.
//
// Thread safety: List, Widen and Finish on one thread; the rest on any threads between them.
// Complexity: List O(kinematic bodies that move); the search by slot O(log of them); MayPass O(1)
// beside slow ones, and O(them) for a body that the fastest of them could pass over.
// Determinism: +, *, /, sqrt and Atan2 alone. No allocation while no more bodies move than before.
//
// Lecture: contacts, the plain solver and the whole physics update.
#ifndef NOWAIT_SRC_WORLD_KINEMATIC_STAGE_H_
#define NOWAIT_SRC_WORLD_KINEMATIC_STAGE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/collision/sweep.h"
#include "src/dynamics/solver_body.h"
#include "src/math/bounds.h"
#include "src/sync/rw_lock.h"
#include "src/world/world_state.h"

namespace nowait {

// The way of one body in a step.
struct KinematicWay {
  std::uint32_t slot;
  bool to_target;
  bool arrives;  // at its target, at the end of the step
  bool widened;  // its box in the tree, for this step
  Vec3 linear_velocity;
  Vec3 angular_velocity;
  Sweep sweep;
  float length;       // how far any of its points goes, at most
  Bounds<3> covered;  // contains the body on its whole way
};

class KinematicStage {
 public:
  explicit KinematicStage(WorldState& state) : state_(state) {}

  // slots: of the kinematic bodies, ascending. dt: of the step. steps_left: of the update, with
  // this one. A body that does not move has no way.
  void List(std::span<const std::uint32_t> slots, float dt, std::uint32_t steps_left);

  // Whether the world has kinematic bodies at all.
  bool any() const { return any_; }
  std::span<const KinematicWay> ways() const { return ways_; }  // ascending by slot
  // Null for any other body.
  const KinematicWay* WayOf(std::uint32_t slot) const;
  // The way of a kinematic body; if it stands, where it is.
  Sweep SweepOf(const Body& body) const;

  // The body with the velocities that it has in this step: one that goes to a target has them from
  // its way.
  Body InStep(const Body& body) const;

  // The body in `slot` as a constraint sees it, at the origin without a rotation. For a body that
  // does not move: a default-constructed one.
  SolverBody SolverBodyOf(std::uint32_t slot) const;

  // Whether a body in this box, none of whose points goes farther than `way`, would be passed over
  // by a kinematic body if nothing stopped it: whether it has to be looked at as a fast one.
  bool MayPass(const Bounds<3>& box, float inner_radius, float way) const;

  // Phase kSolve, all. wait: of the locks of the bodies that move. After Widen comes Finish; or
  // GiveUp if the step has failed: then a query finds the bodies where they still are.
  void Widen(WaitTime& wait);
  void Finish(WaitTime& wait);
  void GiveUp(WaitTime& wait);

 private:
  KinematicWay WayOf(const Body& body, float dt, std::uint32_t steps_left) const;
  // A query finds the body where it is, and not on all of its way. The caller holds its lock.
  void Narrow(KinematicWay& way, Body& body);
  // Gives the body another box in the tree. The caller holds its lock.
  void SetTreeBox(Body& body, const Bounds<3>& box);

  WorldState& state_;
  bool any_ = false;
  std::vector<KinematicWay> ways_;
  float longest_ = 0.0f;  // the way of one that is no sensor
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_KINEMATIC_STAGE_H_
