// ExhaustiveMachine: the operations of a scenario as events of an execution graph.
//
// Set-up and After run before and after all threads, so their operations simply act on the objects'
// values. Set-up always does the same, so it runs once. Within the threads, each operation on an
// atomic is one event. In addition:
//
//   - A mutex is a location that holds its owner; to lock it is to read that it has no owner.
//   - A condition variable is a location that holds its waiters (waiters.h).
//   - atomic::wait is a load that blocks while it reads the old value. A thread stays blocked for
//     ever where [atomics.wait] allows it: no thread notified after a change that the waiting
//     thread had not seen (lost_wakeups.h).
//   - Plain data and object lifetimes are not events: their races follow from happens-before. The
//     same holds for undeclared memory in a watched program (watching.cc).
//   - An allocation reads which freed block it gets (allocation.h); a choice of the scenario is an
//     event of its own.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXHAUSTIVE_MACHINE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXHAUSTIVE_MACHINE_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/exhaustive/run/crash_catcher.h"
#include "models/kit/exhaustive/run/execution.h"
#include "models/kit/exhaustive/run/fiber.h"
#include "models/kit/exhaustive/run/lost_wakeups.h"
#include "models/kit/exhaustive/run/races.h"
#include "models/kit/exhaustive/run/shadow.h"
#include "models/kit/exhaustive/run/thread_locals.h"
#include "models/kit/process/arena.h"
#include "models/kit/program/machine.h"
#include "models/kit/watch/watch.h"

namespace nowait::model {

class ExhaustiveMachine final : public Machine, private Threads, private Watcher {
 public:
  enum class Outcome : std::uint8_t {
    kCompleted,
    kBlocked,  // for ever in this graph, but not in another one
    kFailed,
  };

  ExhaustiveMachine(const ScenarioEntry& scenario, Graph& graph, Extension& extension,
                    SiteTable& sites, bool leaves_out_failed_tries = true)
      : scenario_(scenario),
        graph_(graph),
        execution_(graph, extension, arena_),
        sites_(&sites),
        leaves_out_failed_tries_(leaves_out_failed_tries) {}

  struct Manner {
    bool traces = false;  // leave a trace, which takes longer than the rest of an execution
    // A failure in a thread does not end the execution: that thread stops, the others continue.
    bool past_failures = false;
    bool threads_only = false;  // leave out After
  };

  // Runs the scenario along the graph and extends the graph to its end.
  Outcome Execute(Manner manner);
  Outcome Execute() { return Execute(Manner{}); }
  // Runs the scenario from an empty graph, as the replay policy decides. Each failing attempt is a
  // step, too.
  Outcome Replay(ReplayPolicy& policy, Manner manner) {
    leaves_out_failed_tries_ = false;
    return Execute(manner, &policy);
  }
  Outcome Replay(ReplayPolicy& policy) { return Replay(policy, {.traces = true}); }
  const std::optional<Failure>& failure() const { return failure_; }
  const Execution& execution() const { return execution_; }
  // The events that lead to the failure. For one inside a thread, those that lead to the last step
  // before it in that thread, and to the access that it races with; otherwise the whole graph.
  Clock LeadsToFailure() const;
  // The event of the trace at that slot of the graph.
  EventNumber EventAt(Slot slot) const {
    return slot < recorded_.size() ? recorded_[slot] : kNoEvent;
  }
  // From this call on, counts the executed operations in `sites`.
  void CountIn(SiteTable& sites) { sites_ = &sites; }

  ObjectId NewAtomic(Word value, ValueType type, const Site& site) override;
  void DeleteAtomic(ObjectId object) override;
  Word Load(ObjectId object, std::memory_order order, const Site& site) override;
  void Store(ObjectId object, Word value, std::memory_order order, const Site& site) override;
  bool CompareExchange(ObjectId object, Word& expected, Word desired, Trying trying,
                       std::memory_order success, std::memory_order failure,
                       const Site& site) override;
  Word ReadModifyWrite(ObjectId object, OperationKind kind, Combine combine, Word operand,
                       std::memory_order order, const Site& site) override;
  void Wait(ObjectId object, Word old, std::memory_order order, const Site& site) override;
  void Notify(ObjectId object, bool all, const Site& site) override;
  void Fence(std::memory_order order, const Site& site) override;

  ObjectId NewPlain(const Site& site) override;
  void DeletePlain(ObjectId object) override;
  Word ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) override;
  void WritePlain(ObjectId object, Word value, ValueType type, const Site& site) override;

  ObjectId NewMutex() override;
  void DeleteMutex(ObjectId object) override;
  void Lock(ObjectId object, const Site& site) override;
  bool TryLock(ObjectId object, const Site& site) override;
  void Unlock(ObjectId object, const Site& site) override;

  ObjectId NewCondition() override;
  void DeleteCondition(ObjectId object) override;
  void WaitCondition(ObjectId object, ObjectId mutex, const Site& site) override;
  void NotifyCondition(ObjectId object, bool all, const Site& site) override;

  int Thread() const override;
  bool AreSymmetric() const override { return scenario_.symmetric; }
  void EndThread() override {}
  VectorClock Now() override;
  void Yield(const Site& site) override;
  unsigned Choose(unsigned n) override;
  void* TakeFreedBlock(std::size_t size, std::size_t alignment, const Site& site) override;
  void FreeBlock(void* block, const Site& site) override;
  void Fail(FailureKind kind, const std::string& words, const Site& site) override;

  Memory& memory() override { return memory_; }
  Trace& trace() override { return trace_; }

 private:
  enum class Phase : std::uint8_t { kSetUp, kThreads, kAfter };

  // An object that threads share through a location: an atomic, a mutex, a condition variable.
  struct Shared {
    ObjectName name = 0;
    LocationIndex location = kNoLocation;  // in this execution, once a thread has reached the
                                           // object
    Word value = 0;                        // before and after the threads
    EventNumber written_by = kNoEvent;     // the event that wrote the value
    ValueType type = ValueType::kUnsigned;
    bool alive = true;
    Epoch made;
    Accesses life;
    int owner = kNobody;  // mutexes
  };
  static constexpr int kNobody = -3;

  // Where set-up and After allocate: a region behind those of the threads.
  static constexpr int kProgramRegion = kMaxThreads;

  // The state that set-up leaves. It is the same each time. Set-up therefore runs once, and each
  // further execution begins with a copy.
  struct Beginning {
    bool known = false;
    std::vector<char> region;
    ObjectName objects = 0;
    std::vector<Shared> atomics;
    std::vector<Accesses> plains;
    std::vector<Shared> mutexes;
    std::vector<Shared> conditions;
    int live_objects = 0;
    std::uint32_t moments = 0;
    Memory memory;
  };

  // --- the execution ---
  Outcome Execute(Manner manner, ReplayPolicy* policy);
  void BeginExecution();
  static void RunSetUp(void* self);
  void SaveBeginning();
  void RestoreBeginning();
  static void RunAfter(void* self);
  void BeginAfter();
  Outcome Run(ReplayPolicy* policy);
  Outcome JudgeBlocked();
  Slot ReaderOfFailedTry() const;
  bool IsStuck(int thread) const;
  void RunThread(int thread) override;
  [[noreturn]] void FailReplay(const char* words, const Site& site) override;
  [[noreturn]] void FailLength(const Site& site) override;
  [[noreturn]] void FailBoundedLoop(LoopProbe::Of of, unsigned rounds, const Site& site) override;
  [[noreturn]] void GiveUp(FailureKind kind, const std::string& words, const Site& site);

  // --- plain memory that is not declared ---
  void Access(const PlainAccess& access) override;
  void EndPlainMemory(const PlainAccess& block);
  void Judge(const PlainAccess& access, const Epoch& now);
  std::string Describe(const void* address);

  bool InThreads() const { return phase_ == Phase::kThreads; }
  Epoch Here() const {
    return InThreads() ? Epoch{execution_.running(), execution_.done()} : Epoch{};
  }

  // --- objects ---
  ObjectId NewShared(std::vector<Shared>& objects, Word value, ValueType type);
  // kind, object: as named in a trace.
  void End(Shared& shared, OperationKind kind, ObjectId object, const char* words);
  // Returns the object. It must exist and have been made before the running thread's current step.
  Shared& Touch(Shared& shared, const Site& site);
  // Called when the running thread is about to fail because an access races.
  void NoteRace(const Accesses& accesses);
  // Makes one step on the object. Outside the threads, returns the event that it would be.
  const GraphEvent& Step(Shared& shared, const Request& request, const Site& site);
  bool IsNextTry(Shared& shared, Word expected, std::memory_order failure, const Site& site);
  const GraphEvent& StepAlone(Shared& shared, const Request& request, const Site& site);
  // Counts steps that make no event of the graph; their number has its own limit.
  void CountStep(const Site& site) {
    constexpr std::uint32_t kMaxSteps = 50'000;
    if (execution_.probing()) return execution_.CountProbed();
    if (++steps_ == kMaxSteps) FailSteps(site);
  }
  [[noreturn]] void FailSteps(const Site& site);
  Event& AddEvent(OperationKind kind, ObjectId object, ValueType type, std::memory_order order,
                  const Site& site);
  void Record(ObjectId object, Shared& shared, const GraphEvent& event, const Site& site);

  // --- the trace's last parts (finish_trace.cc) ---
  void FinishTrace();
  void RecordPlaces();
  void RecordBlocked(int thread);

  const ScenarioEntry& scenario_;
  Graph& graph_;
  Arena arena_{kMaxThreads + 1};
  const CrashCatcher crash_catcher_;
  Execution execution_;
  SiteTable* sites_;
  bool leaves_out_failed_tries_;

  Fiber program_fiber_;
  Program* program_ = nullptr;
  Beginning beginning_;
  Phase phase_ = Phase::kSetUp;
  std::array<ObjectName, kMaxThreads + 1> names_{};  // the number of objects made so far, by the
                                                     // thread that made them
  std::vector<Shared> atomics_;
  std::vector<Accesses> plains_;
  std::vector<Shared> mutexes_;
  std::vector<Shared> conditions_;
  std::vector<Notification> notifications_;
  std::vector<EventNumber> recorded_;  // the event in the trace, by slot
  Shadow shadow_;
  ThreadLocals thread_locals_;
  int live_objects_ = 0;
  std::uint32_t moments_ = 0;
  Clock known_after_;  // known to After: all steps of the threads
  Memory memory_;
  bool traces_ = false;
  bool past_failures_ = false;
  bool threads_only_ = false;
  std::uint32_t steps_ = 0;
  Trace trace_;
  Event untraced_;
  GraphEvent alone_;  // the last event outside the threads
  std::optional<Failure> failure_;
  Epoch failed_at_;   // in a thread
  Epoch raced_with_;  // the access that the failing one races with, or the end of the object that
                      // it uses
  std::map<std::uint32_t, Epoch> freed_at_;  // in a thread, by block
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXHAUSTIVE_MACHINE_H_
