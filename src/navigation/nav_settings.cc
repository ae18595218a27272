#include "src/navigation/nav_settings.h"

#include <algorithm>
#include <cmath>

namespace nowait {
namespace {

constexpr float kTallest = 1e6f;       // metres: bodies lie within this of the origin
constexpr float kMaxVoxelRadius = 60;  // Recast counts distances from an edge in bytes

bool IsWithin(float value, float low, float high) { return low <= value && value <= high; }

std::unexpected<Error> Bad(const char* field, const char* range) {
  return Fail(ErrorCode::kInvalidArgument, field, 0, range);
}

}  // namespace

Result<void> Validate(const NavSettings& settings) {
  const NavSettings& s = settings;
  if (!IsWithin(s.agent_radius, 0.05f, 8.0f)) return Bad("agent radius", "0.05 .. 8 metres");
  if (!IsWithin(s.agent_height, 0.2f, 20.0f)) return Bad("agent height", "0.2 .. 20 metres");
  if (!(s.max_climb > 0.0f && s.max_climb < s.agent_height)) {
    return Bad("max climb", "above zero, below the agent's height");
  }
  if (!(s.max_slope > 0.0f && s.max_slope <= 10.0f)) {
    return Bad("max slope", "above zero, at most 10 metres in a metre");
  }
  const float side = kNavCellSide / s.voxel;
  if (!IsWithin(side, 16.0f - 1e-3f, 256.0f + 1e-3f) || std::abs(side - std::round(side)) > 1e-3f) {
    return Bad("voxel", "a cell of 12.8 metres has a whole number of them, 16 .. 256");
  }
  if (s.agent_radius > kMaxVoxelRadius * s.voxel) {
    return Bad("voxel", "the agent's radius has at most 60");
  }
  if (!IsWithin(s.voxel_height, 0.02f, s.max_climb)) {
    return Bad("voxel height", "0.02 metres .. the climb");
  }
  if (s.agent_height > 250.0f * s.voxel_height) {
    return Bad("voxel height", "the agent's height has at most 250");
  }
  return {};
}

// The distance that polygons keep from obstacles has to be a radius at least, so that the agent can
// walk along their edges. Two errors are added to it. Recast measures by steps to the eight
// neighbours, which it counts as 2 and 3: a step along an axis and a diagonal one are 4.47 of its
// halves of a voxel long, and it takes them for 5. And the edges of polygons are moved by up to
// kEdgeError when their corners are left out.
NavVoxels VoxelsOf(const NavSettings& settings) {
  constexpr float kLongest = 1.12f;  // 5 / sqrt(20)
  NavVoxels voxels;
  voxels.side = static_cast<std::int32_t>(std::round(kNavCellSide / settings.voxel));
  voxels.clearance = static_cast<std::int32_t>(
      std::ceil(kLongest * settings.agent_radius / settings.voxel + NavVoxels::kEdgeError));
  voxels.border = voxels.clearance + 3;
  voxels.height =
      static_cast<std::int32_t>(std::ceil(settings.agent_height / settings.voxel_height));
  voxels.climb = static_cast<std::int32_t>(std::floor(settings.max_climb / settings.voxel_height));
  return voxels;
}

bool IsInNavReach(Vec3 place) {
  return IsFinite(place) && -kNavReach <= place.x && place.x < kNavReach && -kNavReach <= place.z &&
         place.z < kNavReach;
}

NavCellId NavCellAt(Vec3 place) {
  return {static_cast<std::int32_t>(std::floor(place.x / kNavCellSide)),
          static_cast<std::int32_t>(std::floor(place.z / kNavCellSide))};
}

bool IsInReach(NavCellId cell) {
  constexpr auto kEnd = static_cast<std::int32_t>(kNavReach / kNavCellSide);
  return -kEnd <= cell.x && cell.x < kEnd && -kEnd <= cell.z && cell.z < kEnd;
}

Bounds<3> BoundsOf(NavCellId cell) {
  const float x = static_cast<float>(cell.x) * kNavCellSide;
  const float z = static_cast<float>(cell.z) * kNavCellSide;
  return {{x, -kTallest, z}, {x + kNavCellSide, kTallest, z + kNavCellSide}};
}

float DistanceTo(NavCellId cell, Vec3 place) {
  const Bounds<3> box = BoundsOf(cell);
  const float x = place.x - std::clamp(place.x, box.min[0], box.max[0]);
  const float z = place.z - std::clamp(place.z, box.min[2], box.max[2]);
  return std::sqrt(x * x + z * z);
}

}  // namespace nowait
