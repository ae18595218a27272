// IMM's rule against values out of thin air, for executions with load buffering.
//
// [podkopaev2019], section 3: `ar` has no cycle, with
//   ar      rfe | bob | ppo | detour
//   ppo     [R]; (data | ctrl | addr;po? | casdep | rmw | rfi)+; [W]
//   bob     po;[W rel] | [R acq];po | [W rel];po-loc;[W], and what fences order
//   detour  coe;rfe within a thread
// Coherence, atomicity and the order S are those of C++20 (models/kit/axioms), which a caller
// judges as well. These rules are weaker than IMM's, so that more executions are examined:
// - `ar` has no part of psc, the order of seq_cst fences. It then lies within program order and
//   reads-from: each execution without load buffering is one here, as in the other checker;
// - a relaxed read-modify-write orders its read before its own write alone. IMM orders all later
//   writes, as exclusive pairs do, which end in a branch. The atomics of ARMv8.1 do not;
// - an acquire fence orders no earlier write;
// - release sequences are those of C++20, without later stores of the same thread;
// - seq_cst accesses are acquires and releases in `ar`.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_IMM_H_
#define NOWAIT_MODELS_KIT_BUFFERING_IMM_H_

#include <cstddef>
#include <vector>

#include "models/kit/axioms/axioms.h"
#include "models/kit/axioms/relation.h"
#include "models/kit/buffering/event.h"
#include "models/kit/buffering/preserved.h"

namespace nowait::model::buffering {

// The nodes of all threads' events, and the orders that the threads alone give.
class ThinAir {
 public:
  // The threads outlive this object. NodesOf(threads) is at most axioms::kMaxEvents.
  ThinAir(const std::vector<const Events*>& threads, const Rules& rules);
  static std::size_t NodesOf(const std::vector<const Events*>& threads);

  // bob and ppo, without what depends on rf: closed.
  axioms::Relation Static() const;
  // The node of an event's write and read; `event` counts through the threads in their order.
  const Nodes& At(std::size_t event) const { return nodes_[event]; }

  // Whether ar has no cycle. execution: initial values first, then the threads' events in order.
  bool IsAbsent(const axioms::Execution& execution, Lost lost) const;

 private:
  axioms::Relation Dependencies(Lost lost) const;
  void AddReadsFrom(const axioms::Execution& execution, std::size_t initials,
                    axioms::Relation& dependencies, axioms::Relation& order) const;
  void AddDetours(const axioms::Execution& execution, std::size_t initials,
                  axioms::Relation& order) const;

  const std::vector<const Events*> threads_;
  const Rules rules_;
  std::size_t size_ = 0;
  std::vector<Nodes> nodes_;                   // of all events
  std::vector<std::vector<Nodes>> of_thread_;  // of each thread's events
  std::vector<bool> reads_, writes_;           // by node
  axioms::Relation barriers_;
};

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_IMM_H_
