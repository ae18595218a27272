// MergeOrder: the order of a list of names after two sides have changed it.
//
// The names that all three lists have keep the order of the side that moved them. If both sides
// moved some, each moved one stands behind its predecessor on its side. Where both moved the same
// name to different places, or where it is open which names a side has moved (two neighbours that
// changed places), they keep the base's order and `conflict` is set. A name that one
// side removed stands behind its predecessor in the base, an added one behind its predecessor on
// its side. At one place the additions of both sides follow each other as blocks; the block with
// the smaller first name comes first.
//
// The names of a list differ from each other. Swapping the sides changes nothing.
// Complexity: O(n log n). Thread safety: a pure function.
#ifndef NOWAIT_SRC_RESOURCE_MERGE_ORDER_H_
#define NOWAIT_SRC_RESOURCE_MERGE_ORDER_H_

#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace nowait {

using Names = std::vector<std::string_view>;

struct Order {
  Names names;  // those of `kept`, each once
  bool conflict = false;
};

// kept: the names of the result; each is in one of the lists at least.
Order MergeOrder(std::span<const std::string_view> base, std::span<const std::string_view> left,
                 std::span<const std::string_view> right, const std::set<std::string_view>& kept);

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_MERGE_ORDER_H_
