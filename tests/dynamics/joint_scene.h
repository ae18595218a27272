// A few bodies and joints, and the plain solver.
#ifndef NOWAIT_TESTS_DYNAMICS_JOINT_SCENE_H_
#define NOWAIT_TESTS_DYNAMICS_JOINT_SCENE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "src/collision/shape_geometry.h"
#include "src/dynamics/island_solver.h"

namespace nowait {

class JointScene {
 public:
  static constexpr float kStep = 1.0f / 60.0f;

  explicit JointScene(Vec3 gravity = {0, -10, 0}) : gravity_(gravity) {}

  std::size_t Add(const Shape& shape, Vec3 position, float density = 1000.0f) {
    Body body;
    body.type = BodyType::kDynamic;
    body.shape = shape;
    body.position = position;
    const MassProperties mass = MassOf(shape, density);
    body.inverse_mass = 1.0f / mass.mass;
    body.inverse_inertia = {1 / mass.inertia.x, 1 / mass.inertia.y, 1 / mass.inertia.z};
    bodies_.push_back(body);
    return bodies_.size() - 1;
  }

  std::size_t AddFixed(Vec3 position, Quat rotation = {}) {
    Body body;
    body.position = position;
    body.rotation = rotation;
    bodies_.push_back(body);
    return bodies_.size() - 1;
  }

  // With frames that hold the bodies as they are: at `anchor`, with the axes of `rotation`.
  std::size_t Join(std::size_t a, std::size_t b, Vec3 anchor, const JointKind& kind,
                   Quat rotation = {}) {
    Joint joint;
    const auto frame = [&](const Body& body) {
      return FrameAt(body.position, body.rotation, anchor, rotation);
    };
    joint.def.frame_a = frame(bodies_[a]);
    joint.def.frame_b = frame(bodies_[b]);
    joint.def.kind = kind;
    joints_.push_back(joint);
    ends_.push_back({a, b});
    return joints_.size() - 1;
  }

  // Couples two joints. The bodies of the definition play no part in the solver.
  std::size_t Couple(std::size_t first, std::size_t second, float ratio) {
    const auto id = [](std::size_t joint) {
      return JointId(0, static_cast<std::uint32_t>(joint), 0);
    };
    Joint joint;
    joint.def.kind = GearJoint{id(first), id(second), ratio};
    joints_.push_back(joint);
    ends_.push_back(ends_[first]);
    return joints_.size() - 1;
  }

  Body& body(std::size_t i) { return bodies_[i]; }
  Joint& joint(std::size_t i) { return joints_[i]; }
  std::size_t bodies() const { return bodies_.size(); }

  void Step(float dt = kStep) {
    const SubstepDef def(solver_, dt);
    std::vector<SolverBody> solver;
    for (const Body& body : bodies_) solver.push_back(Gather(body, gravity_));
    std::vector<JointConstraint> constraints;
    std::vector<JointRow> rows(joints_.size() * kMostJointRows);
    SolverBody ground;
    const auto bodies_of = [&](std::size_t joint) {
      const auto [a, b] = ends_[joint];
      return EndBodies{{&bodies_[a], &solver[a]}, {&bodies_[b], &solver[b]}};
    };
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const Joint& joint = joints_[i];
      const auto its_rows = std::span(rows).subspan(i * kMostJointRows, RowsOf(joint.def.kind));
      if (const auto* gear = std::get_if<GearJoint>(&joint.def.kind)) {
        // In a scene the slot of a joint's id is its number.
        const auto side = [&](JointId id) {
          return GearSide{&joints_[id.slot()], bodies_of(id.slot())};
        };
        constraints.push_back(PrepareGear(joint, side(gear->first), side(gear->second), its_rows));
      } else if (std::holds_alternative<PulleyJoint>(joint.def.kind)) {
        constraints.push_back(PreparePulley(joint, bodies_of(i), ground, its_rows));
      } else {
        constraints.push_back(Prepare(joint, bodies_of(i), its_rows, def));
      }
    }
    SolveIsland(solver, constraints, {}, def);
    for (std::size_t i = 0; i < joints_.size(); ++i) Store(constraints[i], joints_[i]);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (bodies_[i].inverse_mass != 0.0f) Scatter(solver[i], solver_, bodies_[i]);
    }
  }

  // How far the anchors of a joint are apart.
  float Apart(std::size_t i) const {
    const auto anchor = [&](const Body& body, const JointFrame& frame) {
      return body.position + Rotate(body.rotation, frame.position);
    };
    const JointDef& def = joints_[i].def;
    return Length(anchor(bodies_[ends_[i].b], def.frame_b) -
                  anchor(bodies_[ends_[i].a], def.frame_a));
  }
  float MostApart() const {
    float most = 0.0f;
    for (std::size_t i = 0; i < joints_.size(); ++i) most = std::max(most, Apart(i));
    return most;
  }

  Vec3 Momentum() const {
    Vec3 sum;
    for (const Body& body : bodies_) {
      if (body.inverse_mass != 0.0f) sum += body.linear_velocity * (1.0f / body.inverse_mass);
    }
    return sum;
  }
  // About the origin.
  Vec3 AngularMomentum() const {
    Vec3 sum;
    for (const Body& body : bodies_) {
      if (body.inverse_mass == 0.0f) continue;
      const Mat3 frame = ToMatrix(body.rotation);
      const Vec3 inverse = body.inverse_inertia;
      const Vec3 spin = TransposeTimes(frame, body.angular_velocity);
      const Vec3 own = frame * Vec3{spin.x / inverse.x, spin.y / inverse.y, spin.z / inverse.z};
      sum += own + Cross(body.position, body.linear_velocity * (1.0f / body.inverse_mass));
    }
    return sum;
  }

 private:
  struct Ends {
    std::size_t a;
    std::size_t b;
  };

  SolverDef solver_;
  const Vec3 gravity_;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<Ends> ends_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_DYNAMICS_JOINT_SCENE_H_
