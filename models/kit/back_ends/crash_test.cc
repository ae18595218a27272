// A fault of the code under test is a failure with an execution; a fault of the kit is not hidden.
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>

#include "models/kit/engine/run_search.h"
#include "models/kit/exhaustive/run/crash_catcher.h"
#include "models/kit/exhaustive/run/fiber.h"
#include "models/kit/process/code_stack.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;
using Fault = void (*)();

void FollowsNull() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}
void UsesStrangeMemory() {
  volatile int* volatile nowhere = reinterpret_cast<int*>(std::uintptr_t{1} << 46);
  *nowhere = 1;
}
void Divides() {
  volatile int number = 100, zero = 0;
  volatile int result = number / zero;
  static_cast<void>(result);
}
void Traps() { __builtin_trap(); }
void Aborts() { std::abort(); }
void Throws() { throw std::runtime_error("nothing catches it"); }

// The use after the call keeps each frame alive.
int Recurse(volatile int* depth) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(*depth);
  *depth = *depth + 1;
  return *depth == 1'000'000 ? 0 : Recurse(depth) + frame[0];
}
void FillsTheStack() {
  volatile int depth = 0;
  Recurse(&depth);
}

// Far below the stack: as in a text of snprintf, the lowest bytes are the ones that are used.
void HasALargeArray() {
  volatile char text[1024 * 1024];
  text[0] = 1;
  static_cast<void>(text[0]);
}
struct Crashes {
  ~Crashes() { FollowsNull(); }
};
void CrashesWhileUnwinding() {
  try {
    const Crashes crashes;
    throw std::runtime_error("on its way to the handler");
  } catch (const std::runtime_error&) {
  }
}

// No program has memory there, nor an address of this form.
void UsesPoison() {
  volatile int* volatile nowhere = reinterpret_cast<int*>(0xDDDDDDDDDDDDDDDDu);
  *nowhere = 1;
}

// Thread 1 faults if it comes second.
template <Fault kFault>
struct InAThread {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) ready.store(1, Order::release);
    if (t == 1 && ready.load(Order::acquire) == 1) kFault();
  }
  ModelSync::atomic<int> ready{0};
};
// The object of an operation is not there.
template <std::uintptr_t kAddress>
struct OfNoAtomic {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    auto* volatile none = reinterpret_cast<ModelSync::atomic<int>*>(kAddress);
    if (t == 1) none->store(1, Order::relaxed);
  }
};
// The stack is full within an operation.
struct InDeepOperations {
  static constexpr int kThreads = 2;
  // The use after the call keeps each frame alive.
  int Recurse(volatile int* depth) {
    volatile char frame[512];
    frame[0] = static_cast<char>(word.load(Order::relaxed));
    *depth = *depth + 1;
    return *depth == 1'000'000 ? 0 : Recurse(depth) + frame[0];
  }
  void Thread(int t) {
    volatile int depth = 0;
    if (t == 1) Recurse(&depth);
  }
  ModelSync::atomic<int> word{0};
};
// An operation that begins with this many bytes of the stack in use.
template <std::size_t kUsed>
struct UsesTheStack {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    volatile char frame[kUsed];
    frame[0] = static_cast<char>(t);
    word.store(frame[0], Order::relaxed);
    frame[0] = 0;
  }
  ModelSync::atomic<int> word{0};
};
struct InSetUp {
  static constexpr int kThreads = 2;
  InSetUp() { FollowsNull(); }
  void Thread(int) {}
};
struct InAfter {
  static constexpr int kThreads = 2;
  void Thread(int) {}
  void After() { FollowsNull(); }
};

template <class S>
SearchResult Run(const Search& search, const Start& start = {}) {
  SiteTable sites;
  return RunSearch(Scenario<S>::Entry({.name = "crash", .promise = "", .searches = {}}), search,
                   start, sites);
}

template <class S>
std::string WordsOf() {
  std::string words;
  for (const Search& search : {Graphs(), Pct(3, 1'000)}) {
    const SearchResult result = Run<S>(search);
    REQUIRE(result.failure);
    REQUIRE(result.failure->kind == FailureKind::kCrash);
    CHECK(result.failure->Label() == "crash");
    const SearchResult again = Run<S>(search, result.replay);
    REQUIRE(again.failure);
    CHECK(again.executions == 1);
    CHECK(again.failure->words == result.failure->words);
    CHECK(again.trace.Format() == result.trace.Format());
    CHECK((words.empty() || words == result.failure->words));
    words = result.failure->words;
  }
  return words;
}

TEST_CASE("a fault of a thread is the failure of an execution, which is shown again") {
  CHECK(WordsOf<InAThread<FollowsNull>>() == "a null pointer is followed");
  CHECK(WordsOf<InAThread<UsesStrangeMemory>>() == "memory is used that is not there");
  CHECK(WordsOf<InAThread<Divides>>() == "an integer division has no result");
  CHECK(WordsOf<InAThread<Traps>>() == "the code traps");
  CHECK(WordsOf<InAThread<FillsTheStack>>() == "the stack of 256 KiB is full");
  CHECK(WordsOf<InAThread<HasALargeArray>>() == "the stack of 256 KiB is full");
  const std::string aborts =
      "the code aborts: an assertion of its own, or an exception that nothing catches";
  CHECK(WordsOf<InAThread<Aborts>>() == aborts);
  CHECK(WordsOf<InAThread<Throws>>() == aborts);
}

TEST_CASE("before and after the threads, too, and in an operation") {
  CHECK(WordsOf<OfNoAtomic<0>>() == "a null pointer is followed");
  CHECK(WordsOf<OfNoAtomic<std::uintptr_t{1} << 46>>() == "memory is used that is not there");
  CHECK(WordsOf<InAThread<UsesPoison>>() == "memory is used that is not there");
  CHECK(WordsOf<InSetUp>() == "a null pointer is followed");
  CHECK(WordsOf<InAfter>() == "a null pointer is followed");
}

TEST_CASE("an exception that a crash leaves in flight is gone with its execution") {
  CHECK(WordsOf<InAThread<CrashesWhileUnwinding>>() == "a null pointer is followed");
  CHECK(std::uncaught_exceptions() == 0);
  WordsOf<InAThread<Throws>>();
  CHECK(std::current_exception() == nullptr);
}

// How a process ends in which the kit itself faults, before or behind a search. `prepare` runs
// before there is a catcher.
int SignalOf(
    Fault fault, Fault prepare = [] {}) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    for (const int signal : {SIGSEGV, SIGABRT}) std::signal(signal, SIG_DFL);
    ::alarm(20);  // the end of one that hangs
    prepare();
    const CrashCatcher catcher;
    fault();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK((WIFSIGNALED(status) || WEXITSTATUS(status) == 0));
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST_CASE("a stack that is full within an operation is a failure, too") {
  // In a process of its own, which a signal may end.
  CHECK(SignalOf([] { Run<InDeepOperations>(Graphs()); }) == 0);
}

// In the middle of the kit a lock of malloc could be held, and would be for ever.
TEST_CASE("the kit has its own part of the stack, which no operation begins in") {
  constexpr std::size_t kAll = CodeStack::kCodeSize;
  CHECK_FALSE(Run<UsesTheStack<kAll - 4096>>(Graphs()).failure);
  CHECK(WordsOf<UsesTheStack<kAll + CodeStack::kReserve / 4>>() == CodeStack::kFull);
}

// Each execution copies and compares this block (thread_locals.h), and the stack of each thread of
// the program has to hold it.
TEST_CASE("the thread_local objects of the program are few") {
  std::size_t size = 0;
  const auto look = [](dl_phdr_info* program, std::size_t, void* found) {
    for (const ElfW(Phdr) & header : std::span(program->dlpi_phdr, program->dlpi_phnum)) {
      if (header.p_type == PT_TLS) *static_cast<std::size_t*>(found) = header.p_memsz;
    }
    return 1;  // the first one is the program
  };
  dl_iterate_phdr(look, &size);
  CHECK(size < 4096);
}

char* closed = nullptr;
void Open(int, siginfo_t* info, void*) {
  if (info->si_addr != closed) ::_exit(1);
  ::mprotect(closed, 4096, PROT_READ | PROT_WRITE);
}

TEST_CASE("a handler of the program has its faults, and the catcher stays") {
  const Fault prepare = [] {
    closed =
        static_cast<char*>(::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    struct sigaction action = {};
    action.sa_sigaction = &Open;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGSEGV, &action, nullptr);
  };
  const Fault faults = [] {
    *closed = 1;
    const SearchResult result = Run<InAThread<FollowsNull>>(Graphs());
    if (!result.failure || result.failure->kind != FailureKind::kCrash) ::_exit(2);
  };
  CHECK(SignalOf(faults, prepare) == 0);
}

TEST_CASE("a signal that the program ignores, whatever its flags, is ignored") {
  const Fault prepare = [] {
    struct sigaction action = {};
    action.sa_handler = SIG_IGN;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGFPE, &action, nullptr);
  };
  CHECK(SignalOf([] { ::raise(SIGFPE); }, prepare) == 0);
}

TEST_CASE("a fault of what handles a fault ends the program") {
  CHECK(SignalOf([] {
          Fiber fiber;
          const auto faults = [](void*) { FollowsNull(); };
          fiber.Start(faults, nullptr, faults);
          fiber.Resume();
        }) == SIGSEGV);
}

TEST_CASE("a fault of the kit ends the program as if nothing caught signals") {
  CHECK(SignalOf(&FollowsNull) == SIGSEGV);
  CHECK(SignalOf(&Aborts) == SIGABRT);
  CHECK(SignalOf([] { ::kill(::getpid(), SIGSEGV); }) == SIGSEGV);
  CHECK(SignalOf([] {
          Run<InAThread<FollowsNull>>(Graphs());
          FollowsNull();
        }) == SIGSEGV);
}

}  // namespace
}  // namespace nowait::model
