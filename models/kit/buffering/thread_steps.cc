// The part of BufferingMachine for the steps of a thread, and for the reads that they depend on.
#include <utility>

#include "models/kit/axioms/relation.h"
#include "models/kit/buffering/buffering_machine.h"

namespace nowait::model::buffering {
namespace {

// Each of them may be a read-modify-write, which has two nodes (preserved.h).
static_assert(2 * kMostEventsOfThread <= axioms::kMaxEvents);

// Whether the events from `other` on repeat those from `one` on, and change nothing. A mutex is
// free again when it is unlocked.
bool IsRepeated(const Events& events, std::size_t one, std::size_t other) {
  if (other - one != events.size() - other) return false;
  for (std::size_t i = 0; other + i < events.size(); ++i) {
    const Event& first = events[one + i];
    const Event& second = events[other + i];
    if (first.kind != second.kind || first.object != second.object || first.read != second.read ||
        (second.Writes() && !second.call)) {
      return false;
    }
  }
  return true;
}

}  // namespace

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

Word BufferingMachine::Read(const Location& location, Word initial, const Site& site,
                            bool counted) {
  if (whole_ != nullptr) Fiber::Suspend();
  Lane& own = lane();
  const auto written = own.own.find(location);
  if (location.plain && written == own.own.end() && whole_ == nullptr)
    plain_initial_[location] = initial;
  if (own.run.events.size() >= most_events_ ||
      (counted && ++own.rounds[{location.object, site.line()}] > most_rounds_)) {
    End(ThreadRun::End::kCut);
  }
  return Answer(
      {.location = location, .own = written == own.own.end() ? initial : written->second});
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
  const Word value = Read({false, object}, atomics_[object - 1], site);
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
  if (lane().run.events.size() >= most_events_) End(ThreadRun::End::kCut);
  Add(Event::Kind::kWrite, object, order, site).written = value;
  lane().own[{false, object}] = value;
}

// Whether a failing try may be left out, as in the other checker: the look before it has found what
// the thread expects, and the failure synchronises no less than that look.
bool BufferingMachine::MayLeaveOut(ObjectId object, Word expected,
                                   std::memory_order failure) const {
  const auto acquires = [](std::memory_order order) {
    return order != std::memory_order::relaxed && order != std::memory_order::release;
  };
  const Events& events = lanes_[static_cast<std::size_t>(running_)].run.events;
  for (std::size_t place = events.size(); place-- > 0;) {
    const Event& look = events[place];
    if (look.IsFence() || look.At() != Location{false, object}) continue;
    if (!look.Reads() || look.Writes() || look.read != expected) return false;
    return (acquires(failure) || !acquires(look.order)) &&
           (failure == std::memory_order::seq_cst || look.order != std::memory_order::seq_cst);
  }
  return false;
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
  const Word value = Read({false, object}, atomics_[object - 1], site);
  Lane& own = lane();
  bool exchanges = value == expected;
  if (exchanges && trying == Trying::kWeak && own.may_fail_spuriously &&
      Answer({.choices = 2}) != 0) {
    own.may_fail_spuriously = false;  // once, as in the other checker
    exchanges = false;
  }
  if (!exchanges && trying == Trying::kAgain && MayLeaveOut(object, expected, failure)) {
    End(ThreadRun::End::kVain);
  }
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
  const Word value = Read({false, object}, atomics_[object - 1], site);
  Event& event = Add(Event::Kind::kUpdate, object, order, site);
  event.read = value;
  event.written = combine(value, operand);
  lane().own[{false, object}] = event.written;
  return value;
}

void BufferingMachine::Fence(std::memory_order order, const Site& site) {
  if (!InThreads()) return;
  if (whole_ != nullptr) Fiber::Suspend();
  if (lane().run.events.size() >= most_events_) End(ThreadRun::End::kCut);
  Add(Event::Kind::kFence, 0, order, site);
}

ObjectId BufferingMachine::NewPlain(const Site&) {
  if (InThreads()) Refuse("a thread makes a plain datum");
  return ++plains_;
}

Word BufferingMachine::ReadPlain(ObjectId object, Word value, ValueType, const Site& site) {
  const Location location{true, object};
  if (phase_ == Phase::kAfter) {
    const auto found = lanes_.front().own.find(location);
    return found == lanes_.front().own.end() ? value : found->second;
  }
  if (!InThreads()) return value;
  const Word found = Read(location, value, site);
  Add(Event::Kind::kPlainRead, object, std::memory_order::relaxed, site).read = found;
  return found;
}

void BufferingMachine::WritePlain(ObjectId object, Word value, ValueType, const Site& site) {
  const Location location{true, object};
  if (phase_ == Phase::kAfter) lanes_.front().own[location] = value;
  if (!InThreads()) return;
  if (whole_ != nullptr) Fiber::Suspend();
  if (lane().run.events.size() >= most_events_) End(ThreadRun::End::kCut);
  Add(Event::Kind::kPlainWrite, object, std::memory_order::relaxed, site).written = value;
  lane().own[location] = value;
}

// A yield behind another one, without an event between them, ends no round.
void BufferingMachine::Yield(const Site& site) {
  if (!InThreads()) return;
  Lane& own = lane();
  if (own.run.events.size() == own.round) {
    if (++own.idle_yields > kMostEventsOfThread) End(ThreadRun::End::kCut);
    return;
  }
  if (own.yielded_at && IsSamePlace(*own.yielded_at, site) &&
      IsRepeated(own.run.events, own.last_round, own.round)) {
    own.run.round = own.round;
    End(ThreadRun::End::kSpins);
  }
  own.yielded_at = site;
  own.last_round = own.round;
  own.round = own.run.events.size();
}

unsigned BufferingMachine::Choose(unsigned n) {
  if (!InThreads() || n < 2) return 0;
  return static_cast<unsigned>(Answer({.choices = n}));
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
