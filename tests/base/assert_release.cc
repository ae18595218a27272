// NOWAIT_ASSERT as a release build sees it, whatever the configuration of the test is.
#undef NDEBUG
#define NDEBUG
#include "src/base/assert.h"

namespace nowait {

int EvaluationsInRelease() {
  int evaluations = 0;
  NOWAIT_ASSERT(++evaluations == 0, "never looked at");
  return evaluations;
}

}  // namespace nowait
