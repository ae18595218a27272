// PhaseMonitor: detects an overlap of two operations that the phase table forbids.
//
// Thread safety: Enter and Leave from any thread, any time. Wait-free.
//
// Invariants
//   1. active_ has eight counters of eight bits, one for each Op: the number of these operations in
//      progress. It changes only by read-modify-writes. If each of two operations has its Enter
//      before the other's Leave in the modification order, the operation that enters second sees
//      the first.
//   2. All orders are relaxed: a monitor adds no happens-before edge, and ThreadSanitizer sees the
//      same races with it as without it.
//
// Promise: if two operations overlap that may not, Enter returns false for at least one of them.
// They overlap when the beginning of each happens before the end of the other. Two unordered
// operations may pass for successive ones, which is the price of invariant 2.
// Bound: 255 operations of one kind at a time.
//
// Model: models/sync/phase_monitor. Lecture: rebuilding, swapping, reclaiming.
#ifndef NOWAIT_SRC_SYNC_PHASE_MONITOR_H_
#define NOWAIT_SRC_SYNC_PHASE_MONITOR_H_

#include <atomic>
#include <cstdint>

#include "src/base/assert.h"
#include "src/sync/held_locks.h"
#include "src/sync/phase.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class PhaseMonitor {
 public:
  // Begins an operation. Returns false if an operation is in progress that may not overlap with it.
  bool Enter(Op op) {
    const std::uint64_t before = active_.fetch_add(One(op), std::memory_order::relaxed);
    for (std::size_t other = 0; other < kOpCount; ++other) {
      const bool under_way = ((before >> (8 * other)) & 0xff) != 0;
      if (under_way && !MayOverlap(op, static_cast<Op>(other))) return false;
    }
    return true;
  }

  // Ends an operation that Enter began, whatever Enter returned.
  void Leave(Op op) { active_.fetch_sub(One(op), std::memory_order::relaxed); }

 private:
  static constexpr std::uint64_t One(Op op) {
    return std::uint64_t{1} << (8 * static_cast<int>(op));
  }

  typename Sync::template atomic<std::uint64_t> active_{0};
};

// In debug builds, asserts that the operation in its scope may run now; does nothing in release
// builds.
class PhaseScope {
 public:
#ifdef NDEBUG
  PhaseScope(PhaseMonitor<>&, Op, bool = true) {}
#else
  PhaseScope(PhaseMonitor<>& monitor, Op op) : PhaseScope(monitor, op, MayRepeat(op)) {}
  // may_repeat: whether nothing of it is left, although it overlaps with others as `op` does.
  PhaseScope(PhaseMonitor<>& monitor, Op op, bool may_repeat) : monitor_(monitor), op_(op) {
    NOWAIT_ASSERT(may_repeat || !InUpdate<EngineSync>(),
                  "an update of game objects changes no world: its effects do");
    NOWAIT_ASSERT(monitor_.Enter(op_), "two operations overlap that src/sync/phase.h forbids");
  }
  ~PhaseScope() { monitor_.Leave(op_); }
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  PhaseMonitor<>& monitor_;
  Op op_;
#endif
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_PHASE_MONITOR_H_
