// FloodFill: islands as they were found before: all on one thread, when all contacts are known.
//
//   FloodFill fill;
//   fill.Run(bodies, contacts);            pairs of numbers below `bodies`
//   for (std::uint32_t i = 0; i < fill.count(); ++i) Solve(fill.island(i));
//
// The baseline of a comparison, beside union_find.h, whose sets grow while contacts are found. No
// body knows its contacts: the pairs are first brought into the order of bodies.
//
// Thread safety: one thread. It keeps its room, and allocates only where there is more than before;
// it may throw std::bad_alloc.
// Complexity: O(bodies + contacts).
// Test: tests/islands/flood_fill_test.cc. Used by tests/bench/islands_bench.cc and
// src/apps/openworld/earlier.h.
// Source: [rouwe2022], "Island building".
#ifndef NOWAIT_SRC_ISLANDS_FLOOD_FILL_H_
#define NOWAIT_SRC_ISLANDS_FLOOD_FILL_H_

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace nowait {

class FloodFill {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  // Islands in the order of their lowest bodies; a body without a contact is one of its own.
  void Run(std::uint32_t bodies, std::span<const Pair> contacts) {
    SortByBody(bodies, contacts);
    visited_.assign(bodies, 0);
    members_.clear();
    starts_.assign(1, 0);
    for (std::uint32_t seed = 0; seed < bodies; ++seed) {
      if (visited_[seed] == 0) Fill(seed);
    }
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(starts_.size() - 1); }
  std::span<const std::uint32_t> island(std::uint32_t i) const {
    return std::span(members_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }
  // Where each island begins in the list of all of them, and where the last one ends.
  const std::vector<std::uint32_t>& starts() const { return starts_; }

 private:
  void SortByBody(std::uint32_t bodies, std::span<const Pair> contacts) {
    first_.assign(bodies + std::size_t{1}, 0);
    for (const auto& [a, b] : contacts) {
      ++first_[a];
      ++first_[b];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    others_.resize(2 * contacts.size());
    for (const auto& [a, b] : contacts) {
      others_[--first_[a]] = b;
      others_[--first_[b]] = a;
    }
  }
  void Fill(std::uint32_t seed) {
    std::size_t next = members_.size();
    Visit(seed);
    for (; next < members_.size(); ++next) {
      const std::uint32_t body = members_[next];
      for (std::uint32_t i = first_[body]; i < first_[body + 1]; ++i) {
        if (visited_[others_[i]] == 0) Visit(others_[i]);
      }
    }
    starts_.push_back(static_cast<std::uint32_t>(members_.size()));
  }
  void Visit(std::uint32_t body) {
    visited_[body] = 1;
    members_.push_back(body);
  }

  std::vector<std::uint32_t> first_;  // by body: where its others begin
  std::vector<std::uint32_t> others_;
  std::vector<std::uint8_t> visited_;
  std::vector<std::uint32_t> members_;  // of all islands
  std::vector<std::uint32_t> starts_{0};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ISLANDS_FLOOD_FILL_H_
