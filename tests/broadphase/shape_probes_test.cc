// The probes of balls, oriented boxes, swept boxes and the nearest body, compared with a search
// through all boxes in double precision. Whatever touches clearly is found, whatever is clearly
// apart is not; in between, within rounding, either answer is right.
#include "src/broadphase/shape_probes.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "src/math/random.h"
#include "tests/broadphase/boxes.h"

namespace nowait {
namespace {

constexpr std::uint32_t kBodies = 600;
constexpr int kQueries = 400;
constexpr float kWorld = 40.0f;
constexpr double kRounding = 1e-3;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

using Double3 = std::array<double, 3>;

// A tree over random boxes, some of them points, a part of them inserted one by one.
struct Scene {
  explicit Scene(std::uint32_t seed) : storage(3 * kBodies, kBodies), tree(storage) {
    RandomBoxes random(seed);
    std::vector<TreeEntry<3>> batch;
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      boxes.push_back(random.Next(kWorld, i % 5 == 0 ? 0.0f : 3.0f));
      if (i % 8 == 0) {
        REQUIRE(tree.Insert(Body(i), boxes[i]));
      } else {
        batch.push_back({Body(i), boxes[i]});
      }
    }
    auto prepared = tree.Prepare(batch);
    REQUIRE(prepared);
    tree.Finalise(std::move(*prepared));
  }

  template <class Probe>
  std::vector<ProxyId> Find(Probe probe) const {
    const auto pin = storage.PinReader();
    std::vector<ProxyId> found;
    tree.Query(probe, [&](ProxyId id) {
      found.push_back(id);
      return true;
    });
    std::sort(found.begin(), found.end());
    return found;
  }

  // gap(box): how far it is from the query; below zero, how deep it is in it.
  template <class Probe, class Gap>
  std::size_t Compare(const Probe& probe, Gap gap) const {
    const std::vector<ProxyId> found = Find(probe);
    REQUIRE(std::adjacent_find(found.begin(), found.end()) == found.end());
    std::vector<std::uint32_t> wrong;
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      const double apart = gap(boxes[i]);
      const bool is_found = std::binary_search(found.begin(), found.end(), Body(i));
      if (is_found ? apart > kRounding : apart < -kRounding) wrong.push_back(i);
    }
    REQUIRE(wrong.empty());
    return found.size();
  }

  Storage storage;
  Tree tree;
  std::vector<Box> boxes;
};

double DistanceTo(const Box& box, const Double3& point) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double out = std::max({box.min[axis] - point[axis], point[axis] - box.max[axis], 0.0});
    sum += out * out;
  }
  return std::sqrt(sum);
}

Double3 Doubles(Vec3 v) { return {v.x, v.y, v.z}; }
std::array<float, 3> Floats3(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 Somewhere(Random& random) {
  return random.InBox({-kWorld, -kWorld, -kWorld}, {kWorld, kWorld, kWorld});
}

TEST_CASE("a ball finds the boxes that it touches") {
  const Scene scene(11);
  Random random(12);
  std::size_t found = 0;
  for (int i = 0; i < kQueries; ++i) {
    const Vec3 centre = Somewhere(random);
    const float radius = random.Between(0, 12);
    found += scene.Compare(BallProbe<3>(Floats3(centre), radius), [&](const Box& box) {
      return DistanceTo(box, Doubles(centre)) - radius;
    });
  }
  CHECK(found > kQueries);
}

// The corner of a box is at (3, 4) k from the centre of a ball with the radius 5 k. Where 9 k k,
// 16 k k and 25 k k have to be rounded, the sum of the first two may be more than the third.
TEST_CASE("a ball finds a box that it touches exactly, however the squares are rounded") {
  Random random(20);
  for (int i = 0; i < 10000; ++i) {
    const float k = std::ldexp(static_cast<float>(1 + random.Below(2'000'000)), i % 60 - 40);
    CAPTURE(i, k);
    const BallProbe<3> ball({0, 0, 0}, 5 * k);
    std::array<float, 1> nearest;
    REQUIRE(ball.Hits(BoxRows<3, 1>(ToBounds({3 * k, 4 * k, -k}, {6 * k, 6 * k, k})), nearest) !=
            0);
  }
}

TEST_CASE("a point is a box without extent, and a ball without radius") {
  const Scene scene(13);
  for (const Box& box : scene.boxes) {
    const Vec3 corner{box.max[0], box.min[1], box.max[2]};
    const auto by_box = scene.Find(BoxProbe<3>(ToBounds(corner, corner)));
    CHECK(!by_box.empty());
    CHECK(by_box == scene.Find(BallProbe<3>(Floats3(corner), 0.0f)));
  }
}

// How far two boxes are apart along the best of all axes that can separate them.
double GapOf(const Box& box, Vec3 centre, Vec3 half, Quat rotation) {
  const std::array<Vec3, 3> world = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  std::array<Double3, 3> own;
  std::vector<Double3> axes;
  for (int i = 0; i < 3; ++i) {
    own[i] = Doubles(Rotate(rotation, world[i]));
    axes.push_back(own[i]);
    axes.push_back(Doubles(world[i]));
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Double3 a = Doubles(world[i]);
      const Double3& b = own[j];
      axes.push_back(
          {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]});
    }
  }
  const auto dot = [](const Double3& a, const Double3& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  double best = -1e9;
  for (const Double3& axis : axes) {
    const double length = std::sqrt(dot(axis, axis));
    if (length < 1e-3) continue;
    double between = 0;
    double reach = 0;
    for (int k = 0; k < 3; ++k) {
      between += (0.5 * (double{box.min[k]} + box.max[k]) - Doubles(centre)[k]) * axis[k];
      reach += 0.5 * (double{box.max[k]} - box.min[k]) * std::abs(axis[k]);
      reach += Doubles(half)[k] * std::abs(dot(own[k], axis));
    }
    best = std::max(best, (std::abs(between) - reach) / length);
  }
  return best;
}

TEST_CASE("an oriented box finds the boxes that it touches") {
  const Scene scene(14);
  Random random(15);
  std::size_t found = 0;
  for (int i = 0; i < kQueries; ++i) {
    const Vec3 centre = Somewhere(random);
    const Vec3 half = random.InBox({0, 0, 0}, {12, 3, 6});
    const Quat rotation = i % 10 == 0 ? Quat{} : random.Rotation();
    const OrientedBoxProbe probe(centre, half, rotation);
    found +=
        scene.Compare(probe, [&](const Box& box) { return GapOf(box, centre, half, rotation); });
    // By another way than axes: a box that contains a point of the shape is touched.
    const std::vector<ProxyId> hits = scene.Find(probe);
    for (int k = 0; k < 50; ++k) {
      const Vec3 local = random.InBox(half * -0.999f, half * 0.999f);
      const Double3 point = Doubles(centre + Rotate(rotation, local));
      for (std::uint32_t body = 0; body < kBodies; ++body) {
        if (DistanceTo(scene.boxes[body], point) > 0) continue;
        REQUIRE(std::binary_search(hits.begin(), hits.end(), Body(body)));
      }
    }
  }
  CHECK(found > kQueries);
}

TEST_CASE("a swept box finds the boxes on its way") {
  const Scene scene(16);
  Random random(17);
  std::size_t found = 0;
  for (int i = 0; i < kQueries; ++i) {
    const Vec3 from = Somewhere(random);
    Vec3 along = Somewhere(random) - from;
    if (i % 7 == 0) along.y = 0.0f;
    if (i % 11 == 0) along = {};
    const Vec3 half = random.InBox({0, 0, 0}, {3, 3, 3});
    const SweptBoxProbe<3> probe({Floats3(from), Floats3(along), 1.0f}, Floats3(half));
    // The gap, sampled and searched along the way: it is convex in the way's fraction.
    found += scene.Compare(probe, [&](const Box& box) {
      const auto gap = [&](double t) {
        double most = -1e9;
        for (int axis = 0; axis < 3; ++axis) {
          const double at = Doubles(from)[axis] + t * Doubles(along)[axis];
          const double reach = Doubles(half)[axis];
          most = std::max({most, box.min[axis] - reach - at, at - box.max[axis] - reach});
        }
        return most;
      };
      double low = 0;
      double high = 1;
      for (int step = 0; step < 100; ++step) {
        const double a = low + (high - low) / 3;
        const double b = high - (high - low) / 3;
        (gap(a) <= gap(b) ? high : low) = gap(a) <= gap(b) ? b : a;
      }
      return gap(0.5 * (low + high));
    });
  }
  CHECK(found > kQueries);
}

TEST_CASE("the nearest body, with a limit that falls as it is found") {
  const Scene scene(18);
  Random random(19);
  std::uint32_t visits = 0;
  for (int i = 0; i < kQueries; ++i) {
    const Vec3 point = Somewhere(random);
    const float limit = i % 4 == 0 ? random.Between(0, 4) : 1000.0f;
    double expected = limit;
    for (const Box& box : scene.boxes) {
      expected = std::min(expected, DistanceTo(box, Doubles(point)));
    }
    NearestProbe<3> probe(Floats3(point), limit);
    double nearest = limit;
    const auto pin = scene.storage.PinReader();
    scene.tree.Query(probe, [&](ProxyId id) {
      ++visits;
      const double distance = DistanceTo(scene.boxes[id.slot()], Doubles(point));
      nearest = std::min(nearest, distance);
      probe.set_squared_limit(
          std::min(probe.squared_limit(), static_cast<float>(distance * distance)));
      return true;
    });
    REQUIRE(std::abs(nearest - expected) < kRounding);
  }
  // Nearer nodes first: most bodies are never looked at.
  CHECK(visits < kQueries * kBodies / 20);
}

TEST_CASE("a query ends when its visitor asks for that") {
  const Scene scene(20);
  BallProbe<3> probe({0, 0, 0}, 1000.0f);
  std::uint32_t calls = 0;
  const auto pin = scene.storage.PinReader();
  scene.tree.Query(probe, [&](ProxyId) { return ++calls < 7; });
  CHECK(calls == 7);
}

TEST_CASE("queries with something in them that is not finite, or negative, find nothing") {
  const Scene scene(21);
  for (const float bad : {kNaN, kInfinity, -1.0f}) {
    CHECK(scene.Find(BallProbe<3>({0, 0, 0}, bad)).empty());
    CHECK(scene.Find(NearestProbe<3>({0, 0, 0}, bad)).empty());
    CHECK(scene.Find(OrientedBoxProbe({}, {10, bad, 10}, {})).empty());
    CHECK(scene.Find(SweptBoxProbe<3>({{0, 0, 0}, {1, 1, 1}, 1.0f}, {10, 10, bad})).empty());
  }
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    CHECK(scene.Find(BallProbe<3>({0, bad, 0}, 1000.0f)).empty());
    CHECK(scene.Find(NearestProbe<3>({0, bad, 0}, 1000.0f)).empty());
    CHECK(scene.Find(OrientedBoxProbe({0, 0, bad}, {10, 10, 10}, {})).empty());
    CHECK(scene.Find(OrientedBoxProbe({}, {10, 10, 10}, {0, 0, 0, bad})).empty());
    CHECK(scene.Find(SweptBoxProbe<3>({{0, bad, 0}, {1, 1, 1}, 1.0f}, {10, 10, 10})).empty());
  }
  // As large as it gets: everybody, and no slot that has nobody.
  CHECK(scene.Find(BallProbe<3>({0, 0, 0}, 3e38f)).size() == kBodies);
  CHECK(scene.Find(NearestProbe<3>({0, 0, 0}, 3e38f)).size() == kBodies);
}

}  // namespace
}  // namespace nowait
