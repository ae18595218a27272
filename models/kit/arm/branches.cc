// Branches, calls and returns; hints, and the thread pointer.
#include <cstdint>
#include <string>

#include "models/kit/arm/instructions.h"

namespace nowait::arm {
namespace {

using In = const Instruction&;

std::uint64_t Target(In in) { return static_cast<std::uint64_t>(in.operands.back().immediate); }

void BranchTo(In in, Machine& m) { m.Branch(Target(in)); }
void Call(In in, Machine& m) {
  m.Write({30, 64}, {m.pc() + 4, {}});
  m.Branch(Target(in));
}
void CallRegister(In in, Machine& m) {
  const Value target = m.Read(in.operands[0].reg);
  m.DependOn(target.from);
  m.Write({30, 64}, {m.pc() + 4, {}});
  m.Branch(target.bits);
}
void BranchRegister(In in, Machine& m) {
  const Value target = m.Read(in.operands[0].reg);
  m.DependOn(target.from);
  m.Branch(target.bits);
}
void Return(In in, Machine& m) {
  const Value target = m.Read(in.operands.empty() ? Register{30, 64} : in.operands[0].reg);
  m.DependOn(target.from);
  m.Branch(target.bits);
}
// b.eq: the condition is a part of the name.
void BranchIf(In in, Machine& m) {
  m.DependOn(m.flags.from);
  if (Holds(in.name.substr(2), m)) m.Branch(Target(in));
}
template <bool kIfZero>
void BranchIfZero(In in, Machine& m) {
  const Value value = m.Read(in.operands[0].reg);
  m.DependOn(value.from);
  if ((value.bits == 0) == kIfZero) m.Branch(Target(in));
}
template <bool kIfZero>
void BranchIfBit(In in, Machine& m) {
  const Value value = m.Read(in.operands[0].reg);
  m.DependOn(value.from);
  const bool is_zero = ((value.bits >> (in.operands[1].immediate & 63)) & 1) == 0;
  if (is_zero == kIfZero) m.Branch(Target(in));
}
void Nothing(In, Machine&) {}
void ReadSystemRegister(In in, Machine& m) {
  if (in.operands[1].word == "tpidr_el0") {
    m.Write(in.operands[0].reg, {m.thread_pointer(), {}});
  } else {
    m.Stop("no such system register: \"" + in.text + "\"");
  }
}

}  // namespace

Behaviours Branches() {
  Behaviours branches = {
      {"b", {"i", BranchTo}},
      {"bl", {"i", Call}},
      {"blr", {"r", CallRegister}},
      {"br", {"r", BranchRegister}},
      {"ret", {"", Return}},
      {"cbz", {"ri", BranchIfZero<true>}},
      {"cbnz", {"ri", BranchIfZero<false>}},
      {"tbz", {"rii", BranchIfBit<true>}},
      {"tbnz", {"rii", BranchIfBit<false>}},
      // Hints: they change no state that a program can see.
      {"nop", {"", Nothing}},
      {"yield", {"", Nothing}},
      {"hint", {"", Nothing}},
      {"bti", {"", Nothing}},
      {"prfm", {"", Nothing}},
      {"mrs", {"rw", ReadSystemRegister}},
  };
  for (const char* condition : {"eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs", "vc", "hi",
                                "ls", "ge", "lt", "gt", "le", "al"}) {
    branches[std::string("b.") + condition] = {"i", BranchIf};
  }
  return branches;
}

}  // namespace nowait::arm
