// Outcome: the physical errors of a scene after its steps, measured the same way for each engine.
//
// Penetration is the overlap that our narrow phase finds between the bodies where an engine has put
// them. Bodies that have fallen through the ground touch nothing, so they are counted: those with
// static ground above their centres. Drift depends on the scene. Where bodies should stand, it is
// how far they have moved sideways, the mean of all. Where joints hold them, it is how far the ends
// of a joint are apart at most. A heap may go anywhere: its drift is zero.
//
// Energy is summed from masses and inertias of the scene's shapes. A soft contact or joint may
// store it and give it back, but without motors there is never more than at the start: more is an
// error. Bodies that stand or are held should be at rest at the end: their motion is an error, too.
#ifndef NOWAIT_TESTS_BENCH_OUTCOME_H_
#define NOWAIT_TESTS_BENCH_OUTCOME_H_

#include <span>
#include <string>

#include "src/apps/peer_scenes/peer_scene.h"
#include "src/base/result.h"
#include "tests/bench/scene_engine.h"

namespace nowait {

struct Outcome {
  double deepest_m = 0.0;        // the deepest penetration
  double mean_m = 0.0;           // the mean over the pairs that penetrate
  double lost = 0.0;             // the number of bodies below the ground
  double drift_m = 0.0;          // see above
  double gained_j_per_kg = 0.0;  // the most of mechanical energy above that of the start
  double motion_j_per_kg = 0.0;  // kinetic energy at the end
};

// Mechanical energy by the total mass.
struct Energy {
  double kinetic_j_per_kg = 0.0;
  double potential_j_per_kg = 0.0;
  double total() const { return kinetic_j_per_kg + potential_j_per_kg; }
};
Energy EnergyOf(const PeerScene& scene, std::span<const BodyMotion> bodies);

// All but gained_j_per_kg. bodies: in the scene's order. Errors: CreateWorld's and World::Update's.
Result<Outcome> Measure(const PeerScene& scene, std::span<const BodyMotion> bodies);

// The errors in which `ours` is worse, separated by commas: deepest, mean, lost, drift, gain, and
// motion where bodies should be at rest. Differences below half a millimetre, a hundredth of a
// joule a kilogram or 2% do not count.
std::string WorseIn(PeerScene::Motion motion, const Outcome& ours, const Outcome& peers);

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_OUTCOME_H_
