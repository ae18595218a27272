#include "src/apps/demo/scene.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>

#include "src/math/vec3.h"

namespace nowait {
namespace {

constexpr const char* kAsset = "assets/terrain/jacksboro.elevation";

float RadiusOf(const Shape& shape) {
  return shape.radius + shape.half_height + Length(shape.half);  // one kind has none of another
}

TEST_CASE("the ground is a valley gentle enough to rest on") {
  const auto ground = LoadGround(kAsset);
  REQUIRE(ground);
  CHECK(ground->terrain.half_size() == 64.0f);
  CHECK(ground->field->max_height() > 20.0f);
  CHECK(ground->field->max_height() < 50.0f);
  // Friction of 0.7 holds a box on a slope of 0.7; in the middle it is less than half of that.
  for (float x = -20.0f; x <= 20.0f; x += 2.0f) {
    for (float z = -20.0f; z <= 20.0f; z += 2.0f) {
      CHECK(std::abs(ground->HeightAt(x + 1, z) - ground->HeightAt(x, z)) < 0.35f);
      CHECK(std::abs(ground->HeightAt(x, z + 1) - ground->HeightAt(x, z)) < 0.35f);
    }
  }
}

TEST_CASE("falling bodies start apart, above the ground and inside the window") {
  const auto ground = LoadGround(kAsset);
  REQUIRE(ground);
  const auto defs = FallingBodies(*ground, 2'000, 5);
  REQUIRE(defs.size() == 2'000);
  for (std::size_t i = 0; i < defs.size(); ++i) {
    const Vec3 at = defs[i].position;
    const float radius = RadiusOf(defs[i].shape);
    REQUIRE(at.y - radius > ground->HeightAt(at.x, at.z));
    REQUIRE(std::max(std::abs(at.x), std::abs(at.z)) < ground->terrain.half_size());
    for (std::size_t k = i + 1; k < defs.size(); ++k) {
      REQUIRE(Length(defs[k].position - at) > radius + RadiusOf(defs[k].shape));
    }
  }
}

TEST_CASE("the largest number of bodies still starts inside the window") {
  const auto ground = LoadGround(kAsset);
  REQUIRE(ground);
  for (const BodyDef& def : FallingBodies(*ground, 20'000, 5)) {
    REQUIRE(std::max(std::abs(def.position.x), std::abs(def.position.z)) < 60.0f);
  }
}

TEST_CASE("a seed gives the same scene again, and the world has it") {
  const auto ground = LoadGround(kAsset);
  REQUIRE(ground);
  const auto first = CreateScene(*ground, {.bodies = 300, .more = 10, .seed = 7});
  const auto second = CreateScene(*ground, {.bodies = 300, .more = 10, .seed = 7});
  const auto other = CreateScene(*ground, {.bodies = 300, .more = 10, .seed = 8});
  REQUIRE(first);
  REQUIRE(second);
  REQUIRE(other);
  CHECK((*first)->body_count() == 301);
  CHECK((*first)->StateHash() == (*second)->StateHash());
  CHECK((*first)->StateHash() != (*other)->StateHash());
}

TEST_CASE("ground that is missing is an error") {
  const auto missing = LoadGround("no/such.elevation");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::kNotFound);
}

}  // namespace
}  // namespace nowait
