// IslandTimes: how long one thread works on the islands of a step, found in either of two ways.
//
//   a flood fill     as engines did before: the thread walks from body to body along the contacts
//   linked sets      the thread lists the sets that the jobs of the narrow phase have linked
//
// Both get the awake bodies and the contacts of the last update, which are copied from the world.
// The copy and the links take time as well, and are left out.
//
// Thread safety: one thread, behind the physics update. Complexity: O(bodies + contacts).
// Source: [rouwe2022], "Island building".
#ifndef NOWAIT_SRC_APPS_OPENWORLD_ISLAND_TIMES_H_
#define NOWAIT_SRC_APPS_OPENWORLD_ISLAND_TIMES_H_

#include <cstdint>
#include <vector>

#include "src/bodies/body_snapshot.h"
#include "src/islands/finalise.h"
#include "src/islands/flood_fill.h"
#include "src/islands/union_find.h"
#include "src/world/link_snapshot.h"
#include "src/world/world.h"

namespace nowait {

class IslandTimes {
 public:
  // max_bodies: of the world.
  explicit IslandTimes(std::uint32_t max_bodies) : sets_(max_bodies) {}

  // Nanoseconds, for one step.
  std::uint64_t OfFloodFill(const World& world);
  std::uint64_t OfLinkedSets(const World& world);

 private:
  void Copy(const World& world);

  UnionFind<> sets_;
  IslandBuilder builder_;
  FloodFill fill_;
  LinkSnapshot links_;
  std::vector<BodySnapshot> bodies_;
  std::vector<std::uint32_t> numbers_;  // of awake bodies, by slot
  std::vector<std::uint32_t> awake_;    // 0, 1, ... as many as they are
  std::vector<FloodFill::Pair> contacts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_ISLAND_TIMES_H_
