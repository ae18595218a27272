// Litmus tests of AArch64 code, in the format of herd7, each with its published verdict.
//
//   AArch64 MP+dmb.sy+addr
//   { 0:X1=x; 0:X3=y; 1:X1=y; 1:X4=x; }
//    P0          | P1                  ;
//    MOV W0,#1   | LDR W0,[X1]         ;
//    STR W0,[X1] | EOR W2,W0,W0        ;
//    DMB SY      | LDR W3,[X4,W2,SXTW] ;
//    STR W0,[X3] |                     ;
//   exists (1:X0=1 /\ 1:X3=0)
//   Forbidden [pulte2018] the example of section 2
//
// The last line is ours: the verdict, the bibliography's key, and the place. A line that begins
// with # is a comment. A file may hold several tests.
#ifndef NOWAIT_MODELS_KIT_ARM_LITMUS_H_
#define NOWAIT_MODELS_KIT_ARM_LITMUS_H_

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/kit/arm/machine.h"
#include "models/kit/arm/program.h"

namespace nowait::arm {

// The question that `exists` asks of the end of an execution.
struct Condition {
  enum class Kind : std::uint8_t { kRegister, kLocation, kAnd, kOr, kNot };
  Kind kind = Kind::kAnd;
  std::size_t thread = 0;     // kRegister
  unsigned number = 0;        // kRegister
  std::string location = {};  // kLocation
  std::uint64_t value = 0;    // kRegister, kLocation
  std::vector<Condition> of = {};
};

struct LitmusTest {
  std::string name;
  Program program;
  std::vector<Start> threads;
  std::map<std::string, std::uint64_t> locations;  // their addresses
  Condition condition;
  bool allowed = false;  // the published verdict
  std::string source;    // "[key] the place"
};

// The error is one line: "line 12: no operand: "[X0"".
std::expected<std::vector<LitmusTest>, std::string> ParseLitmus(std::string_view text);

struct Verdict {
  bool allowed = false;
  std::uint64_t executions = 0;
};
// Whether the model has an execution that ends as the condition asks. The error names an
// instruction that is not known.
std::expected<Verdict, std::string> Judge(const LitmusTest& test);

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_LITMUS_H_
