#include "src/apps/player/gears.h"

#include <array>
#include <cstddef>

#include "src/bodies/shape.h"

namespace nowait {
namespace {

// The sines and cosines of the turns are written out: no scene may depend on a library's last bit.
constexpr Quat kLying{0.70710678f, 0, 0, 0.70710678f};    // a cylinder's axis along z
constexpr Quat kAboutZ{0, -0.70710678f, 0, 0.70710678f};  // a joint's x axis along z
constexpr Quat kUpright{0, 0, 0.70710678f, 0.70710678f};  // a joint's x axis along y
constexpr Quat kSteered{0, 0.0998334f, 0, 0.9950042f};    // a turn of 0.2 to the left

constexpr float kGearHeight = 4.0f;
constexpr float kCarSpacing = 26.0f;  // a circle's width, and some room
constexpr std::uint32_t kCarsInARow = 10;

Vec3 MiddleOf(std::uint32_t car) {
  return {kCarSpacing * (static_cast<float>(car % kCarsInARow) + 0.5f), 0,
          kCarSpacing * (static_cast<float>(car / kCarsInARow) + 0.5f)};
}

// Adds bodies and joints until one fails.
class Maker {
 public:
  explicit Maker(World& world) : world_(world) {}

  const Result<void>& done() const { return done_; }

  BodyId Body(const Shape& shape, Vec3 position, Quat rotation, float density, BodyType type) {
    BodyDef def;
    def.type = type;
    def.shape = shape;
    def.position = position;
    def.rotation = rotation;
    def.density = density;
    def.friction = 0.9f;
    def.may_sleep = false;
    return Keep(world_.CreateBody(def, wait_), BodyId());
  }
  BodyId Moving(const Shape& shape, Vec3 position, Quat rotation, float density) {
    return Body(shape, position, rotation, density, BodyType::kDynamic);
  }

  // At a place in the world, with frames that hold the bodies as they are.
  JointId Join(BodyId a, BodyId b, Vec3 at, const JointKind& kind, Quat rotation = {}) {
    JointDef def;
    def.a = a;
    def.b = b;
    def.frame_a = FrameOf(a, at, rotation);
    def.frame_b = FrameOf(b, at, rotation);
    def.kind = kind;
    return Joint(def);
  }
  JointId Joint(const JointDef& def) { return Keep(world_.CreateJoint(def, wait_), JointId()); }

 private:
  JointFrame FrameOf(BodyId id, Vec3 at, Quat rotation) {
    const BodySnapshot body = Keep(world_.GetBody(id, wait_), BodySnapshot());
    return FrameAt(body.position, body.rotation, at, rotation);
  }

  template <class T>
  T Keep(const Result<T>& made, const T& otherwise) {
    if (made) return *made;
    if (done_) done_ = std::unexpected(made.error());
    return otherwise;
  }

  World& world_;
  WaitTime wait_;
  Result<void> done_;
};

// Four wheels side by side, each of which turns the next one; the last one has a crank, whose rod
// moves a block up and down. A rope from the block over two places carries the load.
BodyId AddTrain(Maker& make) {
  constexpr std::array kRadii = {0.3f, 0.6f, 0.4f, 0.9f};
  const BodyId frame = make.Body(Shape::Box({0.1f, 0.1f, 0.1f}), {-12, kGearHeight, -0.6f}, {},
                                 1000.0f, BodyType::kStatic);
  Vec3 at{-12, kGearHeight, 0};
  BodyId wheel_before;
  JointId hinge_before;
  for (std::size_t i = 0; i < kRadii.size(); ++i) {
    if (i > 0) at.x += kRadii[i - 1] + kRadii[i];
    const BodyId wheel = make.Moving(Shape::Cylinder(0.1f, kRadii[i]), at, kLying, 500.0f);
    HingeJoint hinge;
    if (i == 0) hinge.motor = JointMotor{6.0f, 2000.0f};
    const JointId turns = make.Join(frame, wheel, at, hinge, kAboutZ);
    if (i > 0) {
      JointDef gear;
      gear.a = wheel_before;
      gear.b = wheel;
      gear.kind = GearJoint{hinge_before, turns, kRadii[i] / kRadii[i - 1]};
      make.Joint(gear);
    }
    wheel_before = wheel;
    hinge_before = turns;
  }
  constexpr float kCrank = 0.7f, kRod = 2.0f;
  const Vec3 pin = at + Vec3{0, -kCrank, 0.3f};
  const Vec3 head = pin - Vec3{0, kRod, 0};
  const BodyId rod = make.Moving(Shape::Box({0.06f, 0.5f * kRod, 0.06f}),
                                 pin - Vec3{0, 0.5f * kRod, 0}, {}, 800.0f);
  const BodyId block = make.Moving(Shape::Box({0.2f, 0.15f, 0.15f}), head, {}, 800.0f);
  make.Join(wheel_before, rod, pin, HingeJoint{}, kAboutZ);
  make.Join(rod, block, head, HingeJoint{}, kAboutZ);
  make.Join(frame, block, head, SliderJoint{}, kUpright);
  const float high = kGearHeight + 3.0f, rope = high - head.y;
  const Vec3 load_at{head.x + 3.0f, 2.0f, head.z};
  const BodyId load = make.Moving(Shape::Box({0.4f, 0.4f, 0.4f}), load_at, {}, 400.0f);
  JointDef pulley;
  pulley.a = block;
  pulley.b = load;
  pulley.frame_b.position = {0, 0.4f, 0};
  pulley.kind = PulleyJoint{{head.x, high, head.z},
                            {load_at.x, high, load_at.z},
                            1.0f,
                            {0.0f, rope + (high - load_at.y - 0.4f)}};
  make.Joint(pulley);
  return load;
}

BodyId AddCar(Maker& make, Vec3 middle) {
  constexpr float kHeight = 0.75f, kWheel = 0.35f;
  const Vec3 at = middle + Vec3{0, kHeight, 10.0f};  // on its circle, which it leaves along x
  const BodyId car = make.Moving(Shape::Box({1.0f, 0.2f, 0.5f}), at, {}, 300.0f);
  for (const float x : {-0.9f, 0.9f}) {
    for (const float z : {-0.7f, 0.7f}) {
      const Vec3 place{at.x + x, kWheel, at.z + z};
      const Quat way = x > 0.0f ? kSteered : Quat{};
      const BodyId wheel =
          make.Moving(Shape::Cylinder(0.12f, kWheel), place, Normalise(way * kLying), 500.0f);
      const JointAxis strut{
          .motion = AxisMotion::kLimited,
          .limits = {-0.25f, 0.2f},
          .motor =
              AxisMotor{.most = 1e4f, .to = JointSpring{.hertz = 2.0f, .damping_ratio = 0.5f}}};
      const JointAxis drive{.motion = AxisMotion::kFree,
                            .motor = AxisMotor{.speed = -10.0f, .most = 60.0f}};
      make.Join(car, wheel, place,
                SixDofJoint{.linear = {JointAxis{}, strut, JointAxis{}},
                            .angular = {JointAxis{}, JointAxis{}, drive}},
                way);
    }
  }
  return car;
}

}  // namespace

std::vector<BodyDef> GroundForGears(std::uint32_t cars) {
  BodyDef floor;
  floor.type = BodyType::kStatic;
  floor.shape = Shape::Plane({0, 1, 0}, 0.0f);
  floor.friction = 0.9f;
  BodyDef wall = floor;
  wall.shape = Shape::Box({4.5f, 4.0f, 0.2f});
  wall.position = {-9, 4, -1};
  std::vector<BodyDef> defs = {floor, wall};
  for (std::uint32_t car = 0; car < cars; ++car) {
    for (const float x : {-1.0f, 1.0f}) {
      BodyDef bump = floor;
      bump.shape = Shape::Box({0.5f, 0.06f, 12.0f});
      bump.position = MiddleOf(car) + Vec3{5.0f * x, 0.0f, 0};
      defs.push_back(bump);
    }
  }
  return defs;
}

Result<GearsScene> AddGears(World& world, std::uint32_t cars) {
  Maker make(world);
  GearsScene scene;
  scene.load = AddTrain(make);
  for (std::uint32_t car = 0; car < cars; ++car) {
    scene.cars.push_back(AddCar(make, MiddleOf(car)));
  }
  if (!make.done()) return std::unexpected(make.done().error());
  return scene;
}

}  // namespace nowait
