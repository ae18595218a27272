// The total order S of seq_cst operations.
//
// [atomics.order] 3-4 (N4861): S contains every seq_cst operation and fence, agrees with
// strongly-happens-before, and for events A and B of one location, A coherence-ordered before B:
// A comes before B in S if both are seq_cst; and a fence that A happens after, a fence that happens
// after B, stand in for them. S exists if and only if what these rules demand has no circle.
//
// Coherence-ordered before is a comparison of ranks: the write at place p has rank 2p, who reads it
// rank 2p + 1, and A comes before B when its rank is lower. (A read-modify-write has its write's.)
//
// Strongly-happens-before between two events of one thread is program order; between two threads,
// program order after the first, then happens-before, then program order before the second. C++20
// also lets a seq_cst release synchronise directly with a seq_cst acquire: those two are coherence-
// ordered already.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_SEQ_CST_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_SEQ_CST_H_

#include "models/kit/exhaustive/graph.h"

namespace nowait::model {

// Whether the graph has an S.
bool HasTotalOrder(const Graph& graph);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_SEQ_CST_H_
