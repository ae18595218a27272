#include "models/kit/arm/instructions.h"

#include <utility>

namespace nowait::arm {
namespace {

const Behaviours& All() {
  static const Behaviours all = [] {
    Behaviours behaviours = Arithmetic();
    behaviours.merge(Bitfields());
    behaviours.merge(Accesses());
    behaviours.merge(Atomics());
    behaviours.merge(Floats());
    behaviours.merge(Branches());
    return behaviours;
  }();
  return all;
}

bool Fits(const Operand& operand, char wanted) {
  const bool is_register = operand.kind == Operand::Kind::kRegister;
  const bool is_float = is_register && operand.reg.number >= kFloats;
  switch (wanted) {
    case 'r':
      return is_register && !is_float;
    case 'f':
      return is_float;
    case 'e':
      return is_register;
    case 'g':
      return is_register || operand.kind == Operand::Kind::kReal;
    case 'o':
      return (is_register && !is_float) || operand.kind == Operand::Kind::kImmediate;
    case 'i':
      return operand.kind == Operand::Kind::kImmediate;
    case 'a':
      return operand.kind == Operand::Kind::kMemory || operand.kind == Operand::Kind::kImmediate;
    case 'm':
      return operand.kind == Operand::Kind::kMemory;
    default:
      return operand.kind == Operand::Kind::kWord;
  }
}

bool Fits(const Instruction& instruction, std::string_view wanted) {
  if (instruction.operands.size() < wanted.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!Fits(instruction.operands[i], wanted[i])) return false;
  }
  return true;
}

}  // namespace

void Execute(const Instruction& instruction, Machine& machine) {
  const auto found = All().find(instruction.name);
  if (found == All().end()) {
    machine.Stop("no such instruction here: \"" + instruction.text + "\"");
  } else if (!Fits(instruction, found->second.operands)) {
    machine.Stop("operands that are not understood: \"" + instruction.text + "\"");
  } else {
    found->second.execute(instruction, machine);
  }
}

bool Holds(const std::string& condition, Machine& machine) {
  const Machine::Flags& f = machine.flags;
  static const std::unordered_map<std::string, bool (*)(const Machine::Flags&)> kConditions = {
      {"eq", [](const Machine::Flags& f) { return f.z; }},
      {"ne", [](const Machine::Flags& f) { return !f.z; }},
      {"cs", [](const Machine::Flags& f) { return f.c; }},
      {"hs", [](const Machine::Flags& f) { return f.c; }},
      {"cc", [](const Machine::Flags& f) { return !f.c; }},
      {"lo", [](const Machine::Flags& f) { return !f.c; }},
      {"mi", [](const Machine::Flags& f) { return f.n; }},
      {"pl", [](const Machine::Flags& f) { return !f.n; }},
      {"vs", [](const Machine::Flags& f) { return f.v; }},
      {"vc", [](const Machine::Flags& f) { return !f.v; }},
      {"hi", [](const Machine::Flags& f) { return f.c && !f.z; }},
      {"ls", [](const Machine::Flags& f) { return !f.c || f.z; }},
      {"ge", [](const Machine::Flags& f) { return f.n == f.v; }},
      {"lt", [](const Machine::Flags& f) { return f.n != f.v; }},
      {"gt", [](const Machine::Flags& f) { return !f.z && f.n == f.v; }},
      {"le", [](const Machine::Flags& f) { return f.z || f.n != f.v; }},
      {"al", [](const Machine::Flags&) { return true; }},
  };
  const auto found = kConditions.find(condition);
  if (found == kConditions.end()) {
    machine.Stop("no such condition: \"" + condition + "\"");
    return false;
  }
  return found->second(f);
}

}  // namespace nowait::arm
