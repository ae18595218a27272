// UnionFindFixture: a scenario that stays as it is, by which the speed of the checker is compared
// from year to year.
//
// The structures of src change, and the number of executions of their scenarios with them. This is
// the union-find of commit 48d00ed, which follows links without halving paths and lowers them by a
// weak exchange, in its scenario 3x2: three threads link the same elements in turn, two unions
// each. No reduction applies to it: its threads differ, none of them waits, and its exchanges are
// plain ones. The checker examines each of the kExecutions executions that C++20 allows.
//
// Source: [rouwe2022], "Lock free island building". The structure today: src/islands/union_find.h.
#ifndef NOWAIT_TESTS_BENCH_UNION_FIND_FIXTURE_H_
#define NOWAIT_TESTS_BENCH_UNION_FIND_FIXTURE_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"
#include "src/sync/policy.h"

namespace nowait {

class UnionFindThen {
 public:
  explicit UnionFindThen(std::uint32_t capacity) : links_(capacity) {
    for (std::uint32_t i = 0; i < capacity; ++i) links_[i].store(i, std::memory_order::relaxed);
  }

  std::uint32_t Find(std::uint32_t i) const {
    for (;;) {
      const std::uint32_t link = links_[i].load(std::memory_order::relaxed);
      if (link == i) return i;
      i = link;
    }
  }
  void Union(std::uint32_t a, std::uint32_t b) {
    std::uint32_t low = a;
    std::uint32_t high = b;
    for (;;) {
      low = Find(low);
      high = Find(high);
      if (low == high) break;
      if (low > high) std::swap(low, high);
      std::uint32_t root = high;
      if (links_[high].compare_exchange_weak(root, low, std::memory_order::relaxed,
                                             std::memory_order::relaxed)) {
        break;
      }
    }
    Lower(links_[a], low);
    Lower(links_[b], low);
  }
  std::uint32_t LinkOf(std::uint32_t i) const { return links_[i].load(std::memory_order::relaxed); }

 private:
  using Link = ModelSync::atomic<std::uint32_t>;

  static void Lower(Link& link, std::uint32_t value) {
    std::uint32_t current = link.load(std::memory_order::relaxed);
    while (value < current &&
           !link.compare_exchange_weak(current, value, std::memory_order::relaxed,
                                       std::memory_order::relaxed)) {
    }
  }

  SyncArray<ModelSync, Link> links_;
};

struct UnionFindFixture {
  static constexpr int kThreads = 3;
  static constexpr std::uint64_t kExecutions = 2'980'394;

  void Thread(int t) {
    for (const auto& [a, b] : kUnions[t]) {
      history.Record("Union", [&] {
        sets.Union(a, b);
        return Operation{.is_union = true, .a = a, .b = b};
      });
    }
  }
  void After() {
    for (std::uint32_t i = 0; i < kElements; ++i) {
      model::Check(sets.LinkOf(i) <= i, "a link never points upwards");
      history.Record("Find", [&] { return Operation{.a = i, .b = sets.Find(i)}; });
    }
    model::CheckLinearizable<Partition>(history, "union-find is linearizable as a partition");
  }

  static constexpr std::uint32_t kElements = 4;
  static constexpr std::pair<std::uint32_t, std::uint32_t> kUnions[kThreads][2] = {
      {{3, 2}, {1, 0}}, {{3, 1}, {2, 1}}, {{2, 0}, {3, 0}}};

  struct Operation {
    bool is_union = false;  // otherwise a find, after all unions
    std::uint32_t a = 0;
    std::uint32_t b = 0;  // of a find: the answer
    std::string Words() const {
      return (is_union ? "Union(" : "Find(") + std::to_string(a) + (is_union ? ", " : ") = ") +
             std::to_string(b) + (is_union ? ")" : "");
    }
  };
  struct Partition {
    using Op = Operation;
    struct State {
      std::array<std::uint32_t, kElements> lowest = {0, 1, 2, 3};  // of the set of each element
      bool operator==(const State&) const = default;
    };
    static bool Apply(State& state, const Op& op, const model::Context<Op>&) {
      if (!op.is_union) return state.lowest[op.a] == op.b;
      const auto [low, high] = std::minmax(state.lowest[op.a], state.lowest[op.b]);
      std::ranges::replace(state.lowest, std::uint32_t{high}, std::uint32_t{low});
      return true;
    }
  };

  UnionFindThen sets{kElements};
  model::History<Operation> history;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_UNION_FIND_FIXTURE_H_
