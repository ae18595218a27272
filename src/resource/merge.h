// Merge: two people's changes of one document, joined field by field.
//
//   const auto merged = Merge(&base, left, right, {});
//   if (!merged) return Complain(ToString(merged.error()));
//   for (const std::string& place : merged->conflicts) Say("conflict at " + place);
//
// A value that one side changed is that side's. A value that both sides changed is joined from
// within: objects by key, arrays by the identity of their objects (a member such as "id", strings
// or numbers, each once), other arrays as sequences, whose items are matched first. An array of
// numbers alone is one value: a place, a colour. An object that one side moves within its array is
// still that object. Two different changes of one value are a conflict. It stands in the result as
// a value, and the result is JSON as before:
//   {"$conflict": "value", "base": .., "left": .., "right": ..}  a side that removed the value has
//                                                                no member here
//   {"$conflict": "items", "base": [..], "left": [..], "right": [..]}  one item, instead of a run
//   {"$conflict": "order", "base": [ids], "left": [ids], "right": [ids], "merged": [..]}
//
// Promise: Merge(b, x, b) and Merge(b, x, x) give x. Swapping the sides swaps them in conflicts and
// changes nothing else in meaning. No edit is lost: it is in the result or in a conflict.
// A base may hold conflicts: where two lines of history have been merged crosswise, git merges
// their common ancestors for a base, and nobody is there to decide. To both sides it is an old
// value.
// Limits: an object that goes from one array to another is removed there and added here. The
// order of keys has no conflicts. A conflict adds a level to what it holds: of a document with
// nearly kMostLevels the result may have more, and is read again only once it is decided.
//
// Complexity: O(n log n) for n values, and MatchSequences in each array without identities.
// Thread safety: a pure function. Source: [bitsquid2010], "Content Repositories and Databases".
#ifndef NOWAIT_SRC_RESOURCE_MERGE_H_
#define NOWAIT_SRC_RESOURCE_MERGE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/resource/document.h"

namespace nowait {

struct MergeOptions {
  // The members that identify an object of an array. The first one counts that all its objects
  // have, with different strings or numbers (1 and 1.0 are one number).
  std::vector<std::string> identities = {"id"};
};

struct Merged {
  Value document;
  // Their places in `document`: JSON pointers, RFC 6901. The first ones, until they have more than
  // kMostPlaceBytes together: below a long key many conflicts have long places.
  std::vector<std::string> conflicts;
};

inline constexpr std::size_t kMostPlaceBytes = std::size_t{1} << 20;

// base: null if the document is new on both sides. Errors: kInvalidArgument "left" or "right": it
// holds a conflict already; kCapacity "memory".
Result<Merged> Merge(const Value* base, const Value& left, const Value& right,
                     const MergeOptions& options);

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_MERGE_H_
