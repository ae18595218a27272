#include "tests/bench/outcome.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/collision/shape_geometry.h"
#include "src/jobs/task_pool.h"
#include "src/math/mat3.h"
#include "src/world/world.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

constexpr float kInstant = 1e-6f;  // seconds: a step in which contacts are found and nothing moves

// The scene with its bodies where an engine has put them, at rest and without gravity or joints'
// work, after one step.
Result<std::vector<ContactSnapshot>> ContactsAt(const PeerScene& scene,
                                                std::span<const BodyMotion> bodies) {
  PeerScene still;
  still.world = scene.world;
  still.world.gravity = {};
  still.bodies = scene.bodies;
  still.joints = scene.joints;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    still.bodies[i].position = bodies[i].position;
    still.bodies[i].rotation = bodies[i].rotation;
  }
  const auto world = CreateWorld(still);
  if (!world) return std::unexpected(world.error());
  const auto pool = MakePool({.workers = 0});
  const auto here = *pool->Register("main");
  if (auto updated = (*world)->Update(kInstant, *pool); !updated) {
    return std::unexpected(updated.error());
  }
  std::vector<ContactSnapshot> contacts;
  (*world)->SnapshotContacts(contacts);
  return contacts;
}

double Drift(const PeerScene& scene, std::span<const BodyMotion> bodies) {
  double most_apart = 0.0;
  for (const SceneJoint& joint : scene.joints) {
    const auto end = [&](std::uint32_t body, const JointFrame& frame) {
      return bodies[body].position + Rotate(bodies[body].rotation, frame.position);
    };
    const Vec3 apart = end(joint.b, joint.frame_b) - end(joint.a, joint.frame_a);
    most_apart = std::max(most_apart, static_cast<double>(Length(apart)));
  }
  if (scene.motion == PeerScene::Motion::kHeld) return most_apart;
  double x = 0.0, z = 0.0, sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (scene.bodies[i].type != BodyType::kDynamic) continue;
    const Vec3 moved = bodies[i].position - scene.bodies[i].position;
    x += moved.x;
    z += moved.z;
    sum += std::hypot(moved.x, moved.z);
    count += 1.0;
  }
  return scene.motion == PeerScene::Motion::kStands ? sum / count : std::hypot(x, z) / count;
}

}  // namespace

Energy EnergyOf(const PeerScene& scene, std::span<const BodyMotion> bodies) {
  Energy energy;
  double total_mass = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyDef& def = scene.bodies[i];
    if (def.type != BodyType::kDynamic) continue;
    const MassProperties mass = MassOf(def.shape, def.density);
    const Vec3 v = bodies[i].linear_velocity;
    const Vec3 spin = TransposeTimes(ToMatrix(bodies[i].rotation), bodies[i].angular_velocity);
    const Vec3 momentum{mass.inertia.x * spin.x, mass.inertia.y * spin.y, mass.inertia.z * spin.z};
    energy.kinetic_j_per_kg += 0.5 * (mass.mass * Dot(v, v) + Dot(spin, momentum));
    energy.potential_j_per_kg -=
        static_cast<double>(mass.mass) * Dot(scene.world.gravity, bodies[i].position);
    total_mass += mass.mass;
  }
  energy.kinetic_j_per_kg /= total_mass;
  energy.potential_j_per_kg /= total_mass;
  return energy;
}

Result<Outcome> Measure(const PeerScene& scene, std::span<const BodyMotion> bodies) {
  const auto contacts = ContactsAt(scene, bodies);
  if (!contacts) return std::unexpected(contacts.error());
  Outcome outcome;
  double sum = 0.0, pairs = 0.0;
  for (const ContactSnapshot& contact : *contacts) {
    double depth = 0.0;
    for (const ContactPoint& point : contact.manifold.points()) {
      depth = std::max(depth, -static_cast<double>(point.separation));
    }
    if (depth == 0.0) continue;
    outcome.deepest_m = std::max(outcome.deepest_m, depth);
    sum += depth;
    pairs += 1.0;
  }
  outcome.mean_m = pairs == 0.0 ? 0.0 : sum / pairs;
  outcome.drift_m = Drift(scene, bodies);
  outcome.motion_j_per_kg = EnergyOf(scene, bodies).kinetic_j_per_kg;
  return outcome;
}

std::string WorseIn(const Outcome& ours, const Outcome& peers) {
  constexpr double kShare = 1.02, kMetres = 0.0005, kJoules = 0.01;
  const struct {
    const char* name;
    double ours, peers, least;
  } errors[] = {
      {"deepest", ours.deepest_m, peers.deepest_m, kMetres},
      {"mean", ours.mean_m, peers.mean_m, kMetres},
      {"drift", ours.drift_m, peers.drift_m, kMetres},
      {"energy", ours.gained_j_per_kg, peers.gained_j_per_kg, kJoules},
  };
  std::string names;
  for (const auto& error : errors) {
    if (error.ours <= std::max(error.peers * kShare, error.peers + error.least)) continue;
    names += (names.empty() ? "" : ", ") + std::string(error.name);
  }
  return names;
}

}  // namespace nowait
