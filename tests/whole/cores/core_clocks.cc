#include "tests/whole/cores/core_clocks.h"

#include <algorithm>
#include <cmath>

#include "src/base/assert.h"
#include "src/sync/policy.h"
#include "tests/whole/scheduler/thread.h"

namespace nowait::whole {
namespace {

std::uint64_t Picoseconds(double nanoseconds) {
  return static_cast<std::uint64_t>(std::llround(nanoseconds * 1000));
}

}  // namespace

CoreClocks::CoreClocks(const CoreCosts& costs, std::uint32_t cores)
    : cores_(cores),
      step_(Picoseconds(costs.step)),
      pause_(Picoseconds(costs.pause)),
      notify_(Picoseconds(costs.notify)),
      wake_(Picoseconds(costs.wake)),
      lines_(Picoseconds(costs.hit), Picoseconds(costs.update), Picoseconds(costs.transfer)) {
  NOWAIT_ASSERT(cores <= CacheLines::kMostCores, "a line counts its cores in 64 bits");
  due_.fill(kWaits);
}

std::uint32_t CoreClocks::spins() const { return StdThreads::kSpins; }

std::uint32_t CoreClocks::Next() {
  const auto first = std::min_element(due_.begin(), due_.begin() + threads_);
  return threads_ == 0 || *first == kWaits ? kNobody
                                           : static_cast<std::uint32_t>(first - due_.begin());
}

void CoreClocks::Done(std::uint32_t thread, const Step& step) {
  clock_[thread] = std::max(clock_[thread], due_[thread]);  // a sleeper's time has come
  clock_[thread] += step_;
  if (counting_) ++counts_.steps;
  switch (step.kind) {
    case StepKind::kLoad:
    case StepKind::kWait:
      Touch(thread, step, Access::kLoad);
      break;
    case StepKind::kStore:
      Touch(thread, step, Access::kStore);
      break;
    case StepKind::kUpdate:
    case StepKind::kLock:
    case StepKind::kTryLock:
    case StepKind::kUnlock:
    case StepKind::kLockShared:
    case StepKind::kTryLockShared:
    case StepKind::kUnlockShared:
    case StepKind::kConditionWait:
    case StepKind::kConditionNotify:
      if (counting_) ++counts_.updates;
      Touch(thread, step, Access::kUpdate);
      break;
    case StepKind::kYield:
    case StepKind::kPause:
      clock_[thread] += pause_;
      if (counting_) {
        ++counts_.paused;
        counts_.pauses += pause_;
      }
      break;
    case StepKind::kNotify:  // the threads that it wakes are charged where they are woken
    case StepKind::kStart:
    case StepKind::kBegin:
    case StepKind::kEnd:
    case StepKind::kJoin:
    case StepKind::kSleep:
    case StepKind::kClock:
    case StepKind::kCall:
    case StepKind::kReturn:
      break;
  }
  due_[thread] = step.kind == StepKind::kEnd ? kWaits : clock_[thread];
}

void CoreClocks::Touch(std::uint32_t thread, const Step& step, Access access) {
  const std::uint64_t now = clock_[thread];
  const Served served = lines_.Serve(thread, access, step.object, now);
  clock_[thread] = served.end;
  if (!counting_ || !served.transferred) return;
  ++counts_.moved;
  counts_.queues += served.waited;
  counts_.transfers += served.end - now - served.waited;
  if (uses_.size() < lines_.size()) uses_.resize(lines_.size());
  std::vector<LineUse>& of_line = uses_[served.line];
  auto use = std::find_if(of_line.begin(), of_line.end(), [&step](const LineUse& one) {
    return one.site.line() == step.site.line() && one.site.file() == step.site.file();
  });
  if (use == of_line.end()) {
    of_line.push_back({.line = served.line, .site = step.site});
    use = of_line.end() - 1;
  }
  ++use->moved;
  use->time += served.end - now;
}

void CoreClocks::Waits(std::uint32_t thread, std::uint64_t until) {
  due_[thread] =
      until == kForEver ? kWaits : std::max(clock_[thread], std::min(until, kWaits / 2000) * 1000);
}

void CoreClocks::Wakes(std::uint32_t thread, std::uint32_t by) {
  if (thread >= threads_) threads_ = thread + 1;
  if (by != kNobody) {
    clock_[by] += notify_;
    if (due_[by] != kWaits) due_[by] = clock_[by];
    clock_[thread] = std::max(clock_[thread], clock_[by] + wake_);
    if (counting_) {
      ++counts_.woken;
      counts_.notifies += notify_;
    }
  }
  due_[thread] = clock_[thread];
}

void CoreClocks::Computes(std::uint32_t thread, std::uint64_t nanoseconds) {
  clock_[thread] += nanoseconds * 1000;
  due_[thread] = clock_[thread];
  if (counting_) counts_.computes += nanoseconds * 1000;
}

std::uint64_t CoreClocks::Now(std::uint32_t thread) const { return clock_[thread] / 1000; }

void CoreClocks::Begin() {
  counts_ = {};
  uses_.clear();
  began_ = clock_[0];
  counting_ = true;
}

void CoreClocks::End() {
  counts_.elapsed = clock_[0] - began_;
  counting_ = false;
}

std::vector<LineUse> CoreClocks::Uses() const {
  std::vector<LineUse> all;
  for (const auto& of_line : uses_) all.insert(all.end(), of_line.begin(), of_line.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const LineUse& a, const LineUse& b) { return a.time > b.time; });
  return all;
}

}  // namespace nowait::whole
