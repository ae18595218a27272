// TaskState: the state of a task before and during its run, in one word: what holds it back, which
// call started or cancelled it first, and how far it is.
//
//   { generation : 32 | affinity : 8 | priority : 8 | its kind, what holds it, its progress : 16 }
//
// A task is ready when nothing holds it: its creator has submitted it and its dependency is
// complete. The later of the two changes gets this as its result, and passes the task to the
// queues. From then on a start is one compare-exchange. A worker with an entry of a queue and a
// helper that came through the graph can both try it: entries may be stale, and a thread that
// cannot start one drops it.
//
// An empty task is never started: it is done as soon as nothing holds it. So is a cancelled one. An
// idempotent task may be started twice. The first run to be done (TryCommit) counts and completes
// the task. The last to leave, not the completion, ends the use of the slot and of the buffers.
// [bitsquid2010] names these two states of completion.
//
// Thread safety: Hold by the owner of the slot between two tasks; Block, Unblocked and Submit by
// the holder of the task; Release or TryReleaseAndStart, once, when the dependency is complete;
// TryCommit and Leave once for each run, GiveBack once; MarkInFlight by the starter. TryStart,
// TryStartAgain, Cancel and the looks from any thread, any time.
// Progress: lock-free; all but TryStart, TryReleaseAndStart, TryStartAgain, Cancel, TryCommit and
// MarkInFlight are wait-free.
//
// Source: [bitsquid2010]: "not allowed to start until its dependency has completed", and its remark
// on running a task twice. Model: models/jobs/task_state. Lecture: hierarchical tasks.
#ifndef NOWAIT_SRC_JOBS_TASK_STATE_H_
#define NOWAIT_SRC_JOBS_TASK_STATE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/jobs/task_def.h"
#include "src/sync/policy.h"

namespace nowait {

// A value of the word.
class TaskStateWord {
 public:
  static constexpr std::uint32_t kHeld = 1u << 0;
  static constexpr std::uint32_t kBlocked = 1u << 1;
  static constexpr std::uint32_t kEmpty = 1u << 2;
  static constexpr std::uint32_t kExternal = 1u << 3;
  static constexpr std::uint32_t kIdempotent = 1u << 4;
  static constexpr std::uint32_t kStarted = 1u << 5;
  static constexpr std::uint32_t kStartedAgain = 1u << 6;
  static constexpr std::uint32_t kCancelled = 1u << 7;
  static constexpr std::uint32_t kCommitted = 1u << 8;
  static constexpr std::uint32_t kGivenBack = 1u << 9;
  static constexpr std::uint32_t kOneLeft = 1u << 10;  // a count of two bits
  static constexpr std::uint32_t kList = 1u << 12;
  static constexpr std::uint32_t kRequest = 1u << 13;   // external as well
  static constexpr std::uint32_t kInFlight = 1u << 14;  // a device of the user's has it
  static constexpr std::uint32_t kNeedsSuccess = 1u << 15;

  constexpr explicit TaskStateWord(std::uint64_t bits) : bits_(bits) {}
  constexpr TaskStateWord(std::uint32_t generation, const TaskDef& def)
      : bits_(std::uint64_t{generation} << 32 | kHeld |
              (def.kind == TaskKind::kWork && def.work.function == nullptr ? kEmpty : 0)) {
    // Most tasks have none of these: one question for them.
    if ((def.affinity | def.priority | static_cast<unsigned>(def.kind) |
         static_cast<unsigned>(def.needs_success)) != 0) {
      bits_ |= std::uint32_t{def.affinity} << 24 | std::uint32_t{def.priority} << 16 |
               kOfKind[static_cast<std::size_t>(def.kind)] |
               std::uint32_t{def.needs_success} * kNeedsSuccess;
    }
  }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr std::uint32_t generation() const { return static_cast<std::uint32_t>(bits_ >> 32); }
  constexpr std::uint8_t affinity() const { return static_cast<std::uint8_t>(bits_ >> 24); }
  constexpr std::uint8_t priority() const { return static_cast<std::uint8_t>(bits_ >> 16); }
  constexpr TaskKind kind() const {
    if (!Has(kExternal | kIdempotent | kList)) return TaskKind::kWork;
    if (Has(kExternal)) return Has(kRequest) ? TaskKind::kRequest : TaskKind::kExternal;
    if (Has(kIdempotent)) return TaskKind::kIdempotent;
    return TaskKind::kList;
  }
  constexpr bool Has(std::uint32_t flags) const { return (bits_ & flags) != 0; }
  // Work for any thread, of the highest priority.
  constexpr bool IsMostUrgentPlain() const {
    return (bits_ & (0xffff'0000u | kExternal | kIdempotent | kList)) == 0;
  }

  // Nothing holds the task: it is submitted and not blocked.
  constexpr bool IsFree() const { return !Has(kHeld | kBlocked); }
  constexpr bool MayStart() const { return IsFree() && !Has(kEmpty | kStarted | kCancelled); }
  constexpr bool MayStartAgain() const {
    return Has(kIdempotent) && Has(kStarted) && !Has(kStartedAgain | kCommitted);
  }
  // Whether every run that has begun has left, with `more` leaving now.
  constexpr bool AllLeft(std::uint32_t more) const {
    const std::uint32_t runs = (Has(kStarted) ? 1u : 0u) + (Has(kStartedAgain) ? 1u : 0u);
    return (bits_ / kOneLeft % 4) + more == runs;
  }

 private:
  // In the order of TaskKind.
  static constexpr std::uint16_t kOfKind[] = {0, kExternal, kExternal | kRequest, kList,
                                              kIdempotent};

  std::uint64_t bits_;
};

template <class Sync = EngineSync>
class TaskState {
 public:
  using State = TaskStateWord;

  enum class CancelResult : std::uint8_t {
    kTooLate,    // started, cancelled before, nothing to cancel, or another task
    kCancelled,  // the task will be done when nothing holds it
    kDone,       // nothing held it: the caller completes it
  };

  // Begins the next task, held by its creator.
  void Hold(std::uint32_t generation, const TaskDef& def) {
    // relaxed: the id that leads here is given to others later.
    word_.store(State(generation, def).bits(), std::memory_order::relaxed);
  }

  // acquire: pairs with Submit. A thread that sees a task submitted sees what its holder registered
  // (TaskGraph).
  State Look() const { return State(word_.load(std::memory_order::acquire)); }

  // Block before the task is registered with its dependency; Unblocked if the dependency turned out
  // to be complete. relaxed, all four: only the holder changes the word here, and Register or
  // Submit publishes it.
  void Block() {
    word_.store(word_.load(std::memory_order::relaxed) | State::kBlocked,
                std::memory_order::relaxed);
  }
  void Unblocked() {
    word_.store(word_.load(std::memory_order::relaxed) & ~std::uint64_t{State::kBlocked},
                std::memory_order::relaxed);
  }

  // Whether a held task has no work of its own, or that has been cancelled: it is complete with its
  // children. relaxed: the holder's.
  bool IsWithoutWork() const {
    return State(word_.load(std::memory_order::relaxed)).Has(State::kEmpty | State::kCancelled);
  }

  // Lets go of a task. shared: whether its dependency may be completed at the same time. Returns
  // the new state; if that is free, the caller passes the task on.
  State Submit(bool shared) {
    if (!shared) {
      // No other thread changes the word of a held task that is not blocked, or whose dependency is
      // held: no read-modify-write is needed.
      const std::uint64_t word =
          word_.load(std::memory_order::relaxed) & ~std::uint64_t{State::kHeld};
      // release: pairs with the acquires of all calls that look at, start or complete it.
      word_.store(word, std::memory_order::release);
      return State(word);
    }
    return Clear(State::kHeld);
  }

  // The dependency is complete. As Submit.
  State Release() { return Clear(State::kBlocked); }

  // Release and TryStart in one step, by the thread that would call Release. False: the task is
  // held or has been cancelled, and Release has to follow.
  bool TryReleaseAndStart() {
    std::uint64_t word = word_.load(std::memory_order::relaxed);
    while (!State(word).Has(State::kHeld | State::kCancelled)) {
      const std::uint64_t started = (word & ~std::uint64_t{State::kBlocked}) | State::kStarted;
      // acquire: pairs with Submit. Nothing is published: the caller runs the task itself.
      if (word_.compare_exchange_retry(word, started, std::memory_order::acquire,
                                       std::memory_order::relaxed)) {
        return true;
      }
    }
    return false;
  }

  // Whether the caller is to run the task of this generation.
  bool TryStart(std::uint32_t generation) {
    std::uint64_t word = word_.load(std::memory_order::relaxed);
    while (State(word).generation() == generation && State(word).MayStart()) {
      // acquire: pairs with Submit and Release; each is a read-modify-write after the other, or
      // alone.
      if (word_.compare_exchange_retry(word, word | State::kStarted, std::memory_order::acquire,
                                       std::memory_order::relaxed)) {
        return true;
      }
    }
    return false;
  }

  // The same for a second run of an idempotent task that is running.
  bool TryStartAgain(std::uint32_t generation) {
    std::uint64_t word = word_.load(std::memory_order::relaxed);
    while (State(word).generation() == generation && State(word).MayStartAgain()) {
      // acquire: as TryStart, whose exchange continues the release sequence.
      if (word_.compare_exchange_retry(word, word | State::kStartedAgain,
                                       std::memory_order::acquire, std::memory_order::relaxed)) {
        return true;
      }
    }
    return false;
  }

  CancelResult Cancel(std::uint32_t generation) {
    std::uint64_t word = word_.load(std::memory_order::relaxed);
    while (State(word).generation() == generation &&
           !State(word).Has(State::kEmpty | State::kStarted | State::kCancelled)) {
      // acquire: as TryStart, for a caller that completes it.
      if (word_.compare_exchange_retry(word, word | State::kCancelled, std::memory_order::acquire,
                                       std::memory_order::relaxed)) {
        return State(word).IsFree() ? CancelResult::kDone : CancelResult::kCancelled;
      }
    }
    return CancelResult::kTooLate;
  }

  // Whether this is the first run of a started task to be done, or the first answer of a device.
  bool TryCommit(std::uint32_t generation) {
    std::uint64_t word = word_.load(std::memory_order::relaxed);
    while (State(word).generation() == generation && State(word).Has(State::kStarted) &&
           !State(word).Has(State::kCommitted)) {
      // relaxed, all three: the completion that follows publishes what the first run has done.
      if (word_.compare_exchange_retry(word, word | State::kCommitted, std::memory_order::relaxed,
                                       std::memory_order::relaxed)) {
        return true;
      }
    }
    return false;
  }

  // The hand-over of a started external task has returned. From now on another thread may complete
  // it for a device that never answers. Without effect on a task that its device has completed.
  void MarkInFlight(std::uint32_t generation) {
    std::uint64_t word = word_.load(std::memory_order::relaxed);
    while (State(word).generation() == generation && !State(word).Has(State::kCommitted)) {
      // release: pairs with the acquire in Look (TaskGraph::CompleteInFlight): what the hand-over
      // has used.
      if (word_.compare_exchange_retry(word, word | State::kInFlight, std::memory_order::release,
                                       std::memory_order::relaxed)) {
        return;
      }
    }
  }

  struct Left {
    bool last;        // of the runs: what they used may be freed
    bool gives_back;  // and the caller gives the slot back
  };
  // A run of an idempotent task has ended.
  Left Leave() {
    // acq_rel: a release for the Leave or GiveBack that is last, and an acquire there.
    const State before(word_.fetch_add(State::kOneLeft, std::memory_order::acq_rel));
    const bool last = before.AllLeft(1);
    return {last, last && before.Has(State::kGivenBack)};
  }

  // The slot is no longer needed but for runs that have not left. True if all have left: then the
  // caller gives it back.
  bool GiveBack() {
    // acq_rel: as Leave.
    return State(word_.fetch_or(State::kGivenBack, std::memory_order::acq_rel)).AllLeft(0);
  }

 private:
  State Clear(std::uint32_t flag) {
    // acq_rel: a release for the thread that starts the task or lets go later; an acquire of an
    // earlier letting go, for the caller, which passes the task on.
    const std::uint64_t before = word_.fetch_and(~std::uint64_t{flag}, std::memory_order::acq_rel);
    return State(before & ~std::uint64_t{flag});
  }

  typename Sync::template atomic<std::uint64_t> word_;
};

// Implementation: why this is right
//
// Promise: linearizable over happens-before (models/kit/scenario/linearizability.h). A submitted
// task is either started once or cancelled once, by the one call that reports it. While something
// holds the task, it is not started; its holder or another thread can cancel it. The start or
// completion of a task comes after what its holder did before Submit and what its dependency did.
// An idempotent task is won exactly once, and exactly one Leave or GiveBack is the last.
// Linearization points: the read-modify-write, Submit's store, or the load that refuses.
//
// Invariants
//   1. While a task is held, only its holder changes the word. Once the task is blocked, its
//      dependency's completion may also take one bit off.
//   2. From Hold to the next Hold the bits of progress are only set, and the bits that hold the
//      task are only cleared.
//   3. Started and cancelled exclude each other.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_STATE_H_
