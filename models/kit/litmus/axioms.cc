#include "models/kit/litmus/axioms.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace nowait::model {
namespace {

constexpr std::size_t kMaxEvents = 64;

// A relation over events: row a has the bit of b when a is related to b.
class Relation {
 public:
  bool Has(std::size_t a, std::size_t b) const { return (rows_[a] >> b & 1) != 0; }
  void Add(std::size_t a, std::size_t b) { rows_[a] |= std::uint64_t{1} << b; }

  Relation operator|(const Relation& other) const {
    Relation sum = *this;
    for (std::size_t a = 0; a < kMaxEvents; ++a) sum.rows_[a] |= other.rows_[a];
    return sum;
  }
  // a to c when a is related to some b here and b to c there.
  Relation Then(const Relation& other) const {
    Relation product;
    for (std::size_t a = 0; a < kMaxEvents; ++a) {
      for (std::uint64_t left = rows_[a]; left != 0; left &= left - 1) {
        product.rows_[a] |= other.rows_[static_cast<std::size_t>(std::countr_zero(left))];
      }
    }
    return product;
  }
  Relation Closed() const {
    Relation closure = *this;
    for (std::size_t k = 0; k < kMaxEvents; ++k) {
      for (std::size_t a = 0; a < kMaxEvents; ++a) {
        if (closure.Has(a, k)) closure.rows_[a] |= closure.rows_[k];
      }
    }
    return closure;
  }
  bool IsIrreflexive() const {
    for (std::size_t a = 0; a < kMaxEvents; ++a) {
      if (Has(a, a)) return false;
    }
    return true;
  }

 private:
  std::array<std::uint64_t, kMaxEvents> rows_{};
};

struct Node {
  int thread;
  std::uint32_t object;
  std::memory_order order;
  bool reads = false, writes = false, fence = false, plain = false;
  std::size_t from = kMaxEvents;  // the node that was read
  std::size_t place = 0;          // in modification order

  bool Atomic() const { return !fence && !plain; }
  bool SeqCst() const { return Atomic() || fence ? order == std::memory_order::seq_cst : false; }
};

class Execution {
 public:
  explicit Execution(const Trace& trace) {
    std::map<EventNumber, std::size_t> node_of;
    std::size_t effects = 0;
    for (EventNumber number = 1; number <= trace.last(); ++number) {
      const Event& event = trace[number];
      if (event.thread == kAfter) break;
      if (event.kind == OperationKind::kLateStore) {
        nodes_[node_of.at(event.from)].place = ++effects;
        continue;
      }
      if (event.kind == OperationKind::kYield) continue;
      if (nodes_.size() == kMaxEvents) {
        std::fputs("models/kit/litmus/axioms: more than 64 events\n", stderr);
        std::abort();
      }
      Node node{event.thread, event.object, event.order};
      node.fence = event.kind == OperationKind::kFence;
      node.plain =
          event.kind == OperationKind::kPlainRead || event.kind == OperationKind::kPlainWrite;
      node.reads = event.reads;
      node.writes = event.writes;
      if (node.writes && !event.deferred) node.place = ++effects;
      if (node.reads && node.Atomic()) node.from = node_of.at(event.from);
      node_of[number] = nodes_.size();
      nodes_.push_back(node);
    }
    FillOrders();
  }

  std::string Broken() const {
    if (!happens_before_.IsIrreflexive()) return "happens-before has a cycle";
    if (!coherence_.IsIrreflexive() || !happens_before_.Then(coherence_).IsIrreflexive()) {
      return "coherence";
    }
    for (std::size_t a = 0; a < nodes_.size(); ++a) {
      if (nodes_[a].Atomic() && nodes_[a].reads && nodes_[a].writes && Between(a)) {
        return "a read-modify-write does not read the last value";
      }
    }
    if (!OrderS().Closed().IsIrreflexive()) return "there is no order S";
    return "";
  }

  bool HasRace() const {
    for (std::size_t a = 0; a < nodes_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (nodes_[a].plain && nodes_[b].plain && nodes_[a].object == nodes_[b].object &&
            (nodes_[a].writes || nodes_[b].writes) && !happens_before_.Has(b, a) &&
            !happens_before_.Has(a, b)) {
          return true;
        }
      }
    }
    return false;
  }

 private:
  bool SameAtomic(std::size_t a, std::size_t b) const {
    return nodes_[a].Atomic() && nodes_[b].Atomic() && nodes_[a].object == nodes_[b].object;
  }
  // Where an access stands in modification order: at its store, or at the one that it reads.
  std::size_t Place(std::size_t a) const {
    return nodes_[a].writes ? nodes_[a].place : nodes_[nodes_[a].from].place;
  }
  bool Between(std::size_t rmw) const {
    for (std::size_t w = 0; w < nodes_.size(); ++w) {
      if (w != rmw && SameAtomic(w, rmw) && nodes_[w].writes &&
          nodes_[nodes_[rmw].from].place < nodes_[w].place && nodes_[w].place < nodes_[rmw].place) {
        return true;
      }
    }
    return false;
  }

  void FillOrders() {
    for (std::size_t a = 0; a < nodes_.size(); ++a) {
      for (std::size_t b = a + 1; b < nodes_.size(); ++b) {
        if (nodes_[a].thread == nodes_[b].thread) sequenced_.Add(a, b);
        if (nodes_[a].thread == kSetUp && nodes_[b].thread != kSetUp) started_.Add(a, b);
      }
    }
    // Coherence-ordered before, [atomics.order] 3: reads-from, modification order, from-reads.
    for (std::size_t a = 0; a < nodes_.size(); ++a) {
      for (std::size_t b = 0; b < nodes_.size(); ++b) {
        if (a == b || !SameAtomic(a, b)) continue;
        if (nodes_[b].from == a) coherence_.Add(a, b);
        if (nodes_[a].writes && nodes_[b].writes && nodes_[a].place < nodes_[b].place) {
          coherence_.Add(a, b);
        }
        if (nodes_[a].reads && nodes_[b].writes && nodes_[nodes_[a].from].place < nodes_[b].place) {
          coherence_.Add(a, b);
        }
      }
    }
    coherence_ = coherence_.Closed();
    FillSynchronises();
    happens_before_ = (sequenced_ | started_ | synchronises_).Closed();
  }

  // Whether `reader` reads from the release sequence that `head` heads.
  bool ReadsFromSequence(std::size_t reader, std::size_t head) const {
    for (std::size_t w = nodes_[reader].from; w != kMaxEvents; w = nodes_[w].from) {
      if (w == head) return true;
      if (!nodes_[w].reads) return false;  // a store that is no read-modify-write
    }
    return false;
  }

  // The access itself, if its order is right, and the fences on the other side of it.
  template <class Right>
  std::vector<std::size_t> Ends(std::size_t access, bool fence_before, Right right) const {
    std::vector<std::size_t> ends;
    if (right(nodes_[access].order)) ends.push_back(access);
    for (std::size_t f = 0; f < nodes_.size(); ++f) {
      if (nodes_[f].fence && right(nodes_[f].order) &&
          (fence_before ? sequenced_.Has(f, access) : sequenced_.Has(access, f))) {
        ends.push_back(f);
      }
    }
    return ends;
  }

  void FillSynchronises() {
    for (std::size_t w = 0; w < nodes_.size(); ++w) {
      if (!nodes_[w].Atomic() || !nodes_[w].writes || nodes_[w].thread == kSetUp) continue;
      for (std::size_t r = 0; r < nodes_.size(); ++r) {
        if (!nodes_[r].Atomic() || !nodes_[r].reads || !ReadsFromSequence(r, w)) continue;
        for (const std::size_t from : Ends(w, true, Releases)) {
          for (const std::size_t to : Ends(r, false, Acquires)) {
            if (nodes_[from].thread != nodes_[to].thread) synchronises_.Add(from, to);
          }
        }
      }
    }
  }

  // [atomics.order] 4. What must come before what in S.
  Relation OrderS() const {
    Relation strongly = sequenced_ | sequenced_.Then(happens_before_).Then(sequenced_);
    for (std::size_t a = 0; a < nodes_.size(); ++a) {
      for (std::size_t b = 0; b < nodes_.size(); ++b) {
        if (synchronises_.Has(a, b) && nodes_[a].SeqCst() && nodes_[b].SeqCst()) strongly.Add(a, b);
      }
    }
    strongly = strongly.Closed();
    Relation order;
    for (std::size_t a = 0; a < nodes_.size(); ++a) {
      for (std::size_t b = 0; b < nodes_.size(); ++b) {
        if (nodes_[a].SeqCst() && nodes_[b].SeqCst() && strongly.Has(a, b)) order.Add(a, b);
        if (!coherence_.Has(a, b)) continue;
        for (const std::size_t first : Representatives(a, true)) {
          for (const std::size_t last : Representatives(b, false)) order.Add(first, last);
        }
      }
    }
    return order;
  }
  // What stands for an access in S: itself if it is seq_cst, and the seq_cst fences on its side.
  std::vector<std::size_t> Representatives(std::size_t access, bool before) const {
    std::vector<std::size_t> all;
    if (nodes_[access].SeqCst()) all.push_back(access);
    for (std::size_t f = 0; f < nodes_.size(); ++f) {
      if (nodes_[f].fence && nodes_[f].SeqCst() &&
          (before ? happens_before_.Has(f, access) : happens_before_.Has(access, f))) {
        all.push_back(f);
      }
    }
    return all;
  }

  std::vector<Node> nodes_;
  Relation sequenced_;
  Relation started_;  // set-up before every thread
  Relation synchronises_;
  Relation happens_before_;
  Relation coherence_;
};

}  // namespace

std::string BrokenAxiom(const Trace& trace) { return Execution(trace).Broken(); }

bool HasDataRace(const Trace& trace) { return Execution(trace).HasRace(); }

}  // namespace nowait::model
