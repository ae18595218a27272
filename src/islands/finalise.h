// Finalise: from links to islands in O(N), in an order that no thread can influence.
//
// Indices of a UnionFind follow the order in which bodies were activated, and bodies that are woken
// during the phase are activated in any order. So the result is sorted by a key that has nothing to
// do with time (the body's slot): the members of an island ascend by key, and islands ascend by the
// lowest key in them. The sort is by counting, so all of it is O(N).
//
// Thread safety: one thread, after the linking threads have been joined (phase kSwap).
//
// Source: the talk, "Finishing up (on 1 thread)"; the sort is ours, see Avian's issue 712 for what
// an unsorted order does to determinism. Lecture: union-find islands.
#ifndef NOWAIT_SRC_ISLANDS_FINALISE_H_
#define NOWAIT_SRC_ISLANDS_FINALISE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/assert.h"
#include "src/islands/union_find.h"

namespace nowait {

// Islands as two flat arrays: island k is members[starts[k]] .. members[starts[k + 1] - 1].
struct Islands {
  std::vector<std::uint32_t> members;    // union-find indices
  std::vector<std::uint32_t> starts;     // one more than there are islands
  std::vector<std::uint32_t> island_of;  // island number by union-find index

  std::uint32_t count() const {
    return starts.empty() ? 0 : static_cast<std::uint32_t>(starts.size() - 1);
  }
  std::span<const std::uint32_t> operator[](std::uint32_t island) const {
    return std::span(members).subspan(starts[island], starts[island + 1] - starts[island]);
  }
};

// Keeps its arrays between calls, so that a steady state allocates nothing.
class IslandBuilder {
 public:
  // sets: linked completely. keys: one per active element, all different, below 2^22.
  // Returns the islands; they stay valid until the next call.
  template <class Sync>
  const Islands& Finalise(const UnionFind<Sync>& sets, std::span<const std::uint32_t> keys) {
    const std::uint32_t count = sets.count();
    NOWAIT_ASSERT(keys.size() == count, "one key for each active element");
    // A link points to a lower index or to itself, so one ascending loop knows every root.
    roots_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t link = sets.LinkOf(i);
      roots_[i] = link == i ? i : roots_[link];
    }
    SortByKey(keys);
    NumberIslands(count);
    PlaceMembers(count);
    return islands_;
  }

 private:
  static constexpr std::uint32_t kDigitBits = 11;
  static constexpr std::uint32_t kDigits = 1u << kDigitBits;
  static constexpr std::uint32_t kUnnumbered = ~std::uint32_t{0};

  void SortByKey(std::span<const std::uint32_t> keys);
  void NumberIslands(std::uint32_t count);
  void PlaceMembers(std::uint32_t count);

  std::vector<std::uint32_t> roots_;   // by element
  std::vector<std::uint32_t> order_;   // elements by ascending key
  std::vector<std::uint32_t> sorted_;  // the sort's other half
  Islands islands_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ISLANDS_FINALISE_H_
