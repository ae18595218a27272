// An instruction as text: of a litmus test, or of objdump's disassembly.
//
//   ldr  w4, [x5, w3, sxtw]     stlxr  w1, x0, [x2]     add  x0, x1, x2, lsl #3     b.eq  21c
//   fmov s1, #5.0e-01           fcmpe  s1, s0
#ifndef NOWAIT_MODELS_KIT_ARM_INSTRUCTION_H_
#define NOWAIT_MODELS_KIT_ARM_INSTRUCTION_H_

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nowait::arm {

constexpr unsigned kZero = 31;    // the number of xzr and wzr
constexpr unsigned kStack = 32;   // the number of sp
constexpr unsigned kFloats = 33;  // the number of s0 and d0, of 32: one register by two names
constexpr unsigned kRegisters = kFloats + 32;

struct Register {
  unsigned number = kZero;
  unsigned bits = 64;
};

struct Operand {
  enum class Kind : std::uint8_t { kRegister, kImmediate, kReal, kMemory, kShift, kWord };
  Kind kind = Kind::kImmediate;
  Register reg = {};           // kRegister; kMemory: the base
  std::int64_t immediate = 0;  // kImmediate; kMemory: the offset; kShift: the amount
  double real = 0;             // kReal: "#0.0"
  std::string word = {};       // kShift: "lsl", "sxtw", ...; kWord: a condition, a barrier's option
  bool has_index = false;      // kMemory
  Register index = {};         // kMemory
  std::string index_shift = {};  // kMemory: "lsl", "sxtw", "uxtw" or empty
  unsigned index_amount = 0;     // kMemory
  bool pre_index = false;        // kMemory: [x0, #8]!
};

struct Instruction {
  std::uint64_t address = 0;
  std::string name = {};  // "ldr"
  std::vector<Operand> operands = {};
  std::string text = {};  // as it was written
};

// The code of a label, by its name.
using Labels = std::map<std::string, std::uint64_t, std::less<>>;

// Reads one instruction. The error is a clause without a place: 'no operand: "[x0"'.
std::expected<Instruction, std::string> ParseInstruction(std::string_view text,
                                                         std::uint64_t address,
                                                         const Labels& labels);

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_INSTRUCTION_H_
