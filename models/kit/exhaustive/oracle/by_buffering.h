// The checker that has load buffering, under judgement.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_BY_BUFFERING_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_BY_BUFFERING_H_

#include "models/kit/exhaustive/oracle/findings.h"
#include "models/kit/exhaustive/oracle/straight_line.h"
#include "models/kit/exhaustive/oracle/waiting.h"

namespace nowait::model::oracle {

struct Buffered {
  Findings all;      // every execution
  Findings without;  // those in which program order and reads-from have no cycle
};
Buffered FindByBuffering(const StraightLine& program);

// A waiting program, without load buffering.
Outcomes WaitByBuffering(const Waiting& program);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_BY_BUFFERING_H_
