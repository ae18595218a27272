#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "models/kit/exhaustive/oracle/waiting.h"
#include "src/math/random.h"

namespace nowait::model::oracle {
namespace {

using Kind = Step::Kind;
using Order = std::memory_order;
using Shape = WaitingStyle::Shape;

constexpr std::array kStyles = {
    WaitingStyle{"locks", Shape::kLocks},
    WaitingStyle{"tries", Shape::kTries, {.executions = false, .ends = false}},
    WaitingStyle{"waits", Shape::kWaits, {.ends = false}},
    WaitingStyle{"woken", Shape::kWoken},
    WaitingStyle{"ordered", Shape::kOrdered},
    WaitingStyle{"awaits", Shape::kAwaits},
    WaitingStyle{"conditions", Shape::kConditions},
    WaitingStyle{"notified", Shape::kNotified, {.executions = false, .ends = false}},
    WaitingStyle{"undeclared", Shape::kUndeclared},
    WaitingStyle{"bounded", Shape::kBounded},
    WaitingStyle{"spins", Shape::kSpins},
    WaitingStyle{"parks", Shape::kParks},
    WaitingStyle{"owners", Shape::kOwners},
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Waiting Make(Shape shape) {
    if (shape == Shape::kOwners) return MakeOwners();
    Waiting program;
    program.threads.resize(shape == Shape::kOrdered ? 3 : 2 + random_.Below(2));
    const std::size_t notifier = shape == Shape::kOrdered ? random_.Below(3) : 0;
    // Three threads have so many interleavings that each thread has to be short.
    const bool is_short = program.threads.size() == 3;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      thread_ = &program.threads[t];
      switch (shape) {
        case Shape::kLocks:
          AddSections(is_short ? 1 : 2, Kind::kLock);
          break;
        case Shape::kTries:
          AddSections(is_short ? 1 : 2, Kind::kTryLock);
          break;
        case Shape::kWaits:
          AddWaits(is_short ? 3 : 4, true);
          break;
        case Shape::kWoken:
          AddWaits(is_short ? 3 : 4, false);
          break;
        case Shape::kOrdered:
          AddOrdered(t == notifier);
          break;
        case Shape::kAwaits:
          AddAwaits(is_short ? 2 : 3);
          break;
        case Shape::kConditions:
          AddCondition(t, true);
          break;
        case Shape::kNotified:
          AddCondition(t, false);
          break;
        case Shape::kUndeclared:
          AddUndeclared(t);
          break;
        case Shape::kBounded:
          AddBounded(is_short ? 2 : 3);
          break;
        case Shape::kSpins:
          AddSpins(is_short ? 2 : 3);
          break;
        case Shape::kParks:
          AddParks(is_short ? 2 : 4);
          break;
        case Shape::kOwners:
          break;
      }
    }
    if (shape == Shape::kSpins && OneIn(3)) AddMessage(program);
    if (shape == Shape::kParks) NotifyAllWhereSeveralWait(program);
    return program;
  }

 private:
  // No atomic has this value.
  static constexpr int kNever = 9;

  bool OneIn(std::uint32_t n) { return random_.Below(n) == 0; }
  int Value() { return static_cast<int>(random_.Below(2)); }

  Step& Add(Kind kind, std::size_t object = 0) {
    return thread_->emplace_back(Step{.kind = kind, .object = object});
  }
  template <std::size_t n>
  Kind One(const std::array<Kind, n>& kinds) {
    return kinds[random_.Below(n)];
  }
  std::size_t Atomic() { return random_.Below(kOfEach); }

  void AddAccess() {
    constexpr std::array kAccesses = {Kind::kLoad, Kind::kStore, Kind::kAdd, Kind::kExchange};
    Step& step = Add(One(kAccesses), Atomic());
    step.value = 1 + Value();
    step.expected = Value();
  }
  void AddData() {
    Step& step = Add(OneIn(2) ? Kind::kRead : Kind::kWrite);
    if (OneIn(3)) step.only_if = Value();
  }

  // Critical sections, some of them nested, with plain data mostly inside.
  void AddSections(std::uint32_t sections, Kind lock) {
    if (OneIn(4)) AddAccess();
    for (std::uint32_t i = 0; i < sections; ++i) {
      const std::size_t mutex = kFirstMutex + random_.Below(kOfEach);
      const bool tries = lock == Kind::kTryLock && !OneIn(4);
      Add(!tries ? Kind::kLock : OneIn(3) ? Kind::kAwaitLock : lock, mutex);
      if (OneIn(2)) AddData();
      if (OneIn(3)) {
        const std::size_t other = 2 * kFirstMutex + 1 - mutex;
        Add(lock == Kind::kTryLock && OneIn(2) ? Kind::kAwaitLock : Kind::kLock, other);
        if (OneIn(2)) AddData();
        Add(Kind::kUnlock, other);
      } else if (OneIn(2)) {
        AddAccess();
      }
      Add(Kind::kUnlock, mutex);
    }
    if (OneIn(3)) AddAccess();
    if (OneIn(6)) AddData();
  }

  void AddWaits(std::uint32_t steps, bool come_back) {
    constexpr std::array kKinds = {Kind::kStore,   Kind::kStore,  Kind::kLoad, Kind::kAdd,
                                   Kind::kWait,    Kind::kWait,   Kind::kWait, Kind::kWakeOne,
                                   Kind::kWakeOne, Kind::kWakeAll};
    const std::size_t usual = OneIn(3) ? 1 : 0;
    for (std::uint32_t i = 0; i < steps; ++i) {
      Step& step = Add(One(kKinds), OneIn(4) ? 1 - usual : usual);
      step.value = come_back ? Value() : step.kind == Kind::kWait ? 0 : 1;
      if (step.kind == Kind::kAdd) step.value = 1;
      if (OneIn(8)) AddData();
    }
  }

  // One thread notifies, two wait, and other accesses show in S which of them acted first.
  void AddOrdered(bool notifies) {
    const auto change = [&](std::size_t object) {
      Add(OneIn(2) ? Kind::kStore : Kind::kAdd, object).value = 1;
    };
    if (!OneIn(3)) change(OneIn(3) ? 1 : 0);
    if (!notifies) {
      Add(Kind::kWait, 1);
      if (OneIn(3)) change(OneIn(3) ? 1 : 0);
      return;
    }
    change(1);
    Add(OneIn(8) ? Kind::kWakeAll : Kind::kWakeOne, 1);
    if (!OneIn(3)) change(0);
  }

  void AddAwaits(std::uint32_t steps) {
    constexpr std::array kKinds = {
        Kind::kStore, Kind::kStore, Kind::kLoad,        Kind::kAdd,         Kind::kExchange,
        Kind::kAwait, Kind::kAwait, Kind::kAwaitEither, Kind::kAwaitStrong, Kind::kAwaitExchange};
    if (OneIn(6)) AddYields();
    if (OneIn(6)) {
      Add(Kind::kChoose).value = 2;
      Step& step = Add(OneIn(2) ? Kind::kStore : Kind::kAwait, Atomic());
      step.value = step.kind == Kind::kStore ? Value() : 0;
      step.only_if = Value();
    }
    for (std::uint32_t i = 0; i < steps; ++i) {
      Step& step = Add(One(kKinds), Atomic());
      step.value = step.kind == Kind::kAwaitEither ? 1 : Value();
      step.expected = step.kind == Kind::kAwaitExchange && !OneIn(3) ? step.value : 1 - step.value;
      if (step.kind == Kind::kAwaitExchange && step.expected != step.value) KeepFinite(step);
      if (OneIn(6)) AddData();
    }
  }

  // Two threads that each wait until the other one has not changed the atomic back go on for ever,
  // and each round is another execution. All therefore wait for the same value of one atomic.
  void KeepFinite(Step& exchange) {
    std::optional<int>& value = changed_to_[exchange.object];
    if (!value) value = exchange.value;
    if (*value != exchange.value) exchange.expected = exchange.value;
  }

  // Two yields between which the thread does almost the same as before: another atomic, another
  // operation, or another place.
  void AddYields() {
    const std::uint32_t differs = random_.Below(3);
    Add(Kind::kLoad, 0);
    Add(Kind::kYield);
    Step& again = Add(differs == 1 ? Kind::kExchange : Kind::kLoad, differs == 0 ? 1 : 0);
    again.value = again.expected = kNever;
    Add(Kind::kYield).value = differs == 2 ? 1 : 0;
  }

  // A thread that reads data ordered by the mutex waits for y in one case. In the other case it
  // does the same as in the loop, or more.
  void AddUndeclared(std::size_t t) {
    const bool writes = t != 0 && !OneIn(3);
    const bool early = writes && OneIn(4);
    if (early) Add(Kind::kStore, 1).value = 1;
    Add(Kind::kLock, kFirstMutex);
    Add(writes ? Kind::kWriteUndeclared : Kind::kReadUndeclared).value = OneIn(4) ? 0 : 1;
    Add(Kind::kUnlock, kFirstMutex);
    if (writes) {
      if (!early) Add(Kind::kStore, 1).value = 1;
      return;
    }
    const int waits = OneIn(3) ? 1 : 0;
    Step& await = Add(Kind::kAwait, 1);
    await.value = 1;
    await.only_if = waits;
    if (!OneIn(3)) Add(Kind::kYield).only_if = 1 - waits;
    const std::uint32_t looks = 1 + random_.Below(3);
    for (std::uint32_t i = 0; i < looks; ++i) {
      // A load provides its own value.
      Add(Kind::kLoad, 1).only_if = i == 0 ? 1 - waits : 0;
    }
  }

  void AddBounded(std::uint32_t steps) {
    constexpr std::array kKinds = {Kind::kStore, Kind::kStore,        Kind::kLoad,
                                   Kind::kAwait, Kind::kAwaitBounded, Kind::kAwaitBounded};
    for (std::uint32_t i = 0; i < steps; ++i) {
      Step& step = Add(One(kKinds), Atomic());
      step.value = Value();
      // A single round cannot be in vain twice.
      step.expected = OneIn(2) ? 1 : 2 + Value();
    }
  }

  void DrawOrders(Step& step) {
    constexpr std::array kLoads = {Order::relaxed, Order::acquire, Order::seq_cst};
    constexpr std::array kStores = {Order::relaxed, Order::release, Order::seq_cst};
    constexpr std::array kUpdates = {Order::relaxed, Order::acquire, Order::release, Order::acq_rel,
                                     Order::seq_cst};
    switch (step.kind) {
      case Kind::kStore:
        step.order = kStores[random_.Below(kStores.size())];
        break;
      case Kind::kSwap:
      case Kind::kAwaitExchange:
        step.order = kUpdates[random_.Below(kUpdates.size())];
        break;
      case Kind::kExchange:
      case Kind::kAwaitStrong:
        step.order = kUpdates[random_.Below(kUpdates.size())];
        step.failure = kLoads[random_.Below(kLoads.size())];
        break;
      default:
        step.order = kLoads[random_.Below(kLoads.size())];
        break;
    }
  }

  // No more loops than the brute force can unroll: one among three threads, two among two.
  void AddSpins(std::uint32_t steps) {
    constexpr std::array kKinds = {
        Kind::kStore, Kind::kStore, Kind::kLoad,        Kind::kSwap,        Kind::kExchange,
        Kind::kAwait, Kind::kAwait, Kind::kAwaitEither, Kind::kAwaitStrong, Kind::kAwaitExchange};
    for (std::uint32_t i = 0; i < steps; ++i) {
      Step& step = Add(One(kKinds), Atomic());
      const bool is_loop = step.kind == Kind::kAwait || step.kind == Kind::kAwaitEither ||
                           step.kind == Kind::kAwaitStrong || step.kind == Kind::kAwaitExchange;
      if (is_loop && ++loops_ > (steps == 2 ? 1 : 2))
        step.kind = OneIn(2) ? Kind::kStore : Kind::kLoad;
      step.value = step.kind == Kind::kAwaitEither ? 1 : Value();
      step.expected = step.kind == Kind::kAwaitExchange ? step.value : 1 - step.value;
      DrawOrders(step);
    }
    if (OneIn(8)) AddData();
  }

  // The datum, sent to a thread that waits for it.
  void AddMessage(Waiting& program) {
    thread_ = &program.threads[0];
    thread_->resize(std::min<std::size_t>(thread_->size(), 1));
    thread_->insert(thread_->begin(), Step{.kind = Kind::kWrite});
    Step& sent = Add(OneIn(3) ? Kind::kSwap : Kind::kStore, 1);
    sent.value = 2;
    DrawOrders(sent);
    thread_ = &program.threads[1];
    thread_->resize(std::min<std::size_t>(thread_->size(), 1));
    Step& await = Add(Kind::kAwait, 1);
    await.value = 2;
    DrawOrders(await);
    Add(Kind::kRead);
  }

  void AddParks(std::uint32_t steps) {
    constexpr std::array kKinds = {Kind::kStore, Kind::kStore,   Kind::kStore,   Kind::kLoad,
                                   Kind::kSwap,  Kind::kWait,    Kind::kWait,    Kind::kWait,
                                   Kind::kLoad,  Kind::kWakeOne, Kind::kWakeOne, Kind::kWakeAll};
    const std::size_t usual = OneIn(3) ? 1 : 0;
    for (std::uint32_t i = 0; i < steps; ++i) {
      Step& step = Add(One(kKinds), OneIn(4) ? 1 - usual : usual);
      step.value = step.kind == Kind::kWait ? (OneIn(4) ? 1 : 0) : (OneIn(4) ? 0 : 1);
      DrawOrders(step);
      if (OneIn(8)) AddData();
    }
  }

  // Other styles test which of several threads a notify_one wakes.
  static void NotifyAllWhereSeveralWait(Waiting& program) {
    std::array<int, kOfEach> waits{};
    for (const auto& thread : program.threads) {
      for (const Step& step : thread) waits[step.object] += step.kind == Kind::kWait ? 1 : 0;
    }
    for (auto& thread : program.threads) {
      for (Step& step : thread) {
        if (step.kind == Kind::kWakeOne && waits[step.object] > 1) step.kind = Kind::kWakeAll;
      }
    }
  }

  // A thread that finds its own address waits for y. One that finds the other thread's looks at y
  // as often as the first does in vain.
  void AddOwner() {
    const auto add = [&](Kind kind, std::size_t object, int value) -> Step& {
      Step& step = Add(kind, object);
      step.value = value;
      DrawOrders(step);
      return step;
    };
    add(Kind::kStore, 0, kOwn);
    add(Kind::kLoad, 0, 0);
    add(Kind::kAwait, 1, 1).only_if = kOwn;
    // A load provides its own value.
    add(Kind::kAwait, 1, 0).only_if = kNotOwn;
    add(Kind::kAwait, 1, 0).only_if = kNotOwn;
    add(Kind::kStore, 1, 1).only_if = kNotOwn;
  }

  // Each thread shows the others its own address, as in the queue of an MCS lock, and acts on the
  // address that it finds.
  Waiting MakeOwners() {
    Waiting program;
    program.alike = true;
    program.threads.resize(OneIn(4) ? 3 : 2);
    thread_ = &program.threads[0];
    if (OneIn(100)) {  // a long one
      AddOwner();
      program.threads.assign(3, std::vector<Step>(program.threads[0]));
      return program;
    }
    constexpr std::array kFirst = {Kind::kSwap, Kind::kSwap, Kind::kStore, Kind::kExchange};
    Step& first = Add(One(kFirst), 0);
    first.value = kOwn;
    DrawOrders(first);
    constexpr std::array kKinds = {Kind::kLoad,  Kind::kLoad,  Kind::kLoad,    Kind::kStore,
                                   Kind::kAwait, Kind::kAwait, Kind::kExchange};
    bool loops = false;
    const std::uint32_t steps = program.threads.size() == 3 ? 2 : 3 + random_.Below(2);
    for (std::uint32_t i = 0; i < steps; ++i) {
      Step& step = Add(One(kKinds), OneIn(2) ? 1 : 0);
      if (step.kind == Kind::kAwait && std::exchange(loops, true)) step.kind = Kind::kLoad;
      if (step.kind == Kind::kAwait) step.object = 1;
      step.value = step.object == 0 ? 0 : 1;
      step.expected = step.object == 0 ? kOwn : 0;
      if (!OneIn(3)) step.only_if = OneIn(3) ? 0 : kOwn;
      DrawOrders(step);
    }
    for (auto& thread : program.threads) thread = program.threads[0];
    return program;
  }

  // inside: a thread that touches the atomics holds the mutex.
  void AddCondition(std::size_t t, bool inside) {
    const std::size_t condition = kFirstCondition + (OneIn(4) ? 1 : 0);
    const auto add_notification = [&] {
      Add(OneIn(2) ? Kind::kNotifyOne : Kind::kNotifyAll, condition);
    };
    const auto add_store = [&] {
      Step& store = Add(OneIn(4) ? Kind::kAdd : Kind::kStore, 0);
      store.value = 1;
    };
    if (t == 0 || OneIn(3)) {
      const bool outside = !inside && OneIn(2);
      if (outside) add_store();
      if (!outside || OneIn(2)) {
        Add(Kind::kLock, kFirstMutex);
        if (!outside) add_store();
        if (OneIn(3)) Add(OneIn(2) ? Kind::kRead : Kind::kWrite);
        if (OneIn(2)) add_notification();
        Add(Kind::kUnlock, kFirstMutex);
      }
      if (OneIn(2)) add_notification();
      if (OneIn(4)) add_notification();
      if (!inside && OneIn(3)) AddAccess();
      return;
    }
    if (!inside && OneIn(3)) AddAccess();
    Add(Kind::kLock, kFirstMutex);
    Step sleep{.kind = OneIn(2) ? Kind::kSleepWhile : Kind::kSleep, .object = condition};
    if (sleep.kind == Kind::kSleep && !OneIn(4)) {
      Add(Kind::kLoad, 0);
      sleep.only_if = 0;
    }
    thread_->push_back(sleep);
    if (OneIn(3)) Add(OneIn(2) ? Kind::kRead : Kind::kWrite);
    if (OneIn(4)) add_notification();
    Add(Kind::kUnlock, kFirstMutex);
  }

  nowait::Random random_;
  std::vector<Step>* thread_ = nullptr;
  int loops_ = 0;                                         // of the program, in the style `spins`
  std::array<std::optional<int>, kOfEach> changed_to_{};  // by waiting exchanges
};

}  // namespace

std::span<const WaitingStyle> WaitingStyles() { return kStyles; }

Waiting Generate(const WaitingStyle& style, std::uint64_t seed, std::uint64_t number) {
  // As in the generator for StraightLine.
  return Generator(seed * 0x9e3779b97f4a7c15u + number).Make(style.shape);
}

}  // namespace nowait::model::oracle
