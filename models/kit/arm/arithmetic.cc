// Moves, sums, logic, shifts, comparisons and selections.
#include <cstdint>

#include "models/kit/arm/instructions.h"

namespace nowait::arm {
namespace {

using In = const Instruction&;
using Word = std::uint64_t;

unsigned Width(In in) { return in.operands[0].reg.bits; }
Word Mask(unsigned width) { return width == 64 ? ~Word{0} : (Word{1} << width) - 1; }
bool Sign(Word bits, unsigned width) { return ((bits >> (width - 1)) & 1) != 0; }

void SetFlags(Machine& m, unsigned width, Word result, bool carry, bool overflow, Sources from) {
  m.flags = {Sign(result, width), (result & Mask(width)) == 0, carry, overflow, from};
}

// a + b + carry, as the processor's adder does it: subtraction adds the complement and 1.
Word Sum(Machine& m, unsigned width, Word a, Word b, bool carry, bool flags, Sources from) {
  a &= Mask(width);
  b &= Mask(width);
  const Word result = (a + b + (carry ? 1 : 0)) & Mask(width);
  if (flags) {
    const bool out = carry ? result <= a : result < a;
    const bool overflow = Sign(a, width) == Sign(b, width) && Sign(result, width) != Sign(a, width);
    SetFlags(m, width, result, out, overflow, from);
  }
  return result;
}

template <bool kSubtract, bool kFlags>
void Add(In in, Machine& m) {
  const unsigned width = Width(in);
  const Value a = m.ValueOf({.operands = {in.operands[1]}}, 0, width);
  const Value b = m.ValueOf(in, 2, width);
  const Sources from = a.from | b.from;
  m.Write(in.operands[0].reg,
          {Sum(m, width, a.bits, kSubtract ? ~b.bits : b.bits, kSubtract, kFlags, from), from});
}
template <bool kSubtract>
void Compare(In in, Machine& m) {
  const unsigned width = Width(in);
  const Value a = m.Read(in.operands[0].reg);
  const Value b = m.ValueOf(in, 1, width);
  Sum(m, width, a.bits, kSubtract ? ~b.bits : b.bits, kSubtract, true, a.from | b.from);
}
template <bool kFlags>
void Negate(In in, Machine& m) {
  const Value b = m.ValueOf(in, 1, Width(in));
  m.Write(in.operands[0].reg, {Sum(m, Width(in), 0, ~b.bits, true, kFlags, b.from), b.from});
}

enum class Logic { kAnd, kOr, kXor };
template <Logic kLogic, bool kInverted, bool kFlags>
void Combine(In in, Machine& m) {
  const Value a = m.Read(in.operands[1].reg);
  const Value b = m.ValueOf(in, 2, Width(in));
  const Word other = kInverted ? ~b.bits : b.bits;
  Word result = kLogic == Logic::kAnd  ? a.bits & other
                : kLogic == Logic::kOr ? a.bits | other
                                       : a.bits ^ other;
  result &= Mask(Width(in));
  const Sources from = a.from | b.from;
  if (kFlags) SetFlags(m, Width(in), result, false, false, from);
  m.Write(in.operands[0].reg, {result, from});
}
void Test(In in, Machine& m) {
  const Value a = m.Read(in.operands[0].reg);
  const Value b = m.ValueOf(in, 1, Width(in));
  SetFlags(m, Width(in), a.bits & b.bits, false, false, a.from | b.from);
}

template <bool kInverted>
void Move(In in, Machine& m) {
  Value value = m.ValueOf(in, 1, Width(in));
  if (kInverted) value.bits = ~value.bits;
  m.Write(in.operands[0].reg, value);
}
// movk: 16 bits in place, the others stay.
void MoveInto(In in, Machine& m) {
  const Value part = m.ValueOf(in, 1, 64);
  const unsigned at = in.operands.size() > 2 ? static_cast<unsigned>(in.operands[2].immediate) : 0;
  Value value = m.Read(in.operands[0].reg);
  value.bits = (value.bits & ~(Word{0xffff} << at)) | part.bits;
  m.Write(in.operands[0].reg, value);
}

enum class Shift { kLeft, kRight, kSigned, kRotate };
template <Shift kShift>
void ShiftBy(In in, Machine& m) {
  const unsigned width = Width(in);
  const Value value = m.Read(in.operands[1].reg);
  const Value by = m.ValueOf(in, 2, width);
  const unsigned amount = static_cast<unsigned>(by.bits % width);
  Word result = value.bits;
  if (kShift == Shift::kLeft) result <<= amount;
  if (kShift == Shift::kRight) result >>= amount;
  if (kShift == Shift::kSigned) {
    const Word wide = Sign(value.bits, width) ? value.bits | ~Mask(width) : value.bits;
    result = static_cast<Word>(static_cast<std::int64_t>(wide) >> amount);
  }
  if (kShift == Shift::kRotate && amount != 0) {
    result = (value.bits >> amount) | (value.bits << (width - amount));
  }
  m.Write(in.operands[0].reg, {result & Mask(width), value.from | by.from});
}

// The chosen operand's sources stay what they are; the condition's have only picked it.
enum class Otherwise { kSame, kPlusOne, kInverted, kNegated };
Word Changed(Word bits, Otherwise how) {
  switch (how) {
    case Otherwise::kPlusOne:
      return bits + 1;
    case Otherwise::kInverted:
      return ~bits;
    case Otherwise::kNegated:
      return 0 - bits;
    case Otherwise::kSame:
      break;
  }
  return bits;
}
void WritePicked(Register to, Value chosen, Machine& m) {
  chosen.from.pick |= m.flags.from.data | m.flags.from.pick;
  m.Write(to, chosen);
}
template <Otherwise kOtherwise>
void Select(In in, Machine& m) {
  const bool holds = Holds(in.operands[3].word, m);
  Value chosen = m.Read(in.operands[holds ? 1 : 2].reg);
  if (!holds) chosen.bits = Changed(chosen.bits, kOtherwise);
  WritePicked(in.operands[0].reg, chosen, m);
}
// cinc and its kind: csinc and its kind, with one operand and the opposite condition.
template <Otherwise kOtherwise>
void SelectOne(In in, Machine& m) {
  Value chosen = m.Read(in.operands[1].reg);
  if (Holds(in.operands[2].word, m)) chosen.bits = Changed(chosen.bits, kOtherwise);
  WritePicked(in.operands[0].reg, chosen, m);
}
template <bool kAllOnes>
void Set(In in, Machine& m) {
  const Word yes = kAllOnes ? ~Word{0} : 1;
  WritePicked(in.operands[0].reg, {Holds(in.operands[1].word, m) ? yes : 0, {}}, m);
}
template <bool kSubtract>
void CompareIf(In in, Machine& m) {
  const Sources before = m.flags.from;
  if (Holds(in.operands[3].word, m)) {
    const Value b = m.Read(in.operands[0].reg);
    const Value c = m.ValueOf({.operands = {in.operands[1]}}, 0, Width(in));
    Sum(m, Width(in), b.bits, kSubtract ? ~c.bits : c.bits, kSubtract, true, b.from | c.from);
  } else {
    const std::int64_t bits = in.operands[2].immediate;
    m.flags = {(bits & 8) != 0, (bits & 4) != 0, (bits & 2) != 0, (bits & 1) != 0, {}};
  }
  m.flags.from = m.flags.from | before;
}

template <bool kSubtract>
void MultiplyAdd(In in, Machine& m) {
  const Value a = m.Read(in.operands[1].reg);
  const Value b = m.Read(in.operands[2].reg);
  const Value c = in.operands.size() > 3 ? m.Read(in.operands[3].reg) : Value{};
  const Word product = a.bits * b.bits;
  m.Write(in.operands[0].reg, {(kSubtract ? c.bits - product : c.bits + product) & Mask(Width(in)),
                               a.from | b.from | c.from});
}
// Of two words of 32 bits, with or without a sign; the sum has 64.
template <bool kSigned>
void MultiplyAddLong(In in, Machine& m) {
  const auto widened = [](Word bits) {
    return kSigned ? static_cast<Word>(static_cast<std::int32_t>(bits)) : bits & Mask(32);
  };
  const Value a = m.Read(in.operands[1].reg);
  const Value b = m.Read(in.operands[2].reg);
  const Value c = in.operands.size() > 3 ? m.Read(in.operands[3].reg) : Value{};
  m.Write(in.operands[0].reg,
          {c.bits + widened(a.bits) * widened(b.bits), a.from | b.from | c.from});
}
void Divide(In in, Machine& m) {
  const Value a = m.Read(in.operands[1].reg);
  const Value b = m.Read(in.operands[2].reg);
  m.Write(in.operands[0].reg, {b.bits == 0 ? 0 : a.bits / b.bits, a.from | b.from});
}

}  // namespace

Behaviours Arithmetic() {
  return {
      {"mov", {"ro", Move<false>}},
      {"movz", {"ri", Move<false>}},
      {"mvn", {"ro", Move<true>}},
      {"movn", {"ri", Move<true>}},
      {"movk", {"ri", MoveInto}},
      {"adrp", {"ri", Move<false>}},
      {"adr", {"ri", Move<false>}},
      {"add", {"roo", Add<false, false>}},
      {"adds", {"roo", Add<false, true>}},
      {"sub", {"roo", Add<true, false>}},
      {"subs", {"roo", Add<true, true>}},
      {"cmp", {"ro", Compare<true>}},
      {"cmn", {"ro", Compare<false>}},
      {"neg", {"ro", Negate<false>}},
      {"negs", {"ro", Negate<true>}},
      {"and", {"rro", Combine<Logic::kAnd, false, false>}},
      {"ands", {"rro", Combine<Logic::kAnd, false, true>}},
      {"bic", {"rro", Combine<Logic::kAnd, true, false>}},
      {"bics", {"rro", Combine<Logic::kAnd, true, true>}},
      {"orr", {"rro", Combine<Logic::kOr, false, false>}},
      {"orn", {"rro", Combine<Logic::kOr, true, false>}},
      {"eor", {"rro", Combine<Logic::kXor, false, false>}},
      {"eon", {"rro", Combine<Logic::kXor, true, false>}},
      {"tst", {"ro", Test}},
      {"lsl", {"rro", ShiftBy<Shift::kLeft>}},
      {"lsr", {"rro", ShiftBy<Shift::kRight>}},
      {"asr", {"rro", ShiftBy<Shift::kSigned>}},
      {"ror", {"rro", ShiftBy<Shift::kRotate>}},
      {"csel", {"rrrw", Select<Otherwise::kSame>}},
      {"fcsel", {"fffw", Select<Otherwise::kSame>}},
      {"csinc", {"rrrw", Select<Otherwise::kPlusOne>}},
      {"csinv", {"rrrw", Select<Otherwise::kInverted>}},
      {"csneg", {"rrrw", Select<Otherwise::kNegated>}},
      {"cinc", {"rrw", SelectOne<Otherwise::kPlusOne>}},
      {"cinv", {"rrw", SelectOne<Otherwise::kInverted>}},
      {"cneg", {"rrw", SelectOne<Otherwise::kNegated>}},
      {"cset", {"rw", Set<false>}},
      {"csetm", {"rw", Set<true>}},
      {"ccmp", {"roiw", CompareIf<true>}},
      {"ccmn", {"roiw", CompareIf<false>}},
      {"mul", {"rrr", MultiplyAdd<false>}},
      {"madd", {"rrrr", MultiplyAdd<false>}},
      {"msub", {"rrrr", MultiplyAdd<true>}},
      {"umull", {"rrr", MultiplyAddLong<false>}},
      {"umaddl", {"rrrr", MultiplyAddLong<false>}},
      {"smull", {"rrr", MultiplyAddLong<true>}},
      {"smaddl", {"rrrr", MultiplyAddLong<true>}},
      {"udiv", {"rrr", Divide}},
  };
}

}  // namespace nowait::arm
