// Scenarios in object code (models/arm/code.cc), and whether AArch64 keeps their promises.
#ifndef NOWAIT_MODELS_KIT_ARM_SCENARIOS_H_
#define NOWAIT_MODELS_KIT_ARM_SCENARIOS_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "models/kit/arm/machine.h"
#include "models/kit/arm/program.h"

namespace nowait::arm {

struct Scenario {
  std::string symbol;  // of its functions: symbol_setup, symbol_thread0, ..., symbol_holds
  std::string name;
  std::string promise;
  std::size_t threads = 0;
};

// In the order of their names. The error names what a scenario lacks.
std::expected<std::vector<Scenario>, std::string> ScenariosOf(const Program& program);

struct ScenarioResult {
  std::uint64_t executions = 0;
  std::uint64_t outcomes = 0;  // different ends
  std::uint64_t cut = 0;       // executions beyond the limits
  bool kept = true;
  std::string broken = {};  // an execution that breaks the promise, a line for each event
};

// The error is one line: an instruction or an access that is not known, and where.
std::expected<ScenarioResult, std::string> Examine(const Program& program, const Scenario& scenario,
                                                   Limits limits);

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_SCENARIOS_H_
