// FindStats: the lengths of the paths that Find followed. One object per thread; added up later.
//
// Source: [rouwe2022], "Island building - result": the mean number of loops and their distribution.
#ifndef NOWAIT_SRC_ISLANDS_FIND_STATS_H_
#define NOWAIT_SRC_ISLANDS_FIND_STATS_H_

#include <algorithm>
#include <array>
#include <cstdint>

namespace nowait {

struct FindStats {
  static constexpr std::uint32_t kBuckets = 32;

  std::uint64_t unions = 0;
  std::uint64_t finds = 0;
  std::uint64_t steps = 0;  // links followed; reading the first element is not counted
  std::array<std::uint64_t, kBuckets> histogram{};  // finds by steps; the last bucket has the rest

  void AddFind(std::uint32_t path) {
    ++finds;
    steps += path;
    ++histogram[std::min(path, kBuckets - 1)];
  }

  double mean_steps() const {
    return finds == 0 ? 0.0 : static_cast<double>(steps) / static_cast<double>(finds);
  }

  FindStats& operator+=(const FindStats& other) {
    unions += other.unions;
    finds += other.finds;
    steps += other.steps;
    for (std::uint32_t i = 0; i < kBuckets; ++i) histogram[i] += other.histogram[i];
    return *this;
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ISLANDS_FIND_STATS_H_
