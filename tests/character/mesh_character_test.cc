// A character on triangle meshes: stairs, ramps, walls and rooms behave as those of boxes do.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/collision/triangle_mesh.h"
#include "tests/character/walker.h"
#include "tests/collision/meshes.h"

namespace nowait {
namespace {

using test::MeshData;
using test::MeshOf;

constexpr float kWide = 3.0f;

// A strip over the points of a profile, from -kWide to kWide along z; its front is on the left of
// the way from point to point: above one that leads to the right.
MeshData Strip(const std::vector<std::array<float, 2>>& profile) {
  MeshData data;
  for (const auto& [x, y] : profile) {
    data.vertices.push_back({x, y, -kWide});
    data.vertices.push_back({x, y, kWide});
  }
  for (std::uint32_t i = 0; i + 1 < profile.size(); ++i) {
    const std::uint32_t at = 2 * i;
    data.AddTriangle(at, at + 1, at + 3);
    data.AddTriangle(at, at + 3, at + 2);
  }
  return data;
}

// A level way to x = 1, steps of this height and depth, and a level way at the top.
MeshData Stairs(int steps, float height, float depth) {
  std::vector<std::array<float, 2>> profile = {{-5, 0}};
  for (int i = 0; i < steps; ++i) {
    const float x = 1 + depth * static_cast<float>(i);
    profile.push_back({x, height * static_cast<float>(i)});
    profile.push_back({x, height * static_cast<float>(i + 1)});
  }
  profile.push_back(
      {1 + depth * static_cast<float>(steps) + 5, height * static_cast<float>(steps)});
  return Strip(profile);
}

// The mesh is turned and moved: the course begins here, and leads along minus z.
const Vec3 kAt{20, 7, -3};
const Quat kTurned = FromAxisAngle({0, 1, 0}, 1.57079633f);
Vec3 InWorld(Vec3 place) { return kAt + Rotate(kTurned, place); }
Vec3 InCourse(Vec3 place) { return Rotate(Conjugate(kTurned), place - kAt); }

CharacterDef StandingInCourse(Vec3 feet) {
  CharacterDef def = StandingAt(feet);
  def.position = InWorld(def.position);
  return def;
}

struct Course {
  std::unique_ptr<const TriangleMesh> mesh;
  Walker walker;

  Course(const MeshData& data, Vec3 feet) : mesh(MeshOf(data)), walker(StandingInCourse(feet)) {
    BodyDef def;
    def.type = BodyType::kStatic;
    def.shape = Shape::Mesh(mesh.get());
    def.position = kAt;
    def.rotation = kTurned;
    Add(*walker.world, def);
  }
  void Steps(int frames, float speed) {
    walker.Steps(frames, {.velocity = Rotate(kTurned, {speed, 0, 0})});
  }
  float x() const { return InCourse(walker.character.position()).x; }
  float feet() const { return walker.feet() - kAt.y; }
};

TEST_CASE("it climbs stairs of a mesh and comes down again, and stands all the way") {
  const float height = GENERATE(0.1f, 0.2f, 0.34f);
  CAPTURE(height);
  Course course(Stairs(5, height, 0.5f), {});
  course.Steps(1, 0);
  for (int i = 0; i < 160; ++i) {
    course.Steps(1, 1.5f);
    REQUIRE(course.walker.character.stands());
  }
  CHECK(course.feet() == Approx(5 * height + kSkin).margin(0.01));
  CHECK(course.x() == Approx(160 * 1.5f * kFrame).margin(0.5));
  for (int i = 0; i < 160; ++i) {
    course.Steps(1, -1.5f);
    REQUIRE(course.walker.character.stands());
  }
  CHECK(course.feet() == Approx(kSkin).margin(0.01));
}

TEST_CASE("a step of a mesh that is too high is a wall") {
  Course course(Stairs(1, 0.4f, 2.0f), {});
  course.Steps(120, 2.0f);
  CHECK(course.x() == Approx(1 - 0.3f).margin(0.02));
  CHECK(course.feet() == Approx(kSkin).margin(6e-3));
}

TEST_CASE("a ramp of a mesh carries it below the limit, and is a wall above it") {
  const float angle = GENERATE(0.2f, 0.5f, 0.8f, 1.0f);  // the limit is at 0.876
  CAPTURE(angle);
  Course course(Strip({{-5, 0}, {0, 0}, {10, 10 * std::tan(angle)}}), {-1, 0, 0});
  course.Steps(180, 2.0f);
  if (angle < 0.876f) {
    CHECK(course.walker.character.stands());
    CHECK(course.x() == Approx(5).margin(0.4));
    const float height = course.feet();
    CHECK(height > (course.x() - 0.7f) * std::tan(angle));
    course.Steps(60, 0);
    CHECK(course.feet() == Approx(height).margin(1e-3));  // it does not creep
    for (int i = 0; i < 60; ++i) {
      course.Steps(1, -2.0f);
      REQUIRE(course.walker.character.stands());
    }
  } else {
    CHECK(course.feet() < 0.3f);
  }
}

TEST_CASE("over the inner edges of a flat mesh it walks as over a box") {
  MeshData data = test::Sheet(40, 0.37f);
  Course course(data, {-6, 0, 0.05f});
  course.Steps(1, 0);
  for (int i = 0; i < 300; ++i) {
    course.Steps(1, 2.0f);
    REQUIRE(course.walker.character.stands());
    REQUIRE(course.feet() == Approx(kSkin).margin(6e-3));
  }
  CHECK(course.x() == Approx(-6 + 300 * 2.0f * kFrame).margin(0.05));
}

TEST_CASE("it falls onto hills of triangles and walks over them, and never through them") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  Course course(test::Sheet(30, 0.8f, 0.3f, seed), {0, 40, 0});
  Random random(seed);
  for (int i = 0; i < 12; ++i) {
    const Vec3 wish = random.InBox({-3, 0, -3}, {3, 0, 3});
    course.walker.Steps(30, {.velocity = wish, .jump = i % 3 == 0 ? 4.0f : 0.0f});
  }
  course.walker.Steps(60, {});
  CHECK(course.walker.character.stands());
  CHECK(course.feet() > -0.4f);
  CHECK(course.feet() < 0.4f);
}

}  // namespace
}  // namespace nowait
