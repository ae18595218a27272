// The behaviour of the instructions, by name. An instruction that is not there stops the machine
// with its name and place: a verdict over code that was not understood would be worth nothing.
#ifndef NOWAIT_MODELS_KIT_ARM_INSTRUCTIONS_H_
#define NOWAIT_MODELS_KIT_ARM_INSTRUCTIONS_H_

#include <string>
#include <string_view>
#include <unordered_map>

#include "models/kit/arm/instruction.h"
#include "models/kit/arm/machine.h"

namespace nowait::arm {

struct Behaviour {
  // The operands that it needs: r register, o register or number, i number, m memory,
  // a memory or a place in the code, w word; f register of a float, e register of either kind,
  // g register of either kind or real number.
  std::string_view operands;
  void (*execute)(const Instruction& instruction, Machine& machine);
};
using Behaviours = std::unordered_map<std::string, Behaviour>;

Behaviours Arithmetic();  // arithmetic.cc: moves, sums, logic, shifts, comparisons, selections
Behaviours Bitfields();   // bitfields.cc: fields of bits, extensions, counts of bits
Behaviours Accesses();    // accesses.cc: loads, stores, pairs, exclusives, barriers
Behaviours Atomics();     // atomics.cc: cas, swp, ldadd and their kind
Behaviours Floats();      // floats.cc: moves, sums, products and comparisons of single floats
Behaviours Branches();    // branches.cc

void Execute(const Instruction& instruction, Machine& machine);

// Whether a condition such as "eq" holds; stops the machine if there is no such condition.
bool Holds(const std::string& condition, Machine& machine);

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_INSTRUCTIONS_H_
