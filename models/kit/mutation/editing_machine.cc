#include "models/kit/mutation/editing_machine.h"

#include <bit>
#include <type_traits>
#include <utility>

namespace nowait::model {
namespace {

// The two halves of a torn read-modify-write.
constexpr std::memory_order LoadHalf(std::memory_order order) {
  if (order == std::memory_order::seq_cst) return order;
  return Acquires(order) ? std::memory_order::acquire : std::memory_order::relaxed;
}
constexpr std::memory_order StoreHalf(std::memory_order order) {
  if (order == std::memory_order::seq_cst) return order;
  return Releases(order) ? std::memory_order::release : std::memory_order::relaxed;
}

// No object has this number. It stands for operations that no held store has to precede.
constexpr ObjectId kNoObject = 0;

}  // namespace

void EditingMachine::Attach(Machine* machine) {
  machine_ = machine;
  for (auto& held : held_) held.reset();
  held_stores_ = 0;
}

const Edit* EditingMachine::Find(const Site& site, OperationKind kind, std::memory_order order) {
  // With g++ and clang a site is one pointer, to the compiler's record of the location.
  const auto place = std::bit_cast<std::uintptr_t>(site);
  Recent& recent = recent_[(place * kSpread) >> (64 - kRecentBits)];
  if (recent.place != place || recent.kind != kind || recent.order != order) {
    recent = {place, kind, order, edits_.Find(site, kind, order)};
  }
  return recent.edit;
}

// --- stores that change places with the operation after them ---

std::optional<EditingMachine::HeldStore> EditingMachine::TakeHeld() {
  if (held_stores_ == 0) return std::nullopt;
  const int thread = Thread();
  if (thread < 0 || !held_[thread]) return std::nullopt;
  --held_stores_;
  return std::exchange(held_[thread], std::nullopt);
}

void EditingMachine::Release(const HeldStore& store) {
  machine_->Store(store.object, store.value, store.order, store.site);
}

// Called where a thread may sleep or end, or an object may end: the store is held no longer.
void EditingMachine::ReleaseHeld() {
  if (const auto held = TakeHeld()) Release(*held);
}

// Executes the operation, and then the store held back for it. On the same object the two keep
// their order: a thread that does not see its own stores would be an altogether different program.
template <class Operation>
auto EditingMachine::BeforeHeld(ObjectId object, Operation operation) {
  if (held_stores_ == 0) return operation();
  const auto held = TakeHeld();
  if (held && held->object == object) Release(*held);
  if (!held || held->object == object) return operation();
  ++effects_;
  if constexpr (std::is_void_v<decltype(operation())>) {
    operation();
    Release(*held);
  } else {
    auto result = operation();
    Release(*held);
    return result;
  }
}

// --- atomics ---

ObjectId EditingMachine::NewAtomic(Word value, ValueType type, const Site& site) {
  return machine_->NewAtomic(value, type, site);
}

void EditingMachine::DeleteAtomic(ObjectId object) {
  ReleaseHeld();
  machine_->DeleteAtomic(object);
}

Word EditingMachine::Load(ObjectId object, std::memory_order order, const Site& site) {
  const Edit* edit = Find(site, OperationKind::kLoad, order);
  if (edit != nullptr) order = edit->order.value_or(order);
  return BeforeHeld(object, [&] { return machine_->Load(object, order, site); });
}

void EditingMachine::Store(ObjectId object, Word value, std::memory_order order, const Site& site) {
  if (stores_ != nullptr && Thread() >= 0) {
    stores_->Hit(site, OperationKind::kStore, order, order);
  }
  const Edit* edit = Find(site, OperationKind::kStore, order);
  if (edit != nullptr) order = edit->order.value_or(order);
  const Tampering tampering = edit == nullptr ? Tampering::kNone : edit->tampering;
  BeforeHeld(object, [&] {
    if (tampering == Tampering::kDropped) {
      ++effects_;
    } else if (tampering == Tampering::kDelayed && Thread() >= 0) {
      held_[Thread()] = HeldStore{object, value, order, site};
      ++held_stores_;
    } else {
      machine_->Store(object, value, order, site);
    }
  });
}

bool EditingMachine::CompareExchange(ObjectId object, Word& expected, Word desired, Trying trying,
                                     std::memory_order success, std::memory_order failure,
                                     const Site& site) {
  const Edit* edit = Find(site, OperationKind::kCompareExchange, success);
  if (edit != nullptr) {
    success = edit->order.value_or(success);
    failure = edit->failure.value_or(failure);
  }
  return BeforeHeld(object, [&] {
    if (edit != nullptr && edit->tampering != Tampering::kNone &&
        edit->tampering != Tampering::kFailureIgnored) {
      return TamperedExchange(object, expected, desired, *edit, success, failure, site);
    }
    const bool goes_on = edit != nullptr && edit->tampering == Tampering::kFailureIgnored;
    // The caller then does not start over.
    if (goes_on && trying == Trying::kAgain) trying = Trying::kWeak;
    const bool exchanged =
        machine_->CompareExchange(object, expected, desired, trying, success, failure, site);
    if (!goes_on) return exchanged;
    if (!exchanged) ++effects_;
    return true;
  });
}

// Torn or dropped: a load, the comparison, and possibly a store.
bool EditingMachine::TamperedExchange(ObjectId object, Word& expected, Word desired,
                                      const Edit& edit, std::memory_order success,
                                      std::memory_order failure, const Site& site) {
  const std::memory_order load = Acquires(failure) ? failure : LoadHalf(success);
  const Word old = machine_->Load(object, load, site);
  if (old != expected) {
    expected = old;
    return false;
  }
  ++effects_;
  if (edit.tampering == Tampering::kTorn) {
    machine_->Store(object, desired, StoreHalf(success), site);
  }
  return true;
}

Word EditingMachine::ReadModifyWrite(ObjectId object, OperationKind kind, Combine combine,
                                     Word operand, std::memory_order order, const Site& site) {
  const Edit* edit = Find(site, kind, order);
  if (edit != nullptr) order = edit->order.value_or(order);
  return BeforeHeld(object, [&] {
    if (edit == nullptr || edit->tampering == Tampering::kNone) {
      return machine_->ReadModifyWrite(object, kind, combine, operand, order, site);
    }
    ++effects_;
    const Word old = machine_->Load(object, LoadHalf(order), site);
    if (edit->tampering == Tampering::kTorn) {
      machine_->Store(object, combine(old, operand), StoreHalf(order), site);
    }
    return old;
  });
}

void EditingMachine::Wait(ObjectId object, Word old, std::memory_order order, const Site& site) {
  const Edit* edit = Find(site, OperationKind::kWait, order);
  ReleaseHeld();
  machine_->Wait(object, old, edit == nullptr ? order : edit->order.value_or(order), site);
}

void EditingMachine::Notify(ObjectId object, bool all, const Site& site) {
  const Edit* edit = Find(site, OperationKind::kNotify, std::memory_order::relaxed);
  const Tampering tampering = edit == nullptr ? Tampering::kNone : edit->tampering;
  BeforeHeld(kNoObject, [&] {
    if (tampering == Tampering::kNotNotified) {
      ++effects_;
    } else if (tampering == Tampering::kOneNotified && all) {
      ++effects_;
      machine_->Notify(object, false, site);
    } else {
      machine_->Notify(object, all, site);
    }
  });
}

void EditingMachine::Fence(std::memory_order order, const Site& site) {
  const Edit* edit = Find(site, OperationKind::kFence, order);
  if (edit != nullptr) order = edit->order.value_or(order);
  BeforeHeld(kNoObject, [&] {
    if (edit != nullptr && edit->tampering == Tampering::kDropped) {
      ++effects_;
    } else {
      machine_->Fence(order, site);
    }
  });
}

// --- the rest ---

ObjectId EditingMachine::NewPlain(const Site& site) { return machine_->NewPlain(site); }

void EditingMachine::DeletePlain(ObjectId object) {
  ReleaseHeld();
  machine_->DeletePlain(object);
}

Word EditingMachine::ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) {
  return BeforeHeld(kNoObject, [&] { return machine_->ReadPlain(object, value, type, site); });
}

void EditingMachine::WritePlain(ObjectId object, Word value, ValueType type, const Site& site) {
  BeforeHeld(kNoObject, [&] { machine_->WritePlain(object, value, type, site); });
}

ObjectId EditingMachine::NewMutex() { return machine_->NewMutex(); }

void EditingMachine::DeleteMutex(ObjectId object) {
  ReleaseHeld();
  machine_->DeleteMutex(object);
}

void EditingMachine::Lock(ObjectId object, const Site& site) {
  ReleaseHeld();
  machine_->Lock(object, site);
}

bool EditingMachine::TryLock(ObjectId object, const Site& site) {
  return BeforeHeld(kNoObject, [&] { return machine_->TryLock(object, site); });
}

void EditingMachine::Unlock(ObjectId object, const Site& site) {
  BeforeHeld(kNoObject, [&] { machine_->Unlock(object, site); });
}

ObjectId EditingMachine::NewCondition() { return machine_->NewCondition(); }

void EditingMachine::DeleteCondition(ObjectId object) {
  ReleaseHeld();
  machine_->DeleteCondition(object);
}

void EditingMachine::WaitCondition(ObjectId object, ObjectId mutex, const Site& site) {
  ReleaseHeld();
  machine_->WaitCondition(object, mutex, site);
}

void EditingMachine::NotifyCondition(ObjectId object, bool all, const Site& site) {
  BeforeHeld(kNoObject, [&] { machine_->NotifyCondition(object, all, site); });
}

void EditingMachine::EndThread() {
  ReleaseHeld();
  machine_->EndThread();
}

void EditingMachine::Yield(const Site& site) {
  ReleaseHeld();
  machine_->Yield(site);
}

}  // namespace nowait::model
