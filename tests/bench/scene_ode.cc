#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>
#include <utility>

#include "src/base/assert.h"
#include "src/collision/shape_geometry.h"
#include "tests/bench/scene_engine.h"

namespace nowait {
namespace {

constexpr int kContactsAPair = 4;

Vec3 From(const dReal* v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

// The library is set up once a program.
void SetUpOnce() {
  static const int ready = dInitODE2(0);
  NOWAIT_ASSERT(ready != 0, "ODE starts");
}

// Without libccd, as in Debian, ODE has no contacts of hulls with boxes and meshes. So the floor,
// the only static box of a scene, is a plane, and a hull that falls on a mesh is a mesh as well.
class Ode : public SceneEngine {
 public:
  Ode(const PeerScene& scene, std::uint32_t threads)
      : scene_(scene), over_mesh_(std::ranges::any_of(scene.bodies, [](const BodyDef& def) {
          return def.shape.kind == ShapeKind::kMesh;
        })) {
    SetUpOnce();
    world_ = dWorldCreate();
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XZY);
    contacts_ = dJointGroupCreate(0);
    const Vec3 g = scene.world.gravity;
    dWorldSetGravity(world_, g.x, g.y, g.z);
    dWorldSetQuickStepNumIterations(world_, 20);
    dWorldSetContactSurfaceLayer(world_, 0.001);
    if (threads > 1) Share(threads);
    for (const BodyDef& def : scene.bodies) Add(def);
    for (const SceneJoint& joint : scene.joints) Join(joint);
  }
  ~Ode() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    for (const dTriMeshDataID data : meshes_) dGeomTriMeshDataDestroy(data);
    if (threading_ == nullptr) return;
    dThreadingImplementationShutdownProcessing(threading_);
    dThreadingFreeThreadPool(pool_);
    dThreadingFreeImplementation(threading_);
  }

  Result<void> Step() override {
    if (scene_.collides) dSpaceCollide(space_, this, &Near);
    dWorldQuickStep(world_, static_cast<dReal>(PeerScene::kStep));
    dJointGroupEmpty(contacts_);
    return {};
  }

  void Read(std::vector<BodyMotion>& out) const override {
    out.clear();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const BodyDef& def = scene_.bodies[i];
      if (bodies_[i] == nullptr) {
        out.push_back({def.position, def.rotation, {}, {}});
        continue;
      }
      const dReal* q = dBodyGetQuaternion(bodies_[i]);
      const Vec3 axis = From(q + 1);
      out.push_back({From(dBodyGetPosition(bodies_[i])),
                     Normalise({axis.x, axis.y, axis.z, static_cast<float>(q[0])}),
                     From(dBodyGetLinearVel(bodies_[i])), From(dBodyGetAngularVel(bodies_[i]))});
    }
  }

 private:
  // ODE keeps pointers to these.
  struct Hull {
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons;
  };
  struct Mesh {
    std::vector<dReal> vertices;
    std::vector<dTriIndex> indices;
  };

  void Share(std::uint32_t threads) {
    threading_ = dThreadingAllocateMultiThreadedImplementation();
    pool_ = dThreadingAllocateThreadPool(threads, 0, dAllocateFlagBasicData, nullptr);
    dThreadingThreadPoolServeMultiThreadedImplementation(pool_, threading_);
    dWorldSetStepThreadingImplementation(world_, dThreadingImplementationGetFunctions(threading_),
                                         threading_);
    dWorldSetStepIslandsProcessingMaxThreadCount(world_, threads);
  }

  static void Near(void* self, dGeomID a, dGeomID b) {
    Ode& ode = *static_cast<Ode*>(self);
    const dBodyID of_a = dGeomGetBody(a), of_b = dGeomGetBody(b);
    if (of_a == nullptr && of_b == nullptr) return;
    if (of_a != nullptr && of_b != nullptr &&
        dAreConnectedExcluding(of_a, of_b, dJointTypeContact) != 0) {
      return;
    }
    dContact contacts[kContactsAPair];
    const int count = dCollide(a, b, kContactsAPair, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      contacts[i].surface = ode.surface_;
      dJointAttach(dJointCreateContact(ode.world_, ode.contacts_, &contacts[i]), of_a, of_b);
    }
  }

  dGeomID GeomOf(const BodyDef& def) {
    const Shape& shape = def.shape;
    if (def.type == BodyType::kStatic && shape.kind == ShapeKind::kBox) {
      return dCreatePlane(space_, 0, 1, 0, def.position.y + shape.half.y);
    }
    switch (shape.kind) {
      case ShapeKind::kSphere:
        return dCreateSphere(space_, shape.radius);
      case ShapeKind::kCapsule:
        return dCreateCapsule(space_, shape.radius, 2.0 * shape.half_height);
      case ShapeKind::kHull:
        return over_mesh_ ? MeshOf(*shape.hull) : ConvexOf(*shape.hull);
      case ShapeKind::kMesh:
        return MeshOf(*shape.mesh);
      default:
        return dCreateBox(space_, 2.0 * shape.half.x, 2.0 * shape.half.y, 2.0 * shape.half.z);
    }
  }

  dGeomID ConvexOf(const ConvexHull& hull) {
    if (hulls_.empty()) {
      Hull& made = hulls_.emplace_back();
      for (const HullPlane& plane : hull.planes()) {
        made.planes.insert(made.planes.end(),
                           {plane.normal.x, plane.normal.y, plane.normal.z, plane.offset});
      }
      for (const Vec3& v : hull.vertices()) {
        made.points.insert(made.points.end(), {v.x, v.y, v.z});
      }
      for (std::size_t face = 0; face < hull.planes().size(); ++face) {
        const auto corners = hull.CornersOf(face);
        made.polygons.push_back(static_cast<unsigned>(corners.size()));
        made.polygons.insert(made.polygons.end(), corners.begin(), corners.end());
      }
    }
    Hull& made = hulls_.front();  // a scene has one hull
    return dCreateConvex(space_, made.planes.data(), static_cast<unsigned>(made.planes.size() / 4),
                         made.points.data(), static_cast<unsigned>(made.points.size() / 3),
                         made.polygons.data());
  }

  dGeomID MeshOf(const ConvexHull& hull) {
    if (hull_mesh_ == nullptr) {
      Mesh made;
      for (const Vec3& v : hull.vertices()) AddVertex(made, v);
      for (std::size_t face = 0; face < hull.planes().size(); ++face) {
        const auto corners = hull.CornersOf(face);
        for (std::size_t i = 2; i < corners.size(); ++i) {
          made.indices.insert(made.indices.end(), {corners[0], corners[i - 1], corners[i]});
        }
      }
      hull_mesh_ = DataOf(std::move(made));
    }
    return dCreateTriMesh(space_, hull_mesh_, nullptr, nullptr, nullptr);
  }
  dGeomID MeshOf(const TriangleMesh& mesh) {
    Mesh made;
    for (std::uint32_t i = 0; i < mesh.vertices(); ++i) AddVertex(made, mesh.Vertex(i));
    for (std::uint32_t i = 0; i < mesh.triangles(); ++i) {
      const auto [a, b, c] = mesh.CornersOf(i);
      made.indices.insert(made.indices.end(), {a, b, c});
    }
    return dCreateTriMesh(space_, DataOf(std::move(made)), nullptr, nullptr, nullptr);
  }
  static void AddVertex(Mesh& mesh, Vec3 v) {
    mesh.vertices.insert(mesh.vertices.end(), {v.x, v.y, v.z});
  }
  dTriMeshDataID DataOf(Mesh mesh) {
    const Mesh& kept = mesh_data_.emplace_back(std::move(mesh));
    const dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, kept.vertices.data(), 3 * sizeof(dReal),
                                static_cast<int>(kept.vertices.size() / 3), kept.indices.data(),
                                static_cast<int>(kept.indices.size()), 3 * sizeof(dTriIndex));
    meshes_.push_back(data);
    return data;
  }

  void Add(const BodyDef& def) {
    surface_.mode = dContactApprox1;
    surface_.mu = def.friction;
    if (def.restitution > 0.0f) {
      surface_.mode |= dContactBounce;
      surface_.bounce = def.restitution;
      surface_.bounce_vel = scene_.world.solver.restitution_threshold;
    }
    const dGeomID geom = GeomOf(def);
    const dQuaternion turn = {def.rotation.w, def.rotation.x, def.rotation.y, def.rotation.z};
    if (def.type == BodyType::kStatic) {
      if (dGeomGetClass(geom) != dPlaneClass) {
        dGeomSetPosition(geom, def.position.x, def.position.y, def.position.z);
        dGeomSetQuaternion(geom, turn);
      }
      bodies_.push_back(nullptr);
      return;
    }
    const dBodyID body = dBodyCreate(world_);
    const MassProperties of_shape = MassOf(def.shape, def.density);
    dMass mass;
    dMassSetParameters(&mass, of_shape.mass, 0, 0, 0, of_shape.inertia.x, of_shape.inertia.y,
                       of_shape.inertia.z, 0, 0, 0);
    dBodySetMass(body, &mass);
    dGeomSetBody(geom, body);
    if (def.shape.kind == ShapeKind::kCapsule) {  // along z in ODE, along y here
      const dQuaternion lying = {std::sqrt(0.5), -std::sqrt(0.5), 0, 0};
      dGeomSetOffsetQuaternion(geom, lying);
    }
    dBodySetPosition(body, def.position.x, def.position.y, def.position.z);
    dBodySetQuaternion(body, turn);
    dBodySetLinearDamping(body, def.linear_damping * PeerScene::kStep);
    dBodySetAngularDamping(body, def.angular_damping * PeerScene::kStep);
    dBodySetAutoDisableFlag(body, def.may_sleep ? 1 : 0);
    bodies_.push_back(body);
  }

  void Join(const SceneJoint& joint) {
    const BodyDef& a = scene_.bodies[joint.a];
    const Vec3 anchor = a.position + Rotate(a.rotation, joint.frame_a.position);
    const dJointID ball = dJointCreateBall(world_, nullptr);
    dJointAttach(ball, bodies_[joint.a], bodies_[joint.b]);
    dJointSetBallAnchor(ball, anchor.x, anchor.y, anchor.z);
    if (const auto* swing = std::get_if<SwingTwistJoint>(&joint.kind)) HoldPose(joint, *swing);
  }

  // ODE has no springs of angles. A stop without play at zero is one: its error reduction and its
  // softness follow from stiffness and damping. It takes the place of the limits, too.
  void HoldPose(const SceneJoint& joint, const SwingTwistJoint& swing) {
    const BodyDef& a = scene_.bodies[joint.a];
    const BodyDef& b = scene_.bodies[joint.b];
    const auto least = [](const BodyDef& def) {
      const Vec3 inertia = MassOf(def.shape, def.density).inertia;
      return static_cast<double>(std::min({inertia.x, inertia.y, inertia.z}));
    };
    const double inertia = 1.0 / (1.0 / least(a) + 1.0 / least(b));
    const double rate = 2.0 * std::numbers::pi * swing.drive->hertz;
    const double stiffness = inertia * rate * rate;
    const double damping = 2.0 * swing.drive->damping_ratio * inertia * rate;
    const double step = PeerScene::kStep;
    const dJointID motor = dJointCreateAMotor(world_, nullptr);
    dJointAttach(motor, bodies_[joint.a], bodies_[joint.b]);
    dJointSetAMotorMode(motor, dAMotorEuler);
    const Quat axes = a.rotation * joint.frame_a.rotation;
    const Vec3 first = Rotate(axes, {1, 0, 0}), last = Rotate(axes, {0, 0, 1});
    dJointSetAMotorAxis(motor, 0, 1, first.x, first.y, first.z);
    dJointSetAMotorAxis(motor, 2, 2, last.x, last.y, last.z);
    for (const int axis : {dParamGroup1, dParamGroup2, dParamGroup3}) {
      dJointSetAMotorParam(motor, axis + dParamLoStop, 0.0);
      dJointSetAMotorParam(motor, axis + dParamHiStop, 0.0);
      dJointSetAMotorParam(motor, axis + dParamStopERP,
                           step * stiffness / (step * stiffness + damping));
      dJointSetAMotorParam(motor, axis + dParamStopCFM, 1.0 / (step * stiffness + damping));
    }
  }

  const PeerScene& scene_;
  const bool over_mesh_;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  dThreadingImplementationID threading_ = nullptr;
  dThreadingThreadPoolID pool_ = nullptr;
  dSurfaceParameters surface_{};  // the same for all bodies of a scene
  std::vector<dBodyID> bodies_;   // null for static ones
  std::deque<Hull> hulls_;
  std::deque<Mesh> mesh_data_;
  dTriMeshDataID hull_mesh_ = nullptr;
  std::vector<dTriMeshDataID> meshes_;
};

}  // namespace

std::unique_ptr<SceneEngine> MakeOde(const PeerScene& scene, std::uint32_t threads) {
  return std::make_unique<Ode>(scene, threads);
}

}  // namespace nowait
