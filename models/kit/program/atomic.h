// ModelSync::atomic: the operations of src/sync/policy.h as steps of a checker.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_ATOMIC_H_
#define NOWAIT_MODELS_KIT_PROGRAM_ATOMIC_H_

#include <atomic>

#include "models/kit/program/handle.h"
#include "models/kit/program/machine.h"
#include "models/kit/program/operation.h"
#include "models/kit/program/word.h"

namespace nowait::model {

// Fails the execution with the message that the operation does not accept this order.
[[noreturn]] void FailLoadOrder(std::memory_order order, const Site& site);
[[noreturn]] void FailStoreOrder(std::memory_order order, const Site& site);
inline void RequireLoadOrder(std::memory_order order, const Site& site) {
  using enum std::memory_order;
  if (order == release || order == acq_rel) FailLoadOrder(order, site);
}
inline void RequireStoreOrder(std::memory_order order, const Site& site) {
  using enum std::memory_order;
  if (order == acquire || order == consume || order == acq_rel) FailStoreOrder(order, site);
}

template <class T>
class Atomic {
 public:
  Atomic(Site site = Site::current()) : Atomic(T{}, site) {}
  explicit Atomic(T value, Site site = Site::current())
      : handle_(CurrentMachine()->NewAtomic(ToWord(value), TypeOf<T>(), site)) {}
  ~Atomic() { CurrentMachine()->DeleteAtomic(handle_.Release()); }
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(std::memory_order order, Site site = Site::current()) const {
    RequireLoadOrder(order, site);
    return FromWord<T>(CurrentMachine()->Load(handle_.Get(site), order, site));
  }

  void store(T value, std::memory_order order, Site site = Site::current()) {
    RequireStoreOrder(order, site);
    CurrentMachine()->Store(handle_.Get(site), ToWord(value), order, site);
  }

  T exchange(T value, std::memory_order order, Site site = Site::current()) {
    return Modify(
        OperationKind::kExchange, [](Word, Word operand) { return operand; }, value, order, site);
  }

  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure, Site site = Site::current()) {
    return CompareExchange(expected, desired, Trying::kWeak, success, failure, site);
  }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure, Site site = Site::current()) {
    return CompareExchange(expected, desired, Trying::kStrong, success, failure, site);
  }

  bool compare_exchange_retry(T& expected, T desired, std::memory_order success,
                              std::memory_order failure, Site site = Site::current()) {
    return CompareExchange(expected, desired, Trying::kAgain, success, failure, site);
  }

  T fetch_add(T value, std::memory_order order, Site site = Site::current()) {
    constexpr auto kAdd = [](Word old, Word operand) {
      return ToWord(static_cast<T>(FromWord<T>(old) + FromWord<T>(operand)));
    };
    return Modify(OperationKind::kFetchAdd, kAdd, value, order, site);
  }

  T fetch_sub(T value, std::memory_order order, Site site = Site::current()) {
    constexpr auto kSubtract = [](Word old, Word operand) {
      return ToWord(static_cast<T>(FromWord<T>(old) - FromWord<T>(operand)));
    };
    return Modify(OperationKind::kFetchSub, kSubtract, value, order, site);
  }

  T fetch_and(T value, std::memory_order order, Site site = Site::current()) {
    return Modify(
        OperationKind::kFetchAnd, [](Word old, Word operand) { return old & operand; }, value,
        order, site);
  }

  T fetch_or(T value, std::memory_order order, Site site = Site::current()) {
    return Modify(
        OperationKind::kFetchOr, [](Word old, Word operand) { return old | operand; }, value, order,
        site);
  }

  void wait(T old, std::memory_order order, Site site = Site::current()) const {
    RequireLoadOrder(order, site);
    CurrentMachine()->Wait(handle_.Get(site), ToWord(old), order, site);
  }

  void notify_one(Site site = Site::current()) {
    CurrentMachine()->Notify(handle_.Get(site), false, site);
  }
  void notify_all(Site site = Site::current()) {
    CurrentMachine()->Notify(handle_.Get(site), true, site);
  }

 private:
  bool CompareExchange(T& expected, T desired, Trying trying, std::memory_order success,
                       std::memory_order failure, const Site& site) {
    RequireLoadOrder(failure, site);
    Word word = ToWord(expected);
    const bool exchanged = CurrentMachine()->CompareExchange(
        handle_.Get(site), word, ToWord(desired), trying, success, failure, site);
    if (!exchanged) expected = FromWord<T>(word);
    return exchanged;
  }

  T Modify(OperationKind kind, Combine combine, T operand, std::memory_order order,
           const Site& site) {
    return FromWord<T>(CurrentMachine()->ReadModifyWrite(handle_.Get(site), kind, combine,
                                                         ToWord(operand), order, site));
  }

  Handle handle_;
};

// std::atomic_thread_fence, for litmus tests and for structures that are studied but not shipped.
// It is not part of the policy, which has no fences (src/sync/policy.h).
inline void Fence(std::memory_order order, Site site = Site::current()) {
  CurrentMachine()->Fence(order, site);
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_ATOMIC_H_
