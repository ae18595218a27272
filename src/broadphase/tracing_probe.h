// TracingProbe: a probe that also notes the boxes of the nodes at which a query asks it.
//
//   std::vector<Bounds<3>> visited;
//   TracingProbe probe(RayProbe<3>(ray), visited);
//   view.Query(probe, f);                  visits what it visits with the RayProbe
//
// A query asks once at each node that it visits, about the boxes of all its slots. The box of the
// node is the one around them; it is inside out where the node has no child.
//
// Thread safety: a probe belongs to one query. Hits may throw std::bad_alloc.
// Source: a tool's need ([rouwe2022], "Quad tree - collision query", has the walk that it shows).
#ifndef NOWAIT_SRC_BROADPHASE_TRACING_PROBE_H_
#define NOWAIT_SRC_BROADPHASE_TRACING_PROBE_H_

#include <algorithm>
#include <vector>

#include "src/broadphase/probe.h"
#include "src/math/bounds.h"

namespace nowait {

template <class Probe, int Axes = 3>
class TracingProbe : public Probe {
 public:
  // visited: outlives the probe; gets the boxes in the order of the visits.
  TracingProbe(const Probe& probe, std::vector<Bounds<Axes>>& visited)
      : Probe(probe), visited_(&visited) {}

  template <int N>
  LaneBits Hits(const BoxRows<Axes, N>& rows, typename BoxRows<Axes, N>::Row& nearest) const {
    // A single box is that of a body, at which the query looks again.
    if constexpr (N > 1) visited_->push_back(BoxAround(rows));
    return Probe::Hits(rows, nearest);
  }

 private:
  template <int N>
  static Bounds<Axes> BoxAround(const BoxRows<Axes, N>& rows) {
    Bounds<Axes> box;
    for (int axis = 0; axis < Axes; ++axis) {
      const auto low = rows.min(axis).ToArray();
      const auto high = rows.max(axis).ToArray();
      box.min[axis] = *std::ranges::min_element(low);
      box.max[axis] = *std::ranges::max_element(high);
    }
    return box;
  }

  std::vector<Bounds<Axes>>* visited_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_TRACING_PROBE_H_
