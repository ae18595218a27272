#include "src/islands/finalise.h"

#include <array>
#include <numeric>

namespace nowait {

// Two passes of a stable counting sort, the low digit first.
void IslandBuilder::SortByKey(std::span<const std::uint32_t> keys) {
  order_.resize(keys.size());
  sorted_.resize(keys.size());
  std::iota(order_.begin(), order_.end(), 0u);
  for (std::uint32_t shift = 0; shift < 2 * kDigitBits; shift += kDigitBits) {
    const auto digit = [&](std::uint32_t i) { return (keys[i] >> shift) & (kDigits - 1); };
    std::array<std::uint32_t, kDigits + 1> start{};
    for (const std::uint32_t i : order_) ++start[digit(i) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (const std::uint32_t i : order_) sorted_[start[digit(i)]++] = i;
    order_.swap(sorted_);
  }
}

// In order of key, the first member that is met gives its island the next number.
void IslandBuilder::NumberIslands(std::uint32_t count) {
  std::vector<std::uint32_t>& number_of_root = sorted_;
  number_of_root.assign(count, kUnnumbered);
  islands_.island_of.resize(count);
  islands_.starts.assign(1, 0);
  for (const std::uint32_t i : order_) {
    std::uint32_t& number = number_of_root[roots_[i]];
    if (number == kUnnumbered) {
      number = islands_.count();
      islands_.starts.push_back(0);
    }
    islands_.island_of[i] = number;
    ++islands_.starts[number + 1];  // the size for now
  }
  std::partial_sum(islands_.starts.begin(), islands_.starts.end(), islands_.starts.begin());
}

void IslandBuilder::PlaceMembers(std::uint32_t count) {
  std::vector<std::uint32_t>& next = sorted_;
  next.assign(islands_.starts.begin(), islands_.starts.end());
  islands_.members.resize(count);
  for (const std::uint32_t i : order_) islands_.members[next[islands_.island_of[i]]++] = i;
}

}  // namespace nowait
