// CountInstructions: the instructions that one call takes, compiled as it is shipped.
//
// A time differs from run to run, and a policy that counts (counting_sync.h) sees atomics alone:
// it does not notice a loop over plain memory. Here the call itself runs, with the processor's trap
// flag set: the system stops the thread after each instruction, and a signal handler counts. For a
// call that waits for no other thread the number is the same in each run, but for what the
// allocator and the linker do once; so a test makes the call once before it counts.
//
//   const auto cost = CountInstructions([&] { done = world.MoveBody(id, place, {}, wait); });
//   CHECK(cost.locked <= 4);
//
// An instruction is counted as locked if it has the lock prefix, or is an exchange with memory,
// which locks the line without a prefix.
//
// x86-64 alone. The handler is the process's: one thread at a time counts. Under a sanitizer most
// instructions are the sanitizer's own, so there the call is made and nothing is counted.
//
// Source: Intel's manual, volume 3, "Single-Step Exception Condition".
#ifndef NOWAIT_TESTS_WHOLE_SINGLE_STEPS_H_
#define NOWAIT_TESTS_WHOLE_SINGLE_STEPS_H_

#include <ucontext.h>
#include <x86intrin.h>

#include <csignal>
#include <cstdint>

namespace nowait::whole {

struct Instructions {
  std::uint64_t all = 0;
  std::uint64_t locked = 0;
};

// Only clang builds with sanitizers here (.bazelrc), and g++ 12 does not know the question.
#if defined(__clang__)
inline constexpr bool kCountsInstructions =
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
inline constexpr bool kCountsInstructions = true;
#endif

namespace single_steps_internal {

inline Instructions counted;

// code: where an instruction begins.
inline bool IsLocked(const std::uint8_t* code) {
  // Legacy prefixes come before REX, in any order.
  for (;; ++code) {
    switch (*code) {
      case 0xf0:
        return true;
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0x64:
      case 0x65:
      case 0x66:
      case 0x67:
      case 0xf2:
      case 0xf3:
        continue;
      default:
        break;
    }
    break;
  }
  if ((*code & 0xf0) == 0x40) ++code;  // REX
  const bool is_exchange = *code == 0x86 || *code == 0x87;
  return is_exchange && (code[1] & 0xc0) != 0xc0;  // of memory
}

inline void Step(int, siginfo_t*, void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  ++counted.all;
  counted.locked += IsLocked(reinterpret_cast<const std::uint8_t*>(registers[REG_RIP])) ? 1 : 0;
}

inline constexpr unsigned long long kTrapFlag = 0x100;

}  // namespace single_steps_internal

template <class Call>
Instructions CountInstructions(const Call& call) {
  using namespace single_steps_internal;
  if (!kCountsInstructions) {
    call();
    return {};
  }
  struct sigaction mine = {}, before = {};
  mine.sa_sigaction = &Step;
  mine.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &mine, &before);
  counted = {};
  __writeeflags(__readeflags() | kTrapFlag);
  // The first stop is after one more instruction, which is not looked at.
  asm volatile("nop" ::: "memory");
  call();
  asm volatile("" ::: "memory");
  __writeeflags(__readeflags() & ~kTrapFlag);
  sigaction(SIGTRAP, &before, nullptr);
  return counted;
}

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SINGLE_STEPS_H_
