// MatchSequences: which items of one sequence are which items of another.
//
// The pairs (i, j) have a[i] equal to b[j], both numbers rise from pair to pair, and as many items
// as possible are matched: a longest common subsequence. Among several longest ones the choice
// depends on the arguments alone.
//
// Complexity: O((n + m) d) comparisons and O(d^2) memory for sequences that differ in d items. Ones
// that differ in more than kMostDifferences match in their common beginning and end only.
// Source: [myers1986], the greedy algorithm. Thread safety: a pure function.
#ifndef NOWAIT_SRC_RESOURCE_SEQUENCE_MATCH_H_
#define NOWAIT_SRC_RESOURCE_SEQUENCE_MATCH_H_

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace nowait {

inline constexpr std::size_t kMostDifferences = 4096;

// same(i, j): whether item i of the first sequence, of `n` items, equals item j of the second one,
// of `m` items.
std::vector<std::pair<std::size_t, std::size_t>> MatchSequences(
    std::size_t n, std::size_t m, const std::function<bool(std::size_t, std::size_t)>& same);

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_SEQUENCE_MATCH_H_
