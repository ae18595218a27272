// Fiber: a stack on which a function runs until it yields control.
//
// An execution of a scenario consists of several functions that take turns, and most executions end
// in the middle of one. A fiber can be restarted any number of times, and its earlier function is
// then simply dropped. Nothing unwinds and no destructor runs: the memory that the function would
// have freed must have an owner elsewhere (models/kit/process/arena.h).
//
// The switch is fcontext of Boost.Context, without the classes around it, which unwind. A switch
// written in assembly here would take half as long, but would have to be written per processor.
//
// A function that faults ends the program, unless its fiber is started with a function for that
// case, and something catches the signals (crash_catcher.h). A stack overflow is a fault, because
// the memory below the stack is inaccessible. An exception that leaves the function ends in abort.
// The exceptions that are thrown and handled on a fiber are its own: it may be left and dropped
// meanwhile, and then their memory is lost.
//
// Thread safety: a fiber belongs to the operating-system thread that resumes it.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_FIBER_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_FIBER_H_

#include <setjmp.h>

#include <cstddef>

#include "models/kit/process/code_stack.h"

namespace nowait::model {

class Fiber {
 public:
  static constexpr std::size_t kStackSize = CodeStack::kCodeSize;

  // Maps a stack of `stack_size` bytes, which all calls of Start reuse.
  explicit Fiber(std::size_t stack_size = kStackSize) : stack_(stack_size) {}
  ~Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Drops the function that ran before. Nothing runs until Resume. Must not be called on the fiber.
  // on_fault: runs on the fiber in place of the rest of a function that Fault ends.
  void Start(void (*function)(void*), void* argument, void (*on_fault)(void*) = nullptr);
  // Runs the function until it suspends itself or returns. Not on a fiber, nor after the end.
  void Resume();
  // Called on a fiber: returns to where it was resumed.
  static void Suspend();
  // Called by a signal's handler: ends the function of the fiber that runs, and goes on with its
  // on_fault. Returns if no fiber runs, or one without, and if on_fault runs already.
  static void Fault();

  // Whether the function has returned or was never started.
  bool ended() const { return ended_; }

 private:
  struct Switch;  // the function that Boost.Context calls

  // The exceptions of a thread, as the Itanium C++ ABI lays them out (2.2.2, __cxa_eh_globals).
  struct Exceptions {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };

  const CodeStack stack_;
  Exceptions exceptions_;    // of the function; while it runs: of where it was resumed
  void* context_ = nullptr;  // where the fiber continues; while it runs: where it was resumed
  void (*function_)(void*) = nullptr;
  void* argument_ = nullptr;
  void (*on_fault_)(void*) = nullptr;
  sigjmp_buf fault_;  // where on_fault_ is called
  bool ended_ = true;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_FIBER_H_
