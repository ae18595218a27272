// What must hold of a record besides the form of its fields: numbers name what there is, and the
// events are those of an execution.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_VALIDATE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_VALIDATE_H_

#include <string>

#include "models/kit/counterexample/counterexample.h"

namespace nowait::model::counterexample {

// The first thing that is wrong, after the name of its field; empty: nothing is.
std::string ValidationError(const Counterexample& record);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_VALIDATE_H_
