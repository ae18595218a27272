// Each probe, each side of each axis: touching, just apart, how near; and the parts of a node and
// of a reference, bit by bit.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "src/broadphase/shape_probes.h"
#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

using Rows = BoxRows<3, 1>;
using Nearest = std::array<float, 1>;

const Box kBox{{1, 2, 3}, {4, 6, 8}};

float Above(float x) { return std::nextafter(x, 1e30f); }
float BelowIt(float x) { return std::nextafter(x, -1e30f); }

template <class Probe>
bool Hits(const Probe& probe, const Box& box = kBox) {
  Nearest nearest{};
  return probe.Hits(Rows(box), nearest) != 0;
}
template <class Probe>
float NearestOf(const Probe& probe, const Box& box = kBox) {
  Nearest nearest{};
  REQUIRE(probe.Hits(Rows(box), nearest) != 0);
  return nearest[0];
}

TEST_CASE("a box hits what it touches on each side, and not what is one float away") {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    Box above = kBox, below = kBox;
    above.min[axis] = kBox.max[axis];
    above.max[axis] = kBox.max[axis] + 1;
    below.max[axis] = kBox.min[axis];
    below.min[axis] = kBox.min[axis] - 1;
    CHECK(Hits(BoxProbe<3>(above)));
    CHECK(Hits(BoxProbe<3>(below)));
    above.min[axis] = Above(kBox.max[axis]);
    below.max[axis] = BelowIt(kBox.min[axis]);
    CHECK_FALSE(Hits(BoxProbe<3>(above)));
    CHECK_FALSE(Hits(BoxProbe<3>(below)));
  }
}

TEST_CASE("a ray enters a box at the fraction that its side lies at, forwards and backwards") {
  for (int axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      CAPTURE(axis, sign);
      Ray<3> ray{{2, 3, 4}, {0, 0, 0}};
      const auto a = static_cast<std::size_t>(axis);
      const float side = sign > 0 ? kBox.min[a] : kBox.max[a];
      ray.origin[a] = side - 5 * sign;
      ray.displacement[a] = 20 * sign;
      RayProbe<3> probe(ray);
      CHECK(NearestOf(probe) == Approx(0.25f));
      probe.set_max_fraction(0.24f);
      CHECK_FALSE(Hits(probe));
      CHECK(probe.max_fraction() == 0.24f);
      CHECK(probe.IsBeyond(0.25f));
      CHECK_FALSE(probe.IsBeyond(0.24f));
      probe.set_max_fraction(0.26f);
      CHECK(Hits(probe));
      probe.Stop();
      CHECK_FALSE(Hits(probe));
      // Away from it.
      ray.displacement[a] = -20 * sign;
      CHECK_FALSE(Hits(RayProbe<3>(ray)));
      // From inside.
      ray.origin[a] = 0.5f * (kBox.min[a] + kBox.max[a]);
      CHECK(NearestOf(RayProbe<3>(ray)) == 0.0f);
      // Beside it, on another axis.
      ray.origin[(a + 1) % 3] = kBox.max[(a + 1) % 3] + 0.1f;
      CHECK_FALSE(Hits(RayProbe<3>(ray)));
      ray.origin[(a + 1) % 3] = kBox.min[(a + 1) % 3] - 0.1f;
      CHECK_FALSE(Hits(RayProbe<3>(ray)));
      ray.origin[(a + 1) % 3] = kBox.min[(a + 1) % 3];
      CHECK(Hits(RayProbe<3>(ray)));
    }
  }
  CHECK(RayProbe<3>::kOrdered);
}

TEST_CASE("a ball hits a box up to its radius from each side, edge and corner") {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      CAPTURE(axis, sign);
      std::array<float, 3> centre{2, 3, 4};
      centre[axis] = (sign > 0 ? kBox.max[axis] : kBox.min[axis]) + 2 * sign;
      CHECK(Hits(BallProbe<3>(centre, 2)));
      CHECK_FALSE(Hits(BallProbe<3>(centre, 1.99f)));
      // Diagonally off an edge: 2 and 1.5 are 2.5.
      const std::size_t other = (axis + 1) % 3;
      centre[other] = kBox.max[other] + 1.5f;
      CHECK(Hits(BallProbe<3>(centre, 2.5f)));
      CHECK_FALSE(Hits(BallProbe<3>(centre, 2.49f)));
    }
  }
  CHECK(Hits(BallProbe<3>({2, 3, 4}, 0)));
  CHECK_FALSE(Hits(BallProbe<3>({2, 3, 4}, -1)));
}

TEST_CASE("the nearest probe measures the square of the distance, and a limit may be lowered") {
  NearestProbe<3> probe({6, 9, 14}, 100);  // 2, 3 and 6 off a corner
  CHECK(probe.squared_limit() == 10000);
  CHECK(NearestOf(probe) == 49);
  probe.set_squared_limit(49);
  CHECK(Hits(probe));
  CHECK_FALSE(probe.IsBeyond(49));
  CHECK(probe.IsBeyond(Above(49)));
  probe.set_squared_limit(BelowIt(49));
  CHECK_FALSE(Hits(probe));
  CHECK(NearestOf(NearestProbe<3>({2, 3, 4}, 0)) == 0);
  CHECK(NearestProbe<3>::kOrdered);
}

TEST_CASE("a swept box hits what its half extents reach on the way, as soon as they reach it") {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    Ray<3> way{{2, 3, 4}, {0, 0, 0}};
    way.origin[axis] = kBox.min[axis] - 6;
    way.displacement[axis] = 20;
    std::array<float, 3> half{0.1f, 0.1f, 0.1f};
    half[axis] = 1;
    SweptBoxProbe<3> probe(way, half);
    CHECK(NearestOf(probe) == Approx(0.25f));
    probe.set_max_fraction(0.24f);
    CHECK(probe.max_fraction() == 0.24f);
    CHECK_FALSE(Hits(probe));
    CHECK(probe.IsBeyond(0.25f));
    // Beside the box: only as wide as to touch it.
    const std::size_t other = (axis + 1) % 3;
    way.origin[other] = kBox.max[other] + 0.5f;
    half[other] = 0.5f;
    CHECK(Hits(SweptBoxProbe<3>(way, half)));
    half[other] = 0.49f;
    CHECK_FALSE(Hits(SweptBoxProbe<3>(way, half)));
  }
  CHECK(SweptBoxProbe<3>::kOrdered);
}

TEST_CASE("an oriented box that is not turned hits as a box does, each half extent on its axis") {
  for (int axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      CAPTURE(axis, sign);
      const auto a = static_cast<std::size_t>(axis);
      Vec3 centre{2, 3, 4}, half{0.1f, 0.1f, 0.1f};
      centre.Set(axis, (sign > 0 ? kBox.max[a] : kBox.min[a]) + 2 * sign);
      half.Set(axis, 2.001f);
      CHECK(Hits(OrientedBoxProbe(centre, half, {})));
      half.Set(axis, 1.999f);
      CHECK_FALSE(Hits(OrientedBoxProbe(centre, half, {})));
    }
  }
}

TEST_CASE(
    "a box with a negative half extent hits nothing, not even a box that reaches all round it") {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    std::array<float, 3> half{0.1f, 0.1f, 0.1f};
    CHECK(Hits(SweptBoxProbe<3>({{2, 3, 4}, {0, 0, 0}}, half)));
    CHECK(Hits(OrientedBoxProbe({2, 3, 4}, {half[0], half[1], half[2]}, {})));
    half[axis] = -0.1f;
    CHECK_FALSE(Hits(SweptBoxProbe<3>({{2, 3, 4}, {0, 0, 0}}, half)));
    CHECK_FALSE(Hits(OrientedBoxProbe({2, 3, 4}, {half[0], half[1], half[2]}, {})));
  }
}

TEST_CASE("no probe hits the empty box of a slot without a child, however large it is") {
  const Box empty = Box::Empty();
  const float most = std::numeric_limits<float>::max();
  CHECK_FALSE(Hits(BoxProbe<3>(Cube(0, 0, 0, 9e29f)), empty));
  CHECK_FALSE(Hits(RayProbe<3>({{0, 0, 0}, {most, most, most}}), empty));
  CHECK_FALSE(Hits(RayProbe<3>({{0, 0, 0}, {0, 0, 0}}), empty));
  CHECK_FALSE(Hits(BallProbe<3>({0, 0, 0}, most), empty));
  CHECK_FALSE(Hits(NearestProbe<3>({0, 0, 0}, most), empty));
  CHECK_FALSE(Hits(SweptBoxProbe<3>({{0, 0, 0}, {1, 1, 1}}, {most, most, most}), empty));
  CHECK_FALSE(Hits(OrientedBoxProbe({}, {most, most, most}, {}), empty));
}

TEST_CASE("a box in a node grows on each side, and says whether it did") {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const bool upper : {false, true}) {
      CAPTURE(axis, upper);
      Node<StdSync, 3, 4> node;
      node.SetBox(2, kBox, std::memory_order::relaxed);
      CHECK(node.BoxOf(2, std::memory_order::relaxed) == kBox);
      CHECK_FALSE(node.WidenBox(2, kBox));
      Box larger = kBox;
      (upper ? larger.max : larger.min)[axis] += upper ? 1.0f : -1.0f;
      CHECK(node.WidenBox(2, larger));
      CHECK(node.BoxOf(2, std::memory_order::relaxed) == larger);
      CHECK_FALSE(node.WidenBox(2, kBox));
      CHECK(node.BoxOf(2, std::memory_order::relaxed) == larger);
      node.TightenBox(2, kBox);
      CHECK(node.BoxOf(2, std::memory_order::relaxed) == kBox);
      for (const int other : {0, 1, 3}) {
        CHECK(node.BoxOf(other, std::memory_order::relaxed) == Box::Empty());
      }
    }
  }
}

TEST_CASE("the box of all slots is the union of those that are occupied, and of none is empty") {
  Node<StdSync, 3, 4> node;
  CHECK(node.BoxOfAll() == Box::Empty());
  node.SetBox(3, kBox, std::memory_order::relaxed);
  CHECK(node.BoxOfAll() == kBox);
  node.SetBox(0, Cube(0, 0, 0, 1), std::memory_order::relaxed);
  CHECK(node.BoxOfAll() == Box{{-1, -1, -1}, {4, 6, 8}});
  node.ClearBox(3);
  CHECK(node.BoxOfAll() == Cube(0, 0, 0, 1));
}

TEST_CASE("a node that is emptied is as a new one: open, unchanged, without parent and children") {
  Node<StdSync, 3, 4> node;
  for (int i = 0; i < 2; ++i) {
    CHECK(node.BoxOfAll() == Box::Empty());
    for (const auto& child : node.child) {
      CHECK(child.load(std::memory_order::relaxed) == child_id::kNone);
    }
    CHECK(node.parent.load(std::memory_order::relaxed) == location::kNone);
    CHECK(node.IsOpen());
    CHECK_FALSE(node.changed.load(std::memory_order::relaxed));
    CHECK(node.height.get() == 1);
    for (int slot = 0; slot < 4; ++slot) {
      node.child[slot].store(child_id::OfNode(5), std::memory_order::relaxed);
      node.SetBox(slot, kBox, std::memory_order::relaxed);
    }
    node.parent.store(7, std::memory_order::relaxed);
    node.occupied.store(4, std::memory_order::relaxed);
    node.height.set(3);
    node.MarkChanged();
    CHECK(node.changed.load(std::memory_order::relaxed));
    CHECK_FALSE(node.IsOpen());
    node.Open();
    CHECK(node.IsOpen());
    node.occupied.store(4, std::memory_order::relaxed);
    node.Reset();
  }
}

TEST_CASE("a child id is nothing, a body or a node, and gives back which") {
  for (const ProxyId body : {ProxyId(0, 0), ProxyId(ProxyId::kMaxBodies - 1, 1023)}) {
    const std::uint32_t id = child_id::OfBody(body);
    CHECK(child_id::IsBody(id));
    CHECK_FALSE(child_id::IsNode(id));
    CHECK(child_id::Body(id) == body);
  }
  for (const std::uint32_t node : {0u, location::kMaxNodes<4> - 1}) {
    const std::uint32_t id = child_id::OfNode(node);
    CHECK(child_id::IsNode(id));
    CHECK_FALSE(child_id::IsBody(id));
    CHECK(id == node);
  }
  CHECK_FALSE(child_id::IsBody(child_id::kNone));
  CHECK_FALSE(child_id::IsNode(child_id::kNone));
  CHECK(child_id::OfBody(ProxyId()) == child_id::kNone);
}

TEST_CASE("a location gives back its node and slot, and is never one of the special ones") {
  constexpr std::uint32_t kLast = location::kMaxNodes<4> - 1;
  for (const std::uint32_t node : {0u, 77u, kLast}) {
    for (int slot = 0; slot < 4; ++slot) {
      const std::uint32_t at = location::Of<4>(node, slot);
      CHECK(location::Node<4>(at) == node);
      CHECK(location::Slot<4>(at) == slot);
      CHECK(at < location::kUnlinked);
    }
  }
  CHECK(location::kUnlinked < location::kNone);
}

}  // namespace
}  // namespace nowait
