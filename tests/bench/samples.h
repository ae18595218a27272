// Samples: numbers of one kind, and what is said of them: mean, 99th percentile, most, median.
#ifndef NOWAIT_TESTS_BENCH_SAMPLES_H_
#define NOWAIT_TESTS_BENCH_SAMPLES_H_

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace nowait {

class Samples {
 public:
  void Add(double value) { values_.push_back(value); }
  void Add(const Samples& other) {
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
  }

  bool empty() const { return values_.empty(); }
  double Mean() const {
    if (empty()) return 0.0;
    return std::accumulate(values_.begin(), values_.end(), 0.0) /
           static_cast<double>(values_.size());
  }
  double Median() const { return Percentile(50); }
  double Max() const { return Percentile(100); }

  // The least sample that `percent` of all samples do not exceed; 0 without samples.
  double Percentile(std::size_t percent) const {
    if (empty()) return 0.0;
    std::vector<double> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t rank = (percent * sorted.size() + 99) / 100;
    return sorted[std::max<std::size_t>(rank, 1) - 1];
  }

 private:
  std::vector<double> values_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_SAMPLES_H_
