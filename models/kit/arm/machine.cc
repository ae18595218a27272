#include "models/kit/arm/machine.h"

#include <cstdio>
#include <set>
#include <vector>

#include "models/kit/arm/instructions.h"

namespace nowait::arm {
namespace {

constexpr std::uint64_t kNullPage = 4096;
constexpr unsigned kMostSteps = 1'000'000;

// Neither in the first page nor across the end of all addresses.
bool IsPlace(std::uint64_t address) { return address >= kNullPage && address <= 0 - kNullPage; }

std::uint64_t Low(std::uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

std::string Hex(std::uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

std::uint64_t Extended(std::uint64_t bits, const std::string& how) {
  if (how == "uxtb") return Low(bits, 8);
  if (how == "uxth") return Low(bits, 16);
  if (how == "uxtw") return Low(bits, 32);
  if (how == "sxtb") return static_cast<std::uint64_t>(static_cast<std::int8_t>(bits));
  if (how == "sxth") return static_cast<std::uint64_t>(static_cast<std::int16_t>(bits));
  if (how == "sxtw") return static_cast<std::uint64_t>(static_cast<std::int32_t>(bits));
  return bits;
}

// A register's bits, shifted or extended, of an operand of so many bits.
std::uint64_t Shifted(std::uint64_t bits, const std::string& how, unsigned amount, unsigned width) {
  bits = Low(bits, width);
  if (how == "lsr") return bits >> amount;
  if (how == "ror") {
    return amount == 0 ? bits : Low((bits >> amount) | (bits << (width - amount)), width);
  }
  if (how == "asr") {
    const auto wide = static_cast<std::int64_t>(width == 32 ? Extended(bits, "sxtw") : bits);
    return Low(static_cast<std::uint64_t>(wide >> amount), width);
  }
  return Low(Extended(bits, how) << amount, width);
}

}  // namespace

Machine::Machine(const Program& program, const Image& memory, std::size_t thread, Limits limits,
                 Sharing& sharing, const Script& script)
    : program_(program),
      memory_(memory),
      thread_(thread),
      limits_(limits),
      sharing_(sharing),
      script_(script) {}

Machine::End Machine::Run(const Start& start) {
  for (const auto& [number, bits] : start.registers) registers_[number] = {bits, {}};
  registers_[30] = {kReturn, {}};
  pc_ = start.pc;
  for (unsigned steps = 0; pc_ != kReturn; ++steps) {
    const auto line = program_.code.find(pc_);
    if (line == program_.code.end()) {
      Stop("there is no code at " + Hex(pc_));
    } else if (!line->second.unread.empty()) {
      Stop(line->second.unread + ", in \"" + line->second.instruction.text + "\"");
    } else if (steps == kMostSteps) {
      Stop("a run of " + std::to_string(kMostSteps) + " instructions has not ended");
    } else {
      next_pc_ = pc_ + 4;
      Execute(line->second.instruction, *this);
    }
    if (!problem_.empty()) return End::kProblem;
    if (asks_) return End::kAsks;
    if (cut_) return End::kCut;
    if (repeated_) return End::kRepeated;
    pc_ = next_pc_;
  }
  return End::kReturned;
}

Path Machine::TakePath() {
  Path path{.events = std::move(events_), .registers = {}, .memory = {}};
  for (unsigned number = 0; number < kZero; ++number) {
    path.registers.push_back(registers_[number].bits);
  }
  for (const auto& [address, byte] : own_) path.memory[address] = byte.bits;
  return path;
}

void Machine::Stop(std::string problem) {
  if (problem_.empty()) problem_ = "at " + Hex(pc_) + ": " + std::move(problem);
}

Value Machine::Read(Register reg) const {
  if (reg.number == kZero) return {};
  const Value& value = registers_[reg.number];
  return {Low(value.bits, reg.bits), value.from};
}

void Machine::Write(Register reg, Value value) {
  if (reg.number != kZero) registers_[reg.number] = {Low(value.bits, reg.bits), value.from};
}

Value Machine::ValueOf(const Instruction& instruction, std::size_t at, unsigned bits) const {
  const Operand& operand = instruction.operands[at];
  Value value{static_cast<std::uint64_t>(operand.immediate), {}};
  if (operand.kind == Operand::Kind::kRegister) value = Read(operand.reg);
  if (at + 1 < instruction.operands.size()) {
    const Operand& shift = instruction.operands[at + 1];
    if (shift.kind == Operand::Kind::kShift) {
      value.bits = Shifted(value.bits, shift.word, static_cast<unsigned>(shift.immediate), bits);
    }
  }
  value.bits = Low(value.bits, bits);
  return value;
}

Value Machine::AddressOf(const Instruction& instruction, std::size_t at) {
  const Operand& operand = instruction.operands[at];
  Value address = Read(operand.reg);
  const Value base = address;
  if (operand.has_index) {
    const Value index = Read(operand.index);
    address.bits += Extended(index.bits, operand.index_shift) << operand.index_amount;
    address.from = address.from | index.from;
  }
  address.bits += static_cast<std::uint64_t>(operand.immediate);
  if (operand.pre_index) Write(operand.reg, address);
  if (at + 1 < instruction.operands.size()) {  // post-index
    const Operand& step = instruction.operands[at + 1];
    Write(operand.reg, {base.bits + static_cast<std::uint64_t>(step.immediate), base.from});
  }
  return address;
}

std::optional<std::uint64_t> Machine::Answer(const Question& question) {
  if (answered_ < script_.size()) return script_[answered_++];
  question_ = question;
  asks_ = true;
  return {};
}

bool Machine::HasRoom() {
  if (events_.size() < kMostEvents) return true;
  Stop("more than " + std::to_string(kMostEvents) + " events of shared memory");
  return false;
}

std::uint64_t Machine::OwnMemory(std::uint64_t address, unsigned size, Sources& from) const {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < size; ++i) {
    const auto own = own_.find(address + i);
    std::uint64_t byte = 0;
    if (own != own_.end()) {
      byte = own->second.bits;
      from = from | own->second.from;
    } else if (const auto initial = memory_.find(address + i); initial != memory_.end()) {
      byte = initial->second;
    }
    bits |= byte << (8 * i);
  }
  return bits;
}

Value Machine::Load(Value address, unsigned size, Ordering ordering, bool returns) {
  last_read_ = -1;
  if (!IsPlace(address.bits)) Stop("a read of address " + Hex(address.bits));
  // Constants beside the code: the image has them, or nobody knows them.
  if (program_.code.contains(address.bits & ~std::uint64_t{3}) && !memory_.contains(address.bits)) {
    Stop("a read of code at " + Hex(address.bits));
  }
  const Sharing::Met met = sharing_.At(address.bits, size);
  if (!met.problem.empty()) Stop(met.problem);
  if (!problem_.empty()) return {};
  sharing_.NoteAccess(thread_, address.bits, size, false);
  Value value;
  if (met.shared) {
    value = ReadShared(address, size, ordering, returns);
  } else {
    Sources from = address.from;
    value.bits = OwnMemory(address.bits, size, from);
    value.from = from;
    // addr, or (addr | data); rfi, and then the acquire.
    if (ordering.acquire || ordering.acquire_pc) acquired_ |= from.data;
  }
  addressed_ |= address.from.data | address.from.pick;
  return value;
}

Value Machine::ReadShared(Value address, unsigned size, Ordering ordering, bool returns) {
  if (!HasRoom()) return {};
  if (IsFruitless(address.bits)) {
    repeated_ = true;
    return {};
  }
  if (++rounds_[{pc_, address.bits}] > limits_.rounds) {
    cut_ = true;
    return {};
  }
  Sources none;
  const auto own = last_write_.find(address.bits);
  const std::uint64_t unless_others = own != last_write_.end()
                                          ? events_[static_cast<std::size_t>(own->second)].value
                                          : OwnMemory(address.bits, size, none);
  const auto bits = Answer({.reads = true,
                            .address = address.bits,
                            .own = unless_others,
                            .acquires = ordering.acquire || ordering.acquire_pc});
  if (!bits) return {};
  last_read_ = static_cast<int>(events_.size());
  events_.push_back({.kind = Kind::kRead,
                     .address = address.bits,
                     .value = *bits,
                     .acquire = ordering.acquire,
                     .acquire_pc = ordering.acquire_pc,
                     .returns = returns,
                     .address_from = address.from,
                     .control = control_,
                     .addressed = addressed_,
                     .acquired = acquired_});
  return {*bits, {Only(static_cast<std::size_t>(last_read_)), 0}};
}

// Whether the thread was here before, in this state: it went once round a loop and changed nothing.
bool Machine::IsFruitless(std::uint64_t address) {
  const Round round{registers_, flags, exclusive ? exclusive->address : 0, events_.size()};
  const auto [last, is_first] = last_rounds_.try_emplace({pc_, address}, round);
  if (!is_first && IsVain(last->second, round)) return true;
  last->second = round;
  return false;
}

// The run without this round has the same values. It stands for this one only if it depends on no
// more: each source that it has is a source here, or the same read of the round before.
bool Machine::IsVain(const Round& last, const Round& now) {
  const std::size_t length = now.events - last.events;
  const Places kept = last.events > length ? Only(last.events - length) - 1 : 0;
  const auto covers = [&](Places a, Places b) {
    const Places moved = length < kMostEvents ? (a & ~kept) << length : 0;
    return (a & ~b) == 0 || (((a & kept) | moved) & ~b) == 0;
  };
  const auto equals = [&](const Sources& a, const Sources& b) {
    return covers(a.data, b.data) && covers(a.pick, b.pick | b.data);
  };
  for (unsigned i = 0; i < kRegisters; ++i) {
    if (last.registers[i].bits != now.registers[i].bits) return false;
    if (!equals(last.registers[i].from, now.registers[i].from)) return false;
  }
  const Flags& a = last.flags;
  const Flags& b = now.flags;
  return a.n == b.n && a.z == b.z && a.c == b.c && a.v == b.v && equals(a.from, b.from) &&
         last.claimed == now.claimed;
}

void Machine::Store(Value address, unsigned size, Value value, Ordering ordering, int rmw) {
  if (!IsPlace(address.bits)) Stop("a write to address " + Hex(address.bits));
  const Sharing::Met met = sharing_.At(address.bits, size);
  if (!met.problem.empty()) Stop(met.problem);
  if (!problem_.empty() || !HasRoom()) return;
  value.bits = Low(value.bits, 8 * size);
  last_rounds_.clear();
  sharing_.NoteAccess(thread_, address.bits, size, true);
  if (met.shared) {
    last_write_[address.bits] = static_cast<int>(events_.size());
    events_.push_back({.kind = Kind::kWrite,
                       .address = address.bits,
                       .value = value.bits,
                       .release = ordering.release,
                       .rmw = rmw,
                       .data = value.from,
                       .address_from = address.from,
                       .control = control_,
                       .addressed = addressed_,
                       .acquired = acquired_});
  } else {
    // A pick comes before this write, and not before a read of it.
    const Sources from = {value.from.data | address.from.data, 0};
    for (unsigned i = 0; i < size; ++i) {
      own_[address.bits + i] = {static_cast<std::uint8_t>(value.bits >> (8 * i)), from};
    }
  }
  addressed_ |= address.from.data | address.from.pick;
}

void Machine::Fence(Kind kind) {
  if (HasRoom()) {
    events_.push_back(
        {.kind = kind, .control = control_, .addressed = addressed_, .acquired = acquired_});
  }
}

void Machine::BeginAttempt(std::uint64_t address) {
  repeated_ = failed_ && failed_->pc == pc_ && failed_->address == address &&
              events_.size() == events_when_failed_;
  // An attempt that remembers or counts the failure is not the same again.
  for (unsigned i = 0; i < kRegisters; ++i) {
    if (registers_[i].bits != registers_when_failed_[i]) repeated_ = false;
  }
}

bool Machine::FailsSpuriously(const Exclusive& claimed) {
  if (failures_ == limits_.failures) return false;
  const auto fails = Answer({});
  if (!fails || *fails == 0) return false;
  ++failures_;
  failed_ = claimed;
  events_when_failed_ = events_.size();
  return true;
}

void Machine::EndFailedAttempt() {
  for (unsigned i = 0; i < kRegisters; ++i) registers_when_failed_[i] = registers_[i].bits;
}

void Machine::DependOn(const Sources& condition) { control_ |= condition.data | condition.pick; }

}  // namespace nowait::arm
