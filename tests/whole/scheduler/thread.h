// Thread: one of a controlled program's threads, as the machine keeps it.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_THREAD_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_THREAD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/kit/exhaustive/run/fiber.h"
#include "tests/whole/scheduler/step.h"

namespace nowait::whole {

inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};

// The values of PerThread, by the number of their type and tag.
struct PerThreadSlot {
  static constexpr std::size_t kSize = 32;
  alignas(16) std::array<std::byte, kSize> bytes;
  bool made = false;
};
using PerThreadSlots = std::array<PerThreadSlot, 16>;

// State that the operating system would keep for each thread, and the fibers of one thread share.
struct OfTheSystem {
  void* caught_exceptions = nullptr;  // as __cxa_eh_globals
  unsigned int uncaught_exceptions = 0;
  int error_number = 0;

  // The state of the operating system's thread now.
  static OfTheSystem Take();
  void Put() const;
};

enum class ThreadState : std::uint8_t { kReady, kYielded, kAsleep, kBlocked, kEnded };

// A lock that a thread has.
struct HeldLock {
  bool Covers(const void* address) const {
    return !std::less<>()(address, lock) &&
           std::less<>()(address, static_cast<const std::byte*>(lock) + size);
  }

  const void* lock;
  std::size_t size;  // a thread may wait for any part of it
  Site since;
};

struct OpenCall {
  const char* name;
  std::uint64_t id;
  std::uint64_t since;  // which step
};

struct Thread {
  std::uint32_t number = 0;
  std::string name;
  std::function<void()> function;
  std::unique_ptr<model::Fiber> fiber;
  ThreadState state = ThreadState::kReady;

  Step next;                   // what it is about to do, or waits to be able to do
  std::vector<HeldLock> held;  // what others may wait for
  std::uint64_t wakes_at = 0;  // when it is asleep

  std::uint64_t steps = 0;
  std::uint32_t choices = 0;
  std::vector<OpenCall> calls;
  std::uint64_t finished_calls = 0;
  std::uint64_t steps_when_fair = 0;  // and how many of each it had when schedules became fair
  std::uint64_t finished_when_fair = 0;

  bool meets_faults = true;  // fault_scope.h
  PerThreadSlots slots{};
  OfTheSystem system;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_THREAD_H_
