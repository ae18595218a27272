#include "tests/whole/scheduler/hooks.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "src/base/assert.h"
#include "tests/whole/scheduler/machine.h"

namespace nowait::whole {
namespace {

// Null outside a run, and while the machine itself is at work.
Machine* Here() { return machine != nullptr && machine->on_fiber() ? machine : nullptr; }

}  // namespace

void WaitsForNobody(const Step& step) {
  std::fprintf(stderr, "%s:%u: %s outside a controlled run, where there is no other thread\n",
               step.site.file(), static_cast<unsigned>(step.site.line()), NameOf(step.kind));
  std::abort();
}

void Point(const Step& step) {
  if (Machine* const here = Here()) here->Point(step);
}

void Block(const Step& step) {
  Machine* const here = Here();
  if (here == nullptr) WaitsForNobody(step);
  here->Block(step);
}

void BlockUntil(const Step& step, std::uint64_t nanoseconds) {
  Machine* const here = Here();
  if (here == nullptr) WaitsForNobody(step);
  here->BlockUntil(step, nanoseconds);
}

void NoteAcquired(const void* lock, std::size_t size, Site since) {
  if (Machine* const here = Here()) here->NoteAcquired({lock, size, since});
}
void NoteReleased(const void* lock) {
  if (Machine* const here = Here()) here->NoteReleased(lock);
}

void WakeAll(const void* object) {
  if (Machine* const here = Here()) here->WakeAll(object);
}
void WakeOne(const void* object) {
  if (Machine* const here = Here()) here->WakeOne(object);
}

void YieldHere(const Step& step) {
  if (Machine* const here = Here()) here->Yield(step);
}

void SleepHere(std::uint64_t nanoseconds, Site site) {
  if (Machine* const here = Here()) here->SleepUntil(nanoseconds, site);
}

std::uint64_t NowHere(Site site) {
  Machine* const here = Here();
  return here == nullptr ? 0 : here->Now(site);
}

void ComputeHere(std::uint64_t nanoseconds) {
  if (Machine* const here = Here()) here->Compute(nanoseconds);
}

std::uint32_t SpinsHere() {
  Machine* const here = Here();
  return here == nullptr ? 1 : here->spins();
}

bool Spurious() {
  Machine* const here = Here();
  return here != nullptr && here->Spurious();
}

std::uint32_t StartThread(std::string_view name, std::function<void()> function, Site site) {
  Machine* const here = Here();
  if (here == nullptr) WaitsForNobody({.kind = StepKind::kStart, .site = site});
  return here->Start(name, std::move(function), site);
}

void JoinThread(std::uint32_t thread, Site site) {
  Machine* const here = Here();
  if (here == nullptr) WaitsForNobody({.kind = StepKind::kJoin, .site = site});
  here->Join(thread, site);
}

std::uint32_t ThreadHere() {
  Machine* const here = Here();
  return here == nullptr ? 0 : here->running().number;
}

PerThreadSlot& SlotHere(std::uint32_t number) {
  static PerThreadSlots outside{};
  Machine* const here = Here();
  PerThreadSlots& slots = here == nullptr ? outside : here->running().slots;
  NOWAIT_ASSERT(number < slots.size(), "there are fewer kinds of PerThread than slots");
  return slots[number];
}

std::uint32_t NextPerThread() {
  static std::uint32_t next = 0;
  return next++;
}

std::uint64_t RunHere() {
  Machine* const here = Here();
  return here == nullptr ? 0 : here->run();
}

}  // namespace nowait::whole
