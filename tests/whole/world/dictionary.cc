#include "tests/whole/world/dictionary.h"

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/height_field.h"
#include "src/collision/triangle_mesh.h"

namespace nowait::world_programs {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Flags of bodies and moves.
constexpr std::uint8_t kAsleep = 1;
constexpr std::uint8_t kStaysAwake = 2;
constexpr std::uint8_t kMoving = 4;
constexpr std::uint8_t kTurned = 8;
constexpr std::uint8_t kDriven = 0x30;  // two bits: a quarter of them
// Of joints.
constexpr std::uint8_t kTouching = 1;
constexpr std::uint8_t kWeak = 2;
constexpr std::uint8_t kWide = 4;  // another eight kinds
constexpr std::uint8_t kGeared = 8;
// Of a finalise: two bits, so that it is seldom.
constexpr std::uint8_t kOthers = 0xc0;
// Of filters.
constexpr std::uint8_t kNoStatics = 1;
constexpr std::uint8_t kNoDynamics = 2;
constexpr std::uint8_t kIgnore = 4;
constexpr std::uint8_t kAsk = 8;

Quat Turned() { return Normalise(Quat{0.0f, 0.38f, 0.0f, 0.92f}); }

constexpr std::uint32_t kSlopesSide = 10;

// Gentle slopes, nine metres wide. It lives as long as the program of the operating system: a world
// keeps a pointer to it.
const HeightField* Field() {
  static const std::unique_ptr<const HeightField> field = [] {
    std::vector<float> heights;
    for (int i = 0; i < 100; ++i) heights.push_back(0.05f * static_cast<float>(i * 7 % 5));
    return std::move(*HeightField::Create({kSlopesSide, kSlopesSide, 1.0f, heights}));
  }();
  return field.get();
}

// The same slopes as triangles.
const TriangleMesh* Mesh() {
  static const std::unique_ptr<const TriangleMesh> mesh = [] {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t k = 0; k < kSlopesSide; ++k) {
      for (std::uint32_t i = 0; i < kSlopesSide; ++i) {
        const auto at = static_cast<std::uint32_t>(vertices.size());
        vertices.push_back(Field()->Sample(i, k));
        if (i + 1 == kSlopesSide || k + 1 == kSlopesSide) continue;
        const std::uint32_t across = at + kSlopesSide + 1;
        indices.insert(indices.end(), {at, at + kSlopesSide, across, at, across, at + 1});
      }
    }
    return std::move(*TriangleMesh::Create({.vertices = vertices, .indices = indices}));
  }();
  return mesh.get();
}

// Likewise.
const ConvexHull* Octahedron() {
  static const std::unique_ptr<const ConvexHull> hull = [] {
    constexpr std::array<Vec3, 6> kCorners = {Vec3{0.3f, 0, 0}, Vec3{-0.3f, 0, 0},
                                              Vec3{0, 0.4f, 0}, Vec3{0, -0.4f, 0},
                                              Vec3{0, 0, 0.3f}, Vec3{0, 0, -0.3f}};
    return std::move(*ConvexHull::Create({.points = kCorners}));
  }();
  return hull.get();
}

// Likewise: a ball at one end of a bar.
const CompoundShape* Hammer() {
  static const std::unique_ptr<const CompoundShape> compound = [] {
    const std::array<CompoundChild, 2> children = {
        CompoundChild{.shape = Shape::Sphere(0.25f), .position = {0.35f, 0, 0}},
        CompoundChild{.shape = Shape::Box({0.4f, 0.08f, 0.08f})}};
    return std::move(*CompoundShape::Create({.children = children}));
  }();
  return compound.get();
}

}  // namespace

Vec3 PlaceOf(std::uint8_t place) {
  const std::uint32_t p = place % kPlaces;
  if (p < kNearPlaces) {
    return {0.5f * static_cast<float>(p % 3), 0.5f * static_cast<float>(p / 3),
            0.1f * static_cast<float>(p % 2)};
  }
  constexpr std::array<Vec3, 5> kFar = {Vec3{30, 0, 0}, Vec3{-30, 5, 2}, Vec3{1000, 0, -3},
                                        Vec3{kNaN, 0, 0}, Vec3{0, 2e6f, 0}};
  return kFar[p - kNearPlaces];
}

bool IsPlace(std::uint8_t place) { return place % kPlaces < kNearPlaces + 3; }

WorldDef DefOf(const WorldPlan& plan) {
  WorldDef def;
  def.max_bodies = plan.bodies;
  def.max_contacts = plan.contacts;
  def.max_joints = 3;
  def.body_locks = plan.locks;
  constexpr std::array kPolicies = {RebuildPolicy::kByTurns, RebuildPolicy::kKeepUnchanged,
                                    RebuildPolicy::kWhole, RebuildPolicy::kRefit};
  const auto policy = [&](std::uint32_t of) { return kPolicies[(plan.rebuild + of) % 4]; };
  def.static_rebuild = policy(0);
  def.dynamic_rebuild = policy(plan.rebuild == kRebuildPlans - 1 ? 0 : 1);
  for (std::uint32_t i = 0; i < plan.user_layers; ++i) {
    LayerDef layer;
    layer.name = "layer " + std::to_string(i);
    layer.rebuild = policy(i + 2);
    if (i == 0 && !plan.layer_0_meets_itself) layer.touches.Drop(UserLayer(0));
    def.user_layers.push_back(layer);
  }
  if (!plan.gravity) def.gravity = {};
  def.rest.time = plan.sleeps ? 0.02f : 1e6f;
  def.rest.linear_speed = 1.0f;
  def.rest.angular_speed = 2.0f;
  return def;
}

BodyDef BodyOf(const Call& call, std::uint32_t number) {
  BodyDef def;
  const auto place = static_cast<std::uint8_t>((call.place + number) % kPlaces);
  def.position = PlaceOf(place);
  switch ((call.shape + number) % 8) {
    case 0:
      def.shape = Shape::Sphere(0.3f);
      break;
    case 1:
      def.shape = Shape::Capsule(0.15f, 0.2f);
      break;
    case 2:
      def.shape = Shape::Box({0.3f, 0.3f, 0.3f});
      break;
    case 3:
      def.shape = Shape::Cylinder(0.3f, 0.5f);
      break;
    case 4:
      def.type = BodyType::kStatic;
      def.shape = Shape::Box({3.0f, 0.25f, 3.0f});
      break;
    case 5:
      def.type = BodyType::kStatic;
      // A turned sphere is the same; a plane is not. It lies below the near places.
      def.shape = (call.flags & kTurned) != 0 ? Shape::Plane({0.2f, 1.0f, 0.0f}, -0.3f)
                                              : Shape::Sphere(0.4f);
      break;
    case 6:
      def.type = BodyType::kStatic;
      // A field cannot be turned; a mesh can.
      def.shape = (call.flags & kTurned) != 0 ? Shape::Mesh(Mesh()) : Shape::Ground(Field());
      def.position = def.position + Vec3{-4.5f, -0.3f, -4.5f};
      break;
    default:
      def.shape =
          (call.flags & kTurned) != 0 ? Shape::Compound(Hammer()) : Shape::Hull(Octahedron());
      break;
  }
  if ((call.flags & kDriven) == kDriven && def.type == BodyType::kDynamic) {
    def.type = BodyType::kKinematic;
  }
  if ((call.flags & kTurned) != 0) def.rotation = Turned();
  if ((call.flags & kMoving) != 0) def.linear_velocity = {1.5f, 0.5f, 0};
  def.asleep = (call.flags & kAsleep) != 0;
  def.may_sleep = (call.flags & kStaysAwake) == 0;
  if (call.layer % kLayerNames != 0) def.layer = UserLayer(call.layer % kLayerNames - 1);
  return def;
}

std::optional<const char*> RefusalOf(const BodyDef& def, const WorldPlan& plan) {
  if (!std::isfinite(def.position.x) || std::abs(def.position.y) > 1e6f) return "position";
  if (def.layer && IndexOf(*def.layer) >= kLayerCount + plan.user_layers) return "layer";
  return std::nullopt;
}

std::optional<const char*> RefusalOf(const Call& target) {
  if (!IsPlace(target.place)) return "position";
  return std::nullopt;
}

std::optional<const char*> RefusalOf(const BodyChange& change, BodyType type,
                                     const WorldPlan& plan) {
  if (change.shape && IsSurface(*change.shape) && type != BodyType::kStatic) return "shape";
  if (!change.layer) return std::nullopt;
  const Layer usual = type == BodyType::kStatic ? Layer::kStatic : Layer::kDynamic;
  const std::size_t index = IndexOf(*change.layer);
  const bool is_own = index >= kLayerCount && index < kLayerCount + plan.user_layers;
  if (*change.layer != usual && !is_own) return "layer";
  return std::nullopt;
}

BodyChange ChangeOf(const Call& call) {
  BodyChange change;
  const std::uint32_t layer = call.layer % 6;
  if (layer < kLayerNames) {
    if (layer != 0) change.layer = UserLayer(layer - 1);
  } else {
    change.layer = layer == kLayerNames ? Layer::kStatic : Layer::kDynamic;
  }
  if (!change.layer || call.count % 2 == 0) change.shape = BodyOf(call).shape;
  return change;
}

Layer LayerOf(const BodyDef& def) {
  return def.layer.value_or(def.type == BodyType::kStatic ? Layer::kStatic : Layer::kDynamic);
}

Quat RotationOf(const Call& call) { return (call.flags & kTurned) != 0 ? Turned() : Quat{}; }

Vec3 VelocityOf(const Call& call) {
  if (call.shape % 16 == 15) return {0, kNaN, 0};
  return {0.25f * static_cast<float>(call.place), 0.0f, -0.5f * static_cast<float>(call.shape % 3)};
}

std::uint8_t SecondCellOf(const Call& call) {
  return static_cast<std::uint8_t>(call.cell + 1u + call.place);
}

JointDef JointOf(const Call& call) {
  constexpr JointLimits kTurn{-0.5f, 0.5f};
  const std::array<JointKind, 8> kinds = {
      PointJoint{},
      FixedJoint{},
      HingeJoint{.limits = kTurn, .motor = JointMotor{2.0f, 30.0f}},
      SliderJoint{.limits = JointLimits{-0.3f, 0.3f}},
      DistanceJoint{.spring = JointSpring{.hertz = 2.0f, .rest = 0.5f}},
      DistanceJoint{.limits = JointLimits{0.0f, 1.0f}},
      SwingTwistJoint{.cone = 0.5f, .twist = kTurn, .drive = JointDrive{}},
      HingeJoint{.limits = JointLimits{0.5f, -0.5f}}};
  const JointAxis free{.motion = AxisMotion::kFree};
  const JointAxis stopped{.motion = AxisMotion::kLimited,
                          .limits = {-0.2f, 0.2f},
                          .motor = AxisMotor{.speed = 1.0f, .most = 20.0f}};
  const JointAxis sprung{.motion = AxisMotion::kLimited,
                         .limits = {-0.1f, 0.1f},
                         .spring = LimitSpring{},
                         .motor = AxisMotor{.most = 30.0f, .to = JointSpring{.rest = 0.1f}}};
  const std::array<JointKind, 8> wide = {
      SixDofJoint{},
      SixDofJoint{.linear = {stopped}, .angular = {free, stopped, free}},
      SixDofJoint{.linear = {JointAxis{}, sprung}, .angular = {sprung, JointAxis{}, free}},
      PulleyJoint{{1, 3, 0}, {2, 3, 1}, 1.0f, {0.0f, 3.0f}},
      PulleyJoint{{1, 3, 0}, {}, 2.0f, {1.0f, 5.0f}},
      PulleyJoint{{}, {}, 0.0f},
      HingeJoint{},
      SliderJoint{}};
  JointDef def;
  def.kind =
      (call.flags & kWide) != 0 ? wide[call.shape % wide.size()] : kinds[call.shape % kinds.size()];
  def.frame_a.position = {0.3f, 0.1f, 0.0f};
  def.frame_b.position = {-0.3f, 0.0f, 0.1f};
  def.bodies_touch = (call.flags & kTouching) != 0;
  if ((call.flags & kWeak) != 0) def.break_force = 200.0f;
  return def;
}

bool IsGear(const Call& call) { return (call.flags & kGeared) != 0; }

std::optional<const char*> RefusalOf(const JointDef& def) {
  if (const auto* gear = std::get_if<GearJoint>(&def.kind)) {
    if (gear->first == gear->second) return "second";
  }
  if (const auto* pulley = std::get_if<PulleyJoint>(&def.kind)) {
    if (!(pulley->ratio > 0.0f)) return "ratio";
  }
  const auto* hinge = std::get_if<HingeJoint>(&def.kind);
  if (hinge != nullptr && hinge->limits && hinge->limits->lower > hinge->limits->upper)
    return "limits";
  return std::nullopt;
}

Bounds<3> BoxOf(const Call& call) {
  if (call.shape % 3 == 0) {
    return ToBounds({-kEverywhere, -kEverywhere, -kEverywhere},
                    {kEverywhere, kEverywhere, kEverywhere});
  }
  const Vec3 centre = PlaceOf(call.place);
  const float half = call.shape % 3 == 1 ? 0.3f : 2.0f;
  return ToBounds(centre - Vec3{half, half, half}, centre + Vec3{half, half, half});
}

QueryArea AreaOf(const Call& call) {
  const Vec3 centre = PlaceOf(call.place);
  switch (call.shape / 3 % 6) {
    case 0:
      return Ball{centre, 0.5f};
    case 1:
      return OrientedBox{centre, {0.5f, 1.0f, 0.5f}, Turned()};
    case 2:
      return SweptBox{centre, {0.3f, 0.3f, 0.3f}, {1.0f, 0.5f, 0.0f}};
    case 3:
      return RayOf(call);
    default:
      return BoxOf(call);
  }
}

RayCast RayOf(const Call& call, std::uint32_t number) {
  const Vec3 at = PlaceOf(static_cast<std::uint8_t>(call.place + number));
  constexpr std::array<Vec3, 4> kWays = {Vec3{0, -20, 0}, Vec3{20, 0, 0}, Vec3{0, 20, 0},
                                         Vec3{-9, -9, 3}};
  const Vec3 way = kWays[call.shape % 4];
  return {at - way * 0.5f, way};
}

bool NamesOtherWorld(const Call& call) { return (call.flags & kOthers) == kOthers; }

float DistanceOf(const Call& call) { return call.shape % 2 == 0 ? 1.0f : 100.0f; }

bool Asks(const Call& call) { return (call.flags & kAsk) != 0; }
bool Ignores(const Call& call) { return (call.flags & kIgnore) != 0; }

QueryFilter FilterOf(const Call& call) {
  QueryFilter filter;
  filter.statics = (call.flags & kNoStatics) == 0;
  filter.dynamics = (call.flags & kNoDynamics) == 0;
  const std::uint32_t layer = call.layer % kLayerNames;
  if (layer != 0) filter.layers = {Layer::kDynamic, UserLayer(layer - 1)};
  return filter;
}

}  // namespace nowait::world_programs
