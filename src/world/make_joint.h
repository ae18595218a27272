// Checks a joint's definition from outside, and names the field that is wrong.
#ifndef NOWAIT_SRC_WORLD_MAKE_JOINT_H_
#define NOWAIT_SRC_WORLD_MAKE_JOINT_H_

#include "src/base/result.h"
#include "src/dynamics/joint.h"
#include "src/dynamics/joint_def.h"

namespace nowait {

// kInvalidArgument, naming the field. Whether the bodies are there is not its concern, but that
// they are two.
Result<void> Validate(const JointDef& def);
Result<void> Validate(const JointKind& kind);

// kInvalidArgument when the joints of a gear, whose definition is valid, are of kinds that it
// cannot couple, or do not have its bodies. A null pointer is a joint that is not there: no error.
Result<void> ValidateGear(const JointDef& def, const Joint* first, const Joint* second);

// With the rotations of its frames, and of a drive's target, of length one.
JointDef Normalised(JointDef def);
JointKind Normalised(JointKind kind);

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_MAKE_JOINT_H_
