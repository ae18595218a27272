#include "src/collision/clipped_face.h"

namespace nowait {

ClippedFace::ClippedFace(const SupportingFace& face, std::uint32_t planes)
    : planes_(planes), is_closed_(!face.is_line()), count_(face.count) {
  for (std::uint32_t i = 0; i < count_; ++i) corners_[i] = {face.corners[i], i, i};
}

void ClippedFace::Clip(Vec3 normal, float offset, std::uint32_t plane) {
  constexpr std::uint32_t kStart = SupportingFace::kMaxCorners;
  const std::array<Corner, kMaxCorners> before = corners_;
  const std::uint32_t count = count_;
  count_ = 0;
  // Rounding can make a needle cross a plane more often than a convex polygon may; a corner without
  // room lies within rounding of corners that are kept.
  const auto keep = [&](const Corner& corner) {
    if (count_ < kMaxCorners) corners_[count_++] = corner;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const Corner& from = before[i];
    const float from_distance = Dot(normal, from.position) - offset;
    const bool from_inside = from_distance <= 0.0f;
    if (from_inside) keep(from);
    if (i + 1 == count && !is_closed_) break;
    const Corner& to = before[i + 1 == count ? 0 : i + 1];
    const float to_distance = Dot(normal, to.position) - offset;
    if (from_inside == (to_distance <= 0.0f)) continue;
    const float t = from_distance / (from_distance - to_distance);
    keep({from.position + (to.position - from.position) * t, kStart + planes_ * from.edge + plane,
          from_inside ? kStart + plane : from.edge});
  }
}

}  // namespace nowait
