#include "models/kit/relacy/relacy_machine.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace nowait::model {
namespace {

// Relacy wants a place for each call; ours are in the trace.
const rl::debug_info kNoPlace;

// A thread may put so many stores aside; more add choices and no new shape.
constexpr std::size_t kMaxDeferred = 3;

}  // namespace

// --- executions ---

void RelacyMachine::BeginSetUp() {
  phase_ = Phase::kSetUp;
  // After a failure these still name what died with it.
  atomics_.clear();
  plains_.clear();
  mutexes_.clear();
  live_objects_ = 0;
  for (auto& stores : deferred_) stores.clear();
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

unsigned RelacyMachine::Choose(unsigned n) {
  return InThreads() && n > 1 ? rl::ctx().rand(n, rl::sched_type_user) : 0;
}

void RelacyMachine::Fail(FailureKind kind, const std::string& words, const Site& site) {
  failure_ = Failure{kind, words, site};
  // Switches to Relacy's main context for good; what this stack owns is given up.
  rl::ctx().fail_test("", rl::test_result_user_assert_failed, kNoPlace);
  std::abort();
}

// Where another thread may come first.
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
  Event& event = trace_.Add(Thread(), kind, site);
  event.object = object;
  event.type = type;
  event.order = order;
  return event;
}

// --- atomics: what Relacy's clocks and histories say ---

// The object, if it is still there and was made before anything that this thread does now.
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
  rl::thread_info_base& thread = *rl::ctx().threadx_;
  unsigned index = 0;
  switch (order) {
    case std::memory_order::relaxed:
      index = thread.atomic_load_relaxed(atomic.data);
      break;
    case std::memory_order::seq_cst:
      index = thread.atomic_load_seq_cst(atomic.data);
      break;
    default:
      index = thread.atomic_load_acquire(atomic.data);
      break;
  }
  if (index == ~0u) {
    Fail(FailureKind::kUninitialized, "a load may read from before the atomic's construction",
         site);
  }
  return index;
}

void RelacyMachine::LoadNewest(AtomicObject& atomic, std::memory_order order) {
  rl::thread_info_base& thread = *rl::ctx().threadx_;
  switch (order) {
    case std::memory_order::relaxed:
      thread.atomic_load_relaxed_rmw(atomic.data);
      break;
    case std::memory_order::seq_cst:
      thread.atomic_load_seq_cst_rmw(atomic.data);
      break;
    default:
      thread.atomic_load_acquire_rmw(atomic.data);
      break;
  }
}

void RelacyMachine::StoreNow(AtomicObject& atomic, StoredValue value, std::memory_order order) {
  rl::thread_info_base& thread = *rl::ctx().threadx_;
  const rl::thread_id_t writer = sequences_.hide_writer(atomic.data);
  switch (order) {
    case std::memory_order::relaxed:
      atomic.newest = thread.atomic_store_relaxed(atomic.data);
      break;
    case std::memory_order::seq_cst:
      atomic.newest = thread.atomic_store_seq_cst(atomic.data);
      break;
    default:
      atomic.newest = thread.atomic_store_release(atomic.data);
      break;
  }
  sequences_.restore_writer(atomic.data, writer);
  atomic.history[atomic.newest] = value;
}

void RelacyMachine::ReplaceNewest(AtomicObject& atomic, StoredValue value,
                                  std::memory_order order) {
  rl::thread_info_base& thread = *rl::ctx().threadx_;
  bool aba = false;
  switch (order) {
    case std::memory_order::relaxed:
      atomic.newest = thread.atomic_rmw_relaxed(atomic.data, aba);
      break;
    case std::memory_order::release:
      atomic.newest = thread.atomic_rmw_release(atomic.data, aba);
      break;
    case std::memory_order::acq_rel:
      atomic.newest = thread.atomic_rmw_acq_rel(atomic.data, aba);
      break;
    case std::memory_order::seq_cst:
      atomic.newest = thread.atomic_rmw_seq_cst(atomic.data, aba);
      break;
    default:
      atomic.newest = thread.atomic_rmw_acquire(atomic.data, aba);
      break;
  }
  atomic.history[atomic.newest] = value;
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
  StoreNow(atomic, {value, trace_.last()}, std::memory_order::relaxed);
  return object;
}

void RelacyMachine::DeleteAtomic(ObjectId object) {
  Settle(0, true);
  AtomicObject& atomic = atomics_[object - 1];
  if (!atomic.lifetime->store(*rl::ctx().threadx_)) {
    Fail(FailureKind::kDataRace, "an atomic ends and nothing orders that after its last use",
         Site());
  }
  rl::ctx().atomic_dtor(std::exchange(atomic.data, nullptr));
  rl::ctx().var_dtor(atomic.lifetime);
  --live_objects_;
}

Word RelacyMachine::Load(ObjectId object, std::memory_order order, const Site& site) {
  sites_.Hit(site, OperationKind::kLoad, order, order);
  Settle(object, order == std::memory_order::seq_cst);
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
    StoreNow(atomic, {value, trace_.last()}, order);
  }
}

// Lets stores that this thread put aside take effect: all of them, or those to `object` and of the
// rest whichever the search likes.
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
  StoreNow(atomic, {value, store.event}, std::memory_order::relaxed);
}

// Once for each atomic: what a retry loop does a second time it does a third time too.
bool RelacyMachine::FailsSpuriously(AtomicObject& atomic) {
  if (atomic.failed_spuriously || Choose(2) == 0) return false;
  atomic.failed_spuriously = true;
  return true;
}

// Whether a store that a stale failure could read is in the history at all.
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

bool RelacyMachine::CompareExchange(ObjectId object, Word& expected, Word desired, bool weak,
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
      event.failed = true;
      expected = event.read;
      return false;
    }
  }
  const bool matches = atomic.history[atomic.newest].value == expected;
  const bool spurious = matches && weak && FailsSpuriously(atomic);
  const bool exchanged = matches && !spurious;
  Event& event = AddEvent(OperationKind::kCompareExchange, object, atomic.type,
                          exchanged ? success : failure, site);
  AddRead(event, atomic, atomic.newest);
  event.failed = !exchanged;
  event.spurious = spurious;
  if (!exchanged) {
    expected = event.read;
    LoadNewest(atomic, failure);
    return false;
  }
  event.writes = true;
  event.written = desired;
  ReplaceNewest(atomic, {desired, trace_.last()}, success);
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
  ReplaceNewest(atomic, {event.written, trace_.last()}, order);
  return old;
}

// As the system's futex does it: a thread goes to sleep only if the newest value is the old one,
// and after waking it looks again.
void RelacyMachine::Wait(ObjectId object, Word old, std::memory_order order, const Site& site) {
  sites_.Hit(site, OperationKind::kWait, order, order);
  Settle(object, true);
  for (;;) {
    Step();
    AtomicObject& atomic = Touch(object, site);
    const unsigned index = LoadIndex(atomic, order, site);
    AddRead(AddEvent(OperationKind::kWait, object, atomic.type, order, site), atomic, index);
    if (atomic.history[index].value != old) return;
    if (atomic.history[atomic.newest].value != old) {
      LoadNewest(atomic, order);
      AddRead(AddEvent(OperationKind::kWait, object, atomic.type, order, site), atomic,
              atomic.newest);
      return;
    }
    if (!InThreads()) Fail(FailureKind::kDeadlock, "a wait outside the threads", site);
    AddEvent(OperationKind::kSleep, object, atomic.type, order, site);
    atomic.sleepers.push_back(Thread());
    rl::ctx().park_current_thread(false, false, false, kNoPlace);
  }
}

void RelacyMachine::Notify(ObjectId object, bool all, const Site& site) {
  sites_.Hit(site, OperationKind::kNotify, std::memory_order::relaxed, std::memory_order::relaxed);
  Settle(0, true);
  Step();
  AtomicObject& atomic = Touch(object, site);
  AddEvent(OperationKind::kNotify, object, atomic.type, std::memory_order::relaxed, site);
  while (!atomic.sleepers.empty()) {
    const unsigned chosen = all ? 0 : Choose(static_cast<unsigned>(atomic.sleepers.size()));
    const int sleeper = atomic.sleepers[chosen];
    atomic.sleepers.erase(atomic.sleepers.begin() + chosen);
    rl::ctx().unpark_thread(sleeper, false, kNoPlace);
    if (!all) return;
  }
}

// --- plain data and mutexes ---

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
    Fail(FailureKind::kDataRace, "a plain datum ends and nothing orders that after its last use",
         Site());
  }
  rl::ctx().var_dtor(data);
  --live_objects_;
}

void RelacyMachine::ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) {
  Event& event =
      AddEvent(OperationKind::kPlainRead, object, type, std::memory_order::relaxed, site);
  event.reads = true;
  event.read = value;
  if (!plains_[object - 1]->load(*rl::ctx().threadx_)) {
    Fail(FailureKind::kDataRace, "a plain read and another thread's write are not ordered", site);
  }
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

ObjectId RelacyMachine::NewMutex() {
  mutexes_.push_back(new rl::mutex);
  ++live_objects_;
  return static_cast<ObjectId>(mutexes_.size());
}

void RelacyMachine::DeleteMutex(ObjectId object) {
  delete std::exchange(mutexes_[object - 1], nullptr);
  --live_objects_;
}

void RelacyMachine::Lock(ObjectId object, const Site& site) {
  mutexes_[object - 1]->lock(kNoPlace);
  trace_.Add(Thread(), OperationKind::kLock, site).object = object;
}

bool RelacyMachine::TryLock(ObjectId object, const Site& site) {
  const bool locked = mutexes_[object - 1]->try_lock(kNoPlace);
  Event& event = trace_.Add(Thread(), OperationKind::kTryLock, site);
  event.object = object;
  event.failed = !locked;
  return locked;
}

void RelacyMachine::Unlock(ObjectId object, const Site& site) {
  Settle(0, true);
  trace_.Add(Thread(), OperationKind::kUnlock, site).object = object;
  mutexes_[object - 1]->unlock(kNoPlace);
}

}  // namespace nowait::model
