// Random small executions for tests that compare two results: atomics of two objects, fences,
// mutexes and blocks.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_RANDOM_TRACE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_RANDOM_TRACE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "models/kit/program/operation.h"
#include "models/kit/program/trace.h"

namespace nowait::model::counterexample {

// Coherent only by chance, which is enough for questions about happens-before, because modification
// order plays no part in them.
class RandomTrace {
 public:
  explicit RandomTrace(std::uint64_t seed) : random_(seed) {}

  Trace Make() {
    const int threads = 2 + Below(2);
    for (int left = 4 + Below(14); left > 0; --left) AddStep(Below(threads));
    return trace_;
  }

 private:
  static constexpr std::array kOrders = {std::memory_order::relaxed, std::memory_order::acquire,
                                         std::memory_order::release, std::memory_order::acq_rel,
                                         std::memory_order::seq_cst};

  int Below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  std::memory_order AnyOrder() { return kOrders[static_cast<std::size_t>(Below(5))]; }

  void AddStep(int thread) {
    switch (Below(4)) {
      case 0:
        return AddAccess(thread, OperationKind::kLoad, true, false);
      case 1:
        return AddAccess(thread, OperationKind::kStore, false, true);
      case 2:
        return AddAccess(thread, OperationKind::kFetchAdd, true, true);
      default:
        trace_.Add(thread, OperationKind::kFence, Site()).order = AnyOrder();
    }
  }

  void AddAccess(int thread, OperationKind kind, bool reads, bool writes) {
    model::Event& event = trace_.Add(thread, kind, Site());
    event.object = 1 + static_cast<std::uint32_t>(Below(2));
    event.reads = reads;
    event.writes = writes;
    event.order = AnyOrder();
    if (!reads && Acquires(event.order)) event.order = std::memory_order::release;
    if (!writes && Releases(event.order)) event.order = std::memory_order::acquire;
    std::vector<EventNumber>& stores = stores_[event.object];
    if (reads) {
      const int store = Below(static_cast<int>(stores.size()) + 1);
      // A read-modify-write reads the newest store.
      if (writes && !stores.empty()) {
        event.from = stores.back();
      } else if (!writes && store > 0) {
        event.from = stores[static_cast<std::size_t>(store) - 1];
      }
    }
    if (!writes) return;
    event.place = static_cast<std::uint32_t>(stores.size()) + 1;
    stores.push_back(trace_.last());
  }

  std::mt19937_64 random_;
  Trace trace_;
  std::map<std::uint32_t, std::vector<EventNumber>> stores_;
};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_RANDOM_TRACE_H_
