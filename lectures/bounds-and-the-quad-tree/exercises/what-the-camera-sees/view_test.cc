// ConvexProbe against plain arithmetic, on single boxes, on whole nodes and in a tree.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "lectures/judge.h"
#include "src/broadphase/quad_tree.h"
#include "src/broadphase/shape_probes.h"
#include "src/math/bounds.h"
#include "src/math/random.h"

namespace nowait {
namespace {

using Box = Bounds<3>;
using Side = HalfSpace<3>;
using Tree = QuadTree<StdSync, 3, 4>;

constexpr double kTouch = 1e-3;  // closer than this to a plane, rounding may decide

Box SomeBox(Random& random) {
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    const float at = random.Between(-50, 50);
    box.min[axis] = at - random.Between(0, 20);
    box.max[axis] = at + random.Between(0, 20);
  }
  return box;
}

std::vector<Side> SomeSides(Random& random) {
  std::vector<Side> sides(1 + random.Below(6));
  for (Side& side : sides) {
    // Some lie along an axis: parts of the normal are 0 then.
    for (float& part : side.normal) part = random.Below(4) == 0 ? 0.0f : random.Between(-2, 2);
    side.offset = random.Between(-20, 60);
  }
  return sides;
}

// How far the nearest corner of the box is beyond the side that it is farthest beyond of; negative
// or 0: it reaches into all of them.
double Beyond(const Box& box, const std::vector<Side>& sides) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Side& side : sides) {
    double nearest = std::numeric_limits<double>::infinity();
    for (int corner = 0; corner < 8; ++corner) {
      double sum = -double{side.offset};
      for (int axis = 0; axis < 3; ++axis) {
        const float at = (corner >> axis & 1) != 0 ? box.max[axis] : box.min[axis];
        sum += double{side.normal[axis]} * double{at};
      }
      nearest = std::min(nearest, sum);
    }
    most = std::max(most, nearest);
  }
  return most;
}

// Which of four boxes are hit.
LaneBits Hits(const std::vector<Side>& sides, const std::array<Box, 4>& boxes) {
  static Node<StdSync, 3, 4> node;
  for (int slot = 0; slot < 4; ++slot) {
    node.ClearBox(slot);
    node.SetBox(slot, boxes[slot], std::memory_order::relaxed);
  }
  std::array<float, 4> nearest{};
  return ConvexProbe<3>(sides).Hits(BoxRows<3, 4>(node.min, node.max), nearest) & LaneBits{15};
}

struct Verdict {
  bool reaching_are_hit = true;
  bool outer_are_missed = true;
  bool empty_are_missed = true;
};

void JudgeNodes(Random& random, Verdict& verdict) {
  for (int i = 0; i < 20'000; ++i) {
    const std::vector<Side> sides = SomeSides(random);
    std::array<Box, 4> boxes;
    for (Box& box : boxes) box = SomeBox(random);
    const std::uint32_t empty = random.Below(8);  // of half the nodes, one slot
    if (empty < 4) boxes[empty] = Box::Empty();
    const LaneBits hits = Hits(sides, boxes);
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      const bool hit = (hits >> slot & 1) != 0;
      if (slot == empty) {
        verdict.empty_are_missed = verdict.empty_are_missed && !hit;
        continue;
      }
      const double beyond = Beyond(boxes[slot], sides);
      if (beyond < -kTouch) verdict.reaching_are_hit = verdict.reaching_are_hit && hit;
      if (beyond > kTouch) verdict.outer_are_missed = verdict.outer_are_missed && !hit;
    }
  }
}

// The bodies that a tree finds, in their order.
std::vector<std::uint32_t> Find(const Tree& tree, const std::vector<Side>& sides) {
  std::vector<std::uint32_t> found;
  ConvexProbe<3> probe(sides);
  const auto pin = tree.storage().PinReader();
  tree.Query(probe, [&](ProxyId body) {
    found.push_back(body.slot());
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

bool FindsInATree(Random& random) {
  constexpr std::uint32_t kBodies = 1000;
  Tree::Storage storage(4 * kBodies, kBodies);
  Tree tree(storage);
  std::vector<Box> boxes;
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    boxes.push_back(SomeBox(random));
    if (!tree.Insert(ProxyId(i, 0), boxes.back())) return false;
  }
  for (int i = 0; i < 100; ++i) {
    const std::vector<Side> sides = SomeSides(random);
    const std::vector<std::uint32_t> found = Find(tree, sides);
    for (std::uint32_t body = 0; body < kBodies; ++body) {
      const double beyond = Beyond(boxes[body], sides);
      if (std::abs(beyond) < kTouch) continue;
      if (std::binary_search(found.begin(), found.end(), body) != (beyond < 0)) return false;
    }
  }
  return true;
}

int Main() {
  Random random(11);
  Verdict verdict;
  JudgeNodes(random, verdict);
  Judge judge;
  judge.Ask(verdict.reaching_are_hit, "a box that reaches in is hit, wherever its middle is");
  judge.Ask(verdict.outer_are_missed, "a box that is outside of one side is missed");
  judge.Ask(verdict.empty_are_missed, "a slot without a child is missed");

  const Box box{{1, 1, 1}, {2, 2, 2}};
  const Box none = Box::Empty();
  judge.Ask(Hits({{{1, 0, 0}, 1}}, {box, none, none, none}) == 1, "touching counts");
  judge.Ask(Hits({}, {box, none, box, none}) == 5, "without sides, every box and no empty slot");
  bool missed = true;
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    const std::array<Box, 4> boxes = {box, box, none, none};
    missed = missed && Hits({{{0, bad, 0}, 9}}, boxes) == 0 && Hits({{{0, 1, 0}, bad}}, boxes) == 0;
  }
  judge.Ask(missed, "a side that is not finite: nothing");
  judge.Ask(FindsInATree(random), "in a tree of 1,000 bodies, just those");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
