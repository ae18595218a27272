// The preconditions of src/sync, as a build with assertions sees them. All of it is headers: this
// file has them in every configuration.
#undef NDEBUG
#include <catch2/catch.hpp>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "src/base/assert.h"
#include "src/sync/barrier.h"
#include "src/sync/event_count.h"
#include "src/sync/held_locks.h"
#include "src/sync/phase_fair_lock.h"
#include "src/sync/phase_monitor.h"
#include "src/sync/policy.h"
#include "src/sync/reader_epochs.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

struct Asserted {
  std::string what;
};

// The words of the assertion that a call fails by; empty if it returns.
std::string FailureOf(const std::function<void()>& call) {
  assertion_handler = [](const FailedAssertion& failed) { throw Asserted{failed.what}; };
  std::string failure;
  try {
    call();
  } catch (const Asserted& failed) {
    failure = failed.what;
  }
  assertion_handler = nullptr;
  return failure;
}

TEST_CASE("a barrier is for one thread at least, and no more drop out than it is for") {
  CHECK(FailureOf([] { Barrier<> none(0); }) == "a barrier is for at least one thread");
  CHECK(FailureOf([] { Barrier<> one(1); }).empty());
  Barrier<> two(2);
  CHECK(FailureOf([&] { two.Drop(); }).empty());
  CHECK(FailureOf([&] { two.Drop(); }).empty());
  CHECK(FailureOf([&] { two.Drop(); }) == "at most as many threads leave a barrier as it is for");
}

TEST_CASE("an array has its first and its last element, and none behind") {
  SyncArray<StdSync, int> array(3);
  const SyncArray<StdSync, int>& same = array;
  for (const std::size_t i : {0u, 2u}) CHECK(FailureOf([&] { array[i] = 1; }).empty());
  CHECK(FailureOf([&] { array[3] = 1; }) == "an index is below the size of its array");
  CHECK(FailureOf([&] { static_cast<void>(same[3]); }) ==
        "an index is below the size of its array");
}

TEST_CASE("an update of game objects asks a world, and changes nothing there") {
  PhaseMonitor<> monitor;
  const auto begin = [&](Op op) { return FailureOf([&] { PhaseScope scope(monitor, op); }); };
  HeldLocks::OfThisThread().in_update = true;
  for (const Op op :
       {Op::kInsert, Op::kModify, Op::kPrepare, Op::kRebuild, Op::kSwap, Op::kSolve}) {
    CAPTURE(static_cast<int>(op));
    CHECK(begin(op) == "an update of game objects changes no world: its effects do");
  }
  for (const Op op : {Op::kQuery, Op::kCollide}) CHECK(begin(op).empty());
  HeldLocks::OfThisThread().in_update = false;
  CHECK(begin(Op::kModify).empty());  // and those that were refused are not in progress
}

TEST_CASE("a phase's scope refuses an overlap that the table forbids, and ends with its block") {
  PhaseMonitor<> monitor;
  const char* const overlap = "two operations overlap that src/sync/phase.h forbids";
  const auto begin = [&](Op op) { return FailureOf([&] { PhaseScope scope(monitor, op); }); };
  {
    PhaseScope rebuild(monitor, Op::kRebuild);
    CHECK(begin(Op::kQuery).empty());
  }
  CHECK(begin(Op::kModify).empty());
  PhaseScope modify(monitor, Op::kModify);
  CHECK(begin(Op::kRebuild) == overlap);
}

// A destructor may not throw: the handler jumps.
std::jmp_buf after_failure;

// Whether the end of the epochs is refused, with a reader in them.
bool EndIsRefused(ReaderEpochs<>* epochs) {
  static bool refused;
  refused = false;
  assertion_handler = [](const FailedAssertion& failed) {
    refused = std::string_view(failed.what) == "every reader unpins before its epochs end";
    std::longjmp(after_failure, 1);
  };
  if (setjmp(after_failure) == 0) epochs->~ReaderEpochs();
  assertion_handler = nullptr;
  return refused;
}

TEST_CASE("epochs end after each of their readers, in either bank and on every thread's stripe") {
  for (std::uint32_t thread = 0; thread < 17; ++thread) {
    for (const bool advanced : {false, true}) {
      CAPTURE(thread, advanced);
      alignas(ReaderEpochs<>) std::byte memory[sizeof(ReaderEpochs<>)];
      auto* const epochs = new (memory) ReaderEpochs<>;
      if (advanced) REQUIRE(epochs->TryAdvance());
      std::optional<ReaderEpochs<>::Guard> reader;
      std::jthread([&] { reader.emplace(epochs->Pin()); }).join();
      CHECK(EndIsRefused(epochs));
      reader.reset();
      CHECK_FALSE(EndIsRefused(epochs));
    }
  }
}

TEST_CASE("a lock has room for its most readers and its most writers, and for no more") {
  using Few = PhaseFairLock<StdSync, 12>;  // 255 readers
  static_assert(Few::kMaxReaders == 255);
  Few lock;
  for (std::uint32_t i = 0; i < Few::kMaxReaders; ++i) {
    REQUIRE(FailureOf([&] { lock.ArriveRead(); }).empty());
  }
  CHECK(FailureOf([&] { lock.ArriveRead(); }) == "at most kMaxReaders threads want to read");
  using Two = PhaseFairLock<StdSync, 2>;  // 3 writers
  static_assert(Two::kMaxWriters == 3);
  Two other;
  for (int i = 0; i < 3; ++i) REQUIRE(FailureOf([&] { other.ArriveWrite(); }).empty());
  CHECK(FailureOf([&] { other.ArriveWrite(); }) == "at most kMaxWriters threads want to write");
}

TEST_CASE("a wait on an event or at a barrier is refused while a lock is held") {
  EventCount<> events;
  Barrier<> barrier(1);
  EngineSync::mutex mutex;
  const auto wait = [&] { events.Wait(events.PrepareWait() - 2); };  // an older key: no sleep
  const auto await = [&] { events.Await([] { return true; }); };
  const auto arrive = [&] { barrier.ArriveAndWait(); };
  for (const bool held : {true, false}) {
    std::optional<ScopedLock<EngineSync::mutex>> lock;
    if (held) lock.emplace(mutex);
    const std::string expected = held ? "no lock is held across a wait" : "";
    CHECK(FailureOf(wait) == expected);
    CHECK(FailureOf(await) == expected);
    CHECK(FailureOf(arrive) == expected);
  }
}

TEST_CASE("each lock of a thread counts until it is given back") {
  EngineSync::mutex first, second;
  CHECK(HoldsNoLock<EngineSync>());
  {
    const ScopedLock outer(first);
    CHECK(HeldLocks::OfThisThread().scoped == 1);
    {
      const ScopedLock inner(second);
      CHECK(HeldLocks::OfThisThread().scoped == 2);
    }
    CHECK(HeldLocks::OfThisThread().scoped == 1);
    CHECK_FALSE(HoldsNoLock<EngineSync>());
  }
  CHECK(HoldsNoLock<EngineSync>());
  HeldLocks::OfThisThread().ordered = 1;
  CHECK_FALSE(HoldsNoLock<EngineSync>());
  HeldLocks::OfThisThread().ordered = 0;
}

}  // namespace
}  // namespace nowait
