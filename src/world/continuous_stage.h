// ContinuousStage: stops fast bodies where they would pass through others.
//
// The solver moves bodies from place to place. A body whose way in a step is longer than kSlowWay
// of its inner radius is *fast*: it might begin the step on one side of a thin wall and end it on
// the other one. Its way is a Sweep, and time_of_impact.h says how far it may go. There it waits
// for the next step, which finds the contact and changes its velocity. It loses the rest of its way
// in this step, and none of its velocity (but see "Wedged bodies" behind the class).
//
//   statics    each fast body against the static and the kinematic ones, as it is finished by the
//              solver's jobs
//   bullets    then each fast body with Continuous::kAll against the dynamic ones; a fast one that
//              it meets is stopped with it
//
// Cost. A slow body: two lengths. A fast one: a query of the tree with its swept box, and a time of
// impact for each body that the box meets. The second part runs only if some bullet is fast.
//
// Thread safety: Begin and StopBullets on one thread; StopAtStatics on any threads between them,
// each body on one thread. Phase kSolve. No allocation while no more bodies are awake than before.
// Determinism: a body's stop is the earliest one, whatever the order in which it is found.
//
// Source: statics first and bullets after them: [catto2013]. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_WORLD_CONTINUOUS_STAGE_H_
#define NOWAIT_SRC_WORLD_CONTINUOUS_STAGE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/collision/time_of_impact.h"
#include "src/dynamics/joint_links.h"
#include "src/dynamics/solver_body.h"
#include "src/islands/awake_set.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "src/world/kinematic_stage.h"
#include "src/world/world_state.h"

namespace nowait {

class ContinuousStage {
 public:
  // A body is fast on a way that is longer than this part of its inner radius. After a shorter one
  // its centre is still on the side from which it came, and the narrow phase finds the contact.
  static constexpr float kSlowWay = 0.5f;

  // kinematics: of each step, listed and widened before Begin; lives as long.
  ContinuousStage(WorldState& state, const KinematicStage& kinematics);

  // slot_at: the awake bodies, by place. Both live until StopBullets has returned.
  void Begin(std::span<const std::uint32_t> slot_at, const JointLinks& joints);

  struct Way {
    Sweep sweep;      // up to the stop
    ImpactStop stop;  // what has stopped it; at 1 if nothing has
  };
  // The way that the body at `place` may go, on which the solver has moved it; `body` is still
  // where the step began.
  Way StopAtStatics(std::uint32_t place, const Body& body, const SolverBody& solved);

  // A bullet that is to stop, or a fast body that it meets, and how far it may go on the way that
  // StopAtStatics has left it.
  struct BulletStop {
    std::uint32_t place;
    ImpactStop stop;
  };
  // All bodies are at the ends of their ways. awake: those of slot_at. place_of: their places, by
  // slot. The stops are listed by place, one for each. kCapacity "memory".
  Result<void> StopBullets(const AwakeSet<>& awake, std::span<const std::uint32_t> place_of,
                           TaskPool& pool);
  std::span<const BulletStop> bullet_stops() const { return bullet_stops_; }
  const Sweep& SweepOf(const BulletStop& of) const { return sweeps_[of.place]; }

  // Bodies that were fast in the step, and those of them that were stopped.
  std::uint32_t fast() const { return fast_; }
  std::uint32_t stopped() const { return stopped_; }

 private:
  enum class Pace : std::uint8_t { kSlow, kFast, kBullet };
  struct Motion {
    Pace pace;
    bool stopped;  // at a static body
  };

  // The earliest stop of a body, and the slot of the body that it meets there; at 1 if nothing
  // stops it.
  struct Meeting {
    ImpactStop stop;
    std::uint32_t slot = ~std::uint32_t{0};
  };

  void ListBullets();
  void ListBulletStops(const AwakeSet<>& awake, std::span<const std::uint32_t> place_of);
  Meeting MeetingOfBullet(std::uint32_t place, const AwakeSet<>& awake,
                          std::span<const std::uint32_t> place_of) const;
  // The earliest meeting of the body on its way. It may meet the bodies of these layers whose boxes
  // come within `wider` metres of its swept box; other_of(slot, mover) says which ones count, and
  // how they move.
  template <class OtherOf>
  Meeting FirstStop(const Body& body, const Sweep& way, float wider, LayerSet layers,
                    OtherOf other_of) const;

  // How far a body may go on that a kinematic body has stopped: with that one.
  Sweep Carried(const Body& body, const Sweep& stopped, const KinematicWay& by, float fraction,
                LayerSet layers) const;

  WorldState& state_;
  const KinematicStage& kinematics_;
  JobBatch batch_;
  std::span<const std::uint32_t> slot_at_;
  const JointLinks* joints_ = nullptr;

  std::vector<Motion> motions_;         // by place
  std::vector<Sweep> sweeps_;           // by place, of fast bodies: the ways that are left to them
  std::vector<std::uint32_t> bullets_;  // their places, ascending
  std::vector<Meeting> meetings_;       // by bullet
  std::vector<BulletStop> bullet_stops_;
  float widest_ = 0.0f;  // the largest outer radius of a fast body
  std::uint32_t fast_ = 0;
  std::uint32_t stopped_ = 0;
};

// Implementation: why this is right
//
// Order of bullets. A bullet meets a fast body on that one's way up to the statics, and a slow or
// sleeping one at its new place. Two bullets that meet stop both: the time of impact of the two is
// the same from either side but for rounding. A fast body that is no bullet would go on over the
// bullet that it stops, and be on its other side in the next step; so it stops as well. Stops by
// third bodies in the same step do not count. So a bullet may miss a body that another one has just
// been stopped for, and meets it in the next step.
//
// The way that the statics have left to a body counts as if the body took the whole step for it. So
// a body that a wall stopped early is slower here than it was, and a bullet may miss it that would
// have met it before the wall.
//
// Wedged bodies. The solver's contact points stay where they were found, and its rows are straight.
// A body that turns by a large angle in a step may turn, with points that move away, into what it
// touches. It is stopped, the next step finds the same points, and it would stand still and spin
// for ever. A body that began its way in contact and is stopped nevertheless is such a one. It
// loses the part of its velocity that goes into the obstacle, and half of its spin, until its turn
// in a step is one that the rows describe.
//
// Joints. A body that is stopped does not stop those that joints connect with it. They go on for
// the rest of the step, which stretches the joint, and it pulls both back. In chains that are shot
// at a post this is 10 m at 500 m/s, and no energy is gained; at 1,000 m/s they may gain fifty
// times what they had. Joined bodies that are as fast as that need more steps.
//
// Kinematic bodies move whatever is in their way, and their ways are known (kinematic_stage.h). A
// body counts as fast beside one if their two ways together are long. It is stopped where the two
// meet and goes the rest of the step with the kinematic body, so that the latter does not go on
// over it; only a static body ends that way. The next step finds the contact, and gives the body
// its speed. A body between a kinematic and a static one that close has no place: it stays in front
// of the static one.
//
// Slow bodies. kSlowWay is as much of the inner radius as TimeOfImpact shrinks a shape by. So the
// centre of a slow body does not pass a surface that its full shape has not reached, and the next
// step finds the contact from the right side.

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_CONTINUOUS_STAGE_H_
