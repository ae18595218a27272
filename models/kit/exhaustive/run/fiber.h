// Fiber: one stack on which a function runs until it gives control back.
//
// An execution of a scenario is several functions that take turns, and most executions end in the
// middle of one: a fiber is begun anew any number of times, and its earlier function is dropped as
// it is. Nothing unwinds then, no destructor runs: the caller must own elsewhere the memory that
// the function would have freed (models/kit/process/arena.h).
//
// The switch is Boost.Context's fcontext, without the classes around it, which unwind. One of our
// own in assembly takes half as long, and would have to be written for each processor.
//
// An overflow of the stack ends the program: below it lies a page that allows no access. No
// exception may leave the function, and no fiber may be left while one is being handled.
//
// Thread safety: a fiber belongs to the operating-system thread that resumes it.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_FIBER_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_FIBER_H_

#include <cstddef>

namespace nowait::model {

class Fiber {
 public:
  static constexpr std::size_t kStackSize = std::size_t{256} * 1024;

  // Maps the stack, of so many bytes; it is kept over every Start.
  explicit Fiber(std::size_t stack_size = kStackSize);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Drops the function that ran on it. Nothing runs before Resume. Not on the fiber itself.
  void Start(void (*function)(void*), void* argument);
  // Runs the function until it suspends itself or returns. Not on a fiber, and not when it ended.
  void Resume();
  // On a fiber: goes back to where it was resumed.
  static void Suspend();

  // The function has returned, or was never started.
  bool ended() const { return ended_; }

 private:
  struct Switch;  // the function that Boost.Context calls

  const std::size_t stack_size_;  // whole pages
  char* mapping_;
  void* context_ = nullptr;  // where the fiber continues; while it runs: where it was resumed
  void (*function_)(void*) = nullptr;
  void* argument_ = nullptr;
  bool ended_ = true;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_FIBER_H_
