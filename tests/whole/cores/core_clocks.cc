#include "tests/whole/cores/core_clocks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/assert.h"
#include "src/sync/policy.h"
#include "tests/whole/scheduler/thread.h"

namespace nowait::whole {
namespace {

std::uint64_t Picoseconds(double nanoseconds) {
  return static_cast<std::uint64_t>(std::llround(nanoseconds * 1000));
}

// Whether, and how, a step touches its object.
enum class Touches : std::uint8_t { kNothing, kLoads, kStores, kUpdates };
Touches TouchesOf(const Step& step) {
  switch (step.kind) {
    case StepKind::kLoad:
    case StepKind::kWait:
      return Touches::kLoads;
    case StepKind::kStore:
      return step.ordered ? Touches::kUpdates : Touches::kStores;
    case StepKind::kUpdate:
    case StepKind::kLock:
    case StepKind::kTryLock:
    case StepKind::kUnlock:
    case StepKind::kLockShared:
    case StepKind::kTryLockShared:
    case StepKind::kUnlockShared:
    case StepKind::kConditionWait:
    case StepKind::kConditionNotify:
      return Touches::kUpdates;
    case StepKind::kNotify:  // its cost is that of each thread that it wakes
    case StepKind::kStart:
    case StepKind::kBegin:
    case StepKind::kEnd:
    case StepKind::kJoin:
    case StepKind::kYield:
    case StepKind::kPause:
    case StepKind::kSleep:
    case StepKind::kClock:
    case StepKind::kCall:
    case StepKind::kReturn:
      return Touches::kNothing;
  }
  return Touches::kNothing;
}

}  // namespace

CoreClocks::CoreClocks(const CoreCosts& costs, std::uint32_t cores)
    : cores_(cores),
      step_(Picoseconds(costs.step)),
      hit_(Picoseconds(costs.hit)),
      pause_(Picoseconds(costs.pause)),
      notify_(Picoseconds(costs.notify)),
      further_(Picoseconds(costs.further)),
      wake_(Picoseconds(costs.wake)),
      lines_(Picoseconds(costs.hit), Picoseconds(costs.update), Picoseconds(costs.transfer)) {
  NOWAIT_ASSERT(cores <= CacheLines::kMostCores, "a line counts its cores in 64 bits");
  due_.fill(kNever);
}

std::uint32_t CoreClocks::spins() const { return StdThreads::kSpins; }

std::uint32_t CoreClocks::Next() {
  const auto first = std::min_element(due_.begin(), due_.begin() + threads_);
  if (threads_ == 0 || *first == kNever) return kNobody;
  NOWAIT_ASSERT(*first >= now_, "steps are done in the order of their times");
  now_ = *first;
  const auto thread = static_cast<std::uint32_t>(first - due_.begin());
  clock_[thread] = now_;  // a sleeper's was behind
  return thread;
}

void CoreClocks::Done(std::uint32_t thread, const Step& step) {
  clock_[thread] += step_;
  woke_[thread] = false;
  switch (TouchesOf(step)) {
    case Touches::kLoads:
      Touch(thread, step, Access::kLoad);
      break;
    case Touches::kStores:
      Touch(thread, step, Access::kStore);
      break;
    case Touches::kUpdates:
      Touch(thread, step, Access::kUpdate);
      break;
    case Touches::kNothing:
      break;
  }
  if (step.kind == StepKind::kPause || step.kind == StepKind::kYield) {
    clock_[thread] += pause_;
    if (counting_) counts_.pauses += pause_;
  }
  due_[thread] = step.kind == StepKind::kEnd ? kNever : clock_[thread];
}

void CoreClocks::Touch(std::uint32_t thread, const Step& step, Access access) {
  const std::uint64_t began = clock_[thread];
  const std::uint64_t asked = access == Access::kUpdate ? std::max(began, stored_[thread]) : began;
  const Served served = lines_.Serve(thread, access, step.object, asked);
  if (access == Access::kStore) {
    stored_[thread] = std::max(stored_[thread], served.end);
    clock_[thread] = began + hit_;
  } else {
    clock_[thread] = served.end;
  }
  if (!counting_ || !served.transferred) return;
  Count(step, served, asked);
  if (access == Access::kStore) return;
  counts_.queues += served.waited;
  counts_.transfers += served.end - began - served.waited;
}

void CoreClocks::Count(const Step& step, const Served& served, std::uint64_t asked) {
  ++counts_.moved;
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
  use->busy += served.end - asked - served.waited;
  use->waited += served.waited;
}

void CoreClocks::Waits(std::uint32_t thread, std::uint64_t until) {
  const bool for_ever = until > kNever / 1000;
  due_[thread] = for_ever ? kNever : std::max(clock_[thread], until * 1000);
}

void CoreClocks::Wakes(std::uint32_t thread, std::uint32_t by) {
  threads_ = std::max(threads_, thread + 1);
  if (by != kNobody) {
    clock_[thread] = std::max(clock_[thread], clock_[by] + wake_);
    const std::uint64_t call = std::exchange(woke_[by], true) ? further_ : notify_;
    clock_[by] += call;
    if (due_[by] != kNever) due_[by] = clock_[by];
    if (counting_) {
      ++counts_.woken;
      counts_.notifies += call;
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
  began_ = clock_[0];
  counting_ = true;
}

void CoreClocks::End() {
  counts_.elapsed += clock_[0] - began_;
  counting_ = false;
}

std::vector<LineUse> CoreClocks::Lines() const {
  std::vector<LineUse> lines;
  for (const std::vector<LineUse>& of_line : uses_) {
    if (of_line.empty()) continue;
    LineUse line =
        *std::max_element(of_line.begin(), of_line.end(),
                          [](const LineUse& a, const LineUse& b) { return a.moved < b.moved; });
    line.moved = line.busy = line.waited = 0;
    for (const LineUse& use : of_line) {
      line.moved += use.moved;
      line.busy += use.busy;
      line.waited += use.waited;
    }
    lines.push_back(line);
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const LineUse& a, const LineUse& b) { return a.busy > b.busy; });
  return lines;
}

}  // namespace nowait::whole
