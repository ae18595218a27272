// Programs that random generation hardly ever produces. Each stands for a separate rule, mostly of
// S.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_WRITTEN_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_WRITTEN_H_

#include <cstddef>
#include <span>
#include <string_view>

#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

struct Written {
  std::string_view says;
  std::size_t executions;
  StraightLine program;
};
std::span<const Written> WrittenPrograms();

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_WRITTEN_H_
