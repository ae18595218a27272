#include "tests/whole/scheduler/machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <utility>

#include "tests/whole/scheduler/crash.h"

namespace nowait::whole {
namespace {

constexpr std::uint64_t kStepTime = 50;                       // nanoseconds
constexpr std::uint64_t kTimeJump = 3'600'000'000'000;        // an hour
constexpr std::uint64_t kMostAlone = 1000;                    // steps
constexpr std::size_t kLast = 4096;                           // steps that are remembered
constexpr std::size_t kStackSize = std::size_t{2048} * 1024;  // bytes; touched pages alone are used

// Stacks are kept from run to run: a program starts the same number of threads again and again.
std::vector<std::unique_ptr<model::Fiber>>& FreeFibers() {
  static std::vector<std::unique_ptr<model::Fiber>> fibers;
  return fibers;
}

std::uint64_t NextRun() {
  static std::uint64_t run = 0;
  return ++run;
}

std::uint64_t Mixed(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x100000001b3u;
}

bool WaitsFor(const Thread& thread, const void* object) {
  const bool waits = thread.state == ThreadState::kBlocked || thread.state == ThreadState::kAsleep;
  return waits && thread.next.object == object;
}

}  // namespace

// On a switch each thread comes back into an Inside of its own, and so restores what held for it.
struct Machine::Inside {
  explicit Inside(Machine& of) : in(of), before(std::exchange(of.inside_, true)) {}
  ~Inside() { in.inside_ = before; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  Machine& in;
  const bool before;
};

Machine::Machine(const RunOptions& options, const StrategyDef& strategy)
    : options_(options),
      strategy_(MakeStrategy(strategy)),
      random_(strategy.seed ^ 0x5eed),
      run_(NextRun()),
      last_(kLast) {}

Machine::Machine(const RunOptions& options, const Schedule& schedule)
    : options_(options), prompter_(schedule), random_(1), run_(NextRun()), last_(kLast) {}

Machine::Machine(const RunOptions& options, Timing& timing)
    : options_(options), timing_(&timing), random_(1), run_(NextRun()), last_(kLast) {}

Machine::~Machine() {
  for (Thread& thread : threads_) FreeFibers().push_back(std::move(thread.fiber));
}

Outcome Machine::Run(const std::function<void()>& program) {
  const CrashScope crash;
  Add("main", program);
  running_ = &threads_.front();
  machine = this;
  while (!finished_) {
    Resume();
    Thread& thread = *running_;
    if (finished_ || thread.state != ThreadState::kEnded) continue;
    if (thread.number == 0) break;
    if (Thread* const next = Choose(thread)) running_ = next;
  }
  machine = nullptr;
  const auto left = std::count_if(threads_.begin(), threads_.end(), [](const Thread& thread) {
    return thread.state != ThreadState::kEnded;
  });
  if (!finished_ && left != 0) {
    Note(FailureKind::kThreadsLeft, std::to_string(left) + " threads run on after the program");
  }
  outcome_.threads = static_cast<std::uint32_t>(threads_.size());
  return std::move(outcome_);
}

Thread& Machine::Add(std::string_view name, std::function<void()> function) {
  Thread& thread = threads_.emplace_back();
  thread.number = static_cast<std::uint32_t>(threads_.size() - 1);
  thread.name = name;
  thread.function = std::move(function);
  thread.meets_faults = running_ == nullptr || running_->meets_faults;
  auto& free = FreeFibers();
  if (free.empty()) {
    thread.fiber = std::make_unique<model::Fiber>(kStackSize);
  } else {
    thread.fiber = std::move(free.back());
    free.pop_back();
  }
  thread.fiber->Start(&Enter, &thread);
  thread.next.kind = StepKind::kBegin;
  if (strategy_ != nullptr) strategy_->Announce(thread.number, thread.next);
  if (timing_ != nullptr) {
    timing_->Wakes(thread.number, running_ == nullptr ? kNobody : running_->number);
  }
  return thread;
}

void Machine::Enter(void* data) {
  Thread& thread = *static_cast<Thread*>(data);
  Machine& in = *machine;
  in.Record(thread, {.kind = StepKind::kBegin, .site = {}});
  in.inside_ = false;
  try {
    thread.function();
    thread.function = nullptr;
  } catch (const std::exception& thrown) {
    in.Fail(FailureKind::kException, thread.name + ": " + thrown.what());
  } catch (...) {
    in.Fail(FailureKind::kException, thread.name + ": something that is no std::exception");
  }
  if (in.timing_ != nullptr) {
    // A step lasts, and the end comes after the last one.
    const Inside inside(in);
    in.Give(thread);
  }
  in.inside_ = true;
  in.Record(thread, {.kind = StepKind::kEnd, .site = {}});
  thread.state = ThreadState::kEnded;
  in.WakeAll(&thread);
}

void Machine::Resume() {
  const OfTheSystem mine = OfTheSystem::Take();
  running_->system.Put();
  on_fiber_ = true;
  Thread& thread = *running_;
  thread.fiber->Resume();
  on_fiber_ = false;
  if (left_ != nullptr) {
    left_->system = OfTheSystem::Take();
    left_ = nullptr;
  }
  mine.Put();
}

void Machine::Point(const Step& step) {
  const Inside inside(*this);
  Thread& self = *running_;
  self.next = step;
  if (strategy_ != nullptr) strategy_->Announce(self.number, step);
  Give(self);
  Record(self, step);
}

void Machine::Block(const Step& step) {
  const Inside inside(*this);
  Thread& self = *running_;
  self.next = step;
  self.state = ThreadState::kBlocked;
  if (timing_ != nullptr) timing_->Waits(self.number, Timing::kForEver);
  Give(self);
}

void Machine::BlockUntil(const Step& step, std::uint64_t nanoseconds) {
  const Inside inside(*this);
  Thread& self = *running_;
  self.next = step;
  self.state = ThreadState::kAsleep;
  self.wakes_at = nanoseconds;
  if (timing_ != nullptr) timing_->Waits(self.number, nanoseconds);
  Give(self);
}

void Machine::NoteAcquired(const HeldLock& lock) {
  const Inside inside(*this);
  running_->held.push_back(lock);
}

// A thread that gives back what another one has taken is refused by the lock.
void Machine::NoteReleased(const void* lock) {
  std::vector<HeldLock>& held = running_->held;
  const auto last = std::find_if(held.rbegin(), held.rend(),
                                 [lock](const HeldLock& one) { return one.lock == lock; });
  if (last != held.rend()) held.erase(std::next(last).base());
}

void Machine::Wake(Thread& thread) {
  thread.state = ThreadState::kReady;
  if (timing_ != nullptr) timing_->Wakes(thread.number, running_->number);
}

void Machine::WakeAll(const void* object) {
  for (Thread& thread : threads_) {
    if (WaitsFor(thread, object)) Wake(thread);
  }
}

void Machine::WakeOne(const void* object) {
  const Inside inside(*this);
  std::vector<Thread*> waiting;
  for (Thread& thread : threads_) {
    if (WaitsFor(thread, object)) {
      waiting.push_back(&thread);
    }
  }
  if (waiting.empty()) return;
  std::uint32_t which = 0;
  if (waiting.size() > 1) {
    const auto count = static_cast<std::uint32_t>(waiting.size());
    which = Pick(*running_, count, random_.Below(count));
  }
  Wake(*waiting[which]);
}

void Machine::Yield(const Step& step) {
  if (timing_ != nullptr) return Point(step);
  const Inside inside(*this);
  Thread& self = *running_;
  self.next = step;
  if (strategy_ != nullptr) strategy_->Announce(self.number, step);
  self.state = ThreadState::kYielded;
  ++yielded_;
  Give(self);
  Record(self, step);
}

void Machine::SleepUntil(std::uint64_t nanoseconds, Site site) {
  const Step step = {.kind = StepKind::kSleep, .site = site};
  if (nanoseconds <= TimeHere()) return Yield(step);
  const Inside inside(*this);
  Thread& self = *running_;
  self.next = step;
  if (strategy_ != nullptr) strategy_->Announce(self.number, step);
  self.state = ThreadState::kAsleep;
  self.wakes_at = nanoseconds;
  if (timing_ != nullptr) timing_->Waits(self.number, nanoseconds);
  Give(self);
  Record(self, step);
}

std::uint64_t Machine::Now(Site site) {
  Point({.kind = StepKind::kClock, .site = site});
  if (++outcome_.places.clock_readings == options_.faults.time_jump) now_ += kTimeJump;
  return TimeHere();
}

std::uint64_t Machine::TimeHere() const {
  return timing_ == nullptr ? now_ : timing_->Now(running_->number);
}

void Machine::Compute(std::uint64_t nanoseconds) {
  if (timing_ != nullptr) timing_->Computes(running_->number, nanoseconds);
}

bool Machine::TimeStands() const {
  const std::uint64_t from = options_.faults.time_stands;
  return from != 0 && outcome_.places.clock_readings >= from;
}

bool Machine::Spurious(Thread& asks) {
  if (options_.spurious == 0) return false;
  const Inside inside(*this);
  return Pick(asks, 2, random_.Below(options_.spurious) == 0 ? 1 : 0) == 1;
}

std::uint32_t Machine::Start(std::string_view name, std::function<void()> function, Site site) {
  Point({.kind = StepKind::kStart, .site = site});
  const Inside inside(*this);
  if (running_->meets_faults && ++outcome_.places.starts == options_.faults.refused_thread) {
    fault_has_struck_ = true;
    return kNobody;
  }
  if (timing_ != nullptr && threads_.size() >= timing_->most_threads()) return kNobody;
  return Add(name, std::move(function)).number;
}

void Machine::Join(std::uint32_t thread, Site site) {
  const Thread& other = threads_[thread];
  const Step step = {.kind = StepKind::kJoin, .object = &other, .site = site};
  Point(step);
  while (other.state != ThreadState::kEnded) Block(step);
}

void Machine::BeginCall(const char* name, std::uint64_t id, Site site) {
  const Inside inside(*this);
  running_->calls.push_back({name, id, outcome_.steps});
  Remember(*running_, {.kind = StepKind::kCall, .site = site, .text = name, .number = id});
}

void Machine::EndCall(Site site) {
  const Inside inside(*this);
  const OpenCall call = running_->calls.back();
  running_->calls.pop_back();
  ++running_->finished_calls;
  Remember(*running_,
           {.kind = StepKind::kReturn, .site = site, .text = call.name, .number = call.id});
}

void Machine::Fail(FailureKind kind, std::string what) {
  inside_ = true;
  Note(kind, std::move(what));
  model::Fiber::Suspend();
  std::abort();
}

bool Machine::AllocationFails() {
  if (inside_ || !on_fiber_ || !running_->meets_faults) return false;
  const bool fails = ++outcome_.places.allocations == options_.faults.failed_allocation;
  fault_has_struck_ = fault_has_struck_ || fails;
  return fails;
}

void Machine::Give(Thread& from) {
  Thread* const next = Choose(from);
  if (next == &from) return;
  if (next != nullptr) running_ = next;
  left_ = &from;
  model::Fiber::Suspend();
}

Thread* Machine::Choose(Thread& asks) {
  std::uint32_t chosen = kNobody;
  if (timing_ != nullptr) {
    chosen = timing_->Next();
  } else if (CollectCandidates(asks)) {
    chosen = candidates_.size() == 1 ? candidates_.front() : Answer(asks);
  }
  if (chosen == kNobody) {
    Note(FailureKind::kDeadlock, "no thread can go on");
    return nullptr;
  }
  Thread& next = threads_[chosen];
  alone_ = &next == &asks && candidates_.size() > 1 ? alone_ + 1 : 0;
  if (next.state == ThreadState::kAsleep) now_ = std::max(now_, next.wakes_at);
  if (next.state == ThreadState::kYielded) --yielded_;
  next.state = ThreadState::kReady;
  return &next;
}

// The threads that are ready; otherwise those that have given way; otherwise the sleeper whose time
// comes first.
bool Machine::CollectCandidates(Thread& asks) {
  // A thread that goes on and on and changes nothing would, on real threads, not stay alone for
  // ever.
  if (alone_ >= kMostAlone && asks.state == ThreadState::kReady) {
    asks.state = ThreadState::kYielded;
    ++yielded_;
  }
  candidates_.clear();
  const Thread* sleeper = nullptr;
  for (Thread& thread : threads_) {
    if (thread.state == ThreadState::kReady) candidates_.push_back(thread.number);
    if (thread.state == ThreadState::kAsleep &&
        (sleeper == nullptr || thread.wakes_at < sleeper->wakes_at)) {
      sleeper = &thread;
    }
  }
  if (candidates_.empty() && yielded_ != 0) {
    for (Thread& thread : threads_) {
      if (thread.state == ThreadState::kYielded) candidates_.push_back(thread.number);
    }
  }
  if (sleeper == nullptr) return !candidates_.empty();
  if (candidates_.empty() || Spurious(asks)) {
    candidates_.push_back(sleeper->number);
    std::sort(candidates_.begin(), candidates_.end());
  }
  return true;
}

// The thread that goes on where a schedule says nothing.
std::uint32_t Machine::DefaultOf(const Thread& asks) const {
  const auto after = std::lower_bound(candidates_.begin(), candidates_.end(), asks.number);
  if (after != candidates_.end() && (*after != asks.number || alone_ < kMostAlone)) return *after;
  const auto next = std::upper_bound(candidates_.begin(), candidates_.end(), asks.number);
  return next == candidates_.end() ? candidates_.front() : *next;
}

std::uint32_t Machine::Answer(Thread& asks) {
  ++asks.choices;
  const std::uint32_t otherwise = DefaultOf(asks);
  std::uint32_t chosen = otherwise;
  if (prompter_) {
    const auto told = prompter_->Find(asks.number, asks.choices);
    if (told && std::binary_search(candidates_.begin(), candidates_.end(), *told)) chosen = *told;
  } else if (outcome_.steps >= options_.fair_after) {
    chosen = candidates_[random_.Below(static_cast<std::uint32_t>(candidates_.size()))];
  } else {
    chosen = strategy_->Choose(candidates_, asks.number);
  }
  if (chosen != otherwise) outcome_.schedule.push_back({asks.number, asks.choices, chosen});
  return chosen;
}

std::uint32_t Machine::Pick(Thread& asks, std::uint32_t count, std::uint32_t drawn) {
  ++asks.choices;
  std::uint32_t chosen = prompter_ ? 0 : drawn;
  if (prompter_) {
    const auto told = prompter_->Find(asks.number, asks.choices);
    if (told && *told < count) chosen = *told;
  }
  if (chosen != 0) outcome_.schedule.push_back({asks.number, asks.choices, chosen});
  return chosen;
}

void Machine::Record(Thread& thread, const Step& step) {
  Remember(thread, step);
  ++thread.steps;
  ++outcome_.steps;
  if (!TimeStands()) now_ += kStepTime;
  outcome_.trace_hash =
      Mixed(Mixed(Mixed(outcome_.trace_hash, thread.number), static_cast<std::uint64_t>(step.kind)),
            step.site.line());
  if (strategy_ != nullptr) strategy_->Done(thread.number, step);
  if (timing_ != nullptr) timing_->Done(thread.number, step);
  // Something may have changed that the threads that have given way wait for.
  if (yielded_ != 0 && Writes(step.kind)) {
    for (Thread& other : threads_) {
      if (other.state == ThreadState::kYielded && &other != &thread) {
        other.state = ThreadState::kReady;
        --yielded_;
      }
    }
  }
  if (outcome_.steps == options_.fair_after) {
    for (Thread& each : threads_) {
      each.steps_when_fair = each.steps;
      each.finished_when_fair = each.finished_calls;
    }
  }
  if (outcome_.steps >= options_.most_steps) LimitReached();
}

void Machine::Remember(Thread& thread, const Step& step) {
  last_[remembered_++ % kLast] = {outcome_.steps, thread.number, step};
}

}  // namespace nowait::whole
