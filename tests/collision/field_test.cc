#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/height_field.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr float kMargin = 0.02f;

std::unique_ptr<const HeightField> Make(std::uint32_t columns, std::uint32_t rows, float spacing,
                                        const std::vector<float>& heights) {
  return std::move(*HeightField::Create({columns, rows, spacing, heights}));
}

std::unique_ptr<const HeightField> Rough(std::uint32_t samples, float spacing, float height,
                                         Random& random) {
  std::vector<float> heights;
  for (std::uint32_t i = 0; i < samples * samples; ++i) {
    heights.push_back(random.Between(-height, height));
  }
  return Make(samples, samples, spacing, heights);
}

// The distance of a point above the surface from it, by trying all triangles with many points.
float BruteForceDistance(const HeightField& field, Vec3 p) {
  float best = 1e30f;
  for (std::uint32_t k = 0; k + 1 < field.rows(); ++k) {
    for (std::uint32_t i = 0; i + 1 < field.columns(); ++i) {
      for (std::uint32_t which = 0; which < 2; ++which) {
        const auto t = field.TriangleAt(i, k, which);
        for (int u = 0; u <= 24; ++u) {
          for (int v = 0; u + v <= 24; ++v) {
            const float a = static_cast<float>(u) / 24, b = static_cast<float>(v) / 24;
            const Vec3 q = t.vertices[0] * (1 - a - b) + t.vertices[1] * a + t.vertices[2] * b;
            best = std::min(best, Length(p - q));
          }
        }
      }
    }
  }
  return best;
}

TEST_CASE("a height field refuses bad definitions") {
  const std::vector<float> four(4, 0.0f);
  const auto subject = [&](HeightFieldDef def) {
    return std::string(HeightField::Create(def).error().subject);
  };
  CHECK(subject({1, 2, 1.0f, four}) == "height field columns");
  CHECK(subject({2, 9999, 1.0f, four}) == "height field rows");
  CHECK(subject({2, 2, 0.0f, four}) == "height field spacing");
  CHECK(subject({2, 3, 1.0f, four}) == "height field heights");
  const std::vector<float> broken = {0, 0, std::numeric_limits<float>::quiet_NaN(), 0};
  CHECK(subject({2, 2, 1.0f, broken}) == "height field height");
}

TEST_CASE("the surface passes through the samples and lies on the triangles") {
  Random random(1);
  const auto field = Rough(6, 1.5f, 1.0f, random);
  CHECK(field->SurfaceAt(3.0f, 4.5f) == Approx(field->HeightOf(2, 3)));
  CHECK(field->SurfaceAt(-5, -5) == Approx(field->HeightOf(0, 0)));
  CHECK(field->SurfaceAt(99, 99) == Approx(field->HeightOf(5, 5)));
  for (int round = 0; round < 200; ++round) {
    const float x = random.Between(0, 7.5f), z = random.Between(0, 7.5f);
    const auto i = std::min(static_cast<std::uint32_t>(x / 1.5f), 4u);
    const auto k = std::min(static_cast<std::uint32_t>(z / 1.5f), 4u);
    const bool upper = x - 1.5f * static_cast<float>(i) <= z - 1.5f * static_cast<float>(k);
    const auto t = field->TriangleAt(i, k, upper ? 0 : 1);
    CHECK(std::abs(Dot(t.normal, Vec3{x, field->SurfaceAt(x, z), z} - t.vertices[0])) < 1e-4f);
    CHECK(t.normal.y > 0.0f);
  }
}

TEST_CASE("the vertex across an edge belongs to a triangle with that edge") {
  Random random(2);
  const auto field = Rough(5, 1.0f, 1.0f, random);
  const auto has = [](const HeightField::Triangle& t, Vec3 v) {
    return t.vertices[0] == v || t.vertices[1] == v || t.vertices[2] == v;
  };
  std::vector<HeightField::Triangle> all;
  for (std::uint32_t k = 0; k < 4; ++k) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      for (std::uint32_t which = 0; which < 2; ++which)
        all.push_back(field->TriangleAt(i, k, which));
    }
  }
  int borders = 0;
  for (const auto& t : all) {
    for (int edge = 0; edge < 3; ++edge) {
      const Vec3 from = t.vertices[static_cast<std::size_t>(edge)];
      const Vec3 to = t.vertices[static_cast<std::size_t>((edge + 1) % 3)];
      const auto across = field->VertexAcross(t, edge);
      const auto other = std::find_if(all.begin(), all.end(), [&](const auto& o) {
        return o.id != t.id && has(o, from) && has(o, to);
      });
      REQUIRE(across.has_value() == (other != all.end()));
      if (across) {
        CHECK(has(*other, *across));
        CHECK(*across != from);
        CHECK(*across != to);
      } else {
        ++borders;
      }
    }
  }
  CHECK(borders == 16);
}

TEST_CASE("a sphere's deepest point is at the surface's true distance from its centre") {
  Random random(33);
  const auto field = Rough(6, 1.0f, 0.5f, random);
  const Shape ground = Shape::Ground(field.get());
  int touching = 0;
  for (int round = 0; round < 300; ++round) {
    const Vec3 centre{random.Between(1, 4), 0, random.Between(1, 4)};
    const Shape ball = Shape::Sphere(random.Between(0.2f, 0.8f));
    const Vec3 at{centre.x, field->SurfaceAt(centre.x, centre.z) + random.Between(0.05f, 1.0f),
                  centre.z};
    const float truth = BruteForceDistance(*field, at) - ball.radius;
    Manifold m;
    Collide({ground, {}, {}}, {ball, at, {}}, kMargin, m);
    CAPTURE(round, truth);
    if (m.empty()) {
      CHECK(truth > kMargin - 0.01f);
      continue;
    }
    ++touching;
    float deepest = 1e30f;
    for (const ContactPoint& p : m.points()) {
      deepest = std::min(deepest, p.separation);
      CHECK(p.normal.y > 0.0f);
    }
    CHECK(deepest <= truth + 1e-4f);
    CHECK(deepest > truth - 0.02f);  // the oracle tries a grid of points only
  }
  CHECK(touching > 100);
}

TEST_CASE("on level ground a sphere and a box see one normal, wherever they stand") {
  const auto field = Make(20, 20, 0.5f, std::vector<float>(400, 1.0f));
  const Shape ground = Shape::Ground(field.get());
  const Shape ball = Shape::Sphere(0.7f), box = Shape::Box({0.6f, 0.3f, 0.45f});
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    Manifold m;
    const Vec3 at = random.InBox({2, 0, 2}, {7, 0, 7});
    Collide({ground, {}, {}}, {ball, at + Vec3{0, 1.69f, 0}, {}}, kMargin, m);
    REQUIRE(m.count() >= 1);
    for (const ContactPoint& p : m.points()) {
      CHECK(Length(p.normal - Vec3{0, 1, 0}) < 1e-3f);
      CHECK(p.separation == Approx(-0.01f).margin(1e-4));
    }
    const Quat turned = FromAxisAngle({0, 1, 0}, random.Between(0, 6));
    Collide({ground, {}, {}}, {box, at + Vec3{0, 1.29f, 0}, turned}, kMargin, m);
    REQUIRE(m.count() == 4);
    for (const ContactPoint& p : m.points()) {
      CHECK(p.normal == Vec3{0, 1, 0});
      CHECK(p.separation == Approx(-0.01f).margin(1e-4));
      // The corners.
      const Vec3 local = Rotate(Conjugate(turned), p.position - at);
      CHECK(std::abs(local.x) == Approx(0.6f).margin(1e-3));
      CHECK(std::abs(local.z) == Approx(0.45f).margin(1e-3));
    }
  }
}

TEST_CASE("a box's deepest point is where its lower side is deepest below the surface") {
  Random random(55);
  const auto field = Rough(8, 0.8f, 0.3f, random);
  const Shape ground = Shape::Ground(field.get());
  int touching = 0;
  for (int round = 0; round < 300; ++round) {
    const Shape shape = Shape::Box(random.InBox({0.2f, 0.2f, 0.2f}, {0.6f, 0.6f, 0.6f}));
    const Vec3 at{random.Between(1.5f, 4), random.Between(0, 1.2f), random.Between(1.5f, 4)};
    const Placed box(shape, at, random.Rotation());
    Manifold m;
    Collide({ground, {}, {}}, box, kMargin, m);
    // The largest depth, vertically, over points of the box's surface.
    float depth = -1e30f;
    for (int i = 0; i < 3000; ++i) {
      Vec3 local = Multiply(random.InBox({-1, -1, -1}, {1, 1, 1}), shape.half);
      const int axis = static_cast<int>(random.Below(3));
      local.Set(axis, local[axis] < 0 ? -shape.half[axis] : shape.half[axis]);
      const Vec3 p = box.ToWorld(local);
      depth = std::max(depth, field->SurfaceAt(p.x, p.z) - p.y);
    }
    CAPTURE(round, depth);
    if (depth > 0.03f) REQUIRE_FALSE(m.empty());
    if (m.empty()) continue;
    ++touching;
    float deepest = 1e30f;
    for (const ContactPoint& p : m.points()) {
      deepest = std::min(deepest, p.separation);
      CHECK(Length(p.normal) == Approx(1.0f).epsilon(1e-4));
    }
    CHECK(-deepest <= depth + 0.05f);  // a distance from a plane is at most the vertical one
  }
  CHECK(touching > 100);
}

TEST_CASE("a body below the surface is pushed up from any depth") {
  const auto field = Make(4, 4, 1.0f, std::vector<float>(16, 0.0f));
  const Shape ground = Shape::Ground(field.get());
  const Shape ball = Shape::Sphere(0.5f), box = Shape::Box({0.3f, 0.3f, 0.3f});
  for (const float depth : {0.6f, 3.0f, 50.0f}) {
    Manifold m;
    Collide({ground, {}, {}}, {ball, {1.3f, -depth, 1.6f}, {}}, kMargin, m);
    REQUIRE(m.count() == 1);
    CHECK(m.points()[0].normal == Vec3{0, 1, 0});
    CHECK(m.points()[0].separation == Approx(-depth - 0.5f));
    Collide({ground, {}, {}}, {box, {1.3f, -depth, 1.6f}, {}}, kMargin, m);
    REQUIRE(m.count() >= 4);
    CHECK(m.points()[0].separation == Approx(-depth - 0.3f));
  }
  Manifold m;
  Collide({ground, {}, {}}, {ball, {-2, -1, 1}, {}}, kMargin, m);  // beside the field
  CHECK(m.empty());
}

}  // namespace
}  // namespace nowait
