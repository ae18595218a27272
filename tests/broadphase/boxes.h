// Shared by the tests of the broad phase: bodies, random boxes, and queries that return sorted
// lists.
#ifndef NOWAIT_TESTS_BROADPHASE_BOXES_H_
#define NOWAIT_TESTS_BROADPHASE_BOXES_H_

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "src/bodies/proxy_id.h"
#include "src/broadphase/quad_tree.h"
#include "src/broadphase/tree_stats.h"
#include "src/math/bounds.h"

namespace nowait {

using Tree = QuadTree<StdSync, 3, 4>;
using Storage = Tree::Storage;
using Box = Bounds<3>;

inline ProxyId Body(std::uint32_t slot) { return ProxyId(slot, 0); }

// A cube around a point.
inline Box Cube(float x, float y, float z, float half) {
  return {{x - half, y - half, z - half}, {x + half, y + half, z + half}};
}

class RandomBoxes {
 public:
  explicit RandomBoxes(std::uint32_t seed) : random_(seed) {}

  std::uint32_t Below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  // On a grid of 1/1024, so that equal coordinates happen.
  float Number(float low, float high) {
    return low + (high - low) * static_cast<float>(Below(1025)) / 1024.0f;
  }
  Box Next(float world, float largest) {
    return Cube(Number(-world, world), Number(-world, world), Number(-world, world),
                Number(0.0f, largest));
  }

 private:
  std::mt19937 random_;
};

// The bodies that a query reports, sorted; duplicates stay.
inline std::vector<ProxyId> Found(const Tree& tree, const Box& box) {
  const auto pin = tree.storage().PinReader();
  std::vector<ProxyId> found;
  tree.QueryBox(box, [&](ProxyId id) {
    found.push_back(id);
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

inline std::vector<ProxyId> FoundByRay(const Tree& tree, const Ray<3>& ray) {
  const auto pin = tree.storage().PinReader();
  std::vector<ProxyId> found;
  tree.QueryRay(ray, [&](ProxyId id, float max_fraction) {
    found.push_back(id);
    return max_fraction;
  });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_BROADPHASE_BOXES_H_
