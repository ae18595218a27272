// Contacts with a height field: in valleys, on ridges, peaks and borders, and of a field that is
// not at the origin and not square.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/height_field.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr float kMargin = 0.02f;

// heights(i, k) for each sample.
template <class Heights>
std::unique_ptr<const HeightField> Make(std::uint32_t columns, std::uint32_t rows, float spacing,
                                        const Heights& heights) {
  std::vector<float> samples;
  for (std::uint32_t k = 0; k < rows; ++k) {
    for (std::uint32_t i = 0; i < columns; ++i) {
      samples.push_back(heights(static_cast<float>(i), static_cast<float>(k)));
    }
  }
  return std::move(*HeightField::Create({columns, rows, spacing, samples}));
}

Manifold On(const HeightField& field, Vec3 at, const Shape& shape, Vec3 place, Quat turn = {}) {
  const Shape ground = Shape::Ground(&field);
  Manifold manifold;
  Collide({ground, at, {}}, {shape, place, turn}, kMargin, manifold);
  return manifold;
}

TEST_CASE("each sample of a field that is not square is where its column and row say") {
  const auto field = Make(5, 3, 2.0f, [](float i, float k) { return 10 * i + k; });
  CHECK(field->columns() == 5);
  CHECK(field->rows() == 3);
  CHECK(field->width() == 8);
  CHECK(field->depth() == 4);
  CHECK(field->min_height() == 0);
  CHECK(field->max_height() == 42);
  std::set<std::uint32_t> ids;
  for (std::uint32_t k = 0; k < 3; ++k) {
    for (std::uint32_t i = 0; i < 5; ++i) {
      const auto x = static_cast<float>(i), z = static_cast<float>(k);
      CHECK(field->Sample(i, k) == Vec3{2 * x, 10 * x + z, 2 * z});
      CHECK(field->SurfaceAt(2 * x, 2 * z) == Approx(10 * x + z));
      if (i == 4 || k == 2) continue;
      for (std::uint32_t which = 0; which < 2; ++which) {
        const auto triangle = field->TriangleAt(i, k, which);
        CHECK(ids.insert(triangle.id).second);
        for (std::size_t v = 0; v < 3; ++v) {
          CHECK(triangle.vertices[v] ==
                field->Sample(triangle.samples[v][0], triangle.samples[v][1]));
        }
        CHECK(Cross(triangle.vertices[1] - triangle.vertices[0],
                    triangle.vertices[2] - triangle.vertices[0])
                  .y > 0);
        CHECK(Length(triangle.normal) == Approx(1.0f));
      }
    }
  }
}

TEST_CASE(
    "in a field that is not square a vertex across an edge is the other triangle's third one") {
  const auto field = Make(4, 3, 1.0f, [](float i, float k) { return i * i + 3 * k; });
  const auto sample = [&](std::uint32_t i, std::uint32_t k) { return field->Sample(i, k); };
  const auto upper = field->TriangleAt(1, 0, 0), lower = field->TriangleAt(1, 1, 1);
  CHECK(field->VertexAcross(upper, 0) == sample(0, 0));
  CHECK(field->VertexAcross(upper, 1) == sample(2, 2));
  CHECK(field->VertexAcross(upper, 2) == sample(2, 0));
  CHECK(field->VertexAcross(lower, 0) == sample(1, 2));
  CHECK(field->VertexAcross(lower, 1) == sample(3, 2));
  CHECK(field->VertexAcross(lower, 2) == sample(1, 0));
  CHECK_FALSE(field->VertexAcross(field->TriangleAt(0, 1, 0), 0));
  CHECK_FALSE(field->VertexAcross(field->TriangleAt(0, 1, 0), 1));
  CHECK_FALSE(field->VertexAcross(field->TriangleAt(2, 0, 1), 1));
  CHECK_FALSE(field->VertexAcross(field->TriangleAt(2, 0, 1), 2));
}

TEST_CASE("the cells in a range are those that it touches, up to the borders, and none outside") {
  const auto field = Make(5, 3, 2.0f, [](float, float) { return 0.0f; });  // 8 by 4
  const auto is = [&](float min_x, float max_x, float min_z, float max_z, std::uint32_t first_i,
                      std::uint32_t last_i, std::uint32_t first_k, std::uint32_t last_k) {
    const auto cells = field->CellsIn(min_x, max_x, min_z, max_z);
    return !cells.empty && cells.first_i == first_i && cells.last_i == last_i &&
           cells.first_k == first_k && cells.last_k == last_k;
  };
  CHECK(is(2.5f, 5.5f, 0.5f, 2.5f, 1, 2, 0, 1));
  CHECK(is(3, 3.5f, 3, 3.5f, 1, 1, 1, 1));
  CHECK(is(-100, 100, -100, 100, 0, 3, 0, 1));
  CHECK(is(8, 9, 4, 5, 3, 3, 1, 1));
  CHECK(is(-1, 0, -1, 0, 0, 0, 0, 0));
  CHECK(field->CellsIn(8.001f, 9, 0, 1).empty);
  CHECK(field->CellsIn(-2, -0.001f, 0, 1).empty);
  CHECK(field->CellsIn(0, 1, 4.001f, 5).empty);
  CHECK(field->CellsIn(0, 1, -2, -0.001f).empty);
}

TEST_CASE("outside a field the surface is that of its border, on each side") {
  const auto field = Make(3, 3, 1.0f, [](float i, float k) { return i + 10 * k; });
  CHECK(field->SurfaceAt(-5, 1) == Approx(10));
  CHECK(field->SurfaceAt(7, 1) == Approx(12));
  CHECK(field->SurfaceAt(1, -5) == Approx(1));
  CHECK(field->SurfaceAt(1, 7) == Approx(21));
}

TEST_CASE(
    "a field that stands elsewhere has the same contacts there, for a body either way round") {
  const auto field = Make(9, 7, 1.0f, [](float i, float k) { return 0.125f * i + 0.0625f * k; });
  const Vec3 away{128, 64, -32};  // sums of places with it are exact
  const Shape ground = Shape::Ground(field.get());
  const auto has = [](const Manifold& manifold, const ContactPoint& point) {
    return std::ranges::any_of(manifold.points(), [&](const ContactPoint& other) {
      return Length(other.position - point.position) < 1e-3f &&
             Length(other.normal - point.normal) < 1e-3f &&
             std::abs(other.separation - point.separation) < 1e-3f;
    });
  };
  for (const Shape& shape : {Shape::Sphere(0.5f), Shape::Box({0.5f, 0.5f, 0.75f})}) {
    for (const float y : {1.1875f, -0.5f}) {  // on it, and sunk into it
      CAPTURE(y);
      const Vec3 at{4.25f, y, 3.1875f};
      const Manifold here = On(*field, {}, shape, at), there = On(*field, away, shape, at + away);
      Manifold back;
      Collide({shape, at, {}}, {ground, {}, {}}, kMargin, back);
      REQUIRE(here.count() > 0);
      REQUIRE(back.count() == here.count());
      for (std::size_t i = 0; i < here.count(); ++i) {
        ContactPoint point = here.points()[i];
        CHECK(back.points()[i].normal == -point.normal);
        CHECK(back.points()[i].position == point.position);
        CHECK(back.points()[i].separation == point.separation);
        point.position += away;
        CHECK(has(there, point));
      }
    }
  }
}

TEST_CASE("a contact point on a field lies midway between the surface and the body") {
  const auto field = Make(5, 5, 1.0f, [](float, float) { return 2.0f; });
  for (const float separation : {-0.1f, 0.01f}) {
    CAPTURE(separation);
    for (const Shape& shape : {Shape::Sphere(0.5f), Shape::Box({0.5f, 0.5f, 0.5f})}) {
      const Manifold m = On(*field, {}, shape, {2.2f, 2.5f + separation, 1.7f});
      REQUIRE_FALSE(m.empty());
      std::set<std::uint32_t> features;
      for (const ContactPoint& point : m.points()) {
        CHECK(point.position.y == Approx(2.0f + 0.5f * separation).margin(1e-4));
        CHECK(point.separation == Approx(separation).margin(1e-4));
        CHECK(features.insert(point.feature).second);
      }
    }
  }
}

TEST_CASE("a ball in a valley touches both of its sides, on a ridge its edge, on a peak its top") {
  const Shape ball = Shape::Sphere(0.5f);
  const float far = 0.5f * std::sqrt(2.0f);  // of the centre from the valley's bottom line
  const auto valley_x = Make(5, 5, 1.0f, [](float i, float) { return std::abs(i - 2); });
  const auto valley_z = Make(5, 5, 1.0f, [](float, float k) { return std::abs(k - 2); });
  for (const bool along_z : {true, false}) {
    const Manifold m = On(along_z ? *valley_x : *valley_z, {}, ball, {2, far, 2});
    std::set<float> slopes;
    for (const ContactPoint& point : m.points()) {
      const float slope = along_z ? point.normal.x : point.normal.z;
      slopes.insert(std::round(100 * slope));
      CHECK(point.separation == Approx(0.0f).margin(1e-4));
    }
    CHECK(slopes == std::set<float>{-71, 71});
  }
  const auto ridge = Make(5, 5, 1.0f, [](float i, float) { return -std::abs(i - 2); });
  const Manifold on_ridge = On(*ridge, {}, ball, {2, 0.49f, 2.3f});
  REQUIRE(on_ridge.count() == 1);
  CHECK(Length(on_ridge.points()[0].normal - Vec3{0, 1, 0}) < 1e-4f);
  CHECK(on_ridge.points()[0].separation == Approx(-0.01f).margin(1e-4));
  const auto peak =
      Make(5, 5, 1.0f, [](float i, float k) { return -std::abs(i - 2) - std::abs(k - 2); });
  const Manifold on_peak = On(*peak, {}, ball, {2.3f, 0.4f, 2});
  REQUIRE(on_peak.count() == 1);
  CHECK(Length(on_peak.points()[0].normal - Vec3{0.6f, 0.8f, 0}) < 1e-4f);
}

TEST_CASE(
    "a box on a peak touches it with its lower face, where the peak is, however steep it is") {
  for (const float slope : {0.5f, 1.0f, 3.0f}) {
    CAPTURE(slope);
    const auto peak = Make(
        5, 5, 1.0f, [&](float i, float k) { return -slope * (std::abs(i - 2) + std::abs(k - 2)); });
    const Manifold m = On(*peak, {}, Shape::Box({0.8f, 0.5f, 0.7f}), {2.3f, 0.49f, 1.8f});
    REQUIRE_FALSE(m.empty());
    std::set<std::uint32_t> features;
    for (const ContactPoint& point : m.points()) {
      CHECK(std::abs(point.position.x - 2) < 0.05f);
      CHECK(std::abs(point.position.z - 2) < 0.05f);
      CHECK(features.insert(point.feature).second);
    }
  }
}

TEST_CASE("the points of a box on a field differ in their features, those of two faces as well") {
  Random random(23);
  int with_two_faces = 0;
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    // Steep enough for a side of the box to face a triangle that its lowest face lies over, too.
    const auto field = Make(5, 5, 1.0f, [&](float, float) { return random.Between(0, 3); });
    const Shape box = Shape::Box(random.InBox({0.2f, 0.2f, 0.2f}, {1, 1, 1}));
    const Manifold m = On(*field, {}, box, random.InBox({0, 0, 0}, {4, 4, 4}), random.Rotation());
    std::set<std::uint32_t> features;
    int faces = 0;
    for (const ContactPoint& point : m.points()) {
      CHECK(features.insert(point.feature).second);
      faces |= point.feature >> 31 == 0 ? 1 : 2;
    }
    if (faces == 3) ++with_two_faces;
  }
  CHECK(with_two_faces > 20);
}

// Nine peaks under a ball, each at a depth of its own: one more than a manifold holds.
TEST_CASE("of more points than there is room for the shallowest is left out, whichever it is") {
  constexpr float kRadius = 50;
  for (int shallow = 0; shallow < 9; ++shallow) {
    CAPTURE(shallow);
    const auto depth = [&](int peak) {
      return peak == shallow ? 0.001f : 0.01f + 0.001f * static_cast<float>(peak);
    };
    const auto field = Make(7, 7, 1.0f, [&](float i, float k) {
      const int x = static_cast<int>(i), z = static_cast<int>(k);
      if (x % 2 == 0 || z % 2 == 0) return -20.0f;
      const float reach = kRadius - depth(x / 2 + 3 * (z / 2));
      return kRadius - std::sqrt(reach * reach - (i - 3) * (i - 3) - (k - 3) * (k - 3));
    });
    const Manifold m = On(*field, {}, Shape::Sphere(kRadius), {3, kRadius, 3});
    REQUIRE(m.count() == Manifold::kMaxPoints);
    for (const ContactPoint& point : m.points()) CHECK(point.separation < -0.005f);
  }
}

}  // namespace
}  // namespace nowait
