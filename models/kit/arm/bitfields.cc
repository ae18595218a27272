// Fields of bits, extensions, and counts of bits.
#include <bit>
#include <cstdint>

#include "models/kit/arm/instructions.h"

namespace nowait::arm {
namespace {

using In = const Instruction&;
using Word = std::uint64_t;

unsigned Width(In in) { return in.operands[0].reg.bits; }
Word Mask(unsigned width) { return width >= 64 ? ~Word{0} : (Word{1} << width) - 1; }
unsigned Number(In in, std::size_t operand) {
  return static_cast<unsigned>(in.operands[operand].immediate);
}
Word SignExtended(Word bits, unsigned from) {
  const Word low = bits & Mask(from);
  return ((low >> (from - 1)) & 1) != 0 ? low | ~Mask(from) : low;
}

// ubfx, sbfx: `width` bits from `lsb` on, moved down.
template <bool kSigned>
void Extract(In in, Machine& m) {
  const Value value = m.Read(in.operands[1].reg);
  const Word moved = value.bits >> Number(in, 2);
  const Word field = kSigned ? SignExtended(moved, Number(in, 3)) : moved & Mask(Number(in, 3));
  m.Write(in.operands[0].reg, {field & Mask(Width(in)), value.from});
}
// ubfiz, sbfiz: the low `width` bits, moved up to `lsb`.
template <bool kSigned>
void Place(In in, Machine& m) {
  const Value value = m.Read(in.operands[1].reg);
  const Word field =
      kSigned ? SignExtended(value.bits, Number(in, 3)) : value.bits & Mask(Number(in, 3));
  m.Write(in.operands[0].reg, {(field << Number(in, 2)) & Mask(Width(in)), value.from});
}
// bfi: the low bits into a field of the destination. bfxil: a field into its low bits.
template <bool kToLow>
void Insert(In in, Machine& m) {
  const Value value = m.Read(in.operands[1].reg);
  const Value old = m.Read(in.operands[0].reg);
  const Word mask = Mask(Number(in, 3));
  const unsigned at = Number(in, 2);
  const Word bits = kToLow ? (old.bits & ~mask) | ((value.bits >> at) & mask)
                           : (old.bits & ~(mask << at)) | ((value.bits & mask) << at);
  m.Write(in.operands[0].reg, {bits, value.from | old.from});
}
template <unsigned kFrom, bool kSigned>
void Extend(In in, Machine& m) {
  const Value value = m.Read(in.operands[1].reg);
  const Word bits = kSigned ? SignExtended(value.bits, kFrom) : value.bits & Mask(kFrom);
  m.Write(in.operands[0].reg, {bits & Mask(Width(in)), value.from});
}
void CountLeadingZeros(In in, Machine& m) {
  const Value value = m.Read(in.operands[1].reg);
  const int zeros = std::countl_zero(value.bits) - static_cast<int>(64 - Width(in));
  m.Write(in.operands[0].reg, {static_cast<Word>(zeros), value.from});
}
void ReverseBits(In in, Machine& m) {
  const Value value = m.Read(in.operands[1].reg);
  Word bits = 0;
  for (unsigned i = 0; i < Width(in); ++i) {
    bits |= ((value.bits >> i) & 1) << (Width(in) - 1 - i);
  }
  m.Write(in.operands[0].reg, {bits, value.from});
}

}  // namespace

Behaviours Bitfields() {
  return {
      {"ubfx", {"rrii", Extract<false>}}, {"sbfx", {"rrii", Extract<true>}},
      {"ubfiz", {"rrii", Place<false>}},  {"sbfiz", {"rrii", Place<true>}},
      {"bfi", {"rrii", Insert<false>}},   {"bfxil", {"rrii", Insert<true>}},
      {"uxtb", {"rr", Extend<8, false>}}, {"uxth", {"rr", Extend<16, false>}},
      {"sxtb", {"rr", Extend<8, true>}},  {"sxth", {"rr", Extend<16, true>}},
      {"sxtw", {"rr", Extend<32, true>}}, {"clz", {"rr", CountLeadingZeros}},
      {"rbit", {"rr", ReverseBits}},
  };
}

}  // namespace nowait::arm
