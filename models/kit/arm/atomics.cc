// The atomic instructions of ARMv8.1: cas, swp, ldadd and their kind.
//
// Their read and their write are two events, the write with the read as its rmw. A name says the
// order and the size: casalb is acquire, release, a byte. An atomic whose result is discarded
// (stadd, or wzr as its destination) does not acquire, and a load fence does not wait for it.
#include <cstdint>
#include <string>

#include "models/kit/arm/instructions.h"

namespace nowait::arm {
namespace {

using In = const Instruction&;
using Word = std::uint64_t;

struct Form {
  unsigned size = 0;  // 0: that of the register
  Machine::Ordering ordering = {};
};

// The suffix behind the operation's name: [a][l][b|h].
Form FormOf(std::string_view suffix) {
  Form form;
  for (const char c : suffix) {
    if (c == 'a') form.ordering.acquire = true;
    if (c == 'l') form.ordering.release = true;
    if (c == 'b') form.size = 1;
    if (c == 'h') form.size = 2;
  }
  return form;
}
unsigned Size(const Form& form, In in) {
  return form.size == 0 ? in.operands[0].reg.bits / 8 : form.size;
}
Machine::Ordering OfRead(const Form& form, bool returns) {
  return {.acquire = form.ordering.acquire && returns};
}
Machine::Ordering OfWrite(const Form& form) { return {.release = form.ordering.release}; }

// cas rs, rt, [xn]: if memory has rs, it becomes rt; rs becomes what memory had.
void CompareAndSwap(In in, Machine& m) {
  const Form form = FormOf(std::string_view(in.name).substr(3));
  const unsigned size = Size(form, in);
  const Register compared = in.operands[0].reg;
  const bool returns = compared.number != kZero;
  const Value expected = m.Read(compared);
  Value desired = m.Read(in.operands[1].reg);
  const Value address = m.AddressOf(in, 2);
  Value found = m.Load(address, size, OfRead(form, returns), returns);
  const int read = m.last_read();
  const Word mask = size == 8 ? ~Word{0} : (Word{1} << (8 * size)) - 1;
  if (found.bits == (expected.bits & mask)) {
    desired.from.pick |= expected.from.data | expected.from.pick;
    m.Store(address, size, desired, OfWrite(form), read);
    // Processor and register have the same value: it may come from either.
    found.from = {0, found.from.data | found.from.pick};
  }
  m.Write(compared, found);
}

// swp rs, rt, [xn]: memory becomes rs, rt what memory had.
void Swap(In in, Machine& m) {
  const Form form = FormOf(std::string_view(in.name).substr(3));
  const unsigned size = Size(form, in);
  const Register to = in.operands[1].reg;
  const bool returns = to.number != kZero;
  const Value value = m.Read(in.operands[0].reg);
  const Value address = m.AddressOf(in, 2);
  const Value found = m.Load(address, size, OfRead(form, returns), returns);
  m.Store(address, size, value, OfWrite(form), m.last_read());
  m.Write(to, found);
}

Word Signed(Word bits, unsigned size) {
  const unsigned unused = 64 - 8 * size;
  return static_cast<Word>(static_cast<std::int64_t>(bits << unused) >> unused);
}
bool Less(Word a, Word b, unsigned size) {
  return static_cast<std::int64_t>(Signed(a, size)) < static_cast<std::int64_t>(Signed(b, size));
}
Word Applied(std::string_view operation, Word old, Word operand, unsigned size) {
  if (size < 8) operand &= (Word{1} << (8 * size)) - 1;
  if (operation == "add") return old + operand;
  if (operation == "clr") return old & ~operand;
  if (operation == "set") return old | operand;
  if (operation == "eor") return old ^ operand;
  if (operation == "smax") return Less(old, operand, size) ? operand : old;
  if (operation == "smin") return Less(operand, old, size) ? operand : old;
  if (operation == "umax") return old < operand ? operand : old;
  return operand < old ? operand : old;  // umin
}

// ldadd rs, rt, [xn]: memory becomes the sum of it and rs, rt what memory had. stadd: without rt.
void Update(In in, Machine& m) {
  const std::string_view name = in.name;
  const bool returning = name.starts_with("ld");
  const std::size_t length = name[2] == 's' && name[3] == 'e'   ? 3  // set
                             : name[2] == 's' || name[2] == 'u' ? 4  // smax, umin, ...
                                                                : 3;
  const std::string_view operation = name.substr(2, length);
  const Form form = FormOf(name.substr(2 + length));
  const unsigned size = Size(form, in);
  const Register to = returning ? in.operands[1].reg : Register{};
  const bool returns = to.number != kZero;
  const Value operand = m.Read(in.operands[0].reg);
  const Value address = m.AddressOf(in, returning ? 2 : 1);
  const Value found = m.Load(address, size, OfRead(form, returns), returns);
  const Value updated{Applied(operation, found.bits, operand.bits, size), operand.from};
  m.Store(address, size, updated, OfWrite(form), m.last_read());
  m.Write(to, found);
}

void AddForms(Behaviours& to, const std::string& name, const Behaviour& behaviour) {
  for (const char* order : {"", "a", "l", "al"}) {
    for (const char* size : {"", "b", "h"}) to[name + order + size] = behaviour;
  }
}

}  // namespace

Behaviours Atomics() {
  Behaviours atomics;
  AddForms(atomics, "cas", {"rrm", CompareAndSwap});
  AddForms(atomics, "swp", {"rrm", Swap});
  for (const char* operation : {"add", "clr", "set", "eor", "smax", "smin", "umax", "umin"}) {
    AddForms(atomics, std::string("ld") + operation, {"rrm", Update});
    AddForms(atomics, std::string("st") + operation, {"rm", Update});
  }
  return atomics;
}

}  // namespace nowait::arm
