#include "src/islands/finalise.h"

#include <numeric>

namespace nowait {

void IslandBuilder::PlaceMembers(std::span<const std::uint32_t> elements) {
  islands_.starts.resize(sizes_.size() + 1);
  islands_.starts[0] = 0;
  std::partial_sum(sizes_.begin(), sizes_.end(), islands_.starts.begin() + 1);
  std::vector<std::uint32_t>& next = sizes_;
  next.assign(islands_.starts.begin(), islands_.starts.end() - 1);
  islands_.members.resize(elements.size());
  for (const std::uint32_t i : elements) islands_.members[next[islands_.island_of[i]]++] = i;
}

}  // namespace nowait
