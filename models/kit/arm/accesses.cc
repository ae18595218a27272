// Loads, stores, pairs, exclusives and barriers.
#include <cstdint>
#include <string>

#include "models/kit/arm/instructions.h"

namespace nowait::arm {
namespace {

using In = const Instruction&;
using Word = std::uint64_t;

constexpr unsigned kOfRegister = 0;  // a size: that of the register
constexpr Machine::Ordering kPlain{};
constexpr Machine::Ordering kAcquire{.acquire = true};
constexpr Machine::Ordering kAcquirePc{.acquire_pc = true};
constexpr Machine::Ordering kRelease{.release = true};

unsigned Size(In in, std::size_t operand, unsigned size) {
  return size == kOfRegister ? in.operands[operand].reg.bits / 8 : size;
}

template <unsigned kSize, Machine::Ordering kOrdering, bool kSigned = false>
void LoadTo(In in, Machine& m) {
  const Register to = in.operands[0].reg;
  const unsigned size = Size(in, 0, kSize);
  // A place in the code is a constant: ldr x0, 400abc <label>.
  const bool literal = in.operands[1].kind == Operand::Kind::kImmediate;
  const Value address =
      literal ? Value{static_cast<Word>(in.operands[1].immediate), {}} : m.AddressOf(in, 1);
  Value value = m.Load(address, size, kOrdering);
  if (kSigned && ((value.bits >> (8 * size - 1)) & 1) != 0) {
    value.bits |= ~Word{0} << (8 * size - 1);
  }
  m.Write(to, value);
}

template <unsigned kSize, Machine::Ordering kOrdering>
void StoreFrom(In in, Machine& m) {
  const Value value = m.Read(in.operands[0].reg);
  m.Store(m.AddressOf(in, 1), Size(in, 0, kSize), value, kOrdering, -1);
}

void LoadPair(In in, Machine& m) {
  const unsigned size = Size(in, 0, kOfRegister);
  Value address = m.AddressOf(in, 2);
  m.Write(in.operands[0].reg, m.Load(address, size, kPlain));
  address.bits += size;
  m.Write(in.operands[1].reg, m.Load(address, size, kPlain));
}
void StorePair(In in, Machine& m) {
  const unsigned size = Size(in, 0, kOfRegister);
  const Value first = m.Read(in.operands[0].reg);
  const Value second = m.Read(in.operands[1].reg);
  Value address = m.AddressOf(in, 2);
  m.Store(address, size, first, kPlain, -1);
  address.bits += size;
  m.Store(address, size, second, kPlain, -1);
}

template <unsigned kSize, Machine::Ordering kOrdering>
void LoadExclusive(In in, Machine& m) {
  const unsigned size = Size(in, 0, kSize);
  const Value address = m.AddressOf(in, 1);
  m.BeginAttempt(address.bits);
  m.exclusive.reset();  // this load takes the place of one that waits
  m.Write(in.operands[0].reg, m.Load(address, size, kOrdering));
  m.exclusive = Machine::Exclusive{address.bits, size, m.last_read(), m.pc()};
}
// The status has no sources: the architecture orders nothing behind it.
template <unsigned kSize, Machine::Ordering kOrdering>
void StoreExclusive(In in, Machine& m) {
  const unsigned size = Size(in, 1, kSize);
  const Value value = m.Read(in.operands[1].reg);
  const Value address = m.AddressOf(in, 2);
  const auto claimed = m.exclusive;
  m.exclusive.reset();
  bool succeeds = claimed && claimed->address == address.bits && claimed->size == size;
  if (succeeds && claimed->read >= 0 && m.FailsSpuriously(*claimed)) succeeds = false;
  if (succeeds) m.Store(address, size, value, kOrdering, claimed->read);
  m.Write(in.operands[0].reg, {succeeds ? Word{0} : Word{1}, {}});
  if (!succeeds) m.EndFailedAttempt();
}

// "dmb ish": the shareability domain is one that all threads are in. "dmb nsh" is not known: its
// domain is one processor.
void Barrier(In in, Machine& m) {
  const std::string& option = in.operands[0].word;
  if (option == "ld" || option == "ishld" || option == "oshld") {
    m.Fence(Kind::kLoadFence);
  } else if (option == "st" || option == "ishst" || option == "oshst") {
    m.Fence(Kind::kStoreFence);
  } else if (option == "sy" || option == "ish" || option == "osh") {
    m.Fence(Kind::kFullFence);
  } else {
    m.Stop("no such barrier: \"" + in.text + "\"");
  }
}
void InstructionBarrier(In, Machine& m) { m.Fence(Kind::kIsb); }
void ClearExclusive(In, Machine& m) { m.exclusive.reset(); }

// name, nameb and nameh: the register's size, a byte, a half word.
#define NOWAIT_OF_EACH_SIZE(name, operands, function, ...) \
  {name, {operands, function<kOfRegister, __VA_ARGS__>}},  \
      {name "b", {operands, function<1, __VA_ARGS__>}}, {  \
    name "h", { operands, function<2, __VA_ARGS__> }       \
  }

}  // namespace

Behaviours Accesses() {
  return {
      NOWAIT_OF_EACH_SIZE("ldr", "ea", LoadTo, kPlain),
      NOWAIT_OF_EACH_SIZE("ldur", "em", LoadTo, kPlain),
      NOWAIT_OF_EACH_SIZE("ldar", "rm", LoadTo, kAcquire),
      NOWAIT_OF_EACH_SIZE("ldapr", "rm", LoadTo, kAcquirePc),
      NOWAIT_OF_EACH_SIZE("ldxr", "rm", LoadExclusive, kPlain),
      NOWAIT_OF_EACH_SIZE("ldaxr", "rm", LoadExclusive, kAcquire),
      NOWAIT_OF_EACH_SIZE("str", "em", StoreFrom, kPlain),
      NOWAIT_OF_EACH_SIZE("stur", "em", StoreFrom, kPlain),
      NOWAIT_OF_EACH_SIZE("stlr", "rm", StoreFrom, kRelease),
      NOWAIT_OF_EACH_SIZE("stxr", "rrm", StoreExclusive, kPlain),
      NOWAIT_OF_EACH_SIZE("stlxr", "rrm", StoreExclusive, kRelease),
      {"ldrsb", {"rm", LoadTo<1, kPlain, true>}},
      {"ldrsh", {"rm", LoadTo<2, kPlain, true>}},
      {"ldrsw", {"rm", LoadTo<4, kPlain, true>}},
      {"ldursw", {"rm", LoadTo<4, kPlain, true>}},
      {"ldp", {"eem", LoadPair}},
      {"stp", {"eem", StorePair}},
      {"dmb", {"w", Barrier}},
      {"dsb", {"w", Barrier}},
      {"isb", {"", InstructionBarrier}},
      {"clrex", {"", ClearExclusive}},
  };
}

#undef NOWAIT_OF_EACH_SIZE

}  // namespace nowait::arm
