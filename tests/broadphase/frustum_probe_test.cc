// Which boxes a camera may see, beside points of them that are in its view.
#include "src/broadphase/frustum_probe.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <limits>

#include "src/math/random.h"
#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

using Rows = BoxRows<3, 1>;

bool Hits(const FrustumProbe& probe, const Box& box) {
  std::array<float, 1> nearest{};
  return probe.Hits(Rows(box), nearest) != 0;
}

Box At(Vec3 middle, float half) {
  return {{middle.x - half, middle.y - half, middle.z - half},
          {middle.x + half, middle.y + half, middle.z + half}};
}

// Looks along -z from the origin, a metre aside at a metre ahead.
constexpr ViewFrustum kAhead{.eye = {}, .far = 100};

TEST_CASE("a box is seen from each side of the view, and missed beyond it") {
  const FrustumProbe probe(kAhead);
  CHECK(Hits(probe, At({0, 0, -50}, 1)));
  CHECK(Hits(probe, At({0, 0, 0}, 1)));  // round the eye
  CHECK(!Hits(probe, At({0, 0, 5}, 1)));
  for (const float sign : {-1.0f, 1.0f}) {
    CHECK(Hits(probe, At({sign * 50.9f, 0, -50}, 1)));
    CHECK(Hits(probe, At({sign * 51.9f, 0, -50}, 1)));  // its near corner is at 50.9 of 51
    CHECK(!Hits(probe, At({sign * 53, 0, -50}, 1)));
    CHECK(Hits(probe, At({0, sign * 51.9f, -50}, 1)));
    CHECK(!Hits(probe, At({0, sign * 53, -50}, 1)));
  }
  CHECK(Hits(probe, At({0, 0, -100.9f}, 1)));
  CHECK(!Hits(probe, At({0, 0, -101.1f}, 1)));
  CHECK(Hits(probe, At({0, 0, -50}, 1000)));  // the view is in the box
}

TEST_CASE("what comes into the view on its way is seen") {
  ViewFrustum view = kAhead;
  const Box above = At({0, 80, -50}, 1);
  CHECK(!Hits(FrustumProbe(view), above));
  view.reach = {0, -40, 0};
  CHECK(Hits(FrustumProbe(view), above));
  view.reach = {0, -20, 0};
  CHECK(!Hits(FrustumProbe(view), above));
  view.reach = {0, 40, 0};
  CHECK(!Hits(FrustumProbe(view), above));
}

TEST_CASE("no box is missed that has a point in the view, and few others are seen") {
  Random random(7);
  std::size_t in = 0;
  std::size_t seen = 0;
  for (int i = 0; i < 2'000; ++i) {
    const Quat turn = random.Rotation();
    const float size = i % 2 == 0 ? 50.0f : 5'000.0f;
    ViewFrustum view;
    view.eye = random.InBox({-size, -size, -size}, {size, size, size});
    view.forward = Rotate(turn, {0, 0, -1});
    view.up = Rotate(turn, {0, 1, 0});
    view.right = random.Between(0.1f, 2.0f);
    view.left = -view.right;
    view.top = random.Between(0.1f, 2.0f);
    view.far = random.Between(10.0f, 100.0f);
    const FrustumProbe probe(view);
    const Vec3 middle = view.eye + random.InBox({-100, -100, -100}, {100, 100, 100});
    const Vec3 half = random.InBox({0.1f, 0.1f, 0.1f}, {9, 9, 9});
    bool has_point = false;
    for (int k = 0; k < 200; ++k) {
      const Vec3 point = middle + Multiply(half, random.InBox({-1, -1, -1}, {1, 1, 1}));
      const Vec3 from = point - view.eye;
      const float ahead = Dot(from, view.forward);
      const float aside = Dot(from, view.across());
      const float above = Dot(from, view.up);
      has_point = has_point ||
                  (ahead <= view.far && aside <= view.right * ahead && aside >= view.left * ahead &&
                   above <= view.top * ahead && above >= view.bottom * ahead);
    }
    const Vec3 low = middle - half;
    const Vec3 high = middle + half;
    const bool is_seen = Hits(probe, {{low.x, low.y, low.z}, {high.x, high.y, high.z}});
    if (has_point) REQUIRE(is_seen);
    in += has_point ? 1 : 0;
    seen += is_seen ? 1 : 0;
  }
  CHECK(in > 100);
  CHECK(seen < in * 3 / 2);
}

TEST_CASE("slots without a child are missed, and a view with a wrong number sees nothing") {
  const Box empty = Box::Empty();
  CHECK(!Hits(FrustumProbe(kAhead), empty));
  ViewFrustum wide = kAhead;
  wide.left = wide.bottom = -1e10f;
  wide.right = wide.top = 1e10f;
  wide.far = 1e30f;
  CHECK(!Hits(FrustumProbe(wide), empty));
  CHECK(Hits(FrustumProbe(wide), At({5, 5, -50}, 1)));
  const Box ahead = At({0, 0, -50}, 1);
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const auto part :
         {&ViewFrustum::eye, &ViewFrustum::forward, &ViewFrustum::up, &ViewFrustum::reach}) {
      ViewFrustum view = kAhead;
      (view.*part).y = wrong;
      CHECK(!Hits(FrustumProbe(view), ahead));
    }
    for (const auto part : {&ViewFrustum::left, &ViewFrustum::right, &ViewFrustum::bottom,
                            &ViewFrustum::top, &ViewFrustum::far}) {
      ViewFrustum view = kAhead;
      view.*part = wrong;
      CHECK(!Hits(FrustumProbe(view), ahead));
    }
  }
}

}  // namespace
}  // namespace nowait
