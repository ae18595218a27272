// Execution: one run of a program along a graph, and beyond its end.
//
// The program's threads are fibers. Each thread first runs as far as the graph has events for it,
// and each operation returns the graph's result. A read of another thread's write waits until that
// thread has made the write, so that plain data are as the program left them. The threads then
// continue, and each operation that one begins becomes a new event (extension.h). The lowest thread
// runs first, but a thread that has yielded gives way to the others, and one that would have to
// wait goes last. The values that such threads wait for are then present before they look, and few
// executions end in a wait. (Any order that follows from the graph alone is correct.) In the end
// every thread has returned or is blocked.
//
// A ReplayPolicy can decide instead which thread runs next and which result an event gets. That
// makes a single execution, which is not part of a search.
//
// A blocked thread stays blocked: a write that would wake it makes another graph. Blocked are
// - an operation that waits for another value (GraphEvent::blocks);
// - a thread that yields after repeating exactly the steps before its last yield and changing
//   nothing. A yield says that the attempt was in vain and that the next one will be, too, unless
//   another thread acts. Further rounds of the loop are executions that differ in nothing else.
//   That holds for a loop that waits, but not for one that gives up after some rounds and does
//   something else. The thread is therefore probed before it is blocked (loop_probe.h), and so is
//   one whose try of compare_exchange_retry fails.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXECUTION_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXECUTION_H_

#include <array>
#include <cstdint>
#include <vector>

#include "models/kit/exhaustive/graph/graph.h"
#include "models/kit/exhaustive/graph/observations.h"
#include "models/kit/exhaustive/run/fiber.h"
#include "models/kit/exhaustive/run/loop_probe.h"
#include "models/kit/exhaustive/search/extension.h"
#include "models/kit/process/arena.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

// The questions that an execution asks its owner. Called on the fiber of the thread concerned.
class Threads {
 public:
  virtual ~Threads() = default;
  virtual void RunThread(int thread) = 0;
  // The program did not repeat its steps although they had the same results. Does not return.
  virtual void FailReplay(const char* words, const Site& site) = 0;
  // The execution is longer than kMaxEvents. Does not return.
  virtual void FailLength(const Site& site) = 0;
  // The thread seems to spin, or to try again, but leaves its loop after this many rounds, although
  // it has read nothing new. Does not return.
  virtual void FailBoundedLoop(LoopProbe::Of of, unsigned rounds, const Site& site) = 0;
};

class Execution;

// Decides, in place of the search, what happens at the end of the graph.
class ReplayPolicy {
 public:
  static constexpr int kNobody = -1;

  virtual ~ReplayPolicy() = default;
  // Chooses the next thread. The policy may also start a thread, or let a spinning one look again.
  virtual int Next(const Execution& execution) = 0;
  // Adds the event that this thread asks for on its turn. Called on the thread's fiber.
  virtual void Add(Graph& graph, int thread, const Request& request, LocationIndex location,
                   const Site& site) = 0;
  // Whether a thread that seems to wait in a loop is probed (loop_probe.h). It is then blocked for
  // good.
  virtual bool Probes() const { return false; }
};

class Execution {
 public:
  // The limit per thread.
  static constexpr unsigned kMaxEvents = Observations::kMaxEvents;
  static_assert(kMaxThreads * kMaxEvents < kNoSlot, "each event has a slot");
  static_assert(kMaxEvents <= 0xffff, "a clock counts the events of a thread in 16 bits");

  enum class State : std::uint8_t {
    kRunnable,
    kWaitsForSource,  // at a read in the graph
    kAtFrontier,      // at the end of its events in the graph
    kBlocked,         // in an operation
    kSpinning,        // in a yield
    kStopped,         // after a failure
    kEnded,
  };

  // arena: thread t allocates in its region t.
  Execution(Graph& graph, Extension& extension, Arena& arena)
      : graph_(graph), extension_(extension), arena_(arena) {}

  // Runs all threads. Returns early after Abandon, and if a thread stopped before its events of the
  // graph were done. policy: may be null.
  void Run(int threads, Threads& program, ReplayPolicy* policy);

  // The remaining functions are called on the running thread's fiber.

  int running() const { return running_; }
  // Makes the running thread's next step. Returns the slot of its event.
  Slot Step(const Request& request, LocationIndex location, const Site& site);
  void Yield(const Site& site);
  // Whether the running thread is being probed: nothing that it does now belongs to the execution.
  bool probing() const { return probe_.active(); }
  // In a probe: the thread does something other than repeat its rounds. Does not return.
  [[noreturn]] void LeaveLoop();
  // In a probe: a step that makes no event.
  void CountProbed() {
    if (probe_.Count()) EndProbe();
  }
  // In a probe: no more rounds can be tried, so the thread waits. Does not return.
  [[noreturn]] void EndProbe();
  // Ends the execution. Does not return.
  [[noreturn]] void Abandon();
  // Stops the running thread here; the others continue. Does not return.
  [[noreturn]] void Stop();

  // The events that happen before the running thread's next step.
  const Clock& known() const { return observations_.Known(running_); }
  unsigned done() const { return threads_[Index(running_)].done; }

  // Called after Run.
  bool abandoned() const { return abandoned_; }
  bool AllEnded() const;
  // Whether every thread has performed its events of the graph, so that nothing is left to wait
  // for.
  bool HasFollowed() const { return Missing() == kNoSlot; }
  // An event of the graph that its thread has not reached; kNoSlot if all are done.
  Slot Missing() const;
  State state(int thread) const { return threads_[Index(thread)].state; }
  // The event of a blocked thread; for a spinning thread, the last of those it repeats.
  Slot BlockedAt(int thread) const;
  // The number of events that a spinning thread repeats.
  unsigned RoundOf(int thread) const;
  const Site& PlaceOf(int thread) const { return threads_[Index(thread)].yielded_at; }
  // The thread's yields in program order, without those of a probe.
  struct Yielded {
    unsigned after;  // so many events of the thread
    Site at;
  };
  const std::vector<Yielded>& YieldsOf(int thread) const { return threads_[Index(thread)].yields; }

  // For replay policies. At the frontier, a thread has a next request.
  int threads() const { return count_; }
  const Request& RequestOf(int thread) const { return *threads_[Index(thread)].request; }
  LocationIndex LocationOf(int thread) const { return threads_[Index(thread)].location; }
  // Whether the thread would have to wait if it continued with that request now.
  bool MustWait(int thread) const;
  bool GivesWay(int thread) const { return threads_[Index(thread)].gives_way; }

 private:
  struct Thread {
    Fiber fiber;
    State state = State::kEnded;
    unsigned done = 0;  // events
    Slot awaited = kNoSlot;
    // The place of the last yield.
    Site yielded_at;
    unsigned yielded_after = 0;  // events
    unsigned idle_yields = 0;    // since then, without an event
    bool gives_way = false;      // no event since then
    std::vector<Yielded> yields;
    // The next request of a thread at the frontier.
    const Request* request = nullptr;
    LocationIndex location = kNoLocation;
  };

  static constexpr int kNobody = ReplayPolicy::kNobody;

  static std::size_t Index(int thread) { return static_cast<std::size_t>(thread); }
  static void Main(void* self);
  bool IsDone(Slot slot) const {
    const GraphEvent& event = graph_[slot];
    return event.index < threads_[event.thread].done;
  }
  bool CanRun(const Thread& thread) const;
  void FollowGraph();
  void Resume(int thread);
  void Suspend(State state);
  void Extend(const Request& request, LocationIndex location, const Site& site);
  bool BeginsProbe(LoopProbe::Of of, const Site& site, unsigned begin, unsigned end);
  bool BeginsTries(const GraphEvent& blocked);
  Slot StepAgain(const Request& request, LocationIndex location);
  void YieldAgain(const Site& site);
  void Spin();
  int Next() const;
  int LastOf(int thread) const;
  bool RepeatsRound(int thread) const;
  bool IsHopeless(Slot slot) const;

  Graph& graph_;
  Extension& extension_;
  Arena& arena_;
  std::array<Thread, kMaxThreads> threads_;
  Observations observations_;
  LoopProbe probe_;
  Arena::Copies before_probe_;  // the program's memory
  int count_ = 0;
  Threads* program_ = nullptr;
  ReplayPolicy* policy_ = nullptr;
  int running_ = 0;
  bool extends_ = false;  // all threads have reached the end of the graph, or wait
  bool stopped_ = false;  // at least one thread
  bool abandoned_ = false;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXECUTION_H_
