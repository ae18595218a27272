// UnionFind: which bodies touch, linked by many threads at once.
//
// While the narrow phase finds contacts, every thread calls Union for the pairs it found. No body
// knows its contacts, and there is nothing to lock. When all threads are done, Finalise lists the
// islands with a few loops over one array. An element is a body's slot.
//
// Thread safety: Union and Find from any thread, at once. Reset and Finalise from one thread, while
// no thread links (phases: src/sync/phase.h, kCollide before, kSwap after).
// Progress: Find is wait-free: each step goes to a lower element. Union is lock-free: a
// compare-exchange on a root fails only when another thread's succeeded, and each success lowers a
// link for good.
//
// Promise: Union is linearizable over happens-before (models/kit/scenario/linearizability.h), as
// the joining of two sets of a partition. Find alone is weaker while other threads link; see below.
// A Find that no Union overlaps returns the lowest element of the set, for example after all
// linking threads have been joined.
//
// Source: [rouwe2022], "Lock free island building". Halving: [tarjan1984]; by one compare-exchange
// that is not repeated: [jayanti2016]. Model: models/islands/union_find. Lecture: union-find
// islands.
#ifndef NOWAIT_SRC_ISLANDS_UNION_FIND_H_
#define NOWAIT_SRC_ISLANDS_UNION_FIND_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include "src/islands/find_stats.h"
#include "src/sync/atomic_min_max.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class UnionFind {
 public:
  // capacity: elements are below it. Initially each is a set of its own.
  explicit UnionFind(std::uint32_t capacity) : links_(capacity) {
    for (std::uint32_t i = 0; i < capacity; ++i) links_[i].store(i, std::memory_order::relaxed);
  }

  std::uint32_t capacity() const { return static_cast<std::uint32_t>(links_.size()); }

  // The lowest element that `i` is known to be connected to. Links every other element of the path
  // to its next but one.
  // stats: counts the links followed, for the caller's thread alone; may be null.
  std::uint32_t Find(std::uint32_t i, FindStats* stats = nullptr) {
    std::uint32_t steps = 0;
    for (;;) {
      std::uint32_t link = links_[i].load(std::memory_order::relaxed);
      if (link == i) break;
      ++steps;
      const std::uint32_t next = links_[link].load(std::memory_order::relaxed);
      if (next == link) {
        i = link;
        break;
      }
      ++steps;
      // Compared with the very link that was read, and only once: if it has changed, another thread
      // has lowered it, and a store of `next` could raise it again.
      links_[i].compare_exchange_weak(link, next, std::memory_order::relaxed,
                                      std::memory_order::relaxed);
      i = next;
    }
    if (stats != nullptr) stats->AddFind(steps);
    return i;
  }

  // Connects the sets of `a` and `b`, which may be equal or already connected.
  void Union(std::uint32_t a, std::uint32_t b, FindStats* stats = nullptr) {
    std::uint32_t low = a;
    std::uint32_t high = b;
    for (;;) {
      // Continues from the lowest element found so far, not from a and b again.
      low = Find(low, stats);
      high = Find(high, stats);
      if (low == high) break;
      if (low > high) std::swap(low, high);
      // Always the higher root to the lower: a fixed direction makes no cycle.
      std::uint32_t root = high;
      if (links_[high].compare_exchange_weak(root, low, std::memory_order::relaxed,
                                             std::memory_order::relaxed)) {
        break;
      }
    }
    // Compress the path: `low` is connected to both. A minimum, not a store: another thread may
    // have linked one of them lower meanwhile, and a store over a root's new link would lose its
    // union.
    AtomicMin<Sync>(links_[a], low, std::memory_order::relaxed);
    AtomicMin<Sync>(links_[b], low, std::memory_order::relaxed);
    if (stats != nullptr) ++stats->unions;
  }

  // The present link of `i`. Called only while no thread links.
  std::uint32_t LinkOf(std::uint32_t i) const { return links_[i].load(std::memory_order::relaxed); }

  // Makes each of `elements` a set of its own again. All elements connected to them must be among
  // them.
  void Reset(std::span<const std::uint32_t> elements) {
    for (const std::uint32_t i : elements) links_[i].store(i, std::memory_order::relaxed);
  }

 private:
  SyncArray<Sync, typename Sync::template atomic<std::uint32_t>> links_;
};

// Implementation: why this is right
//
// The root of a set is its lowest slot, whichever thread linked first, and a body that wakes while
// others link needs nothing: its link has pointed to itself all along. ([rouwe2022] gives each
// awake body the next index instead: its array is as short as the number of awake bodies. Ours has
// an entry of 4 bytes for every slot. It saves the table from bodies to indices, and also the sort
// that the order of waking, different in each run, would need afterwards.)
//
// Bound: Find halves the path that it follows: a path is long only once. While one thread links, m
// calls of Union and Find on n elements follow O((m + n) log n) links in any order of the calls
// ([tarjan1984]); 2 log2 n + 2 links a call hold in the adverse orders that
// tests/islands/union_find_test.cc counts. A thread that loses a halving to another thread has its
// path shortened by that thread. A single call may still follow each element below it once.
//
// Invariants
//   1. links_[i] <= i at all times, and links_[i] == i exactly when i is the root of its set.
//   2. Links only fall. Following them from i therefore ends, at the lowest element that i is
//      connected to so far.
//   3. A root becomes a non-root only by the compare-exchange in Union, which expects it to be a
//      root. Path compression (AtomicMin) never changes a root's link: a and b are compressed to
//      the root that both have been led to, and each is that root or has been seen to link lower.
//      Halving (the compare-exchange in Find) expects a link that is not its element's own, and an
//      element that links lower is never a root again.
//
// The promise of Find while other threads link: Find(i) returns an element that is connected to i
// and not above i. The element is also not above any element that an earlier Union (by
// happens-before) has named together with i. Two Finds need not agree, not even about elements that
// their own thread has united.
// Linearization points: for a Union that joins, its successful compare-exchange on the higher root;
// for a Union that finds both connected already, the load that found the second root equal to the
// first.
//
// Memory orders: all relaxed. Nothing but the links is communicated through the links: only
// coherence (each link's own order of changes) and the atomicity of the exchanges are used. A
// thread that reads the result must be ordered after the linking threads by something else: the
// join of the jobs that linked. Finalise relies on just that.

}  // namespace nowait

#endif  // NOWAIT_SRC_ISLANDS_UNION_FIND_H_
