// BufferingMachine: runs the threads of a scenario one at a time.
//
// A thread runs alone along a script of the values that its reads find. Where the script ends, the
// run ends with a question. Threads meet only through atomics and plain data, so nothing else can
// reach one thread from another. A mutex is an atomic that is updated from 0 to 1 by an acquire,
// and set to 0 by a release. A thread that finds it locked, or that sleeps, ends there: whether it
// stays so is a question about the whole execution (waiting.h). Memory that a thread makes is
// refused.
//
// A whole execution, whose scripts are known, then runs once with all threads, in an order that
// follows happens-before, and with After behind them.
//
// The values of reads are lost (event.h) unless Tracking says that they are kept.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_BUFFERING_MACHINE_H_
#define NOWAIT_MODELS_KIT_BUFFERING_BUFFERING_MACHINE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/kit/buffering/limits.h"
#include "models/kit/buffering/thread_run.h"
#include "models/kit/buffering/tracking.h"
#include "models/kit/exhaustive/run/crash_catcher.h"
#include "models/kit/exhaustive/run/fiber.h"
#include "models/kit/process/arena.h"
#include "models/kit/program/machine.h"
#include "models/kit/program/plain.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::buffering {

// A whole execution, for After.
struct Whole {
  std::vector<Script> scripts;  // by thread
  // Every event in an order that follows happens-before: its thread.
  std::vector<std::size_t> turns;
  // By thread and by the number of its events so far: how many events of each thread happen before.
  std::vector<std::vector<std::array<std::uint32_t, kMaxThreads>>> known;
  std::map<Location, Word> last;  // the values at the end
  bool ends = true;               // every thread returns; otherwise After does not run
};

class BufferingMachine final : public Machine, public Tracking, public WideValues {
 public:
  // A run beyond the limits of its rounds and events is cut. limits.events: at most
  // kMostEventsOfThread.
  BufferingMachine(const ScenarioEntry& scenario, const Limits& limits)
      : scenario_(scenario), most_rounds_(limits.rounds), most_events_(limits.events) {}
  ~BufferingMachine() override;

  ThreadRun RunAlone(int thread, const Script& script);
  // Returns the failure that After finds, if it runs.
  std::optional<Failure> RunWhole(const Whole& whole);
  // Whether the threads have just done what they did alone, and failed where they failed. Otherwise
  // they share memory that is not declared, and alone each of them has missed what the others write
  // there.
  bool HaveFollowed(const Runs& alone) const;

  // The value of a location after set-up. A plain datum must have been read by a thread.
  Word Initial(const Location& location) const;

  // --- Machine ---
  ObjectId NewAtomic(Word value, ValueType type, const Site& site) override;
  void DeleteAtomic(ObjectId) override {}
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
  void DeletePlain(ObjectId) override {}
  Word ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) override;
  void WritePlain(ObjectId object, Word value, ValueType type, const Site& site) override;
  ObjectId NewMutex() override { return NewAtomic(0, ValueType::kBool, Site()); }
  void DeleteMutex(ObjectId) override {}
  void Lock(ObjectId object, const Site& site) override;
  bool TryLock(ObjectId object, const Site& site) override;
  void Unlock(ObjectId object, const Site& site) override;
  // It has a number among those of the atomics, and is no atomic.
  ObjectId NewCondition() override { return NewAtomic(0, ValueType::kUnsigned, Site()); }
  void DeleteCondition(ObjectId) override {}
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

  // --- Tracking ---
  void Use(Places data, Places compared) override;
  void Choose(Places address) override;
  Places Keep() override;
  void Lose(Places reads) override;
  void Branch(Places reads) override;

  // --- WideValues ---
  Word NumberOf(const void* value, std::size_t size) override;
  const void* At(Word number) const override { return wide_[number]->data(); }
  [[noreturn]] void RefuseType() override;

 private:
  enum class Phase : std::uint8_t { kSetUp, kThreads, kAfter };
  static constexpr int kProgramRegion = kMaxThreads;

  // One thread under way.
  struct Lane {
    const Script* script = nullptr;
    std::size_t answered = 0;
    ThreadRun run = {};
    std::map<Location, Word> own;  // what the thread has written last
    std::map<std::pair<ObjectId, std::uint_least32_t>, std::size_t>
        rounds;  // reads, by object and line
    Places lost = 0, control = 0, addressed = 0;
    Places data = 0, compared = 0, address = 0;  // of the next access
    bool may_fail_spuriously = true;             // a weak exchange
    bool may_try_in_vain = true;                 // try_lock
    bool may_wake_spuriously = true;
    std::set<ObjectId> held;  // mutexes
    std::optional<Site> yielded_at;
    std::size_t idle_yields = 0;            // without an event since the one before
    std::size_t round = 0, last_round = 0;  // the events since the last two yields begin there
  };

  void SetUp();
  static void RunSetUp(void* self);
  static void RunThread(void* self);
  static void RunAfter(void* self);

  bool InThreads() const { return phase_ == Phase::kThreads; }
  Lane& lane() { return lanes_[static_cast<std::size_t>(running_)]; }
  Word Answer(const Question& question);
  // counted: as a round of a loop.
  Word Read(const Location& location, Word initial, const Site& site, bool counted = true);
  [[noreturn]] void Block(bool asleep);
  // Waits for the running thread's turn in a whole execution, and adds its next event.
  Event& Add(Event::Kind kind, ObjectId object, std::memory_order order, const Site& site);
  [[noreturn]] void End(ThreadRun::End end);
  [[noreturn]] void Refuse(std::string words);
  bool MayLeaveOut(ObjectId object, Word expected, std::memory_order failure) const;

  const ScenarioEntry& scenario_;
  const std::size_t most_rounds_, most_events_;
  Arena arena_{kMaxThreads + 1};
  const CrashCatcher crash_catcher_;
  std::deque<Fiber> fibers_;  // of the threads; the first one for set-up and After, too
  Program* program_ = nullptr;
  Phase phase_ = Phase::kSetUp;
  int running_ = 0;
  std::vector<Lane> lanes_;
  const Whole* whole_ = nullptr;  // null while a thread runs alone
  std::vector<Word> atomics_;
  std::vector<Word> beginning_;             // what they hold after set-up
  std::map<Location, Word> plain_initial_;  // of plain data that a thread has read
  ObjectId plains_ = 0;
  std::map<std::string, Word> numbers_;   // of wide values, by their bytes
  std::vector<const std::string*> wide_;  // the values, by their numbers
  std::uint32_t moments_ = 0;
  std::optional<Failure> set_up_failure_;
  std::optional<Failure> after_failure_;
  Memory memory_;
  Trace trace_;
};

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_BUFFERING_MACHINE_H_
