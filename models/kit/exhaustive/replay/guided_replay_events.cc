// The write that an event reads, and its place in modification order.
#include <fmt/format.h>

#include <cstdint>

#include "models/kit/exhaustive/graph/allocation.h"
#include "models/kit/exhaustive/graph/coherence.h"
#include "models/kit/exhaustive/graph/evaluate.h"
#include "models/kit/exhaustive/graph/happens_before.h"
#include "models/kit/exhaustive/graph/seq_cst.h"
#include "models/kit/exhaustive/replay/guided_replay_policy.h"

namespace nowait::model {
namespace {

bool IsNumber(ValueType type) {
  return type == ValueType::kUnsigned || type == ValueType::kSigned || type == ValueType::kBool;
}

}  // namespace

bool GuidedReplayPolicy::IsSameObject(EventNumber step, LocationIndex location) {
  const Event& event = recorded_[step];
  const StepObject kind = ObjectOf(event.kind);
  if (kind == StepObject::kNone) return true;
  return locations_.try_emplace({kind, event.object}, location).first->second == location;
}

// The store that the recorded step read; kNoSlot: the object's initial value. For an allocation:
// the freeing whose block it took.
EventNumber GuidedReplayPolicy::SourceOf(EventNumber step) const {
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

// The place of a recorded write among the writes that already exist here.
int GuidedReplayPolicy::PlaceOf(const Graph& graph, EventNumber step,
                                LocationIndex location) const {
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

std::string GuidedReplayPolicy::Objection(const Graph& graph, Slot slot, const GraphEvent& event,
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

void GuidedReplayPolicy::AddNewest(Graph& graph, Slot slot, unsigned variant) {
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
  Evaluate(event);
  ComputeClocks(graph, event);
  graph.Replace(slot, event);
  if (event.location == kNoLocation) return;
  graph.Attach(slot, effect == Effect::kAllocate ? 0 : graph.location(event.location).writes);
}

bool GuidedReplayPolicy::WriteAsRecorded(Graph& graph, Slot slot, EventNumber step) {
  GraphEvent event = graph[slot];
  Evaluate(event);
  ComputeClocks(graph, event);
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

bool GuidedReplayPolicy::ReadAsRecorded(Graph& graph, Slot slot, EventNumber step) {
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
  Evaluate(event);
  ComputeClocks(graph, event);
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

void GuidedReplayPolicy::AddAsRecorded(Graph& graph, Slot slot, EventNumber step) {
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

void GuidedReplayPolicy::Add(Graph& graph, int thread, const Request& request,
                             LocationIndex location, const Site& site) {
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

}  // namespace nowait::model
