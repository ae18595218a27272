// The smallest part of a program that still shows the difference.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_SHRINK_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_SHRINK_H_

#include <functional>

#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

// Drops statements, then weakens orders, as long as `differs` holds; threads that are empty go, as
// far as two are left. Nothing more can be dropped or weakened alone in the result.
StraightLine Shrink(StraightLine program, const std::function<bool(const StraightLine&)>& differs);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_SHRINK_H_
