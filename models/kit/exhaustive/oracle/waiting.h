// Waiting: a program whose threads lock, sleep, notify, and try in vain.
//
// Like StraightLine, but the question here is which threads can continue and which wait for ever.
// In most styles each atomic operation is seq_cst, so the executions of a program are its
// interleavings (interleavings.cc), with few exceptions (WaitingStyle::exact). The other styles
// have operations of every order, and their loops are unrolled (unrolled.h).
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_WAITING_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_WAITING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nowait::model::oracle {

// The number of atomics, of mutexes and of condition variables. Objects are numbered in this order.
inline constexpr std::size_t kOfEach = 2;
inline constexpr std::size_t kFirstMutex = kOfEach;
inline constexpr std::size_t kFirstCondition = 2 * kOfEach;
inline constexpr std::size_t kObjects = 3 * kOfEach;
inline constexpr std::size_t kNoObject = kObjects;

// As a value of a step: the address, as a number, of an object that belongs to the thread.
inline constexpr int kOwn = -1;
// As a condition (Step::only_if): any value except the thread's own address.
inline constexpr int kNotOwn = -2;
constexpr int ValueIn(std::size_t thread, int value) {
  constexpr int kAddresses = 10;
  return value == kOwn ? kAddresses + static_cast<int>(thread) : value;
}

struct Step {
  enum class Kind : std::uint8_t {
    kLoad,
    kStore,          // value
    kAdd,            // value
    kSwap,           // unconditional exchange with `value`
    kExchange,       // strong compare-exchange of `expected` with `value`
    kAwait,          // while (load() != value) Yield();
    kAwaitEither,    // while (x.load() != value && y.load() != value) Yield();
    kAwaitExchange,  // while (exchange(value) == expected) Yield();
    kAwaitStrong,    // while (!compare_exchange_strong(expected, value)) Yield();
    kAwaitBounded,   // like kAwait, but at most `expected` times
    kWait,           // atomic::wait(value)
    kWakeOne,        // atomic::notify_one
    kWakeAll,        // atomic::notify_all
    kLock,
    kTryLock,    // the next kUnlock is left out if it fails
    kAwaitLock,  // while (!try_lock()) Yield();
    kUnlock,
    kSleep,       // condition_variable::wait, with mutex 0
    kSleepWhile,  // while (atomic `other`.load() == value) wait, with mutex 0
    kNotifyOne,
    kNotifyAll,
    kRead,  // the plain datum
    kWrite,
    kReadUndeclared,   // memory that is not declared, under mutex 0
    kWriteUndeclared,  // value
    kChoose,           // one of `value` numbers; the choice is what it finds
    kYield,            // at one of two places, `value`
  };

  Kind kind = Kind::kLoad;
  std::size_t object = 0;
  std::size_t other = 0;
  int value = 0;
  int expected = 0;
  std::memory_order order = std::memory_order::seq_cst;
  std::memory_order failure = std::memory_order::seq_cst;  // of a compare-exchange
  // Execute only if the thread's last kLoad, kAdd, kSwap, kExchange, kReadUndeclared or kChoose
  // found this; 0 before the first.
  std::optional<int> only_if = std::nullopt;
};

struct Waiting {
  std::vector<std::vector<Step>> threads;
  bool alike = false;  // whether the threads are interchangeable: one text, and no thread knows its
                       // number
};

// One line per thread.
std::string Format(const Waiting& program);

// The findings of one side about all executions of a program.
struct Outcomes {
  // Complete executions in text form: the values that each event read and wrote, and the order of
  // the writes of each object.
  std::multiset<std::string> executions = {};
  // Each thread's position and the objects' values when no thread can continue.
  std::set<std::string> ends = {};
  bool race = false;
  bool gives_up = false;  // a loop that is no longer repeated would have left
  std::string complaint = {};
};

// Which of the findings are exactly those of the interleavings.
struct Exact {
  bool executions = true;
  bool ends = true;
};
// The differences in words; empty if the two agree. A finding beyond `expected` is not a difference
// where `exact` is false.
std::string Compare(const Outcomes& expected, const Outcomes& found, const Exact& exact);

// One event of an execution. thread -1: the object's initial value.
struct Done {
  struct Place {
    int thread = -1;
    std::size_t index = 0;
    bool operator==(const Place&) const = default;
  };

  std::size_t object = kNoObject;  // of a choice: no object
  std::optional<Place> from;
  bool writes = false;
  unsigned variant = 0;
};
std::string FormatExecution(const std::vector<std::vector<Done>>& threads,
                            const std::vector<std::vector<Done::Place>>& writes);
// spins: some thread retries for ever. at: the step of each thread; past its last step, it has
// ended.
std::string FormatEnd(bool spins, const std::vector<std::size_t>& at,
                      const std::vector<int>& values);

// Random programs.
struct WaitingStyle {
  enum class Shape : std::uint8_t {
    kLocks,
    kTries,
    kWaits,
    kWoken,    // like kWaits, but no value recurs
    kOrdered,  // the woken thread, where other accesses show in S which thread came first
    kAwaits,
    kConditions,
    kNotified,
    kUndeclared,
    kBounded,
    kSpins,   // like kAwaits, with operations of every order
    kParks,   // like kWaits, with operations of every order
    kOwners,  // interchangeable threads that compare what they read with their own address
  };

  std::string_view name;
  Shape shape;
  // Not every execution is an interleaving. A failed try_lock may read a value that is no longer
  // current, and a notification of a condition variable, which orders nothing, may meet loads that
  // the mutex does not order. Not every end is one either, where a value recurs: a thread that a
  // notification of an atomic unblocks need not know the steps before it, and may see an older
  // value.
  Exact exact = {};

  // Whether its programs are unrolled; otherwise their interleavings are the complete reference.
  bool IsUnrolled() const {
    return shape == Shape::kSpins || shape == Shape::kParks || shape == Shape::kOwners;
  }
};
std::span<const WaitingStyle> WaitingStyles();
Waiting Generate(const WaitingStyle& style, std::uint64_t seed, std::uint64_t number);

// The smallest part that `differs`: nothing can be removed from it.
Waiting Shrink(Waiting program, const std::function<bool(const Waiting&)>& differs);

// All interleavings, and C++20's verdict on each (interleavings.cc).
Outcomes Interleave(const Waiting& program);
// The checker under judgement.
Outcomes WaitByMachine(const Waiting& program);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_WAITING_H_
