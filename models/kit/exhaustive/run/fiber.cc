#include "models/kit/exhaustive/run/fiber.h"

#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "src/base/assert.h"

namespace nowait::model {
namespace {

namespace context = boost::context::detail;

// At least a page on every processor that we know of: arm64 has pages of 64 KiB.
constexpr std::size_t kGuardSize = std::size_t{64} * 1024;

constinit thread_local Fiber* running = nullptr;

char* MapStack(std::size_t size) {
  void* mapping = ::mmap(nullptr, kGuardSize + size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED || ::mprotect(mapping, kGuardSize, PROT_NONE) != 0) {
    std::perror("models/kit: no stack for a fiber");
    std::abort();
  }
  return static_cast<char*>(mapping);
}

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

Fiber::Fiber(std::size_t stack_size) : stack_size_(stack_size), mapping_(MapStack(stack_size)) {}

Fiber::~Fiber() { ::munmap(mapping_, kGuardSize + stack_size_); }

void Fiber::Start(void (*function)(void*), void* argument, void (*on_fault)(void*)) {
  NOWAIT_ASSERT(running != this, "a fiber is not started by what runs on it");
  function_ = function;
  argument_ = argument;
  on_fault_ = on_fault;
  ended_ = false;
  context_ = context::make_fcontext(mapping_ + kGuardSize + stack_size_, stack_size_, &Switch::Run);
}

void Fiber::Resume() {
  NOWAIT_ASSERT(running == nullptr && !ended_,
                "only the main stack resumes, and what has not ended");
  running = this;
  Switch::Swap(*this);
  running = nullptr;
}

void Fiber::Suspend() {
  NOWAIT_ASSERT(running != nullptr, "only a fiber suspends itself");
  Switch::Swap(*running);
}

void Fiber::Fault() {
  if (running != nullptr && running->on_fault_ != nullptr) siglongjmp(running->fault_, 1);
}

bool Fiber::OverflowsAt(const void* address) {
  if (running == nullptr) return false;
  const char* const at = static_cast<const char*>(address);
  return running->mapping_ <= at && at < running->mapping_ + kGuardSize;
}

}  // namespace nowait::model
