// check::atomic, check::atomic_flag and the fences: the interface of <atomic>, as steps of the
// checker.
//
//   template <template <class> class Atom> class Stack { Atom<Node*> head_; ... };
//   Stack<std::atomic> shipped;      // in the program
//   Stack<check::atomic> examined;   // in check::explore
//
// Default orders, conversions, operators, one-order and two-order compare-exchange, wait and notify
// are those of C++20. Not supported are volatile members, types of more than eight bytes, and types
// with padding that a compare-exchange would compare.
//
// Thread safety: that of std::atomic, among the threads of one execution (thread.h). An atomic must
// not outlive the execution that made it: a static one ends the exploration with a message.
//
// A report names the place of each operation. The operators ++ and -- and the implicit load cannot
// pass on their place, so a report can name only the operator: write fetch_add(1) or load() to see
// the line.
#ifndef NOWAIT_CHECK_ATOMIC_H_
#define NOWAIT_CHECK_ATOMIC_H_

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "nowait_check/machine.h"
#include "nowait_check/word.h"

namespace nowait::check {

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace machine {

// [atomics.types.operations]: the failure order that follows from one order.
constexpr std::memory_order FailureOrder(std::memory_order order) {
  if (order == std::memory_order::acq_rel) return std::memory_order::acquire;
  if (order == std::memory_order::release) return std::memory_order::relaxed;
  return order;
}

template <class T>
inline constexpr bool kIsNumber =
    (std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_floating_point_v<T>;
template <class T>
inline constexpr bool kIsObjectPointer =
    std::is_pointer_v<T>&& std::is_object_v<std::remove_pointer_t<T>>;
template <class T>
inline constexpr bool kAdds = kIsNumber<T> || kIsObjectPointer<T>;
template <class T>
inline constexpr bool kHasBits = std::is_integral_v<T> && !std::is_same_v<T, bool>;
// No padding that a compare-exchange would compare. (All bits of a float are value bits.)
template <class T>
inline constexpr bool kIsWholly =
    std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>;

}  // namespace machine

template <class T>
class atomic : machine::Examined {
  static_assert(std::is_trivially_copyable_v<T>,
                "check::atomic<T>: T has to be trivially copyable, as for std::atomic<T>; keep a "
                "pointer to it in the atomic instead");
  static_assert(sizeof(T) <= sizeof(machine::Word),
                "check::atomic<T>: T has more than 8 bytes, which the checker cannot hold; use "
                "indices of 32 bits with a tag instead of pointers, or a mutex");
  static_assert(
      sizeof(T) > sizeof(machine::Word) || machine::kIsWholly<T>,
      "check::atomic<T>: T has padding or a float among its members, and a compare-exchange "
      "compares bits; give the padding a member, and store the float as an integer");

  using Site = machine::Site;
  using Word = machine::Word;
  template <class U>
  static constexpr bool kAdds = machine::kAdds<U>;
  template <class U>
  static constexpr bool kHasBits = machine::kHasBits<U>;
  template <class U>
  struct DifferenceOf {
    using type = U;
  };
  template <class U>
  struct DifferenceOf<U*> {
    using type = std::ptrdiff_t;
  };

 public:
  using value_type = T;
  using difference_type = typename DifferenceOf<T>::type;
  static constexpr bool is_always_lock_free = true;

  atomic(Site site = Site::current()) noexcept : atomic(T(), site) {}
  atomic(T value, Site site = Site::current()) noexcept {  // implicit, as std::atomic's
    machine::Begin(object_, machine::Kind::kAtomic, machine::ToWord(value), machine::TypeOf<T>(),
                   site);
  }
  ~atomic() { machine::End(object_, machine::Kind::kAtomic); }
  atomic(const atomic&) = delete;
  // Never viable: otherwise a value would convert to a copy as well as to an operand.
  atomic& operator=(const atomic&) requires(sizeof(T) == 0) = delete;

  bool is_lock_free() const noexcept { return true; }

  T load(memory_order order = memory_order_seq_cst, Site site = Site::current()) const noexcept {
    return machine::FromWord<T>(machine::Load(object_, order, site));
  }
  void store(T value, memory_order order = memory_order_seq_cst,
             Site site = Site::current()) noexcept {
    machine::Store(object_, machine::ToWord(value), order, site);
  }
  T exchange(T value, memory_order order = memory_order_seq_cst,
             Site site = Site::current()) noexcept {
    return Modify(
        machine::Change::kExchange, [](Word, Word operand) { return operand; },
        machine::ToWord(value), order, site);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure,
                             Site site = Site::current()) noexcept {
    return CompareExchange(expected, desired, machine::Strength::kWeak, success, failure, site);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order order = memory_order_seq_cst,
                             Site site = Site::current()) noexcept {
    return compare_exchange_weak(expected, desired, order, machine::FailureOrder(order), site);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure,
                               Site site = Site::current()) noexcept {
    return CompareExchange(expected, desired, machine::Strength::kStrong, success, failure, site);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order order = memory_order_seq_cst,
                               Site site = Site::current()) noexcept {
    return compare_exchange_strong(expected, desired, order, machine::FailureOrder(order), site);
  }

  T fetch_add(difference_type operand, memory_order order = memory_order_seq_cst,
              Site site = Site::current()) noexcept requires kAdds<T> {
    return Modify(machine::Change::kAdd, Add, machine::ToWord(operand), order, site);
  }
  T fetch_sub(difference_type operand, memory_order order = memory_order_seq_cst,
              Site site = Site::current()) noexcept requires kAdds<T> {
    return Modify(machine::Change::kSubtract, Subtract, machine::ToWord(operand), order, site);
  }
  T fetch_and(T operand, memory_order order = memory_order_seq_cst,
              Site site = Site::current()) noexcept requires kHasBits<T> {
    return Modify(
        machine::Change::kAnd, [](Word old, Word bits) { return old & bits; },
        machine::ToWord(operand), order, site);
  }
  T fetch_or(T operand, memory_order order = memory_order_seq_cst,
             Site site = Site::current()) noexcept requires kHasBits<T> {
    return Modify(
        machine::Change::kOr, [](Word old, Word bits) { return old | bits; },
        machine::ToWord(operand), order, site);
  }
  T fetch_xor(T operand, memory_order order = memory_order_seq_cst,
              Site site = Site::current()) noexcept requires kHasBits<T> {
    return Modify(
        machine::Change::kXor, [](Word old, Word bits) { return old ^ bits; },
        machine::ToWord(operand), order, site);
  }

  void wait(T old, memory_order order = memory_order_seq_cst,
            Site site = Site::current()) const noexcept {
    machine::Wait(object_, machine::ToWord(old), order, site);
  }
  void notify_one(Site site = Site::current()) noexcept {
    machine::Notify(object_, machine::Woken::kOne, site);
  }
  void notify_all(Site site = Site::current()) noexcept {
    machine::Notify(object_, machine::Woken::kAll, site);
  }

  operator T() const noexcept { return load(); }
  T operator=(machine::Located<T> value) noexcept {
    store(value.value, memory_order_seq_cst, value.site);
    return value.value;
  }
  T operator+=(machine::Located<difference_type> by) noexcept requires kAdds<T> {
    return FromSum(fetch_add(by.value, memory_order_seq_cst, by.site), by.value);
  }
  T operator-=(machine::Located<difference_type> by) noexcept requires kAdds<T> {
    return FromDifference(fetch_sub(by.value, memory_order_seq_cst, by.site), by.value);
  }
  T operator&=(machine::Located<T> bits) noexcept requires kHasBits<T> {
    return static_cast<T>(fetch_and(bits.value, memory_order_seq_cst, bits.site) & bits.value);
  }
  T operator|=(machine::Located<T> bits) noexcept requires kHasBits<T> {
    return static_cast<T>(fetch_or(bits.value, memory_order_seq_cst, bits.site) | bits.value);
  }
  T operator^=(machine::Located<T> bits) noexcept requires kHasBits<T> {
    return static_cast<T>(fetch_xor(bits.value, memory_order_seq_cst, bits.site) ^ bits.value);
  }
  T operator++() noexcept requires kAdds<T> { return FromSum(fetch_add(1), 1); }
  T operator--() noexcept requires kAdds<T> { return FromDifference(fetch_sub(1), 1); }
  T operator++(int) noexcept requires kAdds<T> { return fetch_add(1); }
  T operator--(int) noexcept requires kAdds<T> { return fetch_sub(1); }

 private:
  // Integers wrap around, signed ones too ([atomics.types.int]).
  static T FromSum(T old, difference_type operand) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<Word>(old) + static_cast<Word>(operand));
    } else {
      return static_cast<T>(old + operand);
    }
  }
  static T FromDifference(T old, difference_type operand) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<Word>(old) - static_cast<Word>(operand));
    } else {
      return static_cast<T>(old - operand);
    }
  }
  static Word Add(Word old, Word operand) {
    return machine::ToWord(
        FromSum(machine::FromWord<T>(old), machine::FromWord<difference_type>(operand)));
  }
  static Word Subtract(Word old, Word operand) {
    return machine::ToWord(
        FromDifference(machine::FromWord<T>(old), machine::FromWord<difference_type>(operand)));
  }

  T Modify(machine::Change change, machine::Combine combine, Word operand, memory_order order,
           const Site& site) noexcept {
    return machine::FromWord<T>(machine::Modify(object_, change, combine, operand, order, site));
  }
  bool CompareExchange(T& expected, T desired, machine::Strength strength, memory_order success,
                       memory_order failure, const Site& site) noexcept {
    Word word = machine::ToWord(expected);
    const bool exchanged = machine::CompareExchange(object_, word, machine::ToWord(desired),
                                                    strength, success, failure, site);
    if (!exchanged) expected = machine::FromWord<T>(word);
    return exchanged;
  }

  machine::Object object_;
};

class atomic_flag {
  using Site = machine::Site;

 public:
  atomic_flag(Site site = Site::current()) noexcept : flag_(false, site) {}
  // For ATOMIC_FLAG_INIT, which is { 0 }.
  atomic_flag(int set, Site site = Site::current()) noexcept : flag_(set != 0, site) {}
  atomic_flag(const atomic_flag&) = delete;
  atomic_flag& operator=(const atomic_flag&) = delete;

  bool test(memory_order order = memory_order_seq_cst, Site site = Site::current()) const noexcept {
    return flag_.load(order, site);
  }
  bool test_and_set(memory_order order = memory_order_seq_cst,
                    Site site = Site::current()) noexcept {
    return flag_.exchange(true, order, site);
  }
  void clear(memory_order order = memory_order_seq_cst, Site site = Site::current()) noexcept {
    flag_.store(false, order, site);
  }
  void wait(bool old, memory_order order = memory_order_seq_cst,
            Site site = Site::current()) const noexcept {
    flag_.wait(old, order, site);
  }
  void notify_one(Site site = Site::current()) noexcept { flag_.notify_one(site); }
  void notify_all(Site site = Site::current()) noexcept { flag_.notify_all(site); }

 private:
  atomic<bool> flag_;
};

inline void atomic_thread_fence(memory_order order,
                                machine::Site site = machine::Site::current()) noexcept {
  machine::Fence(order, site);
}
// Orders a thread and a signal handler in it. No handler runs under the checker, so this does
// nothing.
inline void atomic_signal_fence(memory_order) noexcept {}

}  // namespace nowait::check

#endif  // NOWAIT_CHECK_ATOMIC_H_
