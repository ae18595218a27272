#include "src/apps/openworld/arrows.h"

#include <algorithm>
#include <cmath>

#include "src/bodies/body_snapshot.h"
#include "src/bodies/shape.h"
#include "src/streaming/residency.h"

namespace nowait {
namespace {

// 450 m on level ground, at 45 degrees, without the air's resistance.
constexpr float kSpeed = 66.5f;                        // metres a second
constexpr float kFlattest = -0.05f, kSteepest = 1.0f;  // metres up in a metre
constexpr float kRadius = 0.02f;                       // metres
constexpr float kHalfLength = 0.35f;
constexpr float kAhead = 1.6f;      // metres from the eyes: outside of the archer's body
constexpr float kDensity = 700.0f;  // wood
constexpr float kMass =
    kDensity * 3.14159265f * kRadius * kRadius * (2 * kHalfLength + 4.0f / 3 * kRadius);
constexpr Vec3 kWind = {0.4f * kMass, 0, 0.3f * kMass};  // newton, of a light wind
constexpr float kDigsIn = 4.0f;            // damping a second, of an arrow that has met something
constexpr std::uint64_t kLiesFor = 90;     // frames, until it is taken away
constexpr float kHighest = 4000.0f;        // metres: no ground is above
constexpr float kLowest = -200.0f;         // metres: nor below
constexpr float kBelow = 2 * kHalfLength;  // metres: its middle, where it lies across a crack

// The shortest rotation of the axis y to `to`, of length one.
Quat FromUp(Vec3 to) {
  if (to.y < -0.999f) return {1, 0, 0, 0};
  return Normalise(Quat{to.z, 0.0f, -to.x, 1.0f + to.y});
}

float OverGround(Vec3 way) { return std::sqrt(way.x * way.x + way.z * way.z); }

}  // namespace

Result<void> Arrows::Shoot(std::uint64_t frame, Vec3 eyes) {
  if (arrows_.size() == kMost) return {};
  const Vec3 level = random_.Direction();
  const Vec3 flat = NormaliseOr({level.x, 0, level.z}, {1, 0, 0});
  const Vec3 way = NormaliseOr(flat + Vec3{0, random_.Between(kFlattest, kSteepest), 0}, {0, 1, 0});
  BodyDef def;
  def.shape = Shape::Capsule(kHalfLength, kRadius);
  def.position = eyes + kAhead * way;
  def.rotation = FromUp(way);
  def.linear_velocity = kSpeed * way;
  def.density = kDensity;
  def.angular_damping = 2.0f;
  def.continuous = continuous_;
  const auto body = world_.CreateBody(def, counts_.wait);
  if (!body && body.error().code == ErrorCode::kCapacity) return {};
  if (!body) return std::unexpected(body.error());
  arrows_.push_back({.body = *body, .start = def.position, .place = def.position, .frame = frame});
  ++counts_.shot;
  return {};
}

void Arrows::Follow(std::uint64_t frame, Vec3 player) {
  for (Arrow& arrow : arrows_) Look(arrow, frame, player);
  std::erase_if(arrows_, [](const Arrow& arrow) { return arrow.over; });
}

void Arrows::Look(Arrow& arrow, std::uint64_t frame, Vec3 player) {
  const auto body = world_.GetBody(arrow.body, counts_.wait);
  if (!body) {
    arrow.over = true;
    if (arrow.flies) ++counts_.lost;
    return;
  }
  arrow.place = body->position;
  if (arrow.flies) {
    if (const BodyId met = Met(arrow.body); met != BodyId()) Land(arrow, met, frame);
    // Neither can fail: it is there, and dynamic.
    if (arrow.flies)
      static_cast<void>(world_.ApplyForce(arrow.body, kWind, arrow.place, {}, counts_.wait));
  }
  const bool in_reach = OverGround(arrow.place - player) <= Residency::kGuarantee;
  if (arrow.flies && !in_reach) ++counts_.out_of_reach;
  arrow.over = !in_reach || (!arrow.flies && frame >= arrow.frame + kLiesFor);
  if (in_reach) CheckGround(arrow);
  // It cannot be gone: it was there above.
  if (arrow.over) static_cast<void>(world_.DestroyBody(arrow.body, counts_.wait));
}

BodyId Arrows::Met(BodyId arrow) const {
  for (const ContactEvent& event : world_.contact_events()) {
    if (event.kind != ContactEvent::Kind::kBegan) continue;
    if (event.a == arrow) return event.b;
    if (event.b == arrow) return event.a;
  }
  return BodyId();
}

void Arrows::Land(Arrow& arrow, BodyId at, std::uint64_t frame) {
  arrow.flies = false;
  arrow.frame = frame;
  counts_.farthest = std::max(counts_.farthest, OverGround(arrow.place - arrow.start));
  const auto other = world_.GetBody(at, counts_.wait);
  const bool is_static = other && other->type == BodyType::kStatic;
  ++(is_static ? counts_.met_statics : counts_.met_bodies);
  static_cast<void>(world_.SetProperties(arrow.body, {.linear_damping = kDigsIn}, counts_.wait));
}

void Arrows::CheckGround(Arrow& arrow) {
  const auto is_ground = [](const BodySnapshot& body) {
    return body.shape.kind == ShapeKind::kHeightField;
  };
  const auto ground = world_.CastRay(
      {{arrow.place.x, kHighest, arrow.place.z}, {0, kLowest - kHighest, 0}},
      {.dynamics = false, .layers = {Layer::kStatic}, .accept = is_ground}, counts_.wait);
  if (!ground) {
    if (arrow.flies) ++counts_.over_nothing;
    return;
  }
  if (arrow.place.y > ground->point.y - kBelow) return;
  ++counts_.below_ground;
  arrow.over = true;
}

std::size_t Arrows::flying() const {
  return static_cast<std::size_t>(
      std::count_if(arrows_.begin(), arrows_.end(), [](const Arrow& a) { return a.flies; }));
}

}  // namespace nowait
