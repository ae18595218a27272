// The scenarios that calculate with floats: scenario.h says how one is made. Their AArch64 code may
// use the registers of floats, which the others' may not (BUILD).
#ifndef NOWAIT_MODELS_ARM_FLOAT_SCENARIO_H_
#define NOWAIT_MODELS_ARM_FLOAT_SCENARIO_H_

#include "models/arm/quad_tree.h"

// Calls `with` with a scenario's template, once.
#define NOWAIT_ARM_FLOATS(with) \
  with(TreeFindsInserted) with(TreeKeepsBoth) with(TreeHandsSlotOver) with(TreeReusesSlot)

#endif  // NOWAIT_MODELS_ARM_FLOAT_SCENARIO_H_
