#include "models/kit/exhaustive/guide.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/allocation.h"
#include "models/kit/exhaustive/coherence.h"
#include "models/kit/exhaustive/extension.h"
#include "models/kit/exhaustive/happens_before.h"
#include "models/kit/exhaustive/machine.h"
#include "models/kit/exhaustive/pending.h"
#include "models/kit/exhaustive/recorded_steps.h"
#include "models/kit/exhaustive/seq_cst.h"
#include "models/kit/exhaustive/settle.h"

namespace nowait::model {
namespace {

bool IsNumber(ValueType type) {
  return type == ValueType::kUnsigned || type == ValueType::kSigned || type == ValueType::kBool;
}

class Guide final : public Conductor {
 public:
  explicit Guide(const Trace& recorded)
      : recorded_(recorded), steps_(StepsOf(recorded)), slots_(recorded.last() + 1u, kNoSlot) {}

  int Next(const Execution& execution) override;
  void Add(Graph& graph, int thread, const Request& request, LocationIndex location,
           const Site& site) override;

  // After the execution.
  std::optional<Divergence> TakeDivergence(const ExhaustiveMachine& machine) {
    if (diverges_ && diverged_at_ != kNoSlot) diverges_->here = machine.EventAt(diverged_at_);
    return std::move(diverges_);
  }

 private:
  static std::size_t Index(int thread) { return static_cast<std::size_t>(thread); }

  int Choose(const Execution& execution);
  int NextRecorded(const Execution& execution);
  int NextAfterDivergence(const Execution& execution);
  int LowestThatCanGo(const Execution& execution);
  bool CanGo(const Execution& execution, int thread) const;
  bool IsWorthALook(int thread) const { return changes_ > changes_seen_[Index(thread)]; }
  void Diverge(EventNumber recorded, std::string words, EventNumber store = kNoEvent);

  bool IsSameObject(EventNumber step, LocationIndex location);
  EventNumber SourceOf(EventNumber step) const;
  int PlaceOf(const Graph& graph, EventNumber step, LocationIndex location) const;
  // Why the event cannot stand at this place; empty if it can.
  std::string Objection(const Graph& graph, Slot slot, const GraphEvent& event, int place) const;

  void AddAsRecorded(Graph& graph, Slot slot, EventNumber step);
  bool WriteAsRecorded(Graph& graph, Slot slot, EventNumber step);
  bool ReadAsRecorded(Graph& graph, Slot slot, EventNumber step);
  void AddNewest(Graph& graph, Slot slot, unsigned variant);

  const Trace& recorded_;
  const std::vector<EventNumber> steps_;
  std::size_t at_ = 0;           // the next of them
  EventNumber step_ = kNoEvent;  // what the next event is to be
  std::vector<Slot> slots_;      // by recorded number: where it stands here
  std::vector<EventNumber> as_;  // by slot: as what it was recorded
  std::map<std::pair<StepObject, std::uint32_t>, LocationIndex> locations_;
  unsigned changes_ = 0;  // of values, so far; what a thread that spins may see when it looks again
  std::array<unsigned, kMaxThreads> changes_seen_{};
  int last_ = kNobody;
  bool closing_ = false;  // the record is used up
  std::optional<Divergence> diverges_;
  Slot diverged_at_ = kNoSlot;
};

// --- whose turn it is ---

int Guide::Next(const Execution& execution) {
  if (last_ != kNobody) changes_seen_[Index(last_)] = changes_;
  last_ = Choose(execution);
  return last_;
}

int Guide::Choose(const Execution& execution) {
  step_ = kNoEvent;
  if (!diverges_ && at_ < steps_.size()) {
    const int next = NextRecorded(execution);
    if (next != kNobody) return next;
  }
  if (diverges_ && at_ < steps_.size()) {
    const int next = NextAfterDivergence(execution);
    if (next != kNobody) return next;
  }
  if (!closing_) ++changes_;  // who spins after a stale read may look once more
  closing_ = true;
  return LowestThatCanGo(execution);
}

// The thread whose step is next in the record, if it does that; else it diverges.
int Guide::NextRecorded(const Execution& execution) {
  for (; at_ < steps_.size(); ++at_) {
    const EventNumber step = steps_[at_];
    const Event& event = recorded_[step];
    const int thread = event.thread;
    if (thread >= execution.threads()) {
      Diverge(step, "there is no such thread here");
      return kNobody;
    }
    switch (execution.state(thread)) {
      case Execution::State::kRunnable:  // not begun
      case Execution::State::kSpinning:
        return thread;
      case Execution::State::kAtFrontier:
        break;
      default:
        Diverge(step, execution.state(thread) == Execution::State::kEnded
                          ? "the thread has done all that it does here"
                          : "the thread waits here and does not go on");
        return kNobody;
    }
    const Request& request = execution.RequestOf(thread);
    if (request.effect == Effect::kChoose) return thread;
    if (request.kind != event.kind) {
      if (IsOfBlocks(event.kind)) continue;  // a block so large that it is never given again
      Diverge(step, fmt::format("here the thread does something else next: {} instead of {}",
                                Name(request.kind), Name(event.kind)));
      return kNobody;
    }
    if (!IsSameObject(step, execution.LocationOf(thread))) {
      Diverge(step, fmt::format("here the thread does {} on another object", Name(event.kind)));
      return kNobody;
    }
    if (execution.MustWait(thread) && !event.blocks) {
      Diverge(step, "here the thread has to wait");
      return kNobody;
    }
    ++at_;
    step_ = step;
    return thread;
  }
  return kNobody;
}

int Guide::NextAfterDivergence(const Execution& execution) {
  for (; at_ < steps_.size(); ++at_) {
    const int thread = recorded_[steps_[at_]].thread;
    if (thread >= execution.threads() || !CanGo(execution, thread)) continue;
    if (execution.state(thread) == Execution::State::kAtFrontier) ++at_;
    return thread;
  }
  return kNobody;
}

bool Guide::CanGo(const Execution& execution, int thread) const {
  switch (execution.state(thread)) {
    case Execution::State::kRunnable:
      return true;
    case Execution::State::kAtFrontier:
      return !execution.MustWait(thread);
    case Execution::State::kSpinning:
      return IsWorthALook(thread);
    default:
      return false;
  }
}

// As in a search (execution.h): one that has yielded gives way, one that has to wait goes last.
int Guide::LowestThatCanGo(const Execution& execution) {
  int gives_way = kNobody;
  int waits = kNobody;
  for (int t = 0; t < execution.threads(); ++t) {
    if (CanGo(execution, t)) {
      const bool at_frontier = execution.state(t) == Execution::State::kAtFrontier;
      if (!at_frontier || !execution.GivesWay(t)) return t;
      if (gives_way == kNobody || (gives_way == last_ && t != last_)) gives_way = t;
    } else if (execution.state(t) == Execution::State::kAtFrontier && waits == kNobody) {
      waits = t;
    }
  }
  return gives_way != kNobody ? gives_way : waits;
}

void Guide::Diverge(EventNumber recorded, std::string words, EventNumber store) {
  diverges_ = Divergence{recorded, kNoEvent, store, std::move(words)};
  ++changes_;
}

// --- what an event gets ---

bool Guide::IsSameObject(EventNumber step, LocationIndex location) {
  const Event& event = recorded_[step];
  const StepObject kind = ObjectOf(event.kind);
  if (kind == StepObject::kNone) return true;
  return locations_.try_emplace({kind, event.object}, location).first->second == location;
}

// The store that the recorded step read; none: the object's first value. Of an allocation: the
// freeing whose block it got.
EventNumber Guide::SourceOf(EventNumber step) const {
  const Event& event = recorded_[step];
  if (event.kind != OperationKind::kNew) {
    const bool in_threads = event.from != kNoEvent && recorded_[event.from].thread >= 0;
    return in_threads ? event.from : kNoEvent;
  }
  for (EventNumber number = step - 1; number > 0; --number) {
    const Event& earlier = recorded_[number];
    if (earlier.object != event.object || !IsOfBlocks(earlier.kind)) continue;
    return earlier.kind == OperationKind::kDelete && earlier.thread >= 0 ? number : kNoEvent;
  }
  return kNoEvent;
}

// Where a recorded write stands among those that are here already.
int Guide::PlaceOf(const Graph& graph, EventNumber step, LocationIndex location) const {
  int place = graph.location(location).writes;
  for (Slot slot = graph.location(location).newest; slot != kNoSlot; slot = graph[slot].older) {
    const EventNumber other = as_[slot];
    if (other == kNoEvent || recorded_[other].place == kUnplaced ||
        recorded_[step].place == kUnplaced || recorded_[other].place < recorded_[step].place) {
      break;
    }
    place = graph[slot].place;
  }
  return place;
}

std::string Guide::Objection(const Graph& graph, Slot slot, const GraphEvent& event,
                             int place) const {
  const bool writes_only = event.writes && !event.reads;
  const int floor = Floor(graph, HappensBefore(graph.Before(event)), event.location);
  if (!IsOfMemory(event.request.effect) && (writes_only ? place <= floor : place < floor)) {
    return "a newer store, or a read of one, happens before it now";
  }
  const int own = writes_only ? place : place + 1;
  if (!IsOfMemory(event.request.effect) && event.writes && graph.IsUpdateAt(event.location, own)) {
    return "another read-modify-write follows that store immediately";
  }
  Graph attached = graph;
  attached.Attach(slot, own);
  if (!HasTotalOrder(attached)) return "the seq_cst operations would have no single order";
  return "";
}

void Guide::AddNewest(Graph& graph, Slot slot, unsigned variant) {
  GraphEvent event = graph[slot];
  const Effect effect = event.request.effect;
  if (Reads(effect) && effect != Effect::kAllocate) {
    event.source = graph.location(event.location).newest;
    event.read = graph.ValueOf(event.location, event.source);
  }
  if (effect == Effect::kAllocate) event.read = graph.ValueOf(event.location, kInitial);
  const bool has_variants = event.location != kNoLocation && Reads(effect);
  if (has_variants && variant < Variants(graph, event, event.read)) {
    event.variant = static_cast<std::uint8_t>(variant);
  }
  Settle(event);
  Derive(graph, event);
  graph.Replace(slot, event);
  if (event.location == kNoLocation) return;
  graph.Attach(slot, effect == Effect::kAllocate ? 0 : graph.location(event.location).writes);
}

bool Guide::WriteAsRecorded(Graph& graph, Slot slot, EventNumber step) {
  GraphEvent event = graph[slot];
  Settle(event);
  Derive(graph, event);
  graph.Replace(slot, event);
  const int place = PlaceOf(graph, step, event.location);
  const std::string objection = Objection(graph, slot, event, place);
  if (!objection.empty()) {
    Diverge(step, "it cannot stand where it stood in modification order: " + objection);
    return false;
  }
  graph.Attach(slot, place);
  const Event& recorded = recorded_[step];
  if (recorded.kind == OperationKind::kStore && IsNumber(recorded.type) &&
      recorded.written != event.written) {
    Diverge(step,
            fmt::format("here {} is stored instead of {}", Format(event.written, recorded.type),
                        Format(recorded.written, recorded.type)));
  }
  return true;
}

bool Guide::ReadAsRecorded(Graph& graph, Slot slot, EventNumber step) {
  const Event& recorded = recorded_[step];
  GraphEvent event = graph[slot];
  const EventNumber from = SourceOf(step);
  event.source = from == kNoEvent ? kInitial : slots_[from];
  if (from != kNoEvent &&
      (event.source == kNoSlot || graph[event.source].location != event.location)) {
    Diverge(step, "that store is not there to be read", from);
    return false;
  }
  event.read = graph.ValueOf(event.location, event.source);
  const unsigned variant = recorded.spurious ? 1 : 0;
  if (variant < Variants(graph, event, event.read)) {
    event.variant = static_cast<std::uint8_t>(variant);
  }
  Settle(event);
  Derive(graph, event);
  const int place = event.source == kInitial ? kInitialPlace : graph[event.source].place;
  const GraphEvent asked = graph[slot];
  graph.Replace(slot, event);
  std::string objection = Objection(graph, slot, event, place);
  if (event.blocks && !recorded.blocks) objection = "it would wait for ever";
  if (event.request.effect == Effect::kAllocate && event.source != kInitial &&
      IsTaken(graph, event.source)) {
    objection = "another allocation has that block";
  }
  if (!objection.empty()) {
    graph.Replace(slot, asked);
    const char* const store = from == kNoEvent ? "the first value" : "that store";
    Diverge(step, fmt::format("it cannot read {}: {}", store, objection), from);
    return false;
  }
  graph.Attach(slot, place + 1);
  if (ObjectOf(recorded.kind) == StepObject::kAtomic && event.writes != recorded.writes) {
    Diverge(step, event.writes ? "here it succeeds" : "here it fails");
  }
  return true;
}

void Guide::AddAsRecorded(Graph& graph, Slot slot, EventNumber step) {
  slots_[step] = slot;
  as_[slot] = step;
  const Event& recorded = recorded_[step];
  const Effect effect = graph[slot].request.effect;
  bool done = false;
  if (effect == Effect::kWrite) {
    done = WriteAsRecorded(graph, slot, step);
  } else if (Reads(effect) &&
             (ObjectOf(recorded.kind) == StepObject::kAtomic || effect == Effect::kAllocate)) {
    done = ReadAsRecorded(graph, slot, step);
  }
  const bool suffers =
      recorded.spurious || (recorded.kind == OperationKind::kTryLock && recorded.failed);
  if (!done) AddNewest(graph, slot, suffers && !diverges_ ? 1 : 0);
}

void Guide::Add(Graph& graph, int thread, const Request& request, LocationIndex location,
                const Site& site) {
  GraphEvent event;
  event.request = request;
  event.site = site;
  event.thread = static_cast<std::uint8_t>(thread);
  event.index = static_cast<std::uint16_t>(graph.Length(thread));
  event.location = location;
  const Slot slot = graph.Append(event);
  as_.resize(slot + 1u, kNoEvent);
  if (step_ != kNoEvent) {
    AddAsRecorded(graph, slot, step_);
  } else {
    AddNewest(graph, slot, 0);
  }
  if (diverges_ && diverged_at_ == kNoSlot && recorded_[diverges_->recorded].thread == thread) {
    diverged_at_ = slot;
  }
  const GraphEvent& added = graph[slot];
  if (added.writes && !(added.reads && added.read == added.written)) ++changes_;
}

// The event of the thread that comes after as many of its own as `number` does in `other`.
EventNumber MatchOf(const Trace& trace, const Trace& other, EventNumber number) {
  const int thread = other[number].thread;
  std::size_t before = 0;
  for (EventNumber i = 1; i < number; ++i) before += other[i].thread == thread;
  for (EventNumber i = 1; i <= trace.last(); ++i) {
    if (trace[i].thread == thread && before-- == 0) return i;
  }
  return kNoEvent;
}

}  // namespace

Followed Follow(const ScenarioEntry& scenario, const Trace& recorded, SiteTable& sites) {
  Pending unused;
  Extension extension(unused);
  Graph graph;
  // Behind a pointer: fibers know where their execution is, and it is large.
  const auto machine = std::make_unique<ExhaustiveMachine>(scenario, graph, extension, sites);
  Guide guide(recorded);
  const ExhaustiveMachine::Outcome outcome = machine->Follow(guide);
  SetCurrentMachine(nullptr);
  Followed followed{.trace = machine->trace(),
                    .failure = machine->failure(),
                    .blocked = outcome == ExhaustiveMachine::Outcome::kBlocked,
                    .diverges = guide.TakeDivergence(*machine)};
  if (!followed.diverges && !followed.failure && recorded.last() != 0) {
    followed.diverges =
        Divergence{recorded.last(), MatchOf(followed.trace, recorded, recorded.last()), kNoEvent,
                   "all goes as recorded, and here nothing is wrong with it"};
  }
  return followed;
}

}  // namespace nowait::model
