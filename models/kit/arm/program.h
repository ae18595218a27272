// AArch64 code that can be executed, with the memory that it begins with.
#ifndef NOWAIT_MODELS_KIT_ARM_PROGRAM_H_
#define NOWAIT_MODELS_KIT_ARM_PROGRAM_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/kit/arm/instruction.h"

namespace nowait::arm {

// An instruction that was read, or why it could not be: only one that is reached matters.
struct Line {
  Instruction instruction;
  std::string unread = {};
};

// Bytes by address. A byte that is not there is 0.
using Image = std::unordered_map<std::uint64_t, std::uint8_t>;

struct Program {
  std::unordered_map<std::uint64_t, Line> code;
  Image memory;
  Labels symbols;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_PROGRAM_H_
