// The promise of a query of src/broadphase/query.h, checked over a history.
//
// A query is not linearizable: there is no moment at which its whole report is true. Its promise
// concerns its duration, for each body separately:
//
//   - a body whose box the query's box overlaps throughout is found, and once;
//   - a body whose box it overlaps at no time is not found;
//   - a body is found at most once for each of its lives.
//
// "Duration" is in terms of happens-before. The operations on one body are ordered: the body is in
// a state before the first one, and in a state after each. The query certainly comes after the
// operations that precede it and before those that it precedes. It may meet any of the states in
// between: "throughout" means in all of them, "at no time" means in no state. A body's box is the
// widened one: around its boxes since the last swap or refit before the query. For "at no time", if
// the body is removed and inserted again meanwhile, the box is around all of its lives, because
// they may share a slot.
#ifndef NOWAIT_MODELS_BROADPHASE_QUERY_PROMISE_H_
#define NOWAIT_MODELS_BROADPHASE_QUERY_PROMISE_H_

#include "models/broadphase/tree_history.h"

namespace nowait {

// Fails the execution if an operation on a body, or a query, broke its promise.
void CheckTreeHistory(const TreeHistory& history);

}  // namespace nowait

#endif  // NOWAIT_MODELS_BROADPHASE_QUERY_PROMISE_H_
