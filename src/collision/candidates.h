// Candidates: contact points of one pair that wait to be reduced to a manifold.
#ifndef NOWAIT_SRC_COLLISION_CANDIDATES_H_
#define NOWAIT_SRC_COLLISION_CANDIDATES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "src/collision/manifold.h"
#include "src/collision/reduce.h"

namespace nowait {

// When they overflow, the eight points that Reduce keeps stay.
class Candidates {
 public:
  void Add(const ContactPoint& point) {
    if (count_ == points_.size()) Compact();
    points_[count_++] = point;
  }

  std::span<const ContactPoint> points() const { return std::span(points_).first(count_); }

  void ReduceInto(Manifold& manifold) { Reduce(std::span(points_).first(count_), manifold); }

 private:
  void Compact() {
    Manifold best;
    ReduceInto(best);
    std::copy(best.points().begin(), best.points().end(), points_.begin());
    count_ = best.count();
  }

  std::size_t count_ = 0;
  std::array<ContactPoint, 96> points_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_CANDIDATES_H_
