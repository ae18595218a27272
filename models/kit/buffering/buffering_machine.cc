#include "models/kit/buffering/buffering_machine.h"

#include <algorithm>
#include <utility>

namespace nowait::model::buffering {

constinit Tracking* tracking = nullptr;

BufferingMachine::~BufferingMachine() {
  if (current_machine == this) SetCurrentMachine(nullptr);
  if (tracking == this) tracking = nullptr;
  if (wide_values == this) wide_values = nullptr;
}

// --- runs ---

void BufferingMachine::SetUp() {
  SetCurrentMachine(this);
  tracking = this;
  wide_values = this;
  while (fibers_.size() < static_cast<std::size_t>(scenario_.threads)) fibers_.emplace_back();
  arena_.Reset();
  atomics_.clear();
  plains_ = 0;
  moments_ = 0;
  memory_.Clear();
  trace_.Clear();
  set_up_failure_.reset();
  after_failure_.reset();
  lanes_.assign(static_cast<std::size_t>(scenario_.threads), Lane());
  whole_ = nullptr;
  phase_ = Phase::kSetUp;
  fibers_.front().Start(RunSetUp, this, CrashCatcher::Fail);
  fibers_.front().Resume();
  LeaveArena();
}

void BufferingMachine::RunSetUp(void* self) {
  auto& machine = *static_cast<BufferingMachine*>(self);
  EnterRegion(&machine.arena_, kProgramRegion);
  machine.program_ = machine.scenario_.create().release();
  LeaveArena();
  machine.beginning_ = machine.atomics_;
}

void BufferingMachine::RunThread(void* self) {
  auto& machine = *static_cast<BufferingMachine*>(self);
  const int thread = machine.running_;
  EnterRegion(&machine.arena_, thread);
  machine.program_->Thread(thread);
  CurrentMachine()->EndThread();
  LeaveArena();
}

void BufferingMachine::RunAfter(void* self) {
  auto& machine = *static_cast<BufferingMachine*>(self);
  EnterRegion(&machine.arena_, kProgramRegion);
  machine.program_->After();
  delete machine.program_;
  LeaveArena();
  if (machine.memory_.LiveBlocks() != 0) {
    machine.after_failure_ =
        Failure{FailureKind::kLeak, "the scenario left memory or objects behind", Site()};
  }
}

ThreadRun BufferingMachine::RunAlone(int thread, const Script& script) {
  SetUp();
  if (set_up_failure_) {
    ThreadRun run;
    if (set_up_failure_->kind == FailureKind::kNotFinished) {
      run.end = ThreadRun::End::kRefused;
      run.refused = set_up_failure_->words;
    } else {
      run.end = ThreadRun::End::kFailed;
      run.failure = set_up_failure_;
    }
    return run;
  }
  phase_ = Phase::kThreads;
  running_ = thread;
  lane().script = &script;
  Fiber& fiber = fibers_[static_cast<std::size_t>(thread)];
  fiber.Start(RunThread, this, CrashCatcher::Fail);
  fiber.Resume();
  LeaveArena();
  return std::move(lane().run);
}

std::optional<Failure> BufferingMachine::RunWhole(const Whole& whole) {
  SetUp();
  whole_ = &whole;
  phase_ = Phase::kThreads;
  const auto resume = [&](std::size_t thread) {
    running_ = static_cast<int>(thread);
    fibers_[thread].Resume();
    LeaveArena();
  };
  for (std::size_t thread = 0; thread < fibers_.size(); ++thread) {
    lanes_[thread].script = &whole.scripts[thread];
    fibers_[thread].Start(RunThread, this, CrashCatcher::Fail);
    resume(thread);  // up to its first event
  }
  for (const std::size_t thread : whole.turns) resume(thread);
  if (!whole.ends) return std::nullopt;
  phase_ = Phase::kAfter;
  for (const auto& [location, value] : whole.last) {
    if (!location.plain) atomics_[location.object - 1] = value;
  }
  lanes_.front().own = whole.last;  // for plain data
  fibers_.front().Start(RunAfter, this, CrashCatcher::Fail);
  fibers_.front().Resume();
  LeaveArena();
  return after_failure_;
}

bool BufferingMachine::HaveFollowed(const Runs& alone) const {
  const auto is_same = [](const Event& a, const Event& b) {
    return a.kind == b.kind && a.object == b.object && a.read == b.read && a.written == b.written;
  };
  for (std::size_t thread = 0; thread < lanes_.size(); ++thread) {
    const ThreadRun& run = lanes_[thread].run;
    if (!std::ranges::equal(run.events, alone[thread]->events, is_same)) return false;
    if (run.failure.has_value() != alone[thread]->failure.has_value()) return false;
  }
  return true;
}

void BufferingMachine::End(ThreadRun::End end) {
  lane().run.end = end;
  while (true) Fiber::Suspend();
}

void BufferingMachine::Refuse(std::string words) {
  if (!InThreads()) Fail(FailureKind::kNotFinished, words, Site());
  lane().run.refused = std::move(words);
  End(ThreadRun::End::kRefused);
}

void BufferingMachine::Fail(FailureKind kind, const std::string& words, const Site& site) {
  Failure failure{kind, words, site, Thread()};
  switch (phase_) {
    case Phase::kSetUp:
      set_up_failure_ = std::move(failure);
      break;
    case Phase::kThreads:
      lane().run.failure = std::move(failure);
      lane().run.end = ThreadRun::End::kFailed;
      break;
    case Phase::kAfter:
      after_failure_ = std::move(failure);
      break;
  }
  while (true) Fiber::Suspend();
}

// --- plain data ---

Word BufferingMachine::NumberOf(const void* value, std::size_t size) {
  std::string bytes(static_cast<const char*>(value), size);
  const auto [at, is_new] = numbers_.try_emplace(std::move(bytes), wide_.size());
  if (is_new) wide_.push_back(&at->first);
  return at->second;
}

// --- what does not fit ---

void BufferingMachine::RefuseType() {
  Refuse("plain data of a type with padding, or of one that is not trivially copyable");
}

void* BufferingMachine::TakeFreedBlock(std::size_t, std::size_t, const Site&) {
  if (InThreads()) Refuse("a thread allocates memory");
  return nullptr;
}
void BufferingMachine::FreeBlock(void* block, const Site&) {
  if (InThreads()) Refuse("a thread frees memory");
  memory_.Free(block, Now());
}

// --- moments ---

int BufferingMachine::Thread() const {
  switch (phase_) {
    case Phase::kSetUp:
      return kSetUp;
    case Phase::kThreads:
      return running_;
    case Phase::kAfter:
      return kAfter;
  }
  return kSetUp;
}

// As in the other checker: a thread's events advance its count in large steps, and moments lie
// between two of them. Set-up lies before all of them and After behind all of them.
VectorClock BufferingMachine::Now() {
  constexpr std::uint32_t kStep = 1u << 20;
  VectorClock moment;
  ++moments_;
  moment.clock[0] = moments_;
  if (phase_ == Phase::kSetUp) return moment;
  moment.clock.fill(0);
  for (std::size_t t = 0; t < kMaxThreads; ++t) {
    std::uint32_t known = static_cast<std::uint32_t>(kMostPlaces);  // in After
    if (InThreads()) {
      const std::size_t done = lane().run.events.size();
      known = static_cast<int>(t) == running_ ? static_cast<std::uint32_t>(done) : 0;
      if (whole_ != nullptr && static_cast<int>(t) != running_) {
        known = whole_->known[static_cast<std::size_t>(running_)][done][t];
      }
    }
    moment.clock[t] = (known + 1) * kStep;
  }
  moment.thread = InThreads() ? running_ : 0;
  moment.clock[static_cast<std::size_t>(moment.thread)] += moments_;
  return moment;
}

}  // namespace nowait::model::buffering
