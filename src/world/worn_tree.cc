#include "src/world/worn_tree.h"

#include <algorithm>
#include <cstddef>

#include "src/broadphase/probe.h"

namespace nowait {
namespace {

// A box probe that counts the nodes at which it is asked.
class CountingProbe : public BoxProbe<3> {
 public:
  CountingProbe(const Bounds<3>& box, std::uint64_t& nodes) : BoxProbe<3>(box), nodes_(&nodes) {}

  template <int N>
  LaneBits Hits(const BoxRows<3, N>& rows, typename BoxRows<3, N>::Row& nearest) const {
    if constexpr (N > 1) ++*nodes_;  // a single box is that of a body
    return BoxProbe<3>::Hits(rows, nearest);
  }

 private:
  std::uint64_t* nodes_;
};

bool HasMovedMany(const WorldState& state) {
  constexpr std::ptrdiff_t kMany = 64;
  // Disturbed as well: not a kinematic body on its way.
  const auto is_moved = [](Changes of) {
    return of.Has(Change::kMoved) && of.Has(Change::kDisturbed);
  };
  return std::ranges::count_if(state.changes, is_moved) >= kMany;
}

}  // namespace

bool IsTreeWorn(const WorldState& state, std::span<const std::uint32_t> looking) {
  // A node's visit costs a twentieth of a body's part in a rebuild, which loses its overlap here.
  constexpr std::uint64_t kVisitsABody = 64;
  if (looking.empty() || !HasMovedMany(state)) return false;
  const BroadPhase::View view = state.tree->Read();
  std::uint64_t visits = 0;
  for (std::size_t i = 0; i < kTreeSamples; ++i) {
    const Body& body = state.bodies[looking[i * looking.size() / kTreeSamples]];
    CountingProbe probe(body.box, visits);
    view.Query(
        probe, [](ProxyId) { return true; }, state.tree->collisions().PartnersOf(body.layer));
  }
  return visits * looking.size() > kVisitsABody * kTreeSamples * state.bodies.count();
}

}  // namespace nowait
