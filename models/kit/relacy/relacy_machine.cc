#include "models/kit/relacy/relacy_machine.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace nowait::model {
namespace {

// Relacy expects a source location for each call; the locations here are in the trace.
const rl::debug_info kNoPlace;

// The largest number of stores that a thread may defer (litmus row S+four).
constexpr std::size_t kMaxDeferred = 3;

}  // namespace

// --- executions ---

void RelacyMachine::BeginSetUp() {
  SetCurrentMachine(this, calls_);
  phase_ = Phase::kSetUp;
  // After a failure these still name objects that died with the execution.
  atomics_.clear();
  plains_.clear();
  mutexes_.clear();
  conditions_.clear();
  model_.BeginExecution();
  live_objects_ = 0;
  for (auto& stores : deferred_) stores.clear();
  for (auto& locking : locking_) locking.reset();
  memory_.Clear();
  trace_.Clear();
}

void RelacyMachine::EndThread() { Settle(0, true); }

void RelacyMachine::EndExecution() {
  if (live_objects_ != 0 || memory_.LiveBlocks() != 0) {
    Fail(FailureKind::kLeak, "the scenario left memory or objects behind", Site());
  }
}

int RelacyMachine::Thread() const {
  switch (phase_) {
    case Phase::kSetUp:
      return kSetUp;
    case Phase::kThreads:
      return rl::ctx().current_thread();
    case Phase::kAfter:
      return kAfter;
  }
  return kSetUp;
}

// Relacy's own clocks. The tick distinguishes a moment from the steps around it: earlier releases
// of the thread do not carry it, later ones do.
VectorClock RelacyMachine::Now() {
  rl::thread_info_base& thread = *rl::ctx().threadx_;
  thread.own_acq_rel_order_ += 1;
  VectorClock moment;
  moment.thread = static_cast<int>(thread.index_);
  const auto threads = static_cast<std::size_t>(rl::ctx().get_thread_count());
  for (std::size_t t = 0; t < threads; ++t) {
    moment.clock[t] = static_cast<std::uint32_t>(thread.acq_rel_order_[t]);
  }
  return moment;
}

unsigned RelacyMachine::Choose(unsigned n) {
  return InThreads() && n > 1 ? rl::ctx().rand(n, rl::sched_type_user) : 0;
}

void* RelacyMachine::TakeFreedBlock(std::size_t size, std::size_t alignment, const Site&) {
  void* const freed = memory_.FindFreed(size, alignment, Now());
  if (freed == nullptr || Choose(2) == 0) return nullptr;
  memory_.AllocateAgain(freed);
  return freed;
}

void RelacyMachine::FreeBlock(void* block, const Site&) { memory_.Free(block, Now()); }

void RelacyMachine::Fail(FailureKind kind, const std::string& words, const Site& site) {
  failure_ = Failure{kind, words, site, Thread()};
  // Switches to Relacy's main context and never returns; memory owned by this stack is lost.
  rl::ctx().fail_test("", rl::test_result_user_assert_failed, kNoPlace);
  std::abort();
}

// A point at which another thread may run first.
void RelacyMachine::Step() {
  if (InThreads()) rl::ctx().sched();
}

void RelacyMachine::Yield(const Site& site) {
  if (!InThreads()) return;
  Settle(0, true);
  trace_.Add(Thread(), OperationKind::kYield, site);
  rl::ctx().yield(1, kNoPlace);
}

Event& RelacyMachine::AddEvent(OperationKind kind, ObjectId object, ValueType type,
                               std::memory_order order, const Site& site) {
  // The scheduler counts the threads' steps, but not those before and after them.
  constexpr EventNumber kMaxEvents = 50'000;
  if (trace_.last() == kMaxEvents) {
    Fail(FailureKind::kLivelock, "a loop without an end before or after the threads", site);
  }
  Event& event = trace_.Add(Thread(), kind, site);
  event.object = object;
  event.type = type;
  event.order = order;
  return event;
}

// --- atomics: the verdicts of Relacy's clocks and histories ---

// Returns the object if it still exists and was made before this thread's current step.
RelacyMachine::AtomicObject& RelacyMachine::Touch(ObjectId object, const Site& site) {
  AtomicObject& atomic = atomics_[object - 1];
  if (atomic.data == nullptr) {
    Fail(FailureKind::kUseAfterFree, "an atomic is used after its end", site);
  }
  if (!atomic.lifetime->load(*rl::ctx().threadx_)) {
    Fail(FailureKind::kDataRace, "an atomic is used and nothing orders that after its construction",
         site);
  }
  return atomic;
}

unsigned RelacyMachine::LoadIndex(AtomicObject& atomic, std::memory_order order, const Site& site) {
  const unsigned limit = search_.deep_history ? rl::kLongHistory - 1 : 1;
  const unsigned index = model_.Load(atomic, order, limit);
  if (index == MemoryModel::kNothing) {
    Fail(FailureKind::kUninitialized, "a load may read from before the atomic's construction",
         site);
  }
  return index;
}

void RelacyMachine::AddRead(Event& event, const AtomicObject& atomic, unsigned index) {
  event.reads = true;
  event.read = atomic.history[index].value;
  event.from = atomic.history[index].writer;
  event.stale = index != atomic.newest;
}

// --- atomics: operations ---

ObjectId RelacyMachine::NewAtomic(Word value, ValueType type, const Site& site) {
  AtomicObject& atomic = atomics_.emplace_back();
  const ObjectId object = static_cast<ObjectId>(atomics_.size());
  atomic.data = rl::ctx().atomic_ctor(nullptr);
  atomic.lifetime = rl::ctx().var_ctor();
  atomic.lifetime->init(*rl::ctx().threadx_);
  atomic.type = type;
  ++live_objects_;
  Event& event = AddEvent(OperationKind::kStore, object, type, std::memory_order::relaxed, site);
  event.writes = true;
  event.written = value;
  AddPlace(atomic, trace_.last());
  model_.Store(atomic, {value, trace_.last()}, std::memory_order::relaxed);
  return object;
}

void RelacyMachine::DeleteAtomic(ObjectId object) {
  Settle(0, true);
  AtomicObject& atomic = atomics_[object - 1];
  if (!atomic.lifetime->store(*rl::ctx().threadx_)) {
    AddEvent(OperationKind::kEndAtomic, object, atomic.type, std::memory_order::relaxed, Site());
    Fail(FailureKind::kDataRace, "an atomic ends and nothing orders that after its last use",
         Site());
  }
  rl::ctx().atomic_dtor(std::exchange(atomic.data, nullptr));
  rl::ctx().var_dtor(atomic.lifetime);
  --live_objects_;
}

Word RelacyMachine::Load(ObjectId object, std::memory_order order, const Site& site) {
  sites_.Hit(site, OperationKind::kLoad, order, order);
  Settle(object, false);
  Step();
  AtomicObject& atomic = Touch(object, site);
  const unsigned index = LoadIndex(atomic, order, site);
  AddRead(AddEvent(OperationKind::kLoad, object, atomic.type, order, site), atomic, index);
  return atomic.history[index].value;
}

void RelacyMachine::Store(ObjectId object, Word value, std::memory_order order, const Site& site) {
  sites_.Hit(site, OperationKind::kStore, order, order);
  Settle(object, Releases(order));
  const bool may_defer = search_.deferred_stores && InThreads() &&
                         order == std::memory_order::relaxed &&
                         deferred_[Thread()].size() < kMaxDeferred;
  const bool deferred = may_defer && Choose(2) == 1;
  if (!deferred) Step();
  AtomicObject& atomic = Touch(object, site);
  Event& event = AddEvent(OperationKind::kStore, object, atomic.type, order, site);
  event.writes = true;
  event.written = value;
  event.deferred = deferred;
  if (deferred) {
    deferred_[Thread()].push_back({object, trace_.last()});
  } else {
    AddPlace(atomic, trace_.last());
    model_.Store(atomic, {value, trace_.last()}, order);
  }
}

// Lets stores that this thread deferred take effect: all of them, or those to `object` and an
// arbitrary choice of the others.
void RelacyMachine::Settle(ObjectId object, bool all) {
  if (!search_.deferred_stores || !InThreads()) return;
  std::vector<DeferredStore>& stores = deferred_[Thread()];
  for (std::size_t i = 0; i < stores.size();) {
    if (all || stores[i].object == object || Choose(2) == 0) {
      const DeferredStore store = stores[i];
      stores.erase(stores.begin() + static_cast<std::ptrdiff_t>(i));
      TakeEffect(store);
    } else {
      ++i;
    }
  }
}

void RelacyMachine::TakeEffect(DeferredStore store) {
  Step();
  const Site site = trace_[store.event].site;
  const Word value = trace_[store.event].written;
  AtomicObject& atomic = Touch(store.object, site);
  AddEvent(OperationKind::kLateStore, store.object, atomic.type, std::memory_order::relaxed, site)
      .from = store.event;
  AddPlace(atomic, store.event);
  model_.Store(atomic, {value, store.event}, std::memory_order::relaxed);
}

// Once for each atomic, because a retry loop does the same a third time as the second.
bool RelacyMachine::FailsSpuriously(AtomicObject& atomic) {
  if (atomic.failed_spuriously || Choose(2) == 0) return false;
  atomic.failed_spuriously = true;
  return true;
}

// Whether the history contains a store that a stale failure could read.
bool RelacyMachine::MayReadStale(const AtomicObject& atomic, Word expected) const {
  if (!search_.stale_exchanges || !InThreads()) return false;
  for (unsigned i = 0; i < rl::kLongHistory; ++i) {
    if (i != atomic.newest && atomic.history[i].writer != kNoEvent &&
        atomic.history[i].value != expected) {
      return true;
    }
  }
  return false;
}

bool RelacyMachine::CompareExchange(ObjectId object, Word& expected, Word desired, Trying trying,
                                    std::memory_order success, std::memory_order failure,
                                    const Site& site) {
  sites_.Hit(site, OperationKind::kCompareExchange, success, failure);
  Settle(object, Releases(success));
  Step();
  AtomicObject& atomic = Touch(object, site);
  if (MayReadStale(atomic, expected) && Choose(2) == 1) {
    const unsigned index = LoadIndex(atomic, failure, site);
    if (atomic.history[index].value != expected) {
      Event& event = AddEvent(OperationKind::kCompareExchange, object, atomic.type, failure, site);
      AddRead(event, atomic, index);
      event.success = success;
      event.failure = failure;
      event.failed = true;
      expected = event.read;
      return false;
    }
  }
  const bool matches = atomic.history[atomic.newest].value == expected;
  const bool spurious = matches && trying != Trying::kStrong && FailsSpuriously(atomic);
  const bool exchanged = matches && !spurious;
  Event& event = AddEvent(OperationKind::kCompareExchange, object, atomic.type,
                          exchanged ? success : failure, site);
  AddRead(event, atomic, atomic.newest);
  event.success = success;
  event.failure = failure;
  event.failed = !exchanged;
  event.spurious = spurious;
  if (!exchanged) {
    expected = event.read;
    model_.LoadNewest(atomic, failure);
    return false;
  }
  event.writes = true;
  event.written = desired;
  AddPlace(atomic, trace_.last());
  model_.ReplaceNewest(atomic, {desired, trace_.last()}, success);
  return true;
}

Word RelacyMachine::ReadModifyWrite(ObjectId object, OperationKind kind, Combine combine,
                                    Word operand, std::memory_order order, const Site& site) {
  sites_.Hit(site, kind, order, order);
  Settle(object, Releases(order));
  Step();
  AtomicObject& atomic = Touch(object, site);
  Event& event = AddEvent(kind, object, atomic.type, order, site);
  AddRead(event, atomic, atomic.newest);
  const Word old = event.read;
  event.writes = true;
  event.written = combine(old, operand);
  AddPlace(atomic, trace_.last());
  model_.ReplaceNewest(atomic, {event.written, trace_.last()}, order);
  return old;
}

void RelacyMachine::Fence(std::memory_order order, const Site& site) {
  sites_.Hit(site, OperationKind::kFence, order, order);
  Settle(0, Releases(order));
  // Fences with other orders do not concern another thread; a place in S does.
  if (order == std::memory_order::seq_cst) Step();
  AddEvent(OperationKind::kFence, 0, ValueType::kOther, order, site);
  model_.Fence(order);
}

// --- plain data ---

ObjectId RelacyMachine::NewPlain(const Site&) {
  rl::var_data* data = rl::ctx().var_ctor();
  data->init(*rl::ctx().threadx_);
  plains_.push_back(data);
  ++live_objects_;
  return static_cast<ObjectId>(plains_.size());
}

void RelacyMachine::DeletePlain(ObjectId object) {
  rl::var_data* data = plains_[object - 1];
  if (!data->store(*rl::ctx().threadx_)) {
    AddEvent(OperationKind::kEndPlain, object, ValueType::kOther, std::memory_order::relaxed,
             Site());
    Fail(FailureKind::kDataRace, "a plain datum ends and nothing orders that after its last use",
         Site());
  }
  rl::ctx().var_dtor(data);
  --live_objects_;
}

Word RelacyMachine::ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) {
  Event& event =
      AddEvent(OperationKind::kPlainRead, object, type, std::memory_order::relaxed, site);
  event.reads = true;
  event.read = value;
  if (!plains_[object - 1]->load(*rl::ctx().threadx_)) {
    Fail(FailureKind::kDataRace, "a plain read and another thread's write are not ordered", site);
  }
  return value;
}

void RelacyMachine::WritePlain(ObjectId object, Word value, ValueType type, const Site& site) {
  Event& event =
      AddEvent(OperationKind::kPlainWrite, object, type, std::memory_order::relaxed, site);
  event.writes = true;
  event.written = value;
  if (!plains_[object - 1]->store(*rl::ctx().threadx_)) {
    Fail(FailureKind::kDataRace, "a plain write and another thread's access are not ordered", site);
  }
}

}  // namespace nowait::model
