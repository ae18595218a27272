// MatchSequences: matches the items of one sequence with equal items of another.
//
// In the pairs (i, j), a[i] equals b[j], both indices rise from pair to pair, and as many items as
// possible are matched: a longest common subsequence. Among several longest ones the choice depends
// on the arguments alone.
//
// Complexity: O((n + m) d) comparisons and O(d^2) memory for sequences that differ in d items.
// Sequences that differ in more than kMostDifferences match only in their common beginning and end.
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
