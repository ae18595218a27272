#include "src/animation/footfalls.h"

#include <algorithm>
#include <cstddef>

#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

// Of a bone in the character's frame.
Vec3 PlaceAt(const Motion& motion, std::uint16_t bone, std::uint32_t frame) {
  Vec3 place{};
  for (; bone != Skeleton::kNoParent; bone = motion.skeleton[bone].parent) {
    const CurveValue<4>& q = motion.rotations[bone][frame];
    Vec3 at = motion.skeleton[bone].rest;
    if (const auto& track = motion.positions[bone]; !track.empty()) {
      at = {track[frame][0], track[frame][1], track[frame][2]};
    }
    place = at + Rotate({q[0], q[1], q[2], q[3]}, place);
  }
  return place;
}

// Runs of `value` that are shorter than `shortest` frames, and have neighbours, become the other
// value.
void RemoveShort(std::vector<bool>& down, bool value, float shortest) {
  for (std::size_t begin = 0; begin < down.size();) {
    std::size_t end = begin;
    while (end < down.size() && down[end] == down[begin]) ++end;
    const bool inside = begin > 0 && end < down.size();
    if (inside && down[begin] == value && static_cast<float>(end - begin) < shortest) {
      for (std::size_t i = begin; i < end; ++i) down[i] = !value;
    }
    begin = end;
  }
}

}  // namespace

std::vector<std::uint16_t> FindFootfalls(const Motion& motion, std::uint16_t foot,
                                         const FootfallLimits& limits) {
  std::vector<Vec3> places;
  for (std::uint32_t f = 0; f < motion.frames; ++f) places.push_back(PlaceAt(motion, foot, f));
  float lowest = places[0].y;
  for (const Vec3& place : places) lowest = std::min(lowest, place.y);
  std::vector<bool> down(motion.frames);
  for (std::uint32_t f = 0; f < motion.frames; ++f) {
    // The step to the next frame; of the last frame, the one before.
    const std::uint32_t from = std::min(f, motion.frames - 2);
    const float speed = Length(places[from + 1] - places[from]) * motion.frame_rate;
    down[f] = places[f].y <= lowest + limits.height && speed <= limits.speed;
  }
  const float shortest = limits.shortest * motion.frame_rate;  // in frames, not whole ones
  RemoveShort(down, false, shortest);
  RemoveShort(down, true, shortest);
  std::vector<std::uint16_t> falls;
  for (std::uint32_t f = 1; f < motion.frames; ++f) {
    if (down[f] && !down[f - 1]) falls.push_back(static_cast<std::uint16_t>(f));
  }
  return falls;
}

}  // namespace nowait
