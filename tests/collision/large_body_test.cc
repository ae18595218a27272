// A large body on fine ground: what it costs, and that it is held as a small one is.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/field_blocks.h"
#include "src/collision/height_field.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr float kMargin = 0.02f;

std::unique_ptr<const HeightField> Make(std::uint32_t samples, const std::vector<float>& heights) {
  return std::move(*HeightField::Create({samples, samples, 1.0f, heights}));
}

std::unique_ptr<const HeightField> Level(std::uint32_t samples) {
  return Make(samples, std::vector<float>(samples * samples, 0.0f));
}

float Deepest(const Manifold& manifold) {
  float deepest = 1e30f;
  for (const ContactPoint& point : manifold.points()) {
    deepest = std::min(deepest, point.separation);
  }
  return deepest;
}

TEST_CASE("a pyramid's tops are those of the samples of each block") {
  Random random(5);
  for (const std::uint32_t columns : {2u, 5u, 9u, 30u}) {
    for (const std::uint32_t rows : {2u, 6u, 17u}) {
      std::vector<float> heights;
      for (std::uint32_t i = 0; i < columns * rows; ++i) heights.push_back(random.Between(-1, 1));
      const HeightPyramid pyramid(columns, rows, heights);
      REQUIRE(pyramid.columns(pyramid.levels() - 1) == 1);
      REQUIRE(pyramid.rows(pyramid.levels() - 1) == 1);
      for (std::uint32_t level = 0; level < pyramid.levels(); ++level) {
        const std::uint32_t side = HeightPyramid::SideOf(level);
        for (std::uint32_t k = 0; k < pyramid.rows(level); ++k) {
          for (std::uint32_t i = 0; i < pyramid.columns(level); ++i) {
            float top = -2.0f;
            for (std::uint32_t z = k * side; z <= std::min((k + 1) * side, rows - 1); ++z) {
              for (std::uint32_t x = i * side; x <= std::min((i + 1) * side, columns - 1); ++x) {
                top = std::max(top, heights[z * columns + x]);
              }
            }
            REQUIRE(pyramid.TopOf({level, i, k}) == top);
          }
        }
      }
    }
  }
}

TEST_CASE("the cells and parts that a body looks at have a bound, whatever its size") {
  const auto field = Level(2049);
  for (const float reach : {20.0f, 100.0f, 500.0f, 1000.0f}) {
    const auto cells = field->CellsIn(1000 - reach, 1000 + reach, 1000 - reach, 1000 + reach);
    CHECK_FALSE(FieldBlocks::AreAllLookedAt(cells));
    for (const float gap_everywhere : {-1.0f, 1.0f}) {
      std::uint32_t parts = 0;
      const auto gap = [&](const GroundPart&) {
        ++parts;
        return gap_everywhere;
      };
      const std::array<Vec3, 1> corners = {Vec3{1000 - reach, 0, 1000 - reach}};
      const FieldBlocks blocks(*field, cells, corners, kMargin, gap);
      std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
      blocks.ForEachCell([&](std::uint32_t i, std::uint32_t k) {
        CHECK(seen.insert({i, k}).second);  // each once
        CHECK((i >= cells.first_i && i <= cells.last_i && k >= cells.first_k && k <= cells.last_k));
      });
      CAPTURE(reach, gap_everywhere);
      CHECK(seen.size() <= FieldBlocks::kMostCells);
      CHECK(parts <= 81 * (1 + 4 * FieldBlocks::kStepsOfTile));
      if (gap_everywhere < 0.0f) {
        CHECK(seen.size() >= 1000);
        CHECK(seen.contains({cells.first_i, cells.first_k}));
      } else {
        CHECK(parts <= 81);
        CHECK(seen.size() <= 16);  // the corner's
      }
    }
  }
}

TEST_CASE("the one peak that a large body touches is found, wherever it is") {
  constexpr std::uint32_t kSamples = 601;
  Random random(9);
  for (int round = 0; round < 60; ++round) {
    std::vector<float> heights(kSamples * kSamples);
    for (float& height : heights) height = random.Between(-1.0f, 0.0f);
    const std::uint32_t i = 100 + random.Below(400), k = 100 + random.Below(400);
    for (std::uint32_t z = k - 8; z <= k + 8; ++z) {
      for (std::uint32_t x = i - 8; x <= i + 8; ++x) {
        const auto away =
            static_cast<float>(std::max(x > i ? x - i : i - x, z > k ? z - k : k - z));
        heights[z * kSamples + x] = std::max(heights[z * kSamples + x], 3.0f - 0.5f * away);
      }
    }
    const auto field = Make(kSamples, heights);
    const Shape ground = Shape::Ground(field.get());
    const auto fi = static_cast<float>(i), fk = static_cast<float>(k);
    CAPTURE(round, i, k);
    const Shape box = Shape::Box({250, 5, 250});
    Manifold manifold;
    Collide({ground, {}, {}}, {box, {300, 7.9f, 300}, {}}, kMargin, manifold);
    REQUIRE_FALSE(manifold.empty());
    bool at_peak = false;
    for (const ContactPoint& point : manifold.points()) {
      at_peak = at_peak ||
                (std::abs(point.position.x - fi) < 1.1f && std::abs(point.position.z - fk) < 1.1f);
    }
    CHECK(at_peak);
    const Shape ball = Shape::Sphere(1000.0f);
    Collide({ground, {}, {}}, {ball, {fi, 1002.9f, fk}, {}}, kMargin, manifold);
    REQUIRE_FALSE(manifold.empty());
    CHECK(Deepest(manifold) == Approx(-0.1f).margin(0.01));
  }
}

TEST_CASE("a large box on level ground is held at its corners, level or tilted") {
  const auto field = Level(1025);
  const Shape ground = Shape::Ground(field.get());
  const Shape box = Shape::Box({400, 10, 300});
  Manifold manifold;
  Collide({ground, {}, {}}, {box, {512.3f, 9.99f, 512.6f}, {}}, kMargin, manifold);
  REQUIRE(manifold.count() == 4);
  for (const ContactPoint& point : manifold.points()) {
    CHECK(std::abs(std::abs(point.position.x - 512.3f) - 400) < 1e-2f);
    CHECK(std::abs(std::abs(point.position.z - 512.6f) - 300) < 1e-2f);
    CHECK(point.separation == Approx(-0.01f).margin(1e-3));
    CHECK(point.normal == Vec3{0, 1, 0});
  }
  // Tilted about z: the edge at one end touches.
  const Quat tilt = FromAxisAngle({0, 0, 1}, 0.1f);
  const Vec3 low = Rotate(tilt, {-400, -10, 0});
  Collide({ground, {}, {}}, {box, {512.3f, -low.y - 0.01f, 512.6f}, tilt}, kMargin, manifold);
  REQUIRE(manifold.count() >= 2);
  float first = 1e9f, last = -1e9f;
  for (const ContactPoint& point : manifold.points()) {
    CHECK(std::abs(point.position.x - (512.3f + low.x)) < 1.0f);
    first = std::min(first, point.position.z);
    last = std::max(last, point.position.z);
  }
  CHECK(first == Approx(212.6f).margin(0.1));
  CHECK(last == Approx(812.6f).margin(0.1));
}

TEST_CASE("a large body on waves is as deep as all triangles say") {
  constexpr std::uint32_t kSamples = 401;
  std::vector<float> heights;
  for (std::uint32_t k = 0; k < kSamples; ++k) {
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      const double x = i, z = k;
      heights.push_back(static_cast<float>(3 * std::sin(x / 17) + 2 * std::sin(z / 11 + x / 40)));
    }
  }
  const auto field = Make(kSamples, heights);
  const Shape ground = Shape::Ground(field.get());
  Random random(77);
  for (int round = 0; round < 100; ++round) {
    const Shape box = Shape::Box(random.InBox({40, 5, 40}, {150, 30, 150}));
    const Vec3 at = random.InBox({150, 5, 150}, {250, 30, 250});
    const Vec3 lean = random.InBox({-0.1f, 0, -0.1f}, {0.1f, 1, 0.1f});
    const Quat rotation = Normalise({lean.x, lean.y, lean.z, 1.0f});
    Manifold manifold;
    Collide({ground, {}, {}}, {box, at, rotation}, kMargin, manifold);
    // How deep the samples are in the box, upwards: the box's own depth is enough to tell.
    float truth = 1e30f;
    const Placed placed(box, at, rotation);
    for (std::uint32_t k = 0; k < kSamples; ++k) {
      for (std::uint32_t i = 0; i < kSamples; ++i) {
        const Vec3 local = placed.ToLocal(field->Sample(i, k));
        if (std::abs(local.x) < box.half.x && std::abs(local.z) < box.half.z) {
          truth = std::min(truth, -box.half.y - local.y);
        }
      }
    }
    CAPTURE(round, truth);
    if (manifold.empty()) {
      CHECK(truth > -0.05f);
    } else {
      CHECK(Deepest(manifold) < truth + 0.2f + 0.1f * std::abs(truth));
    }
  }
}

}  // namespace
}  // namespace nowait
