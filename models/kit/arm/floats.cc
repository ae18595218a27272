// Moves, sums, products and comparisons of single floats. A float is its 32 bits in the machine.
// This processor calculates with it and rounds to nearest, as the other one does.
#include <bit>
#include <cmath>
#include <cstdint>

#include "models/kit/arm/instructions.h"

namespace nowait::arm {
namespace {

using In = const Instruction&;

float FloatOf(const Value& value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
}
Value ValueOf(float number, Sources from) { return {std::bit_cast<std::uint32_t>(number), from}; }

// Whether all operands are single floats: what doubles do is not known here.
bool AreSingle(In in, Machine& m) {
  for (const Operand& operand : in.operands) {
    if (operand.kind != Operand::Kind::kRegister || operand.reg.bits == 32) continue;
    m.Stop("only single floats are known here: \"" + in.text + "\"");
    return false;
  }
  return true;
}

// Between registers of either kind the bits move. A number has the bits of a float.
void MoveFloat(In in, Machine& m) {
  const Operand& from = in.operands[1];
  if (from.kind == Operand::Kind::kRegister) {
    m.Write(in.operands[0].reg, m.Read(from.reg));
  } else if (AreSingle(in, m)) {
    m.Write(in.operands[0].reg, ValueOf(static_cast<float>(from.real), {}));
  }
}

enum class Sum { kPlus, kMinus, kTimes };
template <Sum kSum>
void Calculate(In in, Machine& m) {
  if (!AreSingle(in, m)) return;
  const Value left = m.Read(in.operands[1].reg);
  const Value right = m.Read(in.operands[2].reg);
  const float a = FloatOf(left);
  const float b = FloatOf(right);
  const float result = kSum == Sum::kPlus ? a + b : kSum == Sum::kMinus ? a - b : a * b;
  // The bits of a NaN differ from processor to processor.
  if (std::isnan(result)) return m.Stop("the result is no number: \"" + in.text + "\"");
  m.Write(in.operands[0].reg, ValueOf(result, left.from | right.from));
}

// Without an order between the two, one of them a NaN, the flags say so: C and V.
void CompareFloats(In in, Machine& m) {
  if (!AreSingle(in, m)) return;
  const Value left = m.Read(in.operands[0].reg);
  const bool has_register = in.operands[1].kind == Operand::Kind::kRegister;
  const Value right = has_register ? m.Read(in.operands[1].reg)
                                   : ValueOf(static_cast<float>(in.operands[1].real), {});
  const float a = FloatOf(left);
  const float b = FloatOf(right);
  m.flags = {.n = a < b,
             .z = a == b,
             .c = !(a < b),
             .v = !(a <= b || a > b),
             .from = left.from | right.from};
}

}  // namespace

// fcmpe differs from fcmp in the exceptions, which nobody looks at.
Behaviours Floats() {
  return {
      {"fmov", {"eg", MoveFloat}},
      {"fadd", {"fff", Calculate<Sum::kPlus>}},
      {"fsub", {"fff", Calculate<Sum::kMinus>}},
      {"fmul", {"fff", Calculate<Sum::kTimes>}},
      {"fcmp", {"fg", CompareFloats}},
      {"fcmpe", {"fg", CompareFloats}},
  };
}

}  // namespace nowait::arm
