// CodeStack: the memory of a stack on which code under test runs.
//
//   | guard: inaccessible | reserve: the kit's | the code's |
//                                                           end(), where it begins
//
// The guard is as large as a whole stack is elsewhere (8 MiB). A local array for which there is no
// room here is therefore a fault, and not memory of something else, and costs address space alone.
//
// In the reserve no call into the kit begins (MachineCall): its execution fails before the kit does
// anything. An overflow in the middle of the kit could leave a lock of malloc locked, or half of a
// change.
//
// Thread safety: a stack is used by one operating-system thread at a time.
#ifndef NOWAIT_MODELS_KIT_PROCESS_CODE_STACK_H_
#define NOWAIT_MODELS_KIT_PROCESS_CODE_STACK_H_

#include <cstddef>
#include <utility>

namespace nowait::model {

class CodeStack {
 public:
  // A thread's, and its words when it is full.
  static constexpr std::size_t kCodeSize = std::size_t{256} * 1024;
  static constexpr const char* kFull = "the stack of 256 KiB is full";
  // More than the deepest call of the kit needs, with that of a failure.
  static constexpr std::size_t kReserve = std::size_t{64} * 1024;

  // size: bytes for the code, a multiple of 64 KiB. Ends the program if there is no memory.
  explicit CodeStack(std::size_t size);
  ~CodeStack();
  CodeStack(const CodeStack&) = delete;
  CodeStack& operator=(const CodeStack&) = delete;

  char* end() const { return end_; }
  // With the reserve.
  std::size_t size() const { return static_cast<std::size_t>(end_ - reserve_); }

  // During its lifetime the code of this operating-system thread runs on the stack, or does so when
  // control is back there. One within another one belongs to a stack above it.
  class Running {
   public:
    explicit Running(const CodeStack& stack) : before_(std::exchange(reserve, stack.reserve_)) {}
    ~Running() { reserve = before_; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    char* const before_;
  };

  // Whether the caller runs in the reserve of the running stack. Not inline: in a large frame an
  // inlined one would see where that frame begins, and not where it ends.
  static bool IsFull();
  // Ends the reserve: the execution fails, and its failure has the rest of the stack.
  static void GiveReserve() { reserve = nullptr; }
  // Whether an access to this address means that the running stack is full.
  static bool OverflowsAt(const void* address);

 private:
  // The running stack's; null: no stack runs, or its execution has failed.
  static constinit thread_local char* reserve;

  char* reserve_;
  char* end_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_CODE_STACK_H_
