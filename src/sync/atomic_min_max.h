// AtomicMin and AtomicMax: lower or raise an atomic to a value, unless it is already there.
//
// Thread safety: any thread, any time. Lock-free: a compare-exchange fails only because another
// thread changed the value, and a value that only falls (or only rises) is retried at most once for
// each change by another thread.
//
// Linearization point: the successful compare-exchange; otherwise the load that found nothing to
// do.
//
// Source: AtomicMin and AtomicMax of [rouwe2022] (quad tree: moving a body; islands: path
// compression).
// Models: models/islands/union_find (AtomicMin), models/jobs/job_list_registry (AtomicMax),
// models/broadphase/quad_tree (both). Lecture: union-find islands.
#ifndef NOWAIT_SRC_SYNC_ATOMIC_MIN_MAX_H_
#define NOWAIT_SRC_SYNC_ATOMIC_MIN_MAX_H_

#include <atomic>

namespace nowait {

// Lowers `target` to at most `value`. Returns whether it changed anything. `order` is the order of
// the exchange; if nothing changes, there is only the relaxed load.
template <class Sync, class T>
bool AtomicMin(typename Sync::template atomic<T>& target, T value, std::memory_order order,
               typename Sync::Site site = Sync::Site::current()) {
  T current = target.load(std::memory_order::relaxed, site);
  while (value < current) {
    if (target.compare_exchange_retry(current, value, order, std::memory_order::relaxed, site)) {
      return true;
    }
  }
  return false;
}

// Raises `target` to at least `value`; otherwise like AtomicMin.
template <class Sync, class T>
bool AtomicMax(typename Sync::template atomic<T>& target, T value, std::memory_order order,
               typename Sync::Site site = Sync::Site::current()) {
  T current = target.load(std::memory_order::relaxed, site);
  while (current < value) {
    if (target.compare_exchange_retry(current, value, order, std::memory_order::relaxed, site)) {
      return true;
    }
  }
  return false;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_ATOMIC_MIN_MAX_H_
