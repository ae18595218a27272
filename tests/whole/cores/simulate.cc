#include "tests/whole/cores/simulate.h"

#include <cstdio>
#include <limits>

#include "tests/whole/cores/work.h"
#include "tests/whole/scheduler/hooks.h"
#include "tests/whole/scheduler/machine.h"

namespace nowait::whole {
namespace {

constinit CoreClocks* running = nullptr;  // whose counts a round belongs to
// After so long an idle thread sleeps: kSpins looks and pauses.
constexpr std::uint64_t kQuiet = 100'000;

}  // namespace

void Work(std::uint64_t nanoseconds) { ComputeHere(nanoseconds); }
void BeginRound() {
  Work(kQuiet);
  running->Begin();
}
bool EndRound(double) {
  running->End();
  return true;
}

Result<std::uint64_t> RunOnCores(CoreClocks& cores, const std::function<void()>& program) {
  constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  Machine run({.fair_after = kNever, .most_steps = kNever, .spurious = 0}, cores);
  running = &cores;
  const Outcome outcome = run.Run(program);
  running = nullptr;
  if (outcome.failure) {
    std::fprintf(stderr, "simulated cores: %s\n", outcome.failure->what.c_str());
    for (const std::string& thread : outcome.failure->threads) {
      std::fprintf(stderr, "  %s\n", thread.c_str());
    }
    return Fail(ErrorCode::kWrongPhase, "simulation", 0, "the program has failed");
  }
  return outcome.steps;
}

Result<void> CheckThreads(std::uint64_t threads) {
  if (threads >= 1 && threads <= CacheLines::kMostCores) return {};
  return Fail(ErrorCode::kInvalidArgument, "threads", static_cast<std::int64_t>(threads),
              "there are 1 to 64 simulated cores");
}

}  // namespace nowait::whole
