// Refit: values for some neighbouring points of a curve, so that its largest error there is small.
//
//   Stretch<4> stretch = ...;               up to nine points in a row, of which some are free
//   const auto error = refit.Solve(stretch);
//   if (error) ...                          within the limit, with stretch.bits for the free points
//
// A curve is linear in the values of its points, because its derivatives are differences of them
// (CubicWeights). So the values with the least sum of squared errors follow from a linear system,
// with an equation for each free point. The largest error is made small by weights: each round
// multiplies the weight of a frame by the frame's error (Lawson's algorithm). In each round the
// values are rounded to codes one after the other, and each is solved for once more with those
// before it as they were rounded; errors are measured with rounded values.
//
// The search ends early in both directions. A weighted mean of squared errors that is above the
// limit's square, at the best values, proves that some error is above the limit at any values.
//
// Thread safety: an object belongs to one thread.
// Complexity: for each round, linear in the frames of the stretch. Deterministic.
// Source: [lawson1961]. Test: tests/animation/refit_test.cc.
#ifndef NOWAIT_SRC_ANIMATION_REFIT_H_
#define NOWAIT_SRC_ANIMATION_REFIT_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/animation/hermite.h"

namespace nowait {

// Points of a curve in a row. Three on either side of the free ones are those whose windows have a
// free one; where the curve ends, its last point is repeated.
template <int N>
struct Stretch {
  static constexpr int kBeside = 3;
  static constexpr int kMostFree = 3;
  static constexpr int kMost = kMostFree + 2 * kBeside;

  int free = 0;  // points kBeside .. kBeside + free - 1
  std::array<int, kMost> frame{};
  std::array<std::array<double, N>, kMost> value{};
  std::array<std::uint64_t, kMost> bits{};  // of the free ones, by Solve

  int size() const { return free + 2 * kBeside; }
};

template <class Format>
class Refit {
 public:
  static constexpr int N = Format::kComponents;
  using Value = std::array<double, N>;

  // targets: by frame, each turned towards the one before it. limit: in the units of
  // Format::Distance. Both outlive the object.
  Refit(const Format& format, std::span<const Value> targets, double limit)
      : format_(format), targets_(targets), limit_(limit) {}

  // Sets the values and bits of the free points. Returns the largest error at the frames of their
  // intervals; nothing if no values within the limit were found.
  std::optional<double> Solve(Stretch<N>& stretch) {
    FillRows(stretch);
    for (int round = 0; round < kRounds; ++round) {
      SolveWeighted(stretch);
      if (IsOutOfReach(stretch)) return std::nullopt;
      for (int c = 0; c < stretch.free; ++c) {
        if (c > 0) SolveOne(stretch, c);
        Round(stretch, c);
      }
      if (!IsTurned(stretch)) return std::nullopt;
      const double error = Measure(stretch);
      if (error <= limit_) return error;
      for (Row& row : rows_) row.importance *= row.error / error + kLeastFactor;
    }
    return std::nullopt;
  }

  // The code of a value and the value of that code, turned towards the target at `frame`.
  std::uint64_t RoundTo(int frame, Value& value) const {
    typename Format::Value exact;
    const double scale = N == 4 ? 1.0 / std::sqrt(std::max(Dot(value, value), 1e-12)) : 1.0;
    for (int k = 0; k < N; ++k) exact[k] = static_cast<float>(value[k] * scale);
    const std::uint64_t bits = format_.Pack(exact);
    const auto kept = format_.Unpack(bits);
    for (int k = 0; k < N; ++k) value[k] = kept[k];
    if (N == 4 && Dot(value, targets_[static_cast<std::size_t>(frame)]) < 0.0) {
      for (double& component : value) component = -component;
    }
    return bits;
  }

 private:
  static constexpr int kFirst = Stretch<N>::kBeside;
  static constexpr int kMostFree = Stretch<N>::kMostFree;
  static constexpr int kRounds = 6;
  static constexpr double kLeastFactor = 1e-3;  // no frame is forgotten

  // A frame: the curve is the sum of weight * free value, and the points that are not free.
  struct Row {
    const Value* target;
    Value missing;  // the target without the points that are not free
    std::array<double, kMostFree> weight;
    double importance;
    double error;
  };

  static double Dot(const Value& a, const Value& b) {
    double sum = 0.0;
    for (int k = 0; k < N; ++k) sum += a[k] * b[k];
    return sum;
  }

  void FillRows(const Stretch<N>& stretch) {
    rows_.clear();
    for (int i = 1; i + 2 < stretch.size(); ++i) {
      // The frame at which an interval ends belongs to it; the curve's first frame, to the first.
      const bool first = stretch.frame[i] == 0;
      for (int frame = stretch.frame[i] + !first; frame <= stretch.frame[i + 1]; ++frame) {
        if (stretch.frame[i] == stretch.frame[i + 1]) break;
        const auto weights = CubicWeights(
            {stretch.frame[i - 1], stretch.frame[i], stretch.frame[i + 1], stretch.frame[i + 2]},
            frame);
        const Value& target = targets_[static_cast<std::size_t>(frame)];
        Row row{&target, target, {}, 1.0, 0.0};
        for (int k = 0; k < 4; ++k) {
          const int point = i - 1 + k;
          if (point >= kFirst && point < kFirst + stretch.free) {
            row.weight[static_cast<std::size_t>(point - kFirst)] = weights[k];
          } else {
            for (int n = 0; n < N; ++n) row.missing[n] -= weights[k] * stretch.value[point][n];
          }
        }
        rows_.push_back(row);
      }
    }
  }

  // The least weighted sum of squares over all free values: Gaussian elimination. Every free point
  // has a frame of its own, so that no pivot is zero.
  void SolveWeighted(Stretch<N>& stretch) const {
    const int m = stretch.free;
    std::array<std::array<double, kMostFree + N>, kMostFree> a{};
    for (const Row& row : rows_) {
      for (int r = 0; r < m; ++r) {
        const double factor = row.importance * row.weight[r];
        for (int c = 0; c < m; ++c) a[r][c] += factor * row.weight[c];
        for (int k = 0; k < N; ++k) a[r][m + k] += factor * row.missing[k];
      }
    }
    for (int r = 0; r < m; ++r) {
      for (int below = r + 1; below < m; ++below) {
        const double factor = a[below][r] / a[r][r];
        for (int c = r; c < m + N; ++c) a[below][c] -= factor * a[r][c];
      }
    }
    for (int r = m - 1; r >= 0; --r) {
      for (int k = 0; k < N; ++k) {
        double sum = a[r][m + k];
        for (int c = r + 1; c < m; ++c) sum -= a[r][c] * stretch.value[kFirst + c][k];
        stretch.value[kFirst + r][k] = sum / a[r][r];
      }
    }
  }

  // The difference of the curve and its target. All values are as they stand.
  Value Difference(const Stretch<N>& stretch, const Row& row) const {
    Value difference;
    for (int k = 0; k < N; ++k) difference[k] = -row.missing[k];
    for (int c = 0; c < stretch.free; ++c) {
      for (int k = 0; k < N; ++k) difference[k] += row.weight[c] * stretch.value[kFirst + c][k];
    }
    return difference;
  }

  // At the best values for these weights. Bringing a quaternion to length one makes its error
  // smaller by less than the hundredth that is left.
  bool IsOutOfReach(const Stretch<N>& stretch) const {
    double squares = 0.0, weights = 0.0;
    for (const Row& row : rows_) {
      const Value difference = Difference(stretch, row);
      squares += row.importance * Dot(difference, difference);
      weights += row.importance;
    }
    return squares > 1.02 * limit_ * limit_ * weights;
  }

  void SolveOne(Stretch<N>& stretch, int c) const {
    Value& value = stretch.value[kFirst + c];
    value = {};
    double squares = 0.0;
    Value sum{};
    for (const Row& row : rows_) {
      const double factor = row.importance * row.weight[c];
      const Value difference = Difference(stretch, row);
      squares += factor * row.weight[c];
      for (int k = 0; k < N; ++k) sum[k] -= factor * difference[k];
    }
    for (int k = 0; k < N; ++k) value[k] = sum[k] / squares;
  }

  void Round(Stretch<N>& stretch, int c) const {
    const int point = kFirst + c;
    stretch.bits[point] = RoundTo(stretch.frame[point], stretch.value[point]);
  }

  // Whether playback turns the points as they are turned here: each towards the one before it.
  bool IsTurned(const Stretch<N>& stretch) const {
    if (N != 4) return true;
    for (int i = kFirst - 1; i < kFirst + stretch.free; ++i) {
      if (!(Dot(stretch.value[i], stretch.value[i + 1]) > 0.0)) return false;
    }
    return true;
  }

  double Measure(const Stretch<N>& stretch) {
    double largest = 0.0;
    for (Row& row : rows_) {
      Value difference = Difference(stretch, row);
      if (N == 4) {
        Value at;
        for (int k = 0; k < N; ++k) at[k] = difference[k] + (*row.target)[k];
        const double scale = 1.0 / std::sqrt(std::max(Dot(at, at), 1e-12));
        for (int k = 0; k < N; ++k) difference[k] = at[k] * scale - (*row.target)[k];
      }
      row.error = std::sqrt(Dot(difference, difference));
      largest = std::max(largest, row.error);
    }
    return largest;
  }

  Format format_;
  std::span<const Value> targets_;
  double limit_;
  std::vector<Row> rows_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_REFIT_H_
