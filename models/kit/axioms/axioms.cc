#include "models/kit/axioms/axioms.h"

#include <vector>

namespace nowait::model::axioms {
namespace {

bool Releases(std::memory_order order) {
  return order == std::memory_order::release || order == std::memory_order::acq_rel ||
         order == std::memory_order::seq_cst;
}
bool Acquires(std::memory_order order) {
  return order == std::memory_order::acquire || order == std::memory_order::consume ||
         order == std::memory_order::acq_rel || order == std::memory_order::seq_cst;
}

Relation SequencedBefore(const Execution& execution) {
  Relation sequenced(execution.size());
  for (std::size_t a = 0; a < execution.size(); ++a) {
    for (std::size_t b = a + 1; b < execution.size(); ++b) {
      if (execution[a].thread == execution[b].thread) sequenced.Add(a, b);
    }
  }
  return sequenced;
}

// The code before all threads synchronises with the start of each: [thread.thread.constr].
Relation BeforeThreads(const Execution& execution) {
  Relation before(execution.size());
  for (std::size_t a = 0; a < execution.size(); ++a) {
    for (std::size_t b = 0; b < execution.size(); ++b) {
      if (execution[a].thread == kBeforeThreads && execution[b].thread != kBeforeThreads) {
        before.Add(a, b);
      }
    }
  }
  return before;
}

// [intro.races] 5: whether the store that `reader` reads belongs to the release sequence of `head`.
bool ReadsFromSequence(const Execution& execution, std::size_t reader, std::size_t head) {
  std::size_t write = execution[reader].from;
  // Follow read-modify-writes backwards. A cycle of them would be longer than the execution.
  for (std::size_t step = 0; write != kNothing && step < execution.size(); ++step) {
    if (write == head) return true;
    write = execution[write].from;
  }
  return false;
}

// The access itself if its order suffices, and the fences on the far side of it.
template <class Right>
EventSet Ends(const Execution& execution, const Relation& sequenced, std::size_t access,
              bool fence_before, Right right) {
  EventSet ends;
  if (right(execution[access].order)) ends.Add(access);
  for (std::size_t f = 0; f < execution.size(); ++f) {
    if (execution[f].Fence() && right(execution[f].order) &&
        (fence_before ? sequenced.Has(f, access) : sequenced.Has(access, f))) {
      ends.Add(f);
    }
  }
  return ends;
}

void AddAll(Relation& relation, const EventSet& from, const EventSet& to) {
  from.ForEach([&](std::size_t a) { to.ForEach([&](std::size_t b) { relation.Add(a, b); }); });
}

// [atomics.order] 2 and [atomics.fences] 2 to 4.
Relation SynchronisesWith(const Execution& execution, const Relation& sequenced) {
  Relation synchronises(execution.size());
  for (std::size_t w = 0; w < execution.size(); ++w) {
    const Event& write = execution[w];
    if (!write.Atomic() || !write.writes || write.thread == kBeforeThreads) continue;
    const EventSet from = Ends(execution, sequenced, w, true, Releases);
    if (from.empty()) continue;
    for (std::size_t r = 0; r < execution.size(); ++r) {
      const Event& read = execution[r];
      // Within a thread, program order already says as much.
      if (!read.Atomic() || !read.reads || read.thread == write.thread) continue;
      if (!ReadsFromSequence(execution, r, w)) continue;
      AddAll(synchronises, from, Ends(execution, sequenced, r, false, Acquires));
    }
  }
  return synchronises;
}

void AddCoherence(const Execution& execution, std::uint32_t object, Relation& order) {
  for (std::size_t a = 0; a < execution.size(); ++a) {
    if (!execution[a].Atomic() || execution[a].object != object) continue;
    for (std::size_t b = 0; b < execution.size(); ++b) {
      if (a == b || !execution[b].Atomic() || execution[b].object != object) continue;
      const Event& first = execution[a];
      const Event& second = execution[b];
      if (second.reads && second.from == a) order.Add(a, b);
      if (!second.writes) continue;
      if (first.writes && first.place < second.place) order.Add(a, b);
      if (first.reads && execution[first.from].place < second.place) order.Add(a, b);
    }
  }
}

// Reads-from, modification order and from-reads, for all objects.
Relation CoherenceSteps(const Execution& execution) {
  Relation steps(execution.size());
  std::vector<std::uint32_t> done;
  for (const Event& event : execution) {
    if (!event.Atomic()) continue;
    bool known = false;
    for (const std::uint32_t object : done) known |= object == event.object;
    if (known) continue;
    done.push_back(event.object);
    AddCoherence(execution, event.object, steps);
  }
  return steps;
}

// The seq_cst fences beside the access that represent it in S.
EventSet FencesOf(const Execution& execution, const Relation& happens_before, std::size_t access,
                  bool before) {
  EventSet all;
  for (std::size_t f = 0; f < execution.size(); ++f) {
    if (execution[f].Fence() && execution[f].SeqCst() &&
        (before ? happens_before.Has(f, access) : happens_before.Has(access, f))) {
      all.Add(f);
    }
  }
  return all;
}

// The part of coherence-ordered-before that the first three conditions of [atomics.order] 4 impose
// on S: a single step; several steps whose last one reads a read-modify-write; and several steps
// that happens-before takes as well.
Relation AskedOfS(const Execution& execution, const Orders& orders, const Relation& coherence) {
  const Relation step = CoherenceSteps(execution);
  Relation reads_update(execution.size());
  for (std::size_t r = 0; r < execution.size(); ++r) {
    const std::size_t write = execution[r].Atomic() ? execution[r].from : kNothing;
    if (write != kNothing && execution[write].reads) reads_update.Add(write, r);
  }
  return step | coherence.Then(reads_update) | (coherence & orders.happens_before);
}

// [intro.races] 12.
Relation StronglyHappensBefore(const Execution& execution, const Orders& orders) {
  Relation strongly =
      orders.sequenced | orders.sequenced.Then(orders.happens_before).Then(orders.sequenced);
  for (std::size_t a = 0; a < execution.size(); ++a) {
    for (std::size_t b = 0; b < execution.size(); ++b) {
      if (orders.synchronises.Has(a, b) && execution[a].SeqCst() && execution[b].SeqCst()) {
        strongly.Add(a, b);
      }
    }
  }
  return strongly.Closed();
}

}  // namespace

Orders OrdersOf(const Execution& execution) {
  const Relation sequenced = SequencedBefore(execution);
  const Relation synchronises = SynchronisesWith(execution, sequenced);
  return {sequenced, synchronises, (sequenced | BeforeThreads(execution) | synchronises).Closed()};
}

Relation CoherenceOrderOf(const Execution& execution, std::uint32_t object) {
  Relation order(execution.size());
  AddCoherence(execution, object, order);
  return order.Closed();
}

Relation CoherenceOrderOf(const Execution& execution) { return CoherenceSteps(execution).Closed(); }

bool HappensBeforeIsAcyclic(const Orders& orders) { return orders.happens_before.IsIrreflexive(); }

bool IsCoherent(const Orders& orders, const Relation& coherence) {
  return coherence.IsIrreflexive() && orders.happens_before.Then(coherence).IsIrreflexive();
}

bool IsAtomic(const Execution& execution) {
  for (std::size_t a = 0; a < execution.size(); ++a) {
    const Event& event = execution[a];
    if (!event.Atomic() || !event.reads || !event.writes) continue;
    const std::size_t read = execution[event.from].place;
    if (read >= event.place) return false;
    for (const Event& other : execution) {
      if (other.Atomic() && other.writes && other.object == event.object && read < other.place &&
          other.place < event.place) {
        return false;
      }
    }
  }
  return true;
}

bool HasOrderS(const Execution& execution, const Orders& orders, const Relation& coherence) {
  std::vector<std::size_t> members;
  for (std::size_t a = 0; a < execution.size(); ++a) {
    if (execution[a].SeqCst()) members.push_back(a);
  }
  if (members.size() < 2) return true;
  Relation before(execution.size());
  const Relation strongly = StronglyHappensBefore(execution, orders);
  for (const std::size_t a : members) {
    for (const std::size_t b : members) {
      if (strongly.Has(a, b)) before.Add(a, b);
    }
  }
  const Relation asked = AskedOfS(execution, orders, coherence);
  std::vector<EventSet> fences_after(execution.size());
  for (std::size_t b = 0; b < execution.size(); ++b) {
    fences_after[b] = FencesOf(execution, orders.happens_before, b, false);
  }
  const auto itself = [&](std::size_t a) {
    EventSet own;
    if (execution[a].SeqCst()) own.Add(a);
    return own;
  };
  for (std::size_t a = 0; a < execution.size(); ++a) {
    const EventSet fences_before = FencesOf(execution, orders.happens_before, a, true);
    const EventSet own = itself(a);
    if (own.empty() && fences_before.empty()) continue;
    for (std::size_t b = 0; b < execution.size(); ++b) {
      if (coherence.Has(a, b)) AddAll(before, fences_before, fences_after[b]);
      if (!asked.Has(a, b)) continue;
      EventSet others = itself(b);
      AddAll(before, fences_before, others);
      others |= fences_after[b];
      AddAll(before, own, others);
    }
  }
  return before.Closed().IsIrreflexive();
}

std::string BrokenAxiom(const Execution& execution) {
  const Orders orders = OrdersOf(execution);
  if (!HappensBeforeIsAcyclic(orders)) return "happens-before has a cycle";
  if (!IsAtomic(execution)) return "a read-modify-write does not read the last value";
  const Relation coherence = CoherenceOrderOf(execution);
  if (!IsCoherent(orders, coherence)) return "coherence";
  if (!HasOrderS(execution, orders, coherence)) return "there is no order S";
  return "";
}

bool HasDataRace(const Execution& execution, const Orders& orders) {
  for (std::size_t a = 0; a < execution.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const Event& one = execution[a];
      const Event& other = execution[b];
      if (one.kind == Event::Kind::kPlain && other.kind == Event::Kind::kPlain &&
          one.object == other.object && (one.writes || other.writes) &&
          !orders.happens_before.Has(a, b) && !orders.happens_before.Has(b, a)) {
        return true;
      }
    }
  }
  return false;
}

bool HasLoadBuffering(const Execution& execution) {
  Relation order = SequencedBefore(execution) | BeforeThreads(execution);
  for (std::size_t r = 0; r < execution.size(); ++r) {
    if (execution[r].Atomic() && execution[r].reads) order.Add(execution[r].from, r);
  }
  return !order.Closed().IsIrreflexive();
}

}  // namespace nowait::model::axioms
