// ScriptSystem: objects with scripts, updated in phases by all threads of a pool.
//
//   auto system = ScriptSystem::Create({.objects = 100, .threads = threads}, std::move(all));
//   if (!system) return std::unexpected(system.error());
//   const auto door = (*system)->Load("door.lua", source);            // again: a reload
//   if (!door) Say(door.error().text);
//   if (auto object = (*system)->Spawn(*door, 0); !object) return object.error();
//   auto ok = (*system)->BeginTick(pool, tick, dt);                   // events of the last tick
//   if (ok) ok = (*system)->RunPhase(pool, 0);                        // then the phases, in order
//   if (ok) ok = (*system)->RunPhysics(pool, manager.calls());        // after the physics update
//   if (ok) ok = (*system)->EndTick();
//
// Each update, event and callback of an object is a transaction. Within a phase, objects are
// updated in no particular order, unless an update comes after another one (ScriptCall::ReadAfter)
// or after a task (Ask): it is put off to a later round of the phase then (rounds.h). A phase sees
// all earlier phases. The objects are the same for any number of threads if no update reads or
// replaces what another one of its round changes; changes that commute, like adding whole numbers,
// may meet in one object. Anything else is a race, which transactions make safe but not
// deterministic. Events are delivered in the order of their senders, round by round.
//
// A script's error is a fault: that call has no effect, and its object is not updated again until
// the script is reloaded. All others continue. The pool and the table are not affected. Objects
// that are put off for each other have a fault each, with the cycle, as far as a line has room. An
// update is put off `objects_of_call` times at most, and once more for each question of its phase:
// beyond that it has read a race, and gets a fault.
//
// Thread safety: one thread, which is one of the pool's. Blocking: it helps and waits.
// Errors: kWrongPhase "tick": not in the order above; kInvalidArgument "threads": the pool has more
// than the system; kCapacity "memory". Those of pools, events and transactions. After an error in a
// tick, call EndTick.
// Source: [cbloom2011], phases and "in_go_update"; [bitsquid2010], "Picking a scripting language".
// Test: tests/script/system_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_SCRIPT_SYSTEM_H_
#define NOWAIT_SRC_SCRIPT_SYSTEM_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/result.h"
#include "src/events/lanes.h"
#include "src/game/object_table.h"
#include "src/game/rounds.h"
#include "src/game/transaction.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "src/script/fields.h"
#include "src/script/language.h"
#include "src/script/physics_event.h"
#include "src/script/queries.h"
#include "src/script/question.h"
#include "src/script/receivers.h"
#include "src/sync/index_pool.h"

namespace nowait {

struct ScriptSystemDef {
  std::uint32_t objects = 1024;
  std::uint32_t threads = 1;             // in the pool
  std::uint32_t objects_of_call = 8;     // that a call may read and write, including its own
  std::uint32_t sends_of_call = 4;       // events
  std::uint32_t event_bytes = 1u << 20;  // per tick
  std::uint64_t seed = 1;                // of the scripts' random numbers
  bool twice = false;  // runs each call a second time before its commit, and compares
};

struct ScriptFault {
  std::uint64_t tick = 0;
  std::uint32_t loop = 0;  // within the tick: 0 is the events, followed by RunPhase and RunPhysics
  ObjectHandle object;
  std::string text;
};

struct ScriptCounts {
  std::uint64_t updates = 0;    // committed
  std::uint64_t put_off = 0;    // updates that were dropped, to be run later in their phase
  std::uint64_t events = 0;     // likewise
  std::uint64_t callbacks = 0;  // of the physics; likewise
  // Events and callbacks for an object that is gone, disabled or has no function for them, or whose
  // call had a fault.
  std::uint64_t unreceived = 0;
  std::uint64_t lost = 0;  // events for which a tick had no room
  std::uint64_t faults = 0;
  std::uint64_t busy = 0;  // nanoseconds of all threads in updates and events
  TransactionCounts transactions;
  ScriptMachineCounts machines;  // of all threads; most_bytes and most_tidying: of one thread
};

class ScriptSystem {
 public:
  // kInvalidArgument "objects" or "objects of a call"; kCapacity "memory".
  static Result<std::unique_ptr<ScriptSystem>> Create(
      const ScriptSystemDef& def, std::vector<std::unique_ptr<ScriptLanguage>> languages);
  ScriptSystem(const ScriptSystem&) = delete;
  ScriptSystem& operator=(const ScriptSystem&) = delete;

  // Loads a script and returns its number. The end of the name determines the language. A script
  // with this name is replaced, and its objects that had a fault continue. An error changes
  // nothing: an existing script stays as it is. The same holds where it throws std::bad_alloc.
  // Called between ticks.
  ScriptResult<std::uint32_t> Load(const std::string& name, std::span<const std::byte> source);

  // Of a loaded script.
  const FieldLayout& layout(std::uint32_t script) const { return layouts_[script]; }

  // The end of a loaded script and of all its objects: their handles are stale from now on, and
  // events on their way to them are not received. Its number may be given to the next new script.
  // Called between ticks. O(objects of the system).
  void Unload(std::uint32_t script);

  static constexpr std::uint32_t kMostPhases = 256;

  // Creates an object with the initial fields of its script. Called between ticks. kCapacity
  // "objects" or "memory"; kInvalidArgument "phase".
  Result<ObjectHandle> Spawn(std::uint32_t script, std::uint32_t phase);
  // Called between ticks. kStaleId "object handle"; kNotFound "field", also for a wrong kind.
  Result<ScriptValue> Get(ObjectHandle object, std::string_view field, FieldKind kind);
  Result<void> Set(ObjectHandle object, std::string_view field, FieldKind kind, ScriptValue value);

  // An event of the program's own, which its object receives in the next tick, behind those of the
  // scripts. Called between ticks. O(events of the tick).
  void Send(const ScriptEvent& event);

  Result<void> BeginTick(TaskPool& pool, std::uint64_t tick, double dt);
  // queries: for the scripts, if the world stands still. questions: likewise, at most
  // ScriptQuestion::kMost; the phase waits for the tasks of those that are asked, and may end
  // before the others. kInvalidArgument "questions", or "question" with its index: it has no answer
  // or the name of an earlier one. The errors of TaskPool::Wait.
  Result<void> RunPhase(TaskPool& pool, std::uint32_t phase, ScriptQueries* queries = nullptr,
                        std::span<const ScriptQuestion> questions = {});
  // Calls the callbacks of the receivers, each event in a transaction of its own: those of one
  // object one after the other, in this order, and different objects on all threads. As in a phase,
  // the objects are the same for any number of threads if the changes that meet commute. Events of
  // a callback are received in the next tick. calls: sorted by receiver (WorldManager::calls).
  Result<void> RunPhysics(TaskPool& pool, std::span<const PhysicsEvent> calls,
                          ScriptQueries* queries = nullptr);
  // kCapacity "memory": the tick has not ended, has its events and faults, and may be ended again.
  Result<void> EndTick();

  // The faults of the last tick, in an order that does not depend on the threads.
  std::span<const ScriptFault> faults() const { return faults_; }
  // Of the last tick: the loop, numbered as in a fault, from which on events found no room.
  std::optional<std::uint32_t> lost_from() const { return lost_from_; }
  ScriptCounts Counts() const;
  // A checksum of the fields of all objects, in the order of their creation.
  std::uint64_t Checksum();
  std::uint32_t workers() const { return static_cast<std::uint32_t>(workers_.size()); }
  std::uint32_t disabled() const;

 private:
  using Table = ObjectTable<ScriptRecord>;
  // Exclusive, because a call takes longer than the wait for an object that many calls want.
  using Tx = Transaction<Table, Exclusive>;

  struct Written {
    ObjectHandle object;
    ScriptRecord* copy;
    ScriptRecord before;
  };
  // For what an update is put off.
  struct PutOff {
    ObjectHandle object = {};    // without one: for a question
    std::uint32_t question = 0;  // its bit
  };
  // One thread's part in a loop.
  struct alignas(64) Worker {
    Worker(Table& table, const ScriptSystemDef& def);
    std::uint32_t number = 0;
    Tx transaction;
    std::vector<std::unique_ptr<ScriptMachine>> machines;  // by language
    std::vector<std::unique_ptr<Script>> scripts;          // by number; end before their machines
    std::vector<Written> written;                          // by the current call
    std::vector<ScriptEvent> sent;                         // likewise
    std::optional<PutOff> put_off;                         // likewise
    std::string error;                                     // likewise
    std::uint32_t asked = 0;                               // since the last wait, as `answered_`
    std::vector<ScriptFault> faults;
    ScriptCounts counts;
    Result<void> done;  // result of the loop
  };
  // The function of the script that is called, and with what.
  struct Cause {
    const ScriptEvent* event = nullptr;
    const PhysicsEvent* physics = nullptr;  // both null: an update
    ScriptQueries* queries = nullptr;
    std::span<const ScriptQuestion> questions = {};

    bool is_update() const { return event == nullptr && physics == nullptr; }
  };
  struct Hand;
  class Call;

  explicit ScriptSystem(const ScriptSystemDef& def);
  Result<void> AddMachines(std::vector<std::unique_ptr<ScriptLanguage>> languages);
  // A loop of the tick: one round, or, of a phase, several.
  void BeginLoop();
  // Calls one(worker, section, i) for each i below count, on all threads.
  template <class F>
  Result<void> RunRound(TaskPool& pool, std::uint32_t count, const F& one);
  template <class F>
  Result<void> Loop(TaskPool& pool, std::uint32_t count, const F& one);
  // Behind a round: if only objects are left that ask, waits for the tasks that prepare answers.
  Result<void> AwaitAnswers(TaskPool& pool, std::span<const ScriptQuestion> questions);
  // A fault for each of these objects, which are put off for each other.
  void EndCycle(std::span<const ObjectHandle> cycle);
  void AddFault(Worker& worker, ObjectHandle object, std::string text);
  // Returns whether the call took effect.
  bool RunOne(Worker& worker, EventLanes::Section& section, ObjectHandle object,
              const Cause& cause);
  ScriptResult<void> CallOnce(Worker& worker, Tx& tx, ObjectHandle object, const Cause& cause);
  ScriptResult<void> CallTwice(Worker& worker, Tx& tx, ObjectHandle object, const Cause& cause);

  const ScriptSystemDef def_;
  std::vector<std::unique_ptr<ScriptLanguage>> languages_;
  Table table_;
  std::deque<Worker> workers_;
  IndexPool<> free_workers_;
  JobBatch batch_;
  std::unique_ptr<EventLanes> lanes_;

  static constexpr std::uint32_t kNoScript = ~std::uint32_t{0};

  std::vector<std::string> names_;     // of scripts; empty: the number is free
  std::deque<FieldLayout> layouts_;    // likewise
  std::vector<ObjectHandle> objects_;  // in the order of their creation
  std::vector<std::vector<ObjectHandle>> phases_;
  Rounds rounds_;                         // of the phase that is running
  std::vector<std::uint32_t> script_of_;  // by slot; kNoScript: without an object
  std::vector<std::uint8_t> phase_of_;    // likewise
  std::vector<std::uint8_t> disabled_;    // by slot; written by the thread that updates the object

  std::vector<ScriptEvent> sent_;         // in the last tick, in the order of their senders
  ReceiverOrder order_;                   // of sent_
  std::vector<ScriptEvent> events_;       // of the last tick, by receiver
  std::vector<std::uint32_t> receivers_;  // where each receiver's events begin
  std::vector<std::uint32_t> called_;     // likewise, of RunPhysics
  std::vector<ScriptFault> faults_;
  bool in_tick_ = false;
  std::uint64_t tick_ = 0;
  double dt_ = 0.0;
  std::uint32_t phase_ = 0;     // the last one that was run
  std::uint32_t loop_ = 0;      // the number of loops that have begun
  std::uint64_t earlier_ = 0;   // calls of this loop in its earlier rounds
  std::uint32_t answered_ = 0;  // questions of this phase whose tasks were waited for: bits
  std::uint64_t lost_ = 0;
  std::optional<std::uint32_t> lost_from_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_SYSTEM_H_
