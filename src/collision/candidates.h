// Candidates: contact points of one pair that wait to be reduced to a manifold.
#ifndef NOWAIT_SRC_COLLISION_CANDIDATES_H_
#define NOWAIT_SRC_COLLISION_CANDIDATES_H_

#include <cstdint>
#include <span>

#include "src/collision/manifold.h"
#include "src/collision/reduce.h"

namespace nowait {

// When they overflow, the eight points that Reduce keeps stay.
class Candidates {
 public:
  void Add(const ContactPoint& point) {
    if (list_.count() == kMost) Compact();
    list_.Add(point);
  }

  std::span<const ContactPoint> points() const { return list_.points(); }

  void ReduceInto(Manifold& manifold) { Reduce(list_.points(), manifold); }

 private:
  static constexpr std::uint32_t kMost = 96;

  void Compact() {
    Manifold best;
    ReduceInto(best);
    list_.Clear();
    for (const ContactPoint& point : best.points()) list_.Add(point);
  }

  PointList<kMost> list_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_CANDIDATES_H_
