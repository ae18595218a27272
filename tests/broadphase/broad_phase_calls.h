// A broad phase with room, and calls of it that must succeed.
//
// Thread safety: one thread.
#ifndef NOWAIT_TESTS_BROADPHASE_BROAD_PHASE_CALLS_H_
#define NOWAIT_TESTS_BROADPHASE_BROAD_PHASE_CALLS_H_

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/broadphase/broad_phase.h"

namespace nowait {

using Ids = std::vector<ProxyId>;

inline std::unique_ptr<BroadPhase> Make(std::uint32_t bodies) {
  auto broad_phase = BroadPhase::Create(BroadPhaseDef::ForBodies(bodies));
  REQUIRE(broad_phase.has_value());
  return std::move(*broad_phase);
}

inline Ids Found(const BroadPhase& broad_phase, const Box& box) {
  Ids found;
  broad_phase.Read().QueryBox(box, [&](ProxyId id) {
    found.push_back(id);
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

inline void RebuildAndSwap(BroadPhase& broad_phase) {
  REQUIRE(broad_phase.Rebuild().has_value());
  broad_phase.Swap();
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_BROADPHASE_BROAD_PHASE_CALLS_H_
