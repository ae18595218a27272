// The part of ExhaustiveMachine for plain data, which makes no events but may race.
#include "models/kit/exhaustive/run/exhaustive_machine.h"

namespace nowait::model {

ObjectId ExhaustiveMachine::NewPlain(const Site&) {
  Accesses& accesses = plains_.emplace_back();
  if (InThreads()) accesses.Begin(Here());
  ++live_objects_;
  return static_cast<ObjectId>(plains_.size());
}

void ExhaustiveMachine::DeletePlain(ObjectId object) {
  if (InThreads() && !plains_[object - 1].Write(Here(), execution_.known())) {
    AddEvent(OperationKind::kEndPlain, object, ValueType::kOther, std::memory_order::relaxed,
             Site());
    NoteRace(plains_[object - 1]);
    GiveUp(FailureKind::kDataRace, "a plain datum ends and nothing orders that after its last use",
           Site());
  }
  --live_objects_;
}

Word ExhaustiveMachine::ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) {
  CountStep(site);
  if (traces_) {
    Event& event =
        AddEvent(OperationKind::kPlainRead, object, type, std::memory_order::relaxed, site);
    event.reads = true;
    event.read = value;
  }
  if (!InThreads()) return value;
  Accesses& accesses = plains_[object - 1];
  if (!accesses.Read(Here(), execution_.known())) {
    NoteRace(accesses);
    GiveUp(FailureKind::kDataRace, "a plain read and another thread's write are not ordered", site);
  }
  return value;
}

void ExhaustiveMachine::WritePlain(ObjectId object, Word value, ValueType type, const Site& site) {
  CountStep(site);
  if (traces_) {
    Event& event =
        AddEvent(OperationKind::kPlainWrite, object, type, std::memory_order::relaxed, site);
    event.writes = true;
    event.written = value;
  }
  if (!InThreads()) return;
  Accesses& accesses = plains_[object - 1];
  if (!accesses.Write(Here(), execution_.known())) {
    NoteRace(accesses);
    GiveUp(FailureKind::kDataRace, "a plain write and another thread's access are not ordered",
           site);
  }
}

}  // namespace nowait::model
