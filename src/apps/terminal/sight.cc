#include "src/apps/terminal/sight.h"

#include <algorithm>

#include "src/bodies/body_def.h"

namespace nowait {
namespace {

// Of length one, to the light.
constexpr Vec3 kLight{0.424f, 0.8f, 0.424f};
constexpr float kWithoutLight = 0.25f;

Pixel::Kind KindOf(const BodySnapshot& body) {
  if (body.type == BodyType::kStatic) return Pixel::Kind::kGround;
  if (body.type == BodyType::kKinematic) return Pixel::Kind::kMover;
  return body.asleep ? Pixel::Kind::kAsleep : Pixel::Kind::kAwake;
}

}  // namespace

Sight::Sight(const World& world, Vec3 eye) : world_(world), view_(world.Read()) {
  view_.FindAt(eye, filter_, around_eye_, wait_);
  if (!around_eye_.empty()) {
    filter_.accept = [this](const BodySnapshot& body) {
      return std::ranges::find(around_eye_, body.id, &BodyAt::body) == around_eye_.end();
    };
  }
  movable_ = filter_;
  movable_.statics = false;
}

Pixel Sight::Look(const RayCast& ray) {
  const auto hit = view_.CastRay(ray, filter_, wait_);
  return hit ? PixelOf(*hit, ray.translation) : Pixel();
}

Pixel Sight::LookThrough(const RayCast& ray) {
  view_.CollectHits(ray, movable_, hits_, wait_, Pixel::kBrightest);
  return {.kind = Pixel::Kind::kThrough, .brightness = static_cast<std::uint8_t>(hits_.size())};
}

BodyId Sight::FindMovable(const RayCast& ray) {
  const auto hit = view_.CastRay(ray, filter_, wait_);
  if (!hit) return {};
  const auto body = world_.GetBody(hit->body, wait_);
  return body && body->type == BodyType::kDynamic ? hit->body : BodyId();
}

Pixel Sight::PixelOf(const RayHit& hit, Vec3 way) {
  if (hit.body != last_) {
    const auto body = world_.GetBody(hit.body, wait_);
    if (!body) return {};  // it has just gone
    last_ = hit.body;
    const std::uint32_t island =
        body->island == BodySnapshot::kNoIsland ? hit.body.slot() : body->island;
    last_pixel_ = {.kind = KindOf(*body), .hue = static_cast<std::uint8_t>(island % Pixel::kHues)};
  }
  Pixel pixel = last_pixel_;
  // A surface that is seen from behind has its other side in the light.
  const Vec3 normal = Dot(hit.normal, way) > 0.0f ? -hit.normal : hit.normal;
  const float light = kWithoutLight + (1.0f - kWithoutLight) * std::max(0.0f, Dot(normal, kLight));
  pixel.brightness = static_cast<std::uint8_t>(light * Pixel::kBrightest + 0.5f);
  return pixel;
}

}  // namespace nowait
