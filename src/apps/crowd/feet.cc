#include "src/apps/crowd/feet.h"

#include <algorithm>

namespace nowait {
namespace {

constexpr float kDeepest = 1'000.0f;  // metres: of a ray from the top of the ground

}  // namespace

Feet::Feet(const Skeleton& skeleton) : skeleton_(&skeleton) {
  const auto left = FindLeg(skeleton, "LeftUpLeg", "LeftLeg", "LeftFoot");
  const auto right = FindLeg(skeleton, "RightUpLeg", "RightLeg", "RightFoot");
  if (left && right) legs_ = {*left, *right};
}

bool Feet::Plant(const WorldView& ground, float top, Pose& local, Vec3& origin) const {
  if (!legs_) return false;
  std::array<Vec3, 2> feet;
  std::array<float, 2> heights;
  WaitTime wait;
  for (std::size_t i = 0; i < 2; ++i) {
    feet[i] = PlaceOf(*skeleton_, local, (*legs_)[i].foot);
    const RayCast down{{origin.x + feet[i].x, top, origin.z + feet[i].z}, {0.0f, -kDeepest, 0.0f}};
    const auto hit = ground.CastRay(down, {.dynamics = false}, wait);
    if (!hit) return false;
    heights[i] = hit->point.y;
  }
  origin.y = std::min(heights[0], heights[1]);
  const std::size_t higher = heights[0] > heights[1] ? 0 : 1;
  const float rise = heights[higher] - origin.y;
  if (!(rise > 0.0f)) return true;
  return MoveFoot(*skeleton_, (*legs_)[higher], feet[higher] + Vec3{0.0f, rise, 0.0f}, local);
}

}  // namespace nowait
