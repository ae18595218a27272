#include "src/character/capsule_mover.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/base/assert.h"

namespace nowait {
namespace {

constexpr float kNoWay = 1e-6f;  // metres

// How far in front of an edge, and from how high above it, a ray looks for the step behind it.
constexpr float kBehindEdge = 0.02f;
constexpr float kAboveEdge = 0.05f;

// Two ways out whose cosine is below this are opposed.
constexpr float kOpposed = -0.95f;

// A normal that points down by more than this is a ceiling's.
constexpr float kCeiling = -0.3f;

}  // namespace

QueryFilter CapsuleMover::Filter() const {
  QueryFilter filter;
  filter.ignore = def_.body;
  filter.layers = def_.layers;
  return filter;
}

PlacedShape CapsuleMover::Capsule() const {
  return {Shape::Capsule(def_.half_height, def_.radius), position_, {}};
}

void CapsuleMover::Go(Vec3 way) {
  constexpr Vec3 kFarthest{1e6f, 1e6f, 1e6f};
  position_ = Max(Min(position_ + way, kFarthest), -kFarthest);
}

std::optional<CapsuleMover::Hit> CapsuleMover::Advance(Vec3 way) {
  const float length = Length(way);
  if (!(length > kNoWay)) return std::nullopt;
  const Vec3 direction = way * (1.0f / length);
  // Beyond the end by the skin: what is there is too near at the end.
  ++queries_;
  const auto cast =
      around_.view.CastShape(Capsule(), direction * (length + kSkin), Filter(), around_.wait);
  NOWAIT_ASSERT(cast, "a definition was checked, and a character stays where bodies may be");
  if (!cast || !*cast) {
    Go(way);
    return std::nullopt;
  }
  const RayHit& hit = **cast;
  const float at = hit.fraction * (length + kSkin);
  // The skin is measured along the normal; a way that only grazes keeps a longer distance.
  const float towards = std::max(-Dot(direction, hit.normal), 0.1f);
  const float travelled = std::clamp(at - kSkin / towards, 0.0f, length);
  Go(direction * travelled);
  return Hit{hit.body, travelled, hit.point, hit.normal};
}

CapsuleMover::SlideResult CapsuleMover::Slide(Vec3 way, bool steep_is_wall, float dt) {
  SlideResult result;
  const Vec3 velocity = way * (1.0f / dt);
  std::array<Vec3, kSlides> planes;
  Vec3 left = way;
  for (std::size_t count = 0; count < planes.size(); ++count) {
    const float length = Length(left);
    const auto hit = Advance(left);
    if (!hit) break;
    left = left * (1.0f - hit->travelled / length);
    Push(*hit, velocity, dt);
    Vec3 normal = hit->normal;
    if (normal.y < kCeiling) {
      result.ceiling = true;
    } else if (!IsGentle(normal)) {
      if (!result.wall) result.wall = {position_, left, normal};
      const Vec3 level{normal.x, 0.0f, normal.z};
      const float level_length = Length(level);
      if (steep_is_wall && level_length > 0.0f) normal = level * (1.0f / level_length);
    }
    planes[count] = normal;
    // Along the plane; if that leads into one that was met before, along the crease of both; if
    // that leads into a third one, no way is left.
    Vec3 along = left - normal * std::min(Dot(left, normal), 0.0f);
    for (std::size_t i = 0; i < count; ++i) {
      if (Dot(along, planes[i]) >= -kNoWay) continue;
      const Vec3 crease = Cross(planes[i], normal);
      const float squared = LengthSquared(crease);
      along = squared > kNoWay ? crease * (Dot(left, crease) / squared) : Vec3{};
      for (std::size_t j = 0; j < count; ++j) {
        if (Dot(along, planes[j]) < -kNoWay) along = {};
      }
      break;
    }
    left = along;
    if (!(Dot(left, way) > 0.0f)) break;  // back is no way to slide
  }
  return result;
}

void CapsuleMover::Recover(float dt) {
  Vec3 last_out;
  float still_deep = 0.0f;  // in the body that it left last
  for (int i = 0; i < kRecoveries; ++i) {
    ++queries_;
    const auto closest = around_.view.FindClosest(Capsule(), kSkin, Filter(), around_.wait);
    NOWAIT_ASSERT(closest, "a definition was checked, and a character stays where bodies may be");
    if (!closest || !*closest) return;
    const ClosestBody& near = **closest;
    if (near.distance >= 0.5f * kSkin) return;
    const Vec3 out = -near.normal;
    const float deep = kSkin - near.distance;
    const bool is_squeezed = Dot(out, last_out) < kOpposed;
    // Not farther at once than half its width, so that it does not leave on another side.
    const float by = is_squeezed ? std::max(0.5f * (deep - still_deep), 0.0f) : deep;
    const float gone = std::min(by, def_.radius);
    Go(out * gone);
    last_out = out;
    still_deep = deep - gone;
    if (near.distance < 0.0f) Push({near.body, 0.0f, near.on_body, out}, {}, dt);
    // Between two bodies without room for it, it stays as deep in the one as in the other. Pushed
    // out of each in turn it would jump to and fro.
    if (is_squeezed) return;
  }
}

bool CapsuleMover::IsGround(const Hit& hit) {
  if (IsGentle(hit.normal)) return true;
  const float feet = position_.y - def_.half_height - def_.radius;
  if (hit.normal.y < 0.0f || hit.point.y > feet + def_.step_height) return false;
  const Vec3 level{hit.normal.x, 0.0f, hit.normal.z};
  const float length = Length(level);
  if (!(length > 0.0f)) return false;
  const Vec3 from = hit.point - level * (kBehindEdge / length) + Vec3{0.0f, kAboveEdge, 0.0f};
  ++queries_;
  const auto step =
      around_.view.CastRay({from, {0.0f, -2.0f * kAboveEdge, 0.0f}}, Filter(), around_.wait);
  return step && step->fraction > 0.0f && IsGentle(step->normal);
}

std::optional<BodySnapshot> CapsuleMover::Look(BodyId body) {
  ++queries_;
  const auto snapshot = around_.world.GetBody(body, around_.wait);
  if (!snapshot) return std::nullopt;
  return *snapshot;
}

void CapsuleMover::Push(const Hit& hit, Vec3 velocity, float dt) {
  const auto body = Look(hit.body);
  if (!body || body->type != BodyType::kDynamic) return;
  const Vec3 of_body =
      body->linear_velocity + Cross(body->angular_velocity, hit.point - body->position);
  const float approach = Dot(of_body - velocity, hit.normal);
  if (!(approach > 0.0f)) return;
  // The impulse after which two free bodies go on together.
  const float shared = approach / (body->inverse_mass + 1.0f / def_.mass);
  pushes_.push_back({hit.body, hit.normal * -std::min(shared, def_.most_force * dt), hit.point});
}

}  // namespace nowait
