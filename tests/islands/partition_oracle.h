// PartitionOracle: the result of union-find, in the plainest way: every element has a label, and a
// union relabels one whole set. Quadratic, sequential, obvious.
//
// The label of a set is its lowest element.
#ifndef NOWAIT_TESTS_ISLANDS_PARTITION_ORACLE_H_
#define NOWAIT_TESTS_ISLANDS_PARTITION_ORACLE_H_

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace nowait {

class PartitionOracle {
 public:
  explicit PartitionOracle(std::uint32_t count) : label_(count) {
    std::iota(label_.begin(), label_.end(), 0u);
  }

  void Union(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t low = std::min(label_[a], label_[b]);
    const std::uint32_t high = std::max(label_[a], label_[b]);
    std::replace(label_.begin(), label_.end(), high, low);
  }

  std::uint32_t Label(std::uint32_t i) const { return label_[i]; }
  const std::vector<std::uint32_t>& labels() const { return label_; }

 private:
  std::vector<std::uint32_t> label_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_ISLANDS_PARTITION_ORACLE_H_
