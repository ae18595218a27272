// One thread of AArch64 code, executed in program order over a given script.
//
// The script says what each read of a shared location finds, and whether each store-exclusive
// succeeds. Everything else follows, and the run is a Path: its events, with their dependencies. A
// run whose script is too short stops at the next question. Whether the scripts of several threads
// fit together is judged elsewhere (exploration.h): a load may read what a later store of its own
// thread has led to.
//
// The instructions are functions over this class, in arithmetic.cc, accesses.cc and branches.cc.
#ifndef NOWAIT_MODELS_KIT_ARM_MACHINE_H_
#define NOWAIT_MODELS_KIT_ARM_MACHINE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/kit/arm/event.h"
#include "models/kit/arm/instruction.h"
#include "models/kit/arm/program.h"
#include "models/kit/arm/sharing.h"

namespace nowait::arm {

struct Limits {
  // How often one instruction may read one shared location in a run: the rounds of a loop.
  unsigned rounds = 3;
  // How often store-exclusives, and the compare-exchanges around them, fail spuriously in a run.
  unsigned failures = 1;
};

// The answers to a run's questions: values that are read, and 0 or 1 for whether a store-exclusive
// fails spuriously.
using Script = std::vector<std::uint64_t>;

struct Question {
  bool reads = false;         // otherwise: whether a store-exclusive fails spuriously
  std::uint64_t address = 0;  // of the read
  std::uint64_t own = 0;      // what it finds there if no other thread has written
  bool acquires = false;
};

// Where a thread begins.
struct Start {
  std::uint64_t pc = 0;
  std::map<unsigned, std::uint64_t> registers = {};
};

// A run returns to this address at its end.
constexpr std::uint64_t kReturn = 0xffff'ffff'ffff'fff0;

// The thread-local data of the first thread; the others' are as far apart.
constexpr std::uint64_t kThreadData = 0x1'0000'0000;

class Machine {
 public:
  Machine(const Program& program, const Image& memory, std::size_t thread, Limits limits,
          Sharing& sharing, const Script& script);

  enum class End : std::uint8_t { kReturned, kAsks, kCut, kRepeated, kProblem };
  // kAsks: the script is at its end, and question() is what comes next. kCut: more rounds than the
  // limits allow. kRepeated: as another run, but for a round of a loop in vain (README.md, "What is
  // left out"). kProblem: problem() is one line.
  End Run(const Start& start);
  const std::string& problem() const { return problem_; }
  const Question& question() const { return question_; }
  Path TakePath();

  // --- For the instructions.

  Value Read(Register reg) const;
  void Write(Register reg, Value value);

  struct Flags {
    bool n = false, z = false, c = false, v = false;
    Sources from = {};
  };
  Flags flags;

  // The operand's value: a register or a number, and the shift or extension behind it.
  Value ValueOf(const Instruction& instruction, std::size_t operand, unsigned bits) const;

  // Where a memory operand points; writes the base back, if the operand or the one behind says so.
  Value AddressOf(const Instruction& instruction, std::size_t operand);

  struct Ordering {
    bool acquire = false, acquire_pc = false, release = false;
  };
  // `returns`: false if the instruction discards the value.
  Value Load(Value address, unsigned size, Ordering ordering, bool returns = true);
  // `rmw`: the event of the read that belongs to it, or -1.
  void Store(Value address, unsigned size, Value value, Ordering ordering, int rmw);
  void Fence(Kind kind);

  // The event of the last Load; -1 if its location is not shared.
  int last_read() const { return last_read_; }

  // A load-exclusive that waits for its store-exclusive.
  struct Exclusive {
    std::uint64_t address = 0;
    unsigned size = 0;
    int read = -1;
    std::uint64_t pc = 0;
  };
  std::optional<Exclusive> exclusive;
  // Before a load-exclusive: ends the run if it only repeats an attempt that failed spuriously.
  void BeginAttempt(std::uint64_t address);
  // Whether a store-exclusive that could succeed fails spuriously.
  bool FailsSpuriously(const Exclusive& claimed);
  // Behind a store-exclusive that failed, when its status is written.
  void EndFailedAttempt();

  void Branch(std::uint64_t target) { next_pc_ = target; }
  void DependOn(const Sources& condition);
  std::uint64_t pc() const { return pc_; }
  // Where the thread's own static data lie.
  std::uint64_t thread_pointer() const { return kThreadData + thread_ * kThreadData; }
  const Program& program() const { return program_; }

  void Stop(std::string problem);

 private:
  struct Byte {
    std::uint8_t bits;
    Sources from;
  };

  std::uint64_t OwnMemory(std::uint64_t address, unsigned size, Sources& from) const;
  Value ReadShared(Value address, unsigned size, Ordering ordering, bool returns);
  bool HasRoom();
  bool IsFruitless(std::uint64_t address);
  std::optional<std::uint64_t> Answer(const Question& question);

  const Program& program_;
  const Image& memory_;
  const std::size_t thread_;
  const Limits limits_;
  Sharing& sharing_;
  const Script& script_;
  std::size_t answered_ = 0;
  Question question_;
  bool asks_ = false;

  std::array<Value, kRegisters> registers_{};
  std::unordered_map<std::uint64_t, Byte> own_;  // what it has written
  std::vector<Event> events_;
  Places control_ = 0;
  Places addressed_ = 0;
  Places acquired_ = 0;
  std::uint64_t pc_ = 0;
  std::uint64_t next_pc_ = 0;
  int last_read_ = -1;
  std::map<std::uint64_t, int> last_write_;                             // by shared location
  std::map<std::pair<std::uint64_t, std::uint64_t>, unsigned> rounds_;  // by instruction, location
  // The state at the last read of a location by an instruction; no store has come since.
  struct Round {
    std::array<Value, kRegisters> registers;
    Flags flags;
    std::uint64_t claimed = 0;  // the address of the load-exclusive that waits
    std::size_t events = 0;
  };
  static bool IsVain(const Round& last, const Round& now);
  std::map<std::pair<std::uint64_t, std::uint64_t>, Round> last_rounds_;
  unsigned failures_ = 0;
  std::optional<Exclusive> failed_;
  std::size_t events_when_failed_ = 0;
  std::array<std::uint64_t, kRegisters> registers_when_failed_{};
  bool cut_ = false;
  bool repeated_ = false;
  std::string problem_;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_MACHINE_H_
