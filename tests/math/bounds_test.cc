// Boxes: each side of each axis, and what touching and equal borders count as.
#include "src/math/bounds.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "src/math/vec3.h"

namespace nowait {
namespace {

constexpr Bounds<3> kBox{{1, 2, 3}, {4, 6, 8}};

TEST_CASE("boxes that touch overlap, on each side of each axis, and no longer one float apart") {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    Bounds<3> above = kBox, below = kBox;
    above.min[axis] = kBox.max[axis];
    above.max[axis] = kBox.max[axis] + 1;
    below.max[axis] = kBox.min[axis];
    below.min[axis] = kBox.min[axis] - 1;
    CHECK(Overlaps(kBox, above));
    CHECK(Overlaps(above, kBox));
    CHECK(Overlaps(kBox, below));
    CHECK(Overlaps(below, kBox));
    above.min[axis] = std::nextafter(above.min[axis], 100.0f);
    below.max[axis] = std::nextafter(below.max[axis], -100.0f);
    CHECK_FALSE(Overlaps(kBox, above));
    CHECK_FALSE(Overlaps(above, kBox));
    CHECK_FALSE(Overlaps(kBox, below));
    CHECK_FALSE(Overlaps(below, kBox));
  }
}

TEST_CASE("a box contains itself, and none that is one float larger on any side") {
  CHECK(Contains(kBox, kBox));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    Bounds<3> larger = kBox;
    larger.min[axis] = std::nextafter(larger.min[axis], -100.0f);
    CHECK_FALSE(Contains(kBox, larger));
    CHECK(Contains(larger, kBox));
    larger = kBox;
    larger.max[axis] = std::nextafter(larger.max[axis], 100.0f);
    CHECK_FALSE(Contains(kBox, larger));
    CHECK(Contains(larger, kBox));
  }
}

TEST_CASE("an empty box overlaps no usable box, everywhere overlaps each, whatever their size") {
  const float most = std::nextafter(kLargeFloat, 0.0f);
  for (const Bounds<3>& box : {kBox, Bounds<3>{{-most, -most, -most}, {most, most, most}}}) {
    REQUIRE(box.IsUsable());
    CHECK_FALSE(Overlaps(Bounds<3>::Empty(), box));
    CHECK(Overlaps(Bounds<3>::Everywhere(), box));
    CHECK(Contains(Bounds<3>::Everywhere(), box));
  }
}

TEST_CASE("the union with an empty box is the other box") {
  Bounds<3> sum = Bounds<3>::Empty();
  sum.Include(kBox);
  CHECK(sum == kBox);
}

TEST_CASE("a union reaches to the outer side of both boxes on each axis") {
  Bounds<3> sum = kBox;
  sum.Include({{0, 3, 2}, {5, 5, 9}});
  CHECK(sum == Bounds<3>{{0, 2, 2}, {5, 6, 9}});
}

TEST_CASE("a box is usable up to LargeFloat and not at it, as a point too, and never inside out") {
  const float most = std::nextafter(kLargeFloat, 0.0f);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    Bounds<3> box = kBox;
    box.min[axis] = -most;
    box.max[axis] = most;
    CHECK(box.IsUsable());
    box.max[axis] = kLargeFloat;
    CHECK_FALSE(box.IsUsable());
    box.max[axis] = most;
    box.min[axis] = -kLargeFloat;
    CHECK_FALSE(box.IsUsable());
    box.min[axis] = box.max[axis] = 7;
    CHECK(box.IsUsable());
    box.max[axis] = std::nextafter(7.0f, 0.0f);
    CHECK_FALSE(box.IsUsable());
  }
  CHECK_FALSE(Bounds<3>::Empty().IsUsable());
  CHECK_FALSE(Bounds<3>::Everywhere().IsUsable());
}

TEST_CASE("the centre and the extent of a box are those of the axis that is asked for") {
  CHECK(kBox.Centre(0) == 2.5f);
  CHECK(kBox.Centre(1) == 4.0f);
  CHECK(kBox.Centre(2) == 5.5f);
  CHECK(kBox.Extent(0) == 3.0f);
  CHECK(kBox.Extent(1) == 4.0f);
  CHECK(kBox.Extent(2) == 5.0f);
}

TEST_CASE("a box made of two corners gives back the same corners") {
  const Bounds<3> box = ToBounds({1, 2, 3}, {4, 6, 8});
  CHECK(box == kBox);
  CHECK(MinOf(box) == Vec3{1, 2, 3});
  CHECK(MaxOf(box) == Vec3{4, 6, 8});
}

}  // namespace
}  // namespace nowait
