// The part of ExhaustiveMachine for atomics, and for what they share with mutexes and condition
// variables: a location, a lifetime, and events.
#include "models/kit/exhaustive/graph/evaluate.h"
#include "models/kit/exhaustive/run/exhaustive_machine.h"

namespace nowait::model {

ObjectId ExhaustiveMachine::NewShared(std::vector<Shared>& objects, Word value, ValueType type) {
  Shared& shared = objects.emplace_back();
  const int maker = InThreads() ? execution_.running() : kMaxThreads;
  ObjectName& count = names_[static_cast<std::size_t>(maker)];
  shared.name = NameOf(maker, count++);
  shared.value = value;
  shared.type = type;
  shared.made = Here();
  if (InThreads()) shared.life.Begin(shared.made);
  ++live_objects_;
  return static_cast<ObjectId>(objects.size());
}

void ExhaustiveMachine::End(Shared& shared, OperationKind kind, ObjectId object,
                            const char* words) {
  if (InThreads() && !shared.life.Write(Here(), execution_.known())) {
    AddEvent(kind, object, shared.type, std::memory_order::relaxed, Site());
    NoteRace(shared.life);
    GiveUp(FailureKind::kDataRace, words, Site());
  }
  shared.alive = false;
  --live_objects_;
}

ExhaustiveMachine::Shared& ExhaustiveMachine::Touch(Shared& shared, const Site& site) {
  if (!shared.alive) {
    NoteRace(shared.life);
    GiveUp(FailureKind::kUseAfterFree, "an atomic is used after its end", site);
  }
  if (!InThreads()) return shared;
  if (!shared.made.IsBefore(execution_.running(), execution_.known())) {
    GiveUp(FailureKind::kUninitialized,
           "an atomic is used and nothing orders that after its construction", site);
  }
  if (!shared.life.Read(Here(), execution_.known())) {
    NoteRace(shared.life);
    GiveUp(FailureKind::kDataRace, "an atomic is used and nothing orders that before its end",
           site);
  }
  if (shared.location == kNoLocation) shared.location = graph_.Locate(shared.name, shared.value);
  return shared;
}

const GraphEvent& ExhaustiveMachine::StepAlone(Shared& shared, const Request& request,
                                               const Site& site) {
  CountStep(site);
  alone_.request = request;
  alone_.read = shared.value;
  Evaluate(alone_);
  if (alone_.writes) shared.value = alone_.written;
  return alone_;
}

const GraphEvent& ExhaustiveMachine::Step(Shared& shared, const Request& request,
                                          const Site& site) {
  Touch(shared, site);
  if (!InThreads()) return StepAlone(shared, request, site);
  const LocationIndex location = shared.location;
  return graph_[execution_.Step(request, location, site)];
}

// Records the event in the trace. An event of the threads also gets a number, for its readers.
void ExhaustiveMachine::Record(ObjectId object, Shared& shared, const GraphEvent& done,
                               const Site& site) {
  if (!traces_ || execution_.probing()) return;
  Event& event = AddEvent(done.request.kind, object, shared.type, done.order, site);
  event.success = done.request.order;
  event.failure = done.request.failure;
  event.reads = done.reads;
  event.writes = done.writes;
  event.read = done.read;
  event.written = done.written;
  event.failed = done.request.effect == Effect::kExchangeIfEqual && !done.writes;
  event.spurious = done.variant != 0;
  if (!InThreads()) {
    if (done.reads) event.from = shared.written_by;
    if (done.writes) shared.written_by = trace_.last();
    return;
  }
  const Slot slot = graph_.At(done.thread, done.index);
  if (recorded_.size() <= slot) recorded_.resize(slot + 1u);
  recorded_[slot] = trace_.last();
  if (!done.reads) return;
  event.from = done.source == kInitial ? shared.written_by : recorded_[done.source];
  event.stale = graph_.PlaceOf(done) + 1 != graph_.location(done.location).writes && !done.writes;
}

// --- operations ---

ObjectId ExhaustiveMachine::NewAtomic(Word value, ValueType type, const Site& site) {
  const ObjectId object = NewShared(atomics_, value, type);
  Event& event = AddEvent(OperationKind::kStore, object, type, std::memory_order::relaxed, site);
  event.writes = true;
  event.written = value;
  atomics_.back().written_by = trace_.last();
  return object;
}

void ExhaustiveMachine::DeleteAtomic(ObjectId object) {
  End(atomics_[object - 1], OperationKind::kEndAtomic, object,
      "an atomic ends and nothing orders that after its last use");
}

Word ExhaustiveMachine::Load(ObjectId object, std::memory_order order, const Site& site) {
  sites_->Hit(site, OperationKind::kLoad, order, order);
  const GraphEvent& event =
      Step(atomics_[object - 1],
           {.effect = Effect::kRead, .kind = OperationKind::kLoad, .order = order}, site);
  Record(object, atomics_[object - 1], event, site);
  return event.read;
}

void ExhaustiveMachine::Store(ObjectId object, Word value, std::memory_order order,
                              const Site& site) {
  sites_->Hit(site, OperationKind::kStore, order, order);
  const GraphEvent& event = Step(
      atomics_[object - 1],
      {.effect = Effect::kWrite, .kind = OperationKind::kStore, .order = order, .operand = value},
      site);
  Record(object, atomics_[object - 1], event, site);
}

// Whether the running thread's failing attempts may be left out: it expects the value that its last
// look found, and a failure would synchronise no less than that look.
bool ExhaustiveMachine::IsNextTry(Shared& shared, Word expected, std::memory_order failure,
                                  const Site& site) {
  Touch(shared, site);
  for (unsigned i = execution_.done(); i-- > 0;) {
    const GraphEvent& look = graph_[graph_.At(execution_.running(), i)];
    if (look.location != shared.location) continue;
    if (!look.reads || look.writes || look.read != expected) break;
    return (Acquires(failure) || !Acquires(look.order)) &&
           (failure == std::memory_order::seq_cst || look.order != std::memory_order::seq_cst);
  }
  GiveUp(FailureKind::kNotFinished,
         "a try that would be repeated expects another value than its thread has found last", site);
}

bool ExhaustiveMachine::CompareExchange(ObjectId object, Word& expected, Word desired,
                                        Trying trying, std::memory_order success,
                                        std::memory_order failure, const Site& site) {
  sites_->Hit(site, OperationKind::kCompareExchange, success, failure);
  const bool again =
      trying == Trying::kAgain && leaves_out_failed_tries_ && InThreads() &&
      (execution_.probing() || IsNextTry(atomics_[object - 1], expected, failure, site));
  const GraphEvent& event =
      Step(atomics_[object - 1],
           {.effect = again ? Effect::kExchangeAgain : Effect::kExchangeIfEqual,
            .kind = OperationKind::kCompareExchange,
            .weak = trying != Trying::kStrong && !again,
            .order = success,
            .failure = failure,
            .expected = expected,
            .operand = desired},
           site);
  Record(object, atomics_[object - 1], event, site);
  // A try that blocks returns in a probe alone, and there it fails spuriously.
  if (!event.writes && !event.blocks) expected = event.read;
  return event.writes;
}

Word ExhaustiveMachine::ReadModifyWrite(ObjectId object, OperationKind kind, Combine combine,
                                        Word operand, std::memory_order order, const Site& site) {
  sites_->Hit(site, kind, order, order);
  const GraphEvent& event = Step(atomics_[object - 1],
                                 {.effect = Effect::kUpdate,
                                  .kind = kind,
                                  .order = order,
                                  .operand = operand,
                                  .combine = combine},
                                 site);
  Record(object, atomics_[object - 1], event, site);
  return event.read;
}

void ExhaustiveMachine::Fence(std::memory_order order, const Site& site) {
  sites_->Hit(site, OperationKind::kFence, order, order);
  if (InThreads() && order != std::memory_order::relaxed) {
    execution_.Step({.effect = Effect::kFence, .kind = OperationKind::kFence, .order = order},
                    kNoLocation, site);
  }
  AddEvent(OperationKind::kFence, 0, ValueType::kOther, order, site);
}

}  // namespace nowait::model
