// Sparing: fewer points for a curve that is within its limit.
//
// First, points are taken out. Without a point the values of its two neighbours are fitted again
// (refit.h), and the point that can be spared with the smallest error goes first. When there is no
// such point left, two neighbours are replaced by one at any frame from the one to the other, with
// the values of three points fitted again, as long as there is such a pair. Errors below an eighth
// of the limit count as equal; of those the point in the shortest interval goes, so that the points
// of a part that hardly moves are not taken out from one side.
//
// Thread safety: an object belongs to one thread. It may throw std::bad_alloc.
// Complexity: p points: O(p) refits, and O(log p) for the order of each. Deterministic.
// Source: the idea is that of [lyche1987], for another curve. Test: tests/animation/fit_test.cc.
#ifndef NOWAIT_SRC_ANIMATION_SPARING_H_
#define NOWAIT_SRC_ANIMATION_SPARING_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "src/animation/refit.h"

namespace nowait {

template <class Format>
class Sparing {
 public:
  static constexpr int N = Format::kComponents;
  using Value = std::array<double, N>;

  struct Point {
    int frame;
    std::uint64_t bits;
  };

  // A curve without jumps. samples: by frame. points: the first at frame 0, the last at the last
  // one, at least two. limit: of the error. most_gap: frames from a point to the next, which the
  // points keep.
  Sparing(const Format& format, std::span<const typename Format::Value> samples,
          std::span<const Point> points, double limit, int most_gap)
      : targets_(Turned(samples)),
        refit_(format, targets_, limit),
        limit_(limit),
        most_gap_(most_gap),
        slots_(samples.size()),
        format_(format) {
    int before = kNone;
    for (const Point& point : points) {
      Slot& slot = At(point.frame);
      const auto kept = format.Unpack(point.bits);
      for (int k = 0; k < N; ++k) slot.value[k] = kept[k];
      if (N == 4 && Dot(slot.value, targets_[static_cast<std::size_t>(point.frame)]) < 0.0) {
        for (double& component : slot.value) component = -component;
      }
      slot.bits = point.bits;
      slot.before = before;
      if (before != kNone) At(before).behind = point.frame;
      before = point.frame;
    }
  }

  std::vector<Point> Run() {
    TakeOut();
    ReplacePairs();
    std::vector<Point> points;
    for (int frame = 0; frame != kNone; frame = At(frame).behind) {
      points.push_back({frame, At(frame).bits});
    }
    return points;
  }

 private:
  static constexpr int kNone = -1;

  // A frame. If it has a point: its value, and the frames of the points beside it.
  struct Slot {
    Value value;
    std::uint64_t bits;
    int before = kNone;
    int behind = kNone;
    std::optional<double> cost;  // of taking the point out, if it is queued
  };
  using Key = std::tuple<double, int, int>;  // cost, length of the interval left, frame

  static double Dot(const Value& a, const Value& b) {
    double sum = 0.0;
    for (int k = 0; k < N; ++k) sum += a[k] * b[k];
    return sum;
  }

  // Each quaternion turned towards the one before it.
  static std::vector<Value> Turned(std::span<const typename Format::Value> samples) {
    std::vector<Value> targets;
    for (const auto& sample : samples) {
      Value target;
      for (int k = 0; k < N; ++k) target[k] = sample[k];
      if (N == 4 && !targets.empty() && Dot(target, targets.back()) < 0.0) {
        for (double& component : target) component = -component;
      }
      targets.push_back(target);
    }
    return targets;
  }

  Slot& At(int frame) { return slots_[static_cast<std::size_t>(frame)]; }
  // The point beside that of `frame`; at an end, itself.
  int Before(int frame) { return At(frame).before == kNone ? frame : At(frame).before; }
  int Behind(int frame) { return At(frame).behind == kNone ? frame : At(frame).behind; }

  // Free are `left`, `between` if it is a frame, and `right`. Points that lie between them now
  // are not part of it.
  Stretch<N> Around(int left, std::optional<int> between, int right) {
    Stretch<N> stretch;
    stretch.free = between ? 3 : 2;
    const auto set = [&](int i, int frame) {
      stretch.frame[i] = frame;
      stretch.value[i] = At(frame).value;
    };
    const int last = stretch.size() - 1;
    for (int i = Stretch<N>::kBeside, frame = left; i >= 0; --i, frame = Before(frame)) {
      set(i, frame);
    }
    for (int i = last - Stretch<N>::kBeside, frame = right; i <= last; ++i, frame = Behind(frame)) {
      set(i, frame);
    }
    if (between) set(Stretch<N>::kBeside + 1, *between);
    return stretch;
  }

  // The free points of a stretch that was solved take the place of all from its first to its last.
  void Keep(const Stretch<N>& stretch) {
    const int begin = Stretch<N>::kBeside;
    for (int i = begin; i < begin + stretch.free; ++i) {
      Slot& slot = At(stretch.frame[i]);
      slot.value = stretch.value[i];
      slot.bits = stretch.bits[i];
      if (i > begin) slot.before = stretch.frame[i - 1];
      if (i + 1 < begin + stretch.free) slot.behind = stretch.frame[i + 1];
    }
  }

  bool IsInside(int frame) { return At(frame).before != kNone && At(frame).behind != kNone; }

  Key KeyOf(int frame) {
    const int length = At(frame).behind - At(frame).before;
    return {std::max(*At(frame).cost, limit_ / 8), length, frame};
  }
  void Forget(int frame) {
    if (At(frame).cost) queue_.erase(KeyOf(frame));
    At(frame).cost.reset();
  }
  void Consider(int frame) {
    Forget(frame);
    if (!IsInside(frame) || At(frame).behind - At(frame).before > most_gap_) return;
    Stretch<N> stretch = Around(At(frame).before, std::nullopt, At(frame).behind);
    At(frame).cost = refit_.Solve(stretch);
    if (At(frame).cost) queue_.insert(KeyOf(frame));
  }

  void TakeOut() {
    for (int frame = 0; frame != kNone; frame = At(frame).behind) Consider(frame);
    while (!queue_.empty()) {
      const int frame = std::get<2>(*queue_.begin());
      const int left = At(frame).before, right = At(frame).behind;
      // Points farther away may have changed since its error was found.
      Stretch<N> stretch = Around(left, std::nullopt, right);
      Forget(frame);
      if (!refit_.Solve(stretch)) continue;
      // The keys of both have the length that changes.
      Forget(left);
      Forget(right);
      Keep(stretch);
      int first = left, last = right;
      for (int i = 0; i < 3; ++i) {
        first = Before(first);
        last = Behind(last);
      }
      for (int at = first; at != kNone && at <= last; at = At(at).behind) Consider(at);
    }
  }

  // Whether the points at `first` and the one behind it were replaced by one.
  bool ReplacePair(int first) {
    const int second = At(first).behind;
    const int left = At(first).before, right = At(second).behind;
    const int middle = (first + second) / 2;
    // From the middle outwards.
    for (int i = 0; i <= second - first; ++i) {
      const int frame = middle + (i % 2 == 1 ? (i + 1) / 2 : -(i / 2));
      if (frame < first || frame > second) continue;
      if (frame - left > most_gap_ || right - frame > most_gap_) continue;
      Stretch<N> stretch = Around(left, frame, right);
      if (!refit_.Solve(stretch)) continue;
      Keep(stretch);
      return true;
    }
    return false;
  }

  void ReplacePairs() {
    for (bool replaced = true; replaced;) {
      replaced = false;
      for (int frame = At(0).behind; frame != kNone;) {
        const int behind = At(frame).behind;
        if (behind == kNone || At(behind).behind == kNone) break;
        const int left = At(frame).before;
        if (ReplacePair(frame)) {
          replaced = true;
          // The new one may be the first of a pair with the one before it.
          frame = IsInside(left) ? left : At(left).behind;
        } else {
          frame = behind;
        }
      }
    }
  }

  std::vector<Value> targets_;
  Refit<Format> refit_;
  double limit_;
  int most_gap_;
  std::vector<Slot> slots_;  // by frame
  std::set<Key> queue_;
  Format format_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_SPARING_H_
