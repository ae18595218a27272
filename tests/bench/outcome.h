// Outcome: the physical errors of a scene after its steps, measured the same way for each engine.
//
// Penetration is the overlap that our narrow phase finds between the bodies where an engine has put
// them. Energy is summed from masses and inertias of the scene's shapes. Drift depends on the
// scene. Where bodies should stand, it is how far they have moved sideways, the mean of all. Where
// they fall, it is how far their middle has. Where joints hold them, it is how far the ends of a
// joint are apart at most. Without motors mechanical energy is only lost: a gain is an error.
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
  double drift_m = 0.0;          // see above
  double gained_j_per_kg = 0.0;  // the rises of mechanical energy between samples, added
  double motion_j_per_kg = 0.0;  // kinetic energy at the end; not compared
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

// In which of the four errors `ours` is worse, separated by commas; empty if in none. Differences
// below half a millimetre, a hundredth of a joule a kilogram or 2% do not count.
std::string WorseIn(const Outcome& ours, const Outcome& peers);

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_OUTCOME_H_
