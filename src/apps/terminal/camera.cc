#include "src/apps/terminal/camera.h"

#include <algorithm>
#include <cmath>

namespace nowait {
namespace {

constexpr float kHalfAngle = 0.5f;      // the tangent of half of the vertical angle of view
constexpr float kWiderThanHigh = 1.6f;  // a picture, mostly
constexpr float kLowest = -0.2f;        // radians
constexpr float kHighest = 1.5f;
constexpr float kNearest = 0.5f;  // metres
constexpr float kFarthest = 2000.0f;
constexpr float kSight = 2.0f * kFarthest;

}  // namespace

Camera::Camera(const Bounds<3>& bounds) {
  const Vec3 low = MinOf(bounds);
  const Vec3 high = MaxOf(bounds);
  place_ = 0.5f * (low + high);
  // Seen from above, what is far away is higher in the picture, too.
  const float width = Length(Multiply(high - low, {1.0f, 0.0f, 1.0f}));
  const float height = std::cos(up_) * (high.y - low.y) + std::sin(up_) * width;
  const float half = 0.5f * std::max(height, width / kWiderThanHigh);
  distance_ = std::clamp(0.5f * width + half / kHalfAngle, kNearest, kFarthest);
}

void Camera::Turn(float around, float up) {
  around_ += around;
  up_ = std::clamp(up_ + up, kLowest, kHighest);
}

void Camera::Approach(float factor) {
  distance_ = std::clamp(distance_ * factor, kNearest, kFarthest);
}

Vec3 Camera::outward() const {
  return {std::cos(up_) * std::sin(around_), std::sin(up_), std::cos(up_) * std::cos(around_)};
}

Vec3 Camera::eye() const { return place_ + distance_ * outward(); }

RayCast Camera::RayThrough(std::uint32_t column, std::uint32_t line, PictureSize size) const {
  const Vec3 ahead = direction();
  const Vec3 right{-ahead.z, 0.0f, ahead.x};  // `up_` stays away from straight up
  const Vec3 aside = NormaliseOr(right, {1.0f, 0.0f, 0.0f});
  const Vec3 upward = Cross(aside, ahead);
  const float half = 0.5f * static_cast<float>(size.lines);
  const float x =
      (static_cast<float>(column) + 0.5f - 0.5f * static_cast<float>(size.columns)) / half;
  const float y = (half - static_cast<float>(line) - 0.5f) / half;
  const Vec3 way = ahead + kHalfAngle * (x * aside + y * upward);
  return {eye(), kSight * NormaliseOr(way, ahead)};
}

}  // namespace nowait
