// Finalise: from links to islands in O(N), in an order that no thread can influence.
//
// A link points to a lower element or to itself, and elements are slots. One loop over the bodies
// that take part, in ascending order, therefore knows the island of each. A root begins the next
// island, and every other body is in the island of its link's target, which the loop has already
// visited. Members and islands (by their lowest members) ascend without a sort.
//
// Thread safety: one thread, after the linking threads have been joined (phase kSwap).
//
// Source: [rouwe2022], "Finishing up (on 1 thread)". [avian712] shows the damage to determinism of
// an order that depends on the threads. Lecture: union-find islands.
#ifndef NOWAIT_SRC_ISLANDS_FINALISE_H_
#define NOWAIT_SRC_ISLANDS_FINALISE_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "src/base/assert.h"
#include "src/islands/union_find.h"

namespace nowait {

// Islands as two flat arrays: island k is members[starts[k]] .. members[starts[k + 1] - 1].
struct Islands {
  std::vector<std::uint32_t> members;    // elements
  std::vector<std::uint32_t> starts;     // one more than the number of islands
  std::vector<std::uint32_t> island_of;  // island number by element, for those that take part

  std::uint32_t count() const {
    return starts.empty() ? 0 : static_cast<std::uint32_t>(starts.size() - 1);
  }
  std::span<const std::uint32_t> operator[](std::uint32_t island) const {
    return std::span(members).subspan(starts[island], starts[island + 1] - starts[island]);
  }
};

// Keeps its arrays between calls: a steady state allocates nothing.
class IslandBuilder {
 public:
  // sets: linked completely. elements: those that take part, each once, ascending. All elements
  // connected to them must be among them; an assertion checks it in O(N log N). Returns the
  // islands, which stay valid until the next call.
  template <class Sync>
  const Islands& Finalise(const UnionFind<Sync>& sets, std::span<const std::uint32_t> elements) {
    NOWAIT_ASSERT(std::adjacent_find(elements.begin(), elements.end(), std::greater_equal<>()) ==
                      elements.end(),
                  "elements ascend, and each takes part once");
    std::vector<std::uint32_t>& island_of = islands_.island_of;
    island_of.resize(sets.capacity());
    sizes_.clear();
    for (const std::uint32_t i : elements) {
      const std::uint32_t link = sets.LinkOf(i);
      if (link == i) {
        island_of[i] = static_cast<std::uint32_t>(sizes_.size());
        sizes_.push_back(1);
      } else {
        NOWAIT_ASSERT(std::binary_search(elements.begin(), elements.end(), link),
                      "every element connected to these takes part");
        island_of[i] = island_of[link];
        ++sizes_[island_of[i]];
      }
    }
    PlaceMembers(elements);
    return islands_;
  }

 private:
  void PlaceMembers(std::span<const std::uint32_t> elements);

  std::vector<std::uint32_t> sizes_;  // by island
  Islands islands_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ISLANDS_FINALISE_H_
