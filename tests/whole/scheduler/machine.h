// Machine: runs a program's threads one at a time, each on a fiber, and decides before every step
// of the policy which of them is to go on.
//
//   the program                         Machine                              Strategy, Schedule
//     atomic.load(...)  ── Point ────>    which threads can go on?  ──────>    one of them
//                       <── its turn ──    switches to it
//
// All steps of a run are in one order, so the examined executions are sequentially consistent.
// Weak memory is the task of models/.
//
// A program cannot see the time (a step takes 50 ns; when all others wait, and now and then before,
// a sleeper's time comes), the number of processors, or other programs. So a run depends on the
// program and on its choices alone. In place of a strategy a Timing (timing.h) can give each thread
// times of its own; the threads then go on in their order.
//
// A failed run is dropped where it stands: nothing unwinds, and what it had allocated is lost. A
// process that looks for failures ends after some.
//
// Thread safety: one thread of the operating system; one run at a time.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_MACHINE_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_MACHINE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/math/random.h"
#include "tests/whole/scheduler/failure.h"
#include "tests/whole/scheduler/faults.h"
#include "tests/whole/scheduler/schedule.h"
#include "tests/whole/scheduler/step.h"
#include "tests/whole/scheduler/strategy.h"
#include "tests/whole/scheduler/thread.h"
#include "tests/whole/scheduler/timing.h"

namespace nowait::whole {

struct RunOptions {
  // After so many steps every candidate has the same chance, whatever the strategy says: such a
  // schedule is fair, and a program that does not end under it never may.
  std::uint64_t fair_after = 20'000;
  std::uint64_t most_steps = 200'000;
  // Of so many opportunities one is taken on average: a weak exchange, a condition's wait or a
  // try_lock fails spuriously; a sleeper's time comes while others run. 0: never.
  std::uint32_t spurious = 32;
  Faults faults = {};
};

struct Outcome {
  std::optional<Failure> failure;
  std::uint64_t steps = 0;
  Schedule schedule;             // with this the run can be repeated
  std::uint64_t trace_hash = 0;  // of every step: kind, thread, place in the source
  FaultPlaces places;            // where a fault could have hit the program
  std::uint32_t threads = 0;
};

class Machine {
 public:
  // By a strategy, by a schedule, or by times.
  Machine(const RunOptions& options, const StrategyDef& strategy);
  Machine(const RunOptions& options, const Schedule& schedule);
  Machine(const RunOptions& options, Timing& timing);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  Outcome Run(const std::function<void()>& program);

  // The policy calls these, on a fiber.
  // Returns when the calling thread is to do this step, its next one.
  void Point(const Step& step);
  // The calling thread cannot go on before another one wakes it.
  void Block(const Step& step);
  // The same, or before that time has come.
  void BlockUntil(const Step& step, std::uint64_t nanoseconds);
  // The calling thread has the lock from here on; it no longer has it. For reports: which thread
  // has the lock that another one waits for.
  void NoteAcquired(const HeldLock& lock);
  void NoteReleased(const void* lock);
  // The threads that wait for the object.
  void WakeAll(const void* object);
  void WakeOne(const void* object);
  // As Point, and the others come first.
  void Yield(const Step& step);
  void SleepUntil(std::uint64_t nanoseconds, Site site);
  std::uint64_t Now(Site site);
  // The calling thread computes for so long. Without times that changes nothing.
  void Compute(std::uint64_t nanoseconds);
  // The policy's kSpins.
  std::uint32_t spins() const { return timing_ == nullptr ? 1 : timing_->spins(); }
  // Whether the thread's operation, which may fail spuriously, does.
  bool Spurious() { return Spurious(*running_); }
  // The new thread's number, or kNobody: refused.
  std::uint32_t Start(std::string_view name, std::function<void()> function, Site site);
  void Join(std::uint32_t thread, Site site);
  // Notes in the trace that a call begins or ends.
  void BeginCall(const char* name, std::uint64_t id, Site site);
  void EndCall(Site site);
  // The program has failed: does not return.
  [[noreturn]] void Fail(FailureKind kind, std::string what);
  // Whether the allocation that the program is about to make fails.
  bool AllocationFails();
  // Whether an allocation has failed, or a thread was refused.
  bool fault_has_struck() const { return fault_has_struck_; }

  Thread& running() { return *running_; }
  // Whether the program runs, and not the machine itself.
  bool on_fiber() const { return on_fiber_; }
  // Changes from run to run: what a mutex of an earlier run holds is void.
  std::uint64_t run() const { return run_; }

 private:
  struct Inside;  // while it lives, allocations are the machine's own

  Thread& Add(std::string_view name, std::function<void()> function);
  void Wake(Thread& thread);
  // As the calling thread's clock shows it.
  std::uint64_t TimeHere() const;
  void Resume();
  // A step is done. And: it is among the last ones.
  void Record(Thread& thread, const Step& step);
  void Remember(Thread& thread, const Step& step);
  void Note(FailureKind kind, std::string what);
  // Switches to another thread, unless the caller is chosen.
  void Give(Thread& from);
  // Which thread goes on; null: none can, and that has been noted.
  Thread* Choose(Thread& asks);
  bool CollectCandidates(Thread& asks);
  std::uint32_t DefaultOf(const Thread& asks) const;
  std::uint32_t Answer(Thread& asks);
  std::uint32_t Pick(Thread& asks, std::uint32_t count, std::uint32_t drawn);
  bool Spurious(Thread& asks);
  void LimitReached();
  // faults.time_stands has come.
  bool TimeStands() const;
  std::string Describe(const Thread& thread) const;
  std::string ForWhat(const void* object) const;
  static void Enter(void* thread);

  const RunOptions options_;
  std::unique_ptr<Strategy> strategy_;
  std::optional<Prompter> prompter_;
  Timing* const timing_ = nullptr;
  Random random_;  // for what is not the strategy's: fair steps, spurious events
  std::uint64_t run_;

  std::deque<Thread> threads_;
  Thread* running_ = nullptr;
  Thread* left_ = nullptr;  // which fiber has suspended itself
  bool on_fiber_ = false;
  bool inside_ = true;
  std::uint32_t yielded_ = 0;  // threads that have given way
  std::uint64_t alone_ = 0;    // steps of the running thread while others could have gone on
  std::uint64_t now_ = 0;
  bool fault_has_struck_ = false;
  std::vector<std::uint32_t> candidates_;
  std::vector<TraceEntry> last_;  // a ring
  std::size_t remembered_ = 0;
  bool finished_ = false;
  Outcome outcome_;
};

// The one that runs, while one does and a thread of its program calls. Null: everything is done at
// once, by the only thread that there is.
inline constinit Machine* machine = nullptr;

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_MACHINE_H_
