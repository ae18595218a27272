// A program from what objdump prints of it: objdump -t -d --no-show-raw-insn, and then objdump -s.
//
// The symbols, the code, and the contents of the sections with constants and data. Other sections
// begin with zeros. Initialisers and initialised thread-local data are refused.
#ifndef NOWAIT_MODELS_KIT_ARM_OBJECT_CODE_H_
#define NOWAIT_MODELS_KIT_ARM_OBJECT_CODE_H_

#include <expected>
#include <string>
#include <string_view>

#include "models/kit/arm/program.h"

namespace nowait::arm {

// The error is one line: "line 7: no instruction: ...". An instruction that is not understood
// is no error: it may never be reached (program.h).
std::expected<Program, std::string> ParseObjectCode(std::string_view text);

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_OBJECT_CODE_H_
