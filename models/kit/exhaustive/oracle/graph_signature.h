// A graph of the checker in the notation that both sides share (findings.h).
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_GRAPH_SIGNATURE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_GRAPH_SIGNATURE_H_

#include <string>

#include "models/kit/exhaustive/graph/graph.h"
#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

// The graph must be complete: every thread has an event for each of its non-plain statements. The
// low bits of a location's name say which atomic it is.
std::string SignatureOf(const Graph& graph, const StraightLine& program);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_GRAPH_SIGNATURE_H_
