// Finds the smallest part of a program that still shows the difference.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_SHRINK_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_SHRINK_H_

#include <functional>

#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

// Drops statements and then weakens orders, as long as `differs` holds; drops empty threads as long
// as two remain. No single further statement can be dropped, and no single order weakened.
StraightLine Shrink(StraightLine program, const std::function<bool(const StraightLine&)>& differs);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_SHRINK_H_
