#include "tests/whole/numbers/number_program.h"

#include <cmath>

#include "src/math/random.h"

namespace nowait::number_programs {
namespace {

constexpr float kLargest = 3.4e38f;

// An accepted range. Those that begin at zero have a smallest value above it, too.
struct Range {
  float smallest;
  float usual;
  float largest;
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed)
      : random_(seed), rules_(~seed), wild_(seed % 3 == 0 ? 2u : 8u) {}

  NumberProgram Make(std::uint64_t seed) {
    NumberProgram program;
    program.seed = seed;
    program.world = World();
    scale_ = Between({1e-3f, 1.0f, 1e4f});
    // One body in five of another size: alone, equal sizes would hide what unequal masses do.
    middle_ = Chance(3) ? Place(1e6f) : Vec3{};
    if (Chance(2)) program.ground = Ground();
    const std::uint32_t bodies = 2 + random_.Below(Chance(8) ? 60u : 12u);
    for (std::uint32_t i = 0; i < bodies; ++i) program.bodies.push_back(Body());
    const std::uint32_t frames = 3 + random_.Below(30);
    for (std::uint32_t i = 0; i < frames; ++i) program.frames.push_back(FrameOf(program));
    return program;
  }

 private:
  bool Chance(std::uint32_t one_in) { return random_.Below(one_in) == 0; }

  CombineRule Rule() {
    return static_cast<CombineRule>(rules_.Below(2) == 0 ? 0 : rules_.Below(kCombineRules));
  }

  // Between its ends by the logarithm.
  float Between(Range r) {
    const float low = r.smallest > 0.0f ? r.smallest : 1e-6f;
    const float exponent = random_.Between(std::log2(low), std::log2(r.largest));
    return std::fmin(std::fmax(std::exp2(exponent), low), r.largest);
  }

  // Mostly what is usual; in a wild program mostly not.
  float Pick(Range r) {
    if (!Chance(wild_)) return r.usual;
    switch (random_.Below(4)) {
      case 0:
        return r.smallest;
      case 1:
        return r.largest;
      default:
        return Between(r);
    }
  }

  Vec3 Place(float size) { return random_.InBox({-size, -size, -size}, {size, size, size}); }
  Vec3 PickVector(float largest) {
    if (!Chance(wild_)) return {};
    Vec3 v = random_.Direction() * Pick({1e-3f, 1.0f, largest});
    if (Chance(3)) v = {0.0f, Chance(2) ? largest : -largest, 0.0f};
    if (Chance(4)) v = {largest, -largest, largest};
    return v;
  }

  WorldDef World() {
    WorldDef def;
    def.max_bodies = 128;
    def.max_contacts = Chance(20) ? 1 + random_.Below(8) : 4096;
    def.gravity = Chance(wild_) ? PickVector(1e4f) : Vec3{0.0f, -9.81f, 0.0f};
    def.rest.time = Pick({0.0f, 0.5f, 1e6f});
    def.rest.linear_speed = Pick({0.0f, 0.05f, 1e3f});
    def.rest.angular_speed = Pick({0.0f, 0.1f, 1e3f});
    SolverDef& solver = def.solver;
    solver.substeps = Chance(wild_) ? (Chance(2) ? 1u : 64u) : 4u;
    solver.contact_hertz = Pick({1.0f, 30.0f, 1e4f});
    solver.contact_damping_ratio = Pick({0.1f, 10.0f, 1e3f});
    solver.max_push_speed = Pick({0.0f, 3.0f, 1e3f});
    solver.slop = Pick({0.0f, 0.002f, 1.0f});
    solver.restitution_threshold = Pick({0.0f, 1.0f, 1e3f});
    solver.max_linear_speed = Pick({1.0f, 500.0f, 1e4f});
    solver.max_angular_speed = Pick({1.0f, 100.0f, 1e4f});
    return def;
  }

  float Size() { return Chance(5) ? Pick({1e-3f, scale_, 1e4f}) : scale_; }

  BodyDef Body() {
    BodyDef def;
    const float size = Size();
    const Range half{1e-3f, size, 1e4f};
    if (Chance(3)) {
      def.shape = Shape::Sphere(size);
    } else if (Chance(3)) {
      const float half_height = Pick(half);
      const float radius = Pick(half);
      def.shape =
          Chance(2) ? Shape::Cylinder(half_height, radius) : Shape::Capsule(half_height, radius);
    } else {
      const float x = Pick(half), y = Pick(half);
      def.shape = Shape::Box({x, y, Pick(half)});
    }
    if (Chance(8)) def.type = BodyType::kStatic;
    def.position = middle_ + Place(2.0f * scale_);
    if (Chance(12)) def.position = middle_;
    if (!Chance(3)) def.rotation = random_.Rotation();
    def.linear_velocity = PickVector(1e4f);
    def.angular_velocity = PickVector(1e4f);
    def.density = Pick({0.01f, 1000.0f, 1e6f});
    def.friction = Pick({0.0f, 0.5f, 100.0f});
    def.restitution = Pick({0.0f, 0.0f, 1.0f});
    def.friction_rule = Rule();
    def.restitution_rule = Rule();
    def.rolling_resistance = Pick({0.0f, 0.0f, 100.0f});
    def.linear_damping = Pick({0.0f, 0.0f, 1e4f});
    def.angular_damping = Pick({0.0f, 0.05f, 1e4f});
    def.gravity_scale = Chance(wild_) ? (Chance(2) ? 1e3f : -1e3f) : 1.0f;
    def.asleep = Chance(10);
    def.may_sleep = !Chance(10);
    if (Chance(2)) def.continuous = Chance(3) ? Continuous::kOff : Continuous::kAll;
    def.position = Clamped(def.position);
    return def;
  }

  static Vec3 Clamped(Vec3 p) { return Max({-1e6f, -1e6f, -1e6f}, Min(p, {1e6f, 1e6f, 1e6f})); }

  GroundDef Ground() {
    GroundDef ground;
    ground.samples = 2 + random_.Below(30);
    ground.spacing = Chance(3) ? Pick({1e-3f, scale_, 1e4f}) : scale_;
    ground.height = Chance(3) ? Pick({0.0f, scale_, 1e6f}) : 0.3f * scale_;
    const float half = 0.5f * ground.spacing * static_cast<float>(ground.samples);
    ground.position = Clamped(middle_ - Vec3{half, scale_, half});
    ground.seed = random_.Next();
    ground.has_holes = ground.samples > 2 && rules_.Below(3) == 0;
    return ground;
  }

  Change ChangeOf(const NumberProgram& program) {
    Change change;
    change.kind = static_cast<Change::Kind>(random_.Below(4));
    change.body = random_.Below(static_cast<std::uint32_t>(program.bodies.size()));
    change.linear = change.kind == Change::Kind::kMove ? Clamped(middle_ + Place(2.0f * scale_))
                                                       : PickVector(1e4f);
    change.angular = PickVector(1e4f);
    return change;
  }

  RayCast Ray() {
    const Vec3 target = middle_ + Place(scale_);
    const float length = Pick({1e-30f, 10.0f * scale_, kLargest});
    if (Chance(3)) {  // along an axis, through the middle of the bodies
      Vec3 way;
      way.Set(static_cast<int>(random_.Below(3)), length);
      return {target - way * 0.5f, way};
    }
    const Vec3 way = random_.Direction() * length;
    return {target - way * random_.Unit(), way};
  }

  Bounds<3> Box() {
    const float size = Pick({1e-3f, scale_, kLargest});
    const Vec3 half{size, Chance(2) ? size : scale_, size};
    return ToBounds(middle_ - half, middle_ + half);
  }

  Frame FrameOf(const NumberProgram& program) {
    Frame frame;
    if (Chance(4)) {
      for (std::uint32_t i = 1 + random_.Below(3); i > 0; --i) {
        frame.changes.push_back(ChangeOf(program));
      }
    }
    frame.dt = Pick({1e-45f, 1.0f / 60.0f, 10.0f});
    frame.steps = Chance(wild_) ? (Chance(2) ? 2u : 16u) : 1u;
    if (Chance(4)) frame.rays.push_back(Ray());
    if (Chance(8)) frame.boxes.push_back(Box());
    return frame;
  }

  Random random_;
  Random rules_;        // its own, for rules and holes, so that a seed's other numbers stay
  std::uint32_t wild_;  // one number in so many is not the usual one
  float scale_ = 1.0f;  // the usual size
  Vec3 middle_;         // of the bodies
};

}  // namespace

NumberProgram MakeProgram(std::uint64_t seed) { return Maker(seed).Make(seed); }

}  // namespace nowait::number_programs
