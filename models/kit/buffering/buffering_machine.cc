#include "models/kit/buffering/buffering_machine.h"

#include <utility>

namespace nowait::model::buffering {

constinit Tracking* tracking = nullptr;

namespace {

constexpr std::size_t kMostEventsOfThread = kMostPlaces - 4;

bool IsRepeated(const Events& events, std::size_t one, std::size_t other) {
  if (other - one != events.size() - other) return false;
  for (std::size_t i = 0; other + i < events.size(); ++i) {
    const Event& first = events[one + i];
    const Event& second = events[other + i];
    if (first.kind != second.kind || first.object != second.object || first.read != second.read ||
        second.Writes()) {
      return false;
    }
  }
  return true;
}

}  // namespace

BufferingMachine::~BufferingMachine() {
  if (current_machine == this) SetCurrentMachine(nullptr);
  if (tracking == this) tracking = nullptr;
}

// --- runs ---

void BufferingMachine::SetUp() {
  SetCurrentMachine(this);
  tracking = this;
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
  fibers_.front().Start(RunSetUp, this);
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
    run.end = ThreadRun::End::kFailed;
    run.failure = set_up_failure_;
    return run;
  }
  phase_ = Phase::kThreads;
  running_ = thread;
  lane().script = &script;
  Fiber& fiber = fibers_[static_cast<std::size_t>(thread)];
  fiber.Start(RunThread, this);
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
    fibers_[thread].Start(RunThread, this);
    resume(thread);  // up to its first event
  }
  for (const std::size_t thread : whole.turns) resume(thread);
  phase_ = Phase::kAfter;
  for (const auto& [location, value] : whole.last) {
    if (!location.plain) atomics_[location.object - 1] = value;
  }
  lanes_.front().own = whole.last;  // for plain data
  fibers_.front().Start(RunAfter, this);
  fibers_.front().Resume();
  LeaveArena();
  return after_failure_;
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

// --- the steps of a thread ---

Word BufferingMachine::Answer(const Question& question) {
  Lane& own = lane();
  if (own.answered == own.script->size()) {
    own.run.question = question;
    End(ThreadRun::End::kAsks);
  }
  return (*own.script)[own.answered++];
}

Event& BufferingMachine::Add(Event::Kind kind, ObjectId object, std::memory_order order,
                             const Site& site) {
  Lane& own = lane();
  Event& event = own.run.events.emplace_back();
  event.kind = kind;
  event.object = object;
  event.order = order;
  event.site = site;
  event.control = own.control;
  event.addressed = own.addressed;
  event.lost = own.lost;
  if (!event.IsFence()) {
    event.data = own.data;
    event.compared = own.compared;
    event.address = own.address;
    own.addressed |= own.address;
    own.data = own.compared = own.address = 0;
  }
  if (event.Reads()) own.lost |= Only(own.run.events.size() - 1);
  return event;
}

Word BufferingMachine::Read(const Location& location, Word initial, bool acquires,
                            const Site& site) {
  if (whole_ != nullptr) Fiber::Suspend();
  Lane& own = lane();
  const auto written = own.own.find(location);
  if (location.plain && written == own.own.end() && whole_ == nullptr)
    plain_initial_[location] = initial;
  if (own.run.events.size() >= kMostEventsOfThread ||
      ++own.rounds[{location.object, site.line()}] > most_rounds_) {
    End(ThreadRun::End::kCut);
  }
  return Answer({.location = location,
                 .acquires = acquires,
                 .own = written == own.own.end() ? initial : written->second});
}

Word BufferingMachine::Initial(const Location& location) const {
  if (!location.plain) return beginning_[location.object - 1];
  const auto found = plain_initial_.find(location);
  return found == plain_initial_.end() ? 0 : found->second;
}

ObjectId BufferingMachine::NewAtomic(Word value, ValueType, const Site&) {
  if (InThreads()) Refuse("a thread makes an atomic");
  atomics_.push_back(value);
  return static_cast<ObjectId>(atomics_.size());
}

Word BufferingMachine::Load(ObjectId object, std::memory_order order, const Site& site) {
  if (!InThreads()) return atomics_[object - 1];
  const Word value = Read({false, object}, atomics_[object - 1], Acquires(order), site);
  Add(Event::Kind::kRead, object, order, site).read = value;
  return value;
}

void BufferingMachine::Store(ObjectId object, Word value, std::memory_order order,
                             const Site& site) {
  if (!InThreads()) {
    atomics_[object - 1] = value;
    return;
  }
  if (whole_ != nullptr) Fiber::Suspend();
  if (lane().run.events.size() >= kMostEventsOfThread) End(ThreadRun::End::kCut);
  Add(Event::Kind::kWrite, object, order, site).written = value;
  lane().own[{false, object}] = value;
}

bool BufferingMachine::CompareExchange(ObjectId object, Word& expected, Word desired, Trying trying,
                                       std::memory_order success, std::memory_order failure,
                                       const Site& site) {
  if (!InThreads()) {
    Word& value = atomics_[object - 1];
    const bool equal = value == expected;
    (equal ? value : expected) = equal ? desired : value;
    return equal;
  }
  const Word value =
      Read({false, object}, atomics_[object - 1], Acquires(success) && Acquires(failure), site);
  Lane& own = lane();
  bool exchanges = value == expected;
  if (exchanges && trying == Trying::kWeak && own.may_fail_spuriously &&
      Answer({.choices = 2}) != 0) {
    own.may_fail_spuriously = false;  // once, as in the other checker
    exchanges = false;
  }
  if (!exchanges && trying == Trying::kAgain) End(ThreadRun::End::kVain);
  Event& event = Add(exchanges ? Event::Kind::kUpdate : Event::Kind::kRead, object,
                     exchanges ? success : failure, site);
  event.read = value;
  if (!exchanges) {
    expected = value;
    return false;
  }
  event.written = desired;
  own.own[{false, object}] = desired;
  return true;
}

Word BufferingMachine::ReadModifyWrite(ObjectId object, OperationKind, Combine combine,
                                       Word operand, std::memory_order order, const Site& site) {
  if (!InThreads()) {
    Word& value = atomics_[object - 1];
    return std::exchange(value, combine(value, operand));
  }
  const Word value = Read({false, object}, atomics_[object - 1], Acquires(order), site);
  Event& event = Add(Event::Kind::kUpdate, object, order, site);
  event.read = value;
  event.written = combine(value, operand);
  lane().own[{false, object}] = event.written;
  return value;
}

void BufferingMachine::Fence(std::memory_order order, const Site& site) {
  if (!InThreads()) return;
  if (whole_ != nullptr) Fiber::Suspend();
  if (lane().run.events.size() >= kMostEventsOfThread) End(ThreadRun::End::kCut);
  Add(Event::Kind::kFence, 0, order, site);
}

ObjectId BufferingMachine::NewPlain(const Site&) {
  if (InThreads()) Refuse("a thread makes a plain datum");
  return ++plains_;
}

Word BufferingMachine::ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) {
  const Location location{true, object};
  if (phase_ == Phase::kAfter) {
    const auto found = lanes_.front().own.find(location);
    return found == lanes_.front().own.end() ? value : found->second;
  }
  if (!InThreads()) return value;
  if (type == ValueType::kOther) Refuse("plain data that is no number");
  const Word found = Read(location, value, false, site);
  Add(Event::Kind::kPlainRead, object, std::memory_order::relaxed, site).read = found;
  return found;
}

void BufferingMachine::WritePlain(ObjectId object, Word value, ValueType type, const Site& site) {
  const Location location{true, object};
  if (phase_ == Phase::kAfter) lanes_.front().own[location] = value;
  if (!InThreads()) return;
  if (type == ValueType::kOther) Refuse("plain data that is no number");
  if (whole_ != nullptr) Fiber::Suspend();
  if (lane().run.events.size() >= kMostEventsOfThread) End(ThreadRun::End::kCut);
  Add(Event::Kind::kPlainWrite, object, std::memory_order::relaxed, site).written = value;
  lane().own[location] = value;
}

void BufferingMachine::Yield(const Site&) {
  if (!InThreads()) return;
  Lane& own = lane();
  if (own.round > 0 && IsRepeated(own.run.events, own.last_round, own.round)) {
    End(ThreadRun::End::kVain);
  }
  own.last_round = own.round;
  own.round = own.run.events.size();
}

unsigned BufferingMachine::Choose(unsigned n) {
  if (!InThreads() || n < 2) return 0;
  return static_cast<unsigned>(Answer({.choices = n}));
}

// --- what does not fit ---

void BufferingMachine::Wait(ObjectId, Word, std::memory_order, const Site&) {
  Refuse("a thread sleeps at an atomic");
}
void BufferingMachine::Lock(ObjectId, const Site&) {
  if (InThreads()) Refuse("a thread locks a mutex");
}
bool BufferingMachine::TryLock(ObjectId, const Site&) {
  if (InThreads()) Refuse("a thread locks a mutex");
  return true;
}
void BufferingMachine::Unlock(ObjectId, const Site&) {}
void BufferingMachine::WaitCondition(ObjectId, ObjectId, const Site&) {
  Refuse("a thread sleeps at a condition variable");
}
void BufferingMachine::NotifyCondition(ObjectId, bool, const Site&) {}

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

// --- dependencies ---

void BufferingMachine::Use(Places data, Places compared) {
  if (!InThreads()) return;
  lane().data = data;
  lane().compared = compared;
}
void BufferingMachine::Choose(Places address) {
  if (InThreads()) lane().address |= address;
}
Places BufferingMachine::Keep() {
  if (!InThreads()) return 0;
  const Places read = Only(lane().run.events.size() - 1);
  lane().lost &= ~read;
  return read;
}
void BufferingMachine::Lose(Places reads) {
  if (InThreads()) lane().lost |= reads;
}
void BufferingMachine::Branch(Places reads) {
  if (InThreads()) lane().control |= reads;
}

}  // namespace nowait::model::buffering
