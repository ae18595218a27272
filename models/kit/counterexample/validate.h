// The rules for a record beyond the form of its fields: numbers name existing things, and the
// events form an execution.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_VALIDATE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_VALIDATE_H_

#include <string>

#include "models/kit/counterexample/counterexample.h"

namespace nowait::model::counterexample {

// The first error, preceded by the name of its field; empty if there is no error.
std::string ValidationError(const Counterexample& record);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_VALIDATE_H_
