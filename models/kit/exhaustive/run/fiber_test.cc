// A fiber takes turns with its caller, and can be dropped and restarted at any point.
#include "models/kit/exhaustive/run/fiber.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <vector>

namespace nowait::model {
namespace {

// Adds 1, 2, 3 with a pause after each.
void Count(void* log) {
  for (int i = 1; i <= 3; ++i) {
    static_cast<std::vector<int>*>(log)->push_back(i);
    Fiber::Suspend();
  }
}

TEST_CASE("a fiber runs from pause to pause and then ends") {
  std::vector<int> log;
  Fiber fiber;
  CHECK(fiber.ended());
  fiber.Start(Count, &log);
  CHECK(log.empty());
  CHECK_FALSE(fiber.ended());
  for (int i = 1; i <= 3; ++i) {
    fiber.Resume();
    CHECK(log.size() == static_cast<std::size_t>(i));
    CHECK_FALSE(fiber.ended());
  }
  fiber.Resume();
  CHECK(fiber.ended());
  CHECK(log == std::vector<int>{1, 2, 3});
}

TEST_CASE("fibers take turns in any order") {
  std::vector<int> log;
  std::array<std::vector<int>, 3> logs;
  std::array<Fiber, 3> fibers;
  for (std::size_t i = 0; i < 3; ++i) fibers[i].Start(Count, &logs[i]);
  for (const std::size_t turn : {0u, 2u, 2u, 1u, 0u, 2u, 1u, 2u, 0u}) {
    fibers[turn].Resume();
    log.push_back(static_cast<int>(turn) * 10 + static_cast<int>(logs[turn].size()));
  }
  CHECK(log == std::vector<int>{1, 21, 22, 11, 2, 23, 12, 23, 3});
  CHECK_FALSE(fibers[0].ended());
  CHECK_FALSE(fibers[1].ended());
  CHECK(fibers[2].ended());
}

struct CountsItsEnd {
  ~CountsItsEnd() { ++*ends; }
  int* ends;
};

void HoldAndWait(void* ends) {
  const CountsItsEnd held{static_cast<int*>(ends)};
  Fiber::Suspend();
}

TEST_CASE("a dropped function does not unwind, and the stack is begun anew") {
  int ends = 0;
  std::vector<int> log;
  Fiber fiber;
  for (int i = 0; i < 100'000; ++i) {
    fiber.Start(HoldAndWait, &ends);
    fiber.Resume();
  }
  CHECK(ends == 0);
  fiber.Resume();
  CHECK(ends == 1);
  CHECK(fiber.ended());
  fiber.Start(Count, &log);
  fiber.Start(Count, &log);  // the first never ran
  fiber.Resume();
  CHECK(log == std::vector<int>{1});
}

// The registers that a call preserves hold sums here, in both contexts at once.
void Sum(void* result) {
  std::uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
  double x = 0.5;
  for (int i = 0; i < 100; ++i) {
    a += b, b += c, c += d, d += e, e += f, f += a, x += 0.25;
    Fiber::Suspend();
  }
  *static_cast<double*>(result) = static_cast<double>(a ^ b ^ c ^ d ^ e ^ f) + x;
}

TEST_CASE("registers survive the switch on both sides") {
  double alone = 0;
  Fiber fiber;
  fiber.Start(Sum, &alone);
  while (!fiber.ended()) fiber.Resume();

  double first = 0;
  double second = 0;
  Fiber other;
  fiber.Start(Sum, &first);
  other.Start(Sum, &second);
  std::uint64_t a = 1, b = 1, turns = 0;
  for (; !other.ended(); ++turns) {
    const std::uint64_t next = a + b;
    a = b, b = next;
    fiber.Resume();
    other.Resume();
  }
  CHECK(turns == 101);
  CHECK(first == alone);
  CHECK(second == alone);
  std::uint64_t p = 1, q = 1;
  for (std::uint64_t i = 0; i < turns; ++i) {
    const std::uint64_t next = p + q;
    p = q, q = next;
  }
  CHECK(b == q);
}

void ThrowAndCatch(void* caught) {
  for (int i = 0; i < 3; ++i) {
    try {
      throw std::runtime_error("within");
    } catch (const std::runtime_error&) {
      ++*static_cast<int*>(caught);
    }
    Fiber::Suspend();
  }
}

TEST_CASE("an exception may be thrown and caught between two pauses") {
  int caught = 0;
  Fiber fiber;
  fiber.Start(ThrowAndCatch, &caught);
  for (int i = 0; i < 3; ++i) fiber.Resume();
  CHECK(caught == 3);
}

struct SuspendsAtItsEnd {
  ~SuspendsAtItsEnd() {
    Fiber::Suspend();
    *alone = *alone && std::uncaught_exceptions() == 1;
  }
  bool* alone;
};
void SuspendWhileUnwinding(void* alone) {
  try {
    const SuspendsAtItsEnd suspends{static_cast<bool*>(alone)};
    throw std::runtime_error("on its way");
  } catch (const std::runtime_error&) {
  }
}

TEST_CASE("an exception in flight is its fiber's, and is dropped with the function") {
  bool alone = true;
  std::array<Fiber, 2> fibers;
  for (Fiber& fiber : fibers) {
    fiber.Start(SuspendWhileUnwinding, &alone);
    fiber.Resume();
    CHECK(std::uncaught_exceptions() == 0);
  }
  fibers[0].Resume();
  CHECK(fibers[0].ended());
  CHECK(alone);
  int caught = 0;
  fibers[1].Start(ThrowAndCatch, &caught);
  fibers[1].Resume();
  CHECK(caught == 1);
  CHECK(std::uncaught_exceptions() == 0);
}

void SuspendInHandler(void* number) {
  try {
    throw *static_cast<int*>(number);
  } catch (int) {
    Fiber::Suspend();
    try {
      throw;
    } catch (int again) {
      *static_cast<int*>(number) = again * 10;
    }
  }
}

TEST_CASE("fibers that take turns in their handlers have their own exceptions there") {
  std::array<int, 2> numbers = {1, 2};
  std::array<Fiber, 2> fibers;
  for (std::size_t i : {0u, 1u}) fibers[i].Start(SuspendInHandler, &numbers[i]);
  for (std::size_t i : {0u, 1u, 0u, 1u}) fibers[i].Resume();
  CHECK(numbers == std::array{10, 20});
  CHECK(std::current_exception() == nullptr);
}

// Tests the size of the frame, and that alignas holds on this stack as on any other.
void UseMostOfTheStack(void* aligned) {
  alignas(64) char frame[Fiber::kStackSize - 16 * 1024];
  std::memset(frame, 1, sizeof frame);
  Fiber::Suspend();
  *static_cast<bool*>(aligned) =
      reinterpret_cast<std::uintptr_t>(frame) % 64 == 0 && frame[0] + frame[sizeof frame - 1] == 2;
}

TEST_CASE("the stack is as large as promised and aligned") {
  bool aligned = false;
  Fiber fiber;
  fiber.Start(UseMostOfTheStack, &aligned);
  fiber.Resume();
  fiber.Resume();
  CHECK(aligned);
}

// The use after the call keeps each frame alive. The bound, which no stack here reaches, is for the
// compiler, which would warn about unbounded recursion.
int Recurse(volatile int* depth) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(*depth);
  *depth = *depth + 1;
  return *depth == 1'000'000 ? 0 : Recurse(depth) + frame[0];
}

TEST_CASE("a stack that overflows meets its guard page") {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::signal(SIGSEGV, SIG_DFL);
    std::array<Fiber, 2> neighbours;  // an overflow would reach their memory
    int depth = 0;
    neighbours[0].Start([](void* d) { Recurse(static_cast<int*>(d)); }, &depth);
    neighbours[0].Resume();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGSEGV);
}

}  // namespace
}  // namespace nowait::model
