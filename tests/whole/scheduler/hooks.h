// The machine's side of the policy's operations: functions that do nothing outside a run.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_HOOKS_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_HOOKS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "tests/whole/scheduler/step.h"
#include "tests/whole/scheduler/thread.h"

namespace nowait::whole {

// As Machine's functions of the same names.
void Point(const Step& step);
void Block(const Step& step);
void BlockUntil(const Step& step, std::uint64_t nanoseconds);
void NoteAcquired(const void* lock, std::size_t size, Site since);
void NoteReleased(const void* lock);
void WakeAll(const void* object);
void WakeOne(const void* object);
void YieldHere(const Step& step);
void SleepHere(std::uint64_t nanoseconds, Site site);
std::uint64_t NowHere(Site site);
void ComputeHere(std::uint64_t nanoseconds);
std::uint32_t SpinsHere();
bool Spurious();
std::uint32_t StartThread(std::string_view name, std::function<void()> function, Site site);
void JoinThread(std::uint32_t thread, Site site);
bool HasEnded(std::uint32_t thread);

// The calling thread's number, and its slot for the PerThread with this number; 0 outside a run.
std::uint32_t ThreadHere();
PerThreadSlot& SlotHere(std::uint32_t number);
// A number for one more kind of PerThread.
std::uint32_t NextPerThread();

// Changes from run to run; 0 outside.
std::uint64_t RunHere();

// A step that would wait, outside a run.
[[noreturn]] void WaitsForNobody(const Step& step);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_HOOKS_H_
