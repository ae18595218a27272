// Small scenarios with understood failures, for the tests of the checker's explanations.
#ifndef NOWAIT_MODELS_KIT_DIAGNOSIS_DIAGNOSED_H_
#define NOWAIT_MODELS_KIT_DIAGNOSIS_DIAGNOSED_H_

#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/run_exhaustive.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::diagnosed {

using Order = std::memory_order;

// Message passing: correct with a release and an acquire.
template <Order kStore, Order kLoad>
struct Publication {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      data.set(1);
      ready.store(true, kStore);
    } else if (ready.load(kLoad)) {
      Check(data.get() == 1, "the published value is seen");
    }
  }
  ModelSync::plain<int> data{0};
  ModelSync::atomic<bool> ready{false};
};

// The same with three threads and some unrelated steps between set-up and publication.
template <Order kStore, Order kLoad>
struct LongPublication : Publication<kStore, kLoad> {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    other.fetch_add(1, Order::relaxed);
    if (t < 2) Publication<kStore, kLoad>::Thread(t);
  }
  ModelSync::atomic<int> other{0};
};

// Store buffering: correct only if all four orders are seq_cst.
template <Order kStore, Order kLoad>
struct Buffering {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    flags[t].store(true, kStore);
    saw[t] = flags[1 - t].load(kLoad);
  }
  void After() { Check(saw[0] || saw[1], "one of them sees the other"); }
  ModelSync::atomic<bool> flags[2];
  bool saw[2] = {};
};

// A lost update: wrong with any order.
template <Order kStore, Order kLoad>
struct LostUpdate {
  static constexpr int kThreads = 2;
  void Thread(int) { count.store(count.load(kLoad) + 1, kStore); }
  void After() { Check(count.load(Order::relaxed) == 2, "no increment is lost"); }
  ModelSync::atomic<int> count{0};
};

template <class S>
ScenarioEntry Entry(std::string name) {
  return Scenario<S>::Entry({.name = std::move(name), .promise = "", .searches = {}});
}

// The result of a search that must fail.
inline SearchResult FailureOf(const ScenarioEntry& scenario) {
  SiteTable sites;
  SearchResult result = RunExhaustive(scenario, Graphs(), {}, sites, {});
  REQUIRE(result.failure);
  return result;
}

}  // namespace nowait::model::diagnosed

#endif  // NOWAIT_MODELS_KIT_DIAGNOSIS_DIAGNOSED_H_
