#include "tests/whole/scheduler/crash.h"

#include <signal.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>

#include "tests/whole/scheduler/machine.h"

namespace nowait::whole {
namespace {

constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// A fiber that has overflowed its stack has no stack left for a handler.
alignas(16) constinit std::array<std::byte, 256 * 1024> handlers_stack{};
std::array<struct sigaction, kSignals.size()> before;

void Handle(int signal) {
  if (machine != nullptr && machine->on_fiber()) {
    machine->Fail(FailureKind::kCrash, std::string("signal: ") + ::strsignal(signal));
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void HandleAssertion(const FailedAssertion& failed) {
  if (machine == nullptr || !machine->on_fiber()) return;
  machine->Fail(FailureKind::kAssertion, std::string(failed.what) + " (" + failed.condition + ")");
}

}  // namespace

CrashScope::CrashScope() : assertion_before_(assertion_handler) {
  assertion_handler = &HandleAssertion;
  stack_t stack = {};
  stack.ss_sp = handlers_stack.data();
  stack.ss_size = handlers_stack.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = &Handle;
  // The handler is left by a switch of stacks: the signal must not stay blocked.
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_NODEFER);
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &before[i]);
}

CrashScope::~CrashScope() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before[i], nullptr);
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
  assertion_handler = assertion_before_;
}

}  // namespace nowait::whole
