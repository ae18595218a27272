#include "models/kit/exhaustive/run/crash_catcher.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>

#include "models/kit/exhaustive/run/fiber.h"
#include "models/kit/process/arena.h"
#include "models/kit/process/code_stack.h"
#include "models/kit/program/machine.h"

namespace nowait::model {
namespace {

// SIGTRAP: __builtin_trap is one on arm64.
constexpr std::array<int, 6> kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

std::mutex mutex;  // of the two below
int catchers = 0;
// As they were before the first catcher. A handler reads it while a catcher exists.
std::array<struct sigaction, kSignals.size()> before;

constinit thread_local const char* words = "";

// Memory is used that the thread may not use: the processor names the address.
bool IsOfMemory(const siginfo_t& info) {
  return info.si_signo == SIGSEGV && (info.si_code == SEGV_MAPERR || info.si_code == SEGV_ACCERR);
}

const char* WordsOf(const siginfo_t& info) {
  // No program has memory below this address.
  constexpr std::uintptr_t kFirstPage = 4096;
  switch (info.si_signo) {
    case SIGFPE:
      return "an integer division has no result";
    case SIGILL:
    case SIGTRAP:
      return "the code traps";
    case SIGABRT:
      return "the code aborts: an assertion of its own, or an exception that nothing catches";
    default:
      if (IsOfMemory(info) && CodeStack::OverflowsAt(info.si_addr)) return CodeStack::kFull;
      return IsOfMemory(info) && reinterpret_cast<std::uintptr_t>(info.si_addr) < kFirstPage
                 ? "a null pointer is followed"
                 : "memory is used that is not there";
  }
}

// Whether the code under test has caused the signal, given that its fiber runs.
bool IsOfTheCode(const siginfo_t& info) {
  const bool is_sent = info.si_code <= 0;
  if (is_sent) {
    return info.si_signo == SIGABRT && info.si_code == SI_TKILL && info.si_pid == ::getpid() &&
           current_region != nullptr;
  }
  // In a call into the kit, too, memory that is not there is the code's: a node that is not there
  // has an atomic that is not there.
  return current_region != nullptr || info.si_signo == SIGSEGV || info.si_signo == SIGBUS;
}

void OnSignal(int signal, siginfo_t* info, void* context) {
  if (IsOfTheCode(*info)) {
    Region* const region = std::exchange(current_region, nullptr);
    words = WordsOf(*info);
    Fiber::Fault();
    current_region = region;
  }
  // As without a catcher. A handler of the program is called from here and not put in place of this
  // one, because it may return, or jump.
  const auto at = std::ranges::find(kSignals, signal) - kSignals.begin();
  const struct sigaction& theirs = before[static_cast<std::size_t>(at)];
  // Whatever the flags say, SIG_DFL and SIG_IGN are no functions.
  if (theirs.sa_handler != SIG_DFL && theirs.sa_handler != SIG_IGN) {
    if ((theirs.sa_flags & SA_SIGINFO) != 0) return theirs.sa_sigaction(signal, info, context);
    return theirs.sa_handler(signal);
  }
  struct sigaction mine;
  ::sigaction(signal, &theirs, &mine);
  if (info->si_code > 0) return;  // the fault comes again, and ends the program
  ::raise(signal);
  ::sigaction(signal, &mine, nullptr);  // the program ignores it
}

// A handler needs a stack of its own where the fault is that the stack is full. It is mapped: the
// thread_local objects of a program that is checked are few (thread_locals.h).
class SignalStack {
 public:
  static constexpr std::size_t kSize = std::size_t{64} * 1024;

  SignalStack() {
    void* const memory = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;  // without one, a stack that is full ends the program
    memory_ = memory;
    stack_t mine{};
    mine.ss_sp = memory_;
    mine.ss_size = kSize;
    ::sigaltstack(&mine, nullptr);
  }
  ~SignalStack() {
    if (memory_ == nullptr) return;
    stack_t now{};
    ::sigaltstack(nullptr, &now);
    if (now.ss_sp == memory_) {
      stack_t none{};
      none.ss_flags = SS_DISABLE;
      ::sigaltstack(&none, nullptr);
    }
    ::munmap(memory_, kSize);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  void* memory_ = nullptr;
};

void MakeSignalStack() {
  stack_t now{};
  ::sigaltstack(nullptr, &now);
  if ((now.ss_flags & SS_DISABLE) == 0) return;  // the thread has one
  static thread_local std::optional<SignalStack> stack;
  stack.emplace();
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
