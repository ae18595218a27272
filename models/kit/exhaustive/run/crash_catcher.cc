#include "models/kit/exhaustive/run/crash_catcher.h"

#include <signal.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#include "models/kit/exhaustive/run/fiber.h"
#include "models/kit/process/arena.h"
#include "models/kit/program/machine.h"

namespace nowait::model {
namespace {

constexpr std::array<int, 5> kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

std::mutex mutex;  // of the two below
int catchers = 0;
// As they were before the first catcher. A handler reads it while a catcher exists.
std::array<struct sigaction, kSignals.size()> before;

constinit thread_local const char* words = "";

bool IsNull(int signal, const void* address) {
  // No program has memory below this address.
  constexpr std::uintptr_t kFirstPage = 4096;
  return signal == SIGSEGV && reinterpret_cast<std::uintptr_t>(address) < kFirstPage;
}

const char* WordsOf(int signal, const void* address) {
  switch (signal) {
    case SIGFPE:
      return "an integer division has no result";
    case SIGILL:
      return "the code traps";
    case SIGABRT:
      return "the code aborts: an assertion of its own, or an exception that nothing catches";
    default:
      if (Fiber::OverflowsAt(address)) return "the stack of 256 KiB is full";
      return IsNull(signal, address) ? "a null pointer is followed"
                                     : "memory is used that is not there";
  }
}

void OnSignal(int signal, siginfo_t* info, void*) {
  // In a call into the kit, too, null is the object of the code under test: a null node's atomic.
  if (current_region != nullptr || IsNull(signal, info->si_addr)) {
    current_region = nullptr;
    words = WordsOf(signal, info->si_addr);
    Fiber::Fault();
  }
  // Nobody's: what it would have done without a catcher, as soon as this returns.
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] == signal) ::sigaction(signal, &before[i], nullptr);
  }
}

// A handler needs a stack of its own where the fault is that the stack is full.
void MakeSignalStack() {
  stack_t now{};
  ::sigaltstack(nullptr, &now);
  if ((now.ss_flags & SS_DISABLE) == 0) return;  // it has one
  alignas(16) static thread_local std::array<char, std::size_t{64} * 1024> memory;
  stack_t mine{};
  mine.ss_sp = memory.data();
  mine.ss_size = memory.size();
  ::sigaltstack(&mine, nullptr);
}

}  // namespace

CrashCatcher::CrashCatcher() {
  MakeSignalStack();
  const std::scoped_lock lock(mutex);
  if (catchers++ != 0) return;
  struct sigaction action = {};
  action.sa_sigaction = &OnSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &before[i]);
}

CrashCatcher::~CrashCatcher() {
  const std::scoped_lock lock(mutex);
  if (--catchers != 0) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before[i], nullptr);
}

void CrashCatcher::Fail(void*) {
  CurrentMachine()->Fail(FailureKind::kCrash, words, Site());
  std::abort();  // never reached
}

}  // namespace nowait::model
