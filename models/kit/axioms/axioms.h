// The axioms of C++20's memory model as relations over the events of one execution.
//
// An execution here is a run without time: the operations of each thread in program order, the
// store that each read takes its value from, and the order in which the stores to each atomic took
// effect. The axioms say whether C++20 allows it. They are independent of any checker. They judge
// the traces of one checker (models/kit/litmus/axioms.h). Applied to every conceivable execution,
// they say which graphs another checker has to visit (models/kit/exhaustive/oracle).
//
// The code follows the standard's text, one function per paragraph, without optimisation, because
// optimised code is compared with it.
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

// The `from` of an event that reads no store.
inline constexpr std::size_t kNothing = kMaxEvents;

// The thread number of the events that precede every thread: the atomics' initial values.
inline constexpr int kBeforeThreads = -1;

struct Event {
  enum class Kind : std::uint8_t { kAtomic, kPlain, kFence };

  int thread = kBeforeThreads;
  Kind kind = Kind::kAtomic;
  std::uint32_t object = 0;  // atomics and plain data are numbered separately
  std::memory_order order = std::memory_order::relaxed;
  bool reads = false;
  bool writes = false;          // a read-modify-write is one event that reads and writes
  std::size_t from = kNothing;  // of an atomic: the event whose value it reads
  std::size_t place = 0;        // of an atomic: its store's rank in the object's modification order

  bool Atomic() const { return kind == Kind::kAtomic; }
  bool Fence() const { return kind == Kind::kFence; }
  bool SeqCst() const { return kind != Kind::kPlain && order == std::memory_order::seq_cst; }
};

// The events of each thread are in program order; threads may be interleaved. At most kMaxEvents.
using Execution = std::vector<Event>;

// The orders that follow from program order and reads-from alone, without modification orders.
struct Orders {
  Relation sequenced;     // sequenced before
  Relation synchronises;  // synchronizes with
  Relation happens_before;
};
Orders OrdersOf(const Execution& execution);

// Coherence-ordered-before, [atomics.order] 3: the transitive closure of reads-from, modification
// order and from-reads; of one object, or of all objects.
Relation CoherenceOrderOf(const Execution& execution, std::uint32_t object);
Relation CoherenceOrderOf(const Execution& execution);

// [intro.races] 10: happens-before is acyclic.
bool HappensBeforeIsAcyclic(const Orders& orders);
// [intro.races] 15 to 18: write-write, read-read, read-write and write-read coherence. With the
// coherence order of one object, the result concerns that object.
bool IsCoherent(const Orders& orders, const Relation& coherence);
// [atomics.order] 10: a read-modify-write reads the value that immediately precedes its own.
bool IsAtomic(const Execution& execution);
// [atomics.order] 4: there is a total order S of the seq_cst operations. One case, LWG 3941, is
// left out: A is coherence-ordered before B in more than one step (reads-from, modification order,
// from-reads), and B is a load that reads a store which is not a read-modify-write. The first three
// conditions then apply only if A happens before B. The fourth, about fences, always applies.
bool HasOrderS(const Execution& execution, const Orders& orders, const Relation& coherence);

// The name of the rule that the execution breaks; empty if the execution is consistent.
std::string BrokenAxiom(const Execution& execution);

// [intro.races] 21: two accesses to one plain datum, at least one of them a write, are unordered by
// happens-before.
bool HasDataRace(const Execution& execution, const Orders& orders);

// Whether program order and reads-from form a cycle. C++20 allows such executions and discourages
// some of them ([atomics.order] 8). RC11 forbids them all: Lahav, Vafeiadis, Kang, Hur, Dreyer,
// "Repairing Sequential Consistency in C/C++11", PLDI 2017, the axiom NO-THIN-AIR.
bool HasLoadBuffering(const Execution& execution);

}  // namespace nowait::model::axioms

#endif  // NOWAIT_MODELS_KIT_AXIOMS_AXIOMS_H_
