#include <LinearMath/btGeometryUtil.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <utility>

#include "src/collision/shape_geometry.h"
#include "tests/bench/scene_engine.h"

namespace nowait {
namespace {

btVector3 To(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 From(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
btQuaternion To(Quat q) { return {q.x, q.y, q.z, q.w}; }
btTransform To(const JointFrame& frame) {
  return btTransform(To(frame.rotation), To(frame.position));
}

class Bullet : public SceneEngine {
 public:
  explicit Bullet(const PeerScene& scene) {
    world_.setGravity(To(scene.world.gravity));
    world_.getSolverInfo().m_solverMode = SOLVER_SIMD | SOLVER_USE_WARMSTARTING;
    // Static bodies that never move need no new box in each step.
    world_.setForceUpdateAllAabbs(false);
    for (const BodyDef& def : scene.bodies) Add(def, scene.collides);
    for (const SceneJoint& joint : scene.joints) Join(joint);
  }
  ~Bullet() override {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  Result<void> Step() override {
    world_.stepSimulation(PeerScene::kStep, 0, PeerScene::kStep);
    return {};
  }

  void Read(std::vector<BodyMotion>& out) const override {
    out.clear();
    for (const auto& body : bodies_) {
      const btTransform& place = body->getWorldTransform();
      const btQuaternion turn = place.getRotation();
      out.push_back({From(place.getOrigin()), Normalise({turn.x(), turn.y(), turn.z(), turn.w()}),
                     From(body->getLinearVelocity()), From(body->getAngularVelocity())});
    }
  }

 private:
  // Bodies of equal shapes share one.
  btCollisionShape* ShapeOf(const Shape& shape) {
    for (const auto& [known, made] : shapes_) {
      if (known == shape) return made.get();
    }
    shapes_.emplace_back(shape, Make(shape));
    return shapes_.back().second.get();
  }

  std::unique_ptr<btCollisionShape> Make(const Shape& shape) {
    switch (shape.kind) {
      case ShapeKind::kSphere:
        return std::make_unique<btSphereShape>(shape.radius);
      case ShapeKind::kCapsule:
        return std::make_unique<btCapsuleShape>(shape.radius, 2.0f * shape.half_height);
      case ShapeKind::kHull: {
        // Bullet adds a margin round a hull. Its planes are moved in by as much before, as those of
        // Bullet's boxes are: then the surface is where it is for the other engines.
        btAlignedObjectArray<btVector3> planes, points;
        for (const HullPlane& plane : shape.hull->planes()) {
          btVector3 moved = To(plane.normal);
          moved.setW(CONVEX_DISTANCE_MARGIN - plane.offset);
          planes.push_back(moved);
        }
        btGeometryUtil::getVerticesFromPlaneEquations(planes, points);
        auto hull = std::make_unique<btConvexHullShape>();
        for (int i = 0; i < points.size(); ++i) hull->addPoint(points[i], false);
        hull->recalcLocalAabb();
        return hull;
      }
      case ShapeKind::kMesh: {
        const TriangleMesh& mesh = *shape.mesh;
        triangles_ = std::make_unique<btTriangleMesh>();
        for (std::uint32_t i = 0; i < mesh.triangles(); ++i) {
          const auto [a, b, c] = mesh.PlacesOf(i);
          triangles_->addTriangle(To(a), To(b), To(c));
        }
        return std::make_unique<btBvhTriangleMeshShape>(triangles_.get(), true);
      }
      default:
        return std::make_unique<btBoxShape>(To(shape.half));
    }
  }

  void Add(const BodyDef& def, bool collides) {
    const bool moves = def.type == BodyType::kDynamic;
    const MassProperties mass = moves ? MassOf(def.shape, def.density) : MassProperties{};
    btRigidBody::btRigidBodyConstructionInfo info(mass.mass, nullptr, ShapeOf(def.shape),
                                                  To(mass.inertia));
    info.m_startWorldTransform = btTransform(To(def.rotation), To(def.position));
    // Bullet multiplies those of two bodies.
    info.m_friction = std::sqrt(def.friction);
    info.m_restitution = std::sqrt(def.restitution);
    info.m_linearDamping = def.linear_damping;
    info.m_angularDamping = def.angular_damping;
    auto body = std::make_unique<btRigidBody>(info);
    if (!def.may_sleep) body->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(body.get(), btBroadphaseProxy::DefaultFilter,
                        collides ? btBroadphaseProxy::AllFilter : 0);
    bodies_.push_back(std::move(body));
  }

  void Join(const SceneJoint& joint) {
    btRigidBody& a = *bodies_[joint.a];
    btRigidBody& b = *bodies_[joint.b];
    std::unique_ptr<btTypedConstraint> made;
    if (const auto* swing = std::get_if<SwingTwistJoint>(&joint.kind)) {
      auto cone =
          std::make_unique<btConeTwistConstraint>(a, b, To(joint.frame_a), To(joint.frame_b));
      cone->setLimit(swing->cone, swing->cone, swing->twist->upper);
      cone->setMaxMotorImpulse(swing->drive->most * PeerScene::kStep);
      cone->setMotorTargetInConstraintSpace(To(swing->drive->target));
      cone->enableMotor(true);
      made = std::move(cone);
    } else {
      made = std::make_unique<btPoint2PointConstraint>(a, b, To(joint.frame_a.position),
                                                       To(joint.frame_b.position));
    }
    world_.addConstraint(made.get(), true);
    joints_.push_back(std::move(made));
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
  std::unique_ptr<btTriangleMesh> triangles_;
  std::vector<std::pair<Shape, std::unique_ptr<btCollisionShape>>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace

std::unique_ptr<SceneEngine> MakeBullet(const PeerScene& scene) {
  return std::make_unique<Bullet>(scene);
}

}  // namespace nowait
