#include "tests/bench/outcome.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "src/collision/shape_geometry.h"
#include "src/jobs/task_pool.h"
#include "src/math/mat3.h"
#include "src/world/world.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

constexpr float kInstant = 1e-6f;  // seconds: a step in which contacts are found and nothing moves

// The scene with its bodies where an engine has put them, at rest and without gravity, after one
// step.
class Still {
 public:
  static Result<Still> Create(const PeerScene& scene, std::span<const BodyMotion> bodies) {
    PeerScene still;
    still.world = scene.world;
    still.world.gravity = {};
    still.bodies = scene.bodies;
    still.joints = scene.joints;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      still.bodies[i].position = bodies[i].position;
      still.bodies[i].rotation = bodies[i].rotation;
    }
    auto world = CreateWorld(still);
    if (!world) return std::unexpected(world.error());
    const auto pool = MakePool({.workers = 0});
    const auto here = *pool->Register("main");
    if (auto updated = (*world)->Update(kInstant, *pool); !updated) {
      return std::unexpected(updated.error());
    }
    return Still(std::move(*world));
  }

  std::vector<ContactSnapshot> Contacts() const {
    std::vector<ContactSnapshot> contacts;
    world_->SnapshotContacts(contacts);
    return contacts;
  }

  bool IsBelowGround(Vec3 place) const {
    constexpr Vec3 kUp{0, 1000, 0};  // higher than any scene
    WaitTime wait;
    const QueryFilter statics{.dynamics = false};
    return world_->CastRay({place + kUp, -kUp}, statics, wait).has_value();
  }

 private:
  explicit Still(std::unique_ptr<World> world) : world_(std::move(world)) {}

  std::unique_ptr<World> world_;
};

double SidewaysMean(const PeerScene& scene, std::span<const BodyMotion> bodies) {
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (scene.bodies[i].type != BodyType::kDynamic) continue;
    const Vec3 moved = bodies[i].position - scene.bodies[i].position;
    sum += std::hypot(moved.x, moved.z);
    count += 1.0;
  }
  return sum / count;
}

double MostApart(const PeerScene& scene, std::span<const BodyMotion> bodies) {
  float most = 0.0f;
  for (const SceneJoint& joint : scene.joints) {
    const auto end = [&](std::uint32_t body, const JointFrame& frame) {
      return bodies[body].position + Rotate(bodies[body].rotation, frame.position);
    };
    most = std::max(most, Length(end(joint.b, joint.frame_b) - end(joint.a, joint.frame_a)));
  }
  return most;
}

double Drift(const PeerScene& scene, std::span<const BodyMotion> bodies) {
  switch (scene.motion) {
    case PeerScene::Motion::kStands:
      return SidewaysMean(scene, bodies);
    case PeerScene::Motion::kHeld:
      return MostApart(scene, bodies);
    default:
      return 0.0;
  }
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
  const Result<Still> still = Still::Create(scene, bodies);
  if (!still) return std::unexpected(still.error());
  Outcome outcome;
  double sum = 0.0, pairs = 0.0;
  for (const ContactSnapshot& contact : still->Contacts()) {
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
  // Without collisions there is no ground.
  for (std::size_t i = 0; scene.collides && i < bodies.size(); ++i) {
    const bool moves = scene.bodies[i].type == BodyType::kDynamic;
    if (moves && still->IsBelowGround(bodies[i].position)) outcome.lost += 1.0;
  }
  outcome.drift_m = Drift(scene, bodies);
  outcome.motion_j_per_kg = EnergyOf(scene, bodies).kinetic_j_per_kg;
  return outcome;
}

std::string WorseIn(PeerScene::Motion motion, const Outcome& ours, const Outcome& peers) {
  constexpr double kShare = 1.02, kMetres = 0.0005, kJoules = 0.01;
  const struct {
    const char* name;
    double ours, peers, least;
  } errors[] = {
      {"deepest", ours.deepest_m, peers.deepest_m, kMetres},
      {"mean", ours.mean_m, peers.mean_m, kMetres},
      {"lost", ours.lost, peers.lost, 0.0},
      {"drift", ours.drift_m, peers.drift_m, kMetres},
      {"gain", ours.gained_j_per_kg, peers.gained_j_per_kg, kJoules},
      {"motion", ours.motion_j_per_kg, peers.motion_j_per_kg, kJoules},
  };
  const bool rests = motion != PeerScene::Motion::kFalls;
  std::string names;
  for (const auto& error : errors) {
    if (error.ours <= std::max(error.peers * kShare, error.peers + error.least)) continue;
    if (error.name == std::string_view("motion") && !rests) continue;
    names += (names.empty() ? "" : ", ") + std::string(error.name);
  }
  return names;
}

}  // namespace nowait
