// The scenarios that calculate with floats, as AArch64 code.
#include "models/arm/code.h"
#include "models/arm/float_scenario.h"

NOWAIT_ARM_FLOATS(NOWAIT_ARM_CODE)
