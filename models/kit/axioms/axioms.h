// The axioms of C++20's memory model as relations over the events of one execution.
//
// An execution here is a run without time: the operations in program order within each thread, the
// store that each read takes, and the order in which the stores to each atomic took effect. The
// axioms say whether C++20 allows it. They know nothing of any checker: they judge the traces of
// one (models/kit/litmus/axioms.h), and by trying every execution at all they say which graphs
// another one has to visit (models/kit/exhaustive/oracle).
//
// Written as the standard is, one function a paragraph and without cleverness, since clever code is
// measured against them.
//
// Sources: [intro.races] for happens-before (with C++20's release sequences) and coherence,
// [atomics.fences], [atomics.order] 3 and 4 for seq_cst. Written with relations and matrices as in
// Batty, Owens, Sarkar, Sewell, Weber, "Mathematizing C++ Concurrency", POPL 2011.
#ifndef NOWAIT_MODELS_KIT_AXIOMS_AXIOMS_H_
#define NOWAIT_MODELS_KIT_AXIOMS_AXIOMS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/axioms/relation.h"

namespace nowait::model::axioms {

// The source of an event that reads nothing.
inline constexpr std::size_t kNothing = kMaxEvents;

// The thread of the events that come before every thread: the atomics' first values.
inline constexpr int kBeforeThreads = -1;

struct Event {
  enum class Kind : std::uint8_t { kAtomic, kPlain, kFence };

  int thread = kBeforeThreads;
  Kind kind = Kind::kAtomic;
  std::uint32_t object = 0;  // atomics and plain data have numbers of their own
  std::memory_order order = std::memory_order::relaxed;
  bool reads = false;
  bool writes = false;          // and both: one event for a read-modify-write
  std::size_t from = kNothing;  // atomic: the event whose value it reads
  std::size_t place = 0;        // atomic: of its store in the modification order of the object

  bool Atomic() const { return kind == Kind::kAtomic; }
  bool Fence() const { return kind == Kind::kFence; }
  bool SeqCst() const { return kind != Kind::kPlain && order == std::memory_order::seq_cst; }
};

// The events of one thread stand in program order; threads may be mixed. At most kMaxEvents.
using Execution = std::vector<Event>;

// The orders that follow from program order and reads-from alone: modification orders do not enter.
struct Orders {
  Relation sequenced;     // sequenced before
  Relation synchronises;  // synchronizes with
  Relation happens_before;
};
Orders OrdersOf(const Execution& execution);

// Coherence-ordered before, [atomics.order] 3: reads-from, modification order and from-reads,
// closed. Of one object, or of all of them.
Relation CoherenceOrderOf(const Execution& execution, std::uint32_t object);
Relation CoherenceOrderOf(const Execution& execution);

// [intro.races] 10: happens-before is acyclic.
bool HappensBeforeIsAcyclic(const Orders& orders);
// [intro.races] 15 to 18: write-write, read-read, read-write and write-read coherence. With the
// coherence order of one object: for that object.
bool IsCoherent(const Orders& orders, const Relation& coherence);
// [atomics.order] 10: a read-modify-write reads the last value before its own.
bool IsAtomic(const Execution& execution);
// [atomics.order] 4: there is a total order S of the seq_cst operations. LWG 3941's case is left
// out: where A is coherence-ordered before B in more than one step (reads-from, modification order,
// from-reads) and B is a load that reads a store which is no read-modify-write, the first three
// conditions are demanded only if A happens before B. The fourth, of fences, is always demanded.
bool HasOrderS(const Execution& execution, const Orders& orders, const Relation& coherence);

// The rule that the execution breaks, by name; empty when it is consistent.
std::string BrokenAxiom(const Execution& execution);

// [intro.races] 21: two accesses to a plain datum, one of them a write, that are not ordered by
// happens-before.
bool HasDataRace(const Execution& execution, const Orders& orders);

// Whether program order and reads-from have a cycle. C++20 allows such executions and deplores some
// of them ([atomics.order] 8); RC11 forbids all of them: Lahav, Vafeiadis, Kang, Hur, Dreyer,
// "Repairing Sequential Consistency in C/C++11", PLDI 2017, the axiom NO-THIN-AIR.
bool HasLoadBuffering(const Execution& execution);

}  // namespace nowait::model::axioms

#endif  // NOWAIT_MODELS_KIT_AXIOMS_AXIOMS_H_
