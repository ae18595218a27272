// CrowdMap: how many horses stand in each square of the field, counted by a task beside the frame.
//
//   map.Place(i, place);                                    // each horse, from any thread
//   const auto counted = pool.Add({.work = map.Counting()});
//   if (!counted) return std::unexpected(counted.error());
//   const ScriptQuestion crowd{"crowd", *counted, &CrowdMap::At, &map};
//
// Thread safety: Place from any thread, one for each horse; then the task; then At from any thread.
// Complexity: the task is linear in horses and squares, the rest O(1). No allocation.
#ifndef NOWAIT_SRC_APPS_GAME_CROWD_MAP_H_
#define NOWAIT_SRC_APPS_GAME_CROWD_MAP_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "src/jobs/job.h"
#include "src/math/vec3.h"

namespace nowait {

class CrowdMap {
 public:
  static constexpr float kSquare = 8.0f;  // metres

  // reach: metres from the middle of the field to its edges.
  CrowdMap(std::uint32_t horses, float reach)
      : side_(static_cast<std::int32_t>(2 * reach / kSquare) + 1),
        places_(horses),
        counts_(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_)) {}

  void Place(std::uint32_t horse, Vec3 place) { places_[horse] = place; }

  Job Counting() { return {&Count, this}; }

  // The horses in the square of `place`; beyond the edge, in the nearest one.
  static double At(const void* map, Vec3 place) noexcept {
    const auto& self = *static_cast<const CrowdMap*>(map);
    return self.counts_[self.SquareOf(place)];
  }

 private:
  static void Count(void* map) {
    auto& self = *static_cast<CrowdMap*>(map);
    std::ranges::fill(self.counts_, 0u);
    for (const Vec3 place : self.places_) ++self.counts_[self.SquareOf(place)];
  }
  std::size_t SquareOf(Vec3 place) const {
    // A script may put a horse anywhere: the bounds come before the conversion, and NaN is 0.
    const auto along = [this](float at) {
      const float square = at / kSquare + static_cast<float>(side_) / 2;
      const float last = static_cast<float>(side_ - 1);
      return static_cast<std::size_t>(square > 0 ? std::min(square, last) : 0.0f);
    };
    return along(place.z) * static_cast<std::size_t>(side_) + along(place.x);
  }

  const std::int32_t side_;  // squares
  std::vector<Vec3> places_;
  std::vector<std::uint32_t> counts_;  // row by row
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_GAME_CROWD_MAP_H_
