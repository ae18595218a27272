#include "models/kit/scenario/scenario.h"

namespace nowait::model {

std::vector<ScenarioEntry>& Scenarios() {
  static std::vector<ScenarioEntry> scenarios;
  return scenarios;
}

}  // namespace nowait::model
