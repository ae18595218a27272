#include "models/kit/exhaustive/run/fiber.h"

#include <cxxabi.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstdlib>
#include <utility>

#include "src/base/assert.h"

namespace nowait::model {
namespace {

namespace context = boost::context::detail;

constinit thread_local Fiber* running = nullptr;

// Not a member of the fiber, whose memory may be what the fault has destroyed.
constinit thread_local bool has_faulted = false;

}  // namespace

struct Fiber::Switch {
  // Switches to where `fiber` continues or, from the fiber itself, back to where it was resumed.
  // Returns at the next switch back. On the way the two contexts change roles.
  static void Swap(Fiber& fiber) {
    fiber.context_ = context::jump_fcontext(fiber.context_, nullptr).fctx;
  }

  // noexcept: no exception may unwind the frames above this one on the stack.
  static void Run(context::transfer_t came) noexcept {
    Fiber& fiber = *running;
    fiber.context_ = came.fctx;
    // Without the mask of signals: the handler leaves it as it is (SA_NODEFER).
    if (fiber.on_fault_ == nullptr || sigsetjmp(fiber.fault_, 0) == 0) {
      fiber.function_(fiber.argument_);
    } else {
      running->on_fault_(running->argument_);
    }
    running->ended_ = true;
    Swap(*running);
    std::abort();
  }
};

void Fiber::Start(void (*function)(void*), void* argument, void (*on_fault)(void*)) {
  NOWAIT_ASSERT(running != this, "a fiber is not started by what runs on it");
  function_ = function;
  argument_ = argument;
  on_fault_ = on_fault;
  ended_ = false;
  exceptions_ = {};
  context_ = context::make_fcontext(stack_.end(), stack_.size(), &Switch::Run);
}

void Fiber::Resume() {
  NOWAIT_ASSERT(running == nullptr && !ended_,
                "only the main stack resumes, and what has not ended");
  const CodeStack::Running runs(stack_);
  auto& exceptions = *reinterpret_cast<Exceptions*>(abi::__cxa_get_globals());
  running = this;
  std::swap(exceptions, exceptions_);
  Switch::Swap(*this);
  std::swap(exceptions, exceptions_);
  running = nullptr;
  has_faulted = false;
}

void Fiber::Suspend() {
  NOWAIT_ASSERT(running != nullptr, "only a fiber suspends itself");
  Switch::Swap(*running);
}

void Fiber::Fault() {
  if (running == nullptr || running->on_fault_ == nullptr || has_faulted) return;
  has_faulted = true;
  siglongjmp(running->fault_, 1);
}

}  // namespace nowait::model
