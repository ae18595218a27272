// Worlds with materials of triangles and cells: a box slides on ice and stops on rock, also one
// that stands half on each; a hook's friction meets the surface's.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/triangle_mesh.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

enum Material : std::uint8_t { kRock, kIce, kRubber };
const std::array kTable = {SurfaceMaterial{}, SurfaceMaterial{.friction = 0.0f},
                           SurfaceMaterial{.restitution = 0.8f}};

enum class Kind : std::uint8_t { kField, kMesh };

// A level strip of cells a metre wide along x, 40 by 8, with its lower corner at (-20, 0, -4).
// material(x, z): of the cell with that middle.
class Strip {
 public:
  template <class MaterialOf>
  Strip(Kind kind, MaterialOf material) {
    std::vector<std::uint8_t> of_cells, of_triangles;
    std::vector<std::uint32_t> indices;
    std::vector<Vec3> vertices;
    for (std::uint32_t k = 0; k <= kRows; ++k) {
      for (std::uint32_t i = 0; i <= kColumns; ++i) {
        const auto at = static_cast<std::uint32_t>(vertices.size());
        vertices.push_back({static_cast<float>(i), 0, static_cast<float>(k)});
        if (i == kColumns || k == kRows) continue;
        const std::uint32_t across = at + kColumns + 2;
        indices.insert(indices.end(), {at, at + kColumns + 1, across, at, across, at + 1});
        of_cells.push_back(material(static_cast<float>(i) - 19.5f, static_cast<float>(k) - 3.5f));
        of_triangles.insert(of_triangles.end(), 2, of_cells.back());
      }
    }
    const std::vector<float> level(vertices.size(), 0.0f);
    field_ = *HeightField::Create({.columns = kColumns + 1,
                                   .rows = kRows + 1,
                                   .heights = level,
                                   .materials = {kTable, of_cells}});
    mesh_ = *TriangleMesh::Create(
        {.vertices = vertices, .indices = indices, .materials = {kTable, of_triangles}});
    body.type = BodyType::kStatic;
    body.shape = kind == Kind::kField ? Shape::Ground(field_.get()) : Shape::Mesh(mesh_.get());
    body.position = {-20, 0, -4};
    body.friction = 0.5f;
  }

  BodyDef body;

 private:
  static constexpr std::uint32_t kColumns = 40, kRows = 8;
  std::unique_ptr<const HeightField> field_;
  std::unique_ptr<const TriangleMesh> mesh_;
};

BodyDef Sledge(float speed, float from, float z = 0.5f) {
  BodyDef def = BoxAt({0.4f, 0.2f, 0.3f}, {from, 0.2f, z});
  def.friction = 0.5f;
  def.linear_velocity = {speed, 0, 0};
  return def;
}

TEST_CASE(
    "a box slides on ice without loss, and stops on the rock behind it as far as friction says") {
  PoolHere pool(0);
  const Strip strip(GENERATE(Kind::kField, Kind::kMesh),
                    [](float x, float) { return x < 0 ? kIce : kRock; });
  const auto world = MakeWorld();
  const BodyId ground = Add(*world, strip.body);
  const BodyId box = Add(*world, Sledge(6, -15));
  REQUIRE(Run(*world, pool, 120));
  const BodySnapshot on_ice = Get(*world, box);
  CHECK(on_ice.position.x == Approx(-3).margin(0.1));
  CHECK(on_ice.linear_velocity.x == Approx(6).margin(0.01));
  REQUIRE(Run(*world, pool, 240));
  const BodySnapshot on_rock = Get(*world, box);
  CHECK(on_rock.asleep);
  // Half of its length has to be over the border before all of it holds.
  CHECK(on_rock.position.x == Approx(6.0f * 6.0f / (2 * 9.81f * 0.5f)).margin(0.3));
  WaitTime wait;
  const auto material_at = [&](float x) {
    return world->CastRay({{x, 5, -2}, {0, -9, 0}}, {.dynamics = false}, wait)->material;
  };
  CHECK(material_at(-7.3f) == kIce);
  CHECK(material_at(7.3f) == kRock);
  const WorldView view = world->Read();
  const PlacedShape ball{Shape::Sphere(0.1f), {-7.3f, 5, -2}, {}};
  CHECK((*view.CastShape(ball, {0, -9, 0}, {}, wait))->material == kIce);
  const auto closest = *view.FindClosest(ball, 9, {}, wait);
  CHECK(closest->body == ground);
  CHECK(closest->material == kIce);
}

TEST_CASE("a box with one side on ice is turned by the side that holds") {
  PoolHere pool(0);
  const Strip strip(GENERATE(Kind::kField, Kind::kMesh),
                    [](float, float z) { return z < 0 ? kIce : kRock; });
  const auto world = MakeWorld();
  Add(*world, strip.body);
  const BodyId box = Add(*world, Sledge(6, -15, 0.0f));
  REQUIRE(Run(*world, pool, 20));
  const BodySnapshot after = Get(*world, box);
  // Rock at positive z holds its side back: the torque is about the downward axis, and half of the
  // weight brakes.
  CHECK(after.angular_velocity.y < -0.5f);
  CHECK(after.linear_velocity.x < 5.5f);
  CHECK(after.linear_velocity.x > 4.5f);
}

TEST_CASE("a ball bounces where the triangle is rubber, and nowhere else") {
  PoolHere pool(0);
  const Strip strip(GENERATE(Kind::kField, Kind::kMesh),
                    [](float x, float) { return x < 0 ? kRubber : kRock; });
  const auto world = MakeWorld();
  Add(*world, strip.body);
  std::array<BodyId, 2> balls;
  for (std::size_t i = 0; i < 2; ++i) {
    balls[i] = Add(*world, SphereAt(0.25f, {i == 0 ? -5.4f : 5.4f, 2.25f, 0.4f}));
  }
  std::array<float, 2> highest{};
  for (int step = 0; step < 90; ++step) {
    REQUIRE(Run(*world, pool, 1));
    for (std::size_t i = 0; i < 2; ++i) {
      const BodySnapshot ball = Get(*world, balls[i]);
      if (step > 45) highest[i] = std::max(highest[i], ball.position.y);
    }
  }
  CHECK(highest[0] == Approx(0.25f + 2 * 0.8f * 0.8f).margin(0.15));
  CHECK(highest[1] < 0.3f);
}

TEST_CASE("a hook sees the material of each point, and its friction is shared by all of them") {
  PoolHere pool(0);
  const Strip strip(Kind::kMesh, [](float x, float) { return x < 0 ? kIce : kRock; });
  WorldDef def;
  bool saw_ice = false, saw_rock = false;
  def.contact_hook = [&](const ContactPair& contact, ContactMaterial& material) {
    for (const ContactPoint& point : contact.points) {
      (point.material == kIce ? saw_ice : saw_rock) = true;
    }
    material.friction = 0.0f;
    return true;
  };
  const auto world = MakeWorld(def);
  Add(*world, strip.body);
  const BodyId box = Add(*world, Sledge(6, -5));
  REQUIRE(Run(*world, pool, 120));
  CHECK(saw_ice);
  CHECK(saw_rock);
  CHECK(Get(*world, box).linear_velocity.x == Approx(6).margin(0.05));
}

TEST_CASE("a hook sees the material also where a fast body would be stopped") {
  PoolHere pool(0);
  const Strip strip(GENERATE(Kind::kField, Kind::kMesh), [](float, float) { return kIce; });
  WorldDef def;
  int asked = 0, of_ice = 0;
  def.contact_hook = [&](const ContactPair& contact, ContactMaterial&) {
    for (const ContactPoint& point : contact.points) {
      ++asked;
      if (point.material == kIce) ++of_ice;
    }
    return false;
  };
  const auto world = MakeWorld(def);
  Add(*world, strip.body);
  BodyDef ball = SphereAt(0.1f, {0.3f, 5, 0.4f});
  ball.linear_velocity = {0, -400, 0};
  Add(*world, ball);
  REQUIRE(Run(*world, pool, 2));
  CHECK(asked > 0);
  CHECK(of_ice == asked);
}

TEST_CASE("ice and rock give one hash for any number of threads") {
  std::uint64_t alone = 0;
  for (const std::uint32_t workers : {0u, 3u}) {
    PoolHere pool(workers);
    const Strip strip(Kind::kMesh, [](float x, float z) {
      return static_cast<Material>(static_cast<int>(x * 3 + z * 5 + 200) % 3);
    });
    const auto world = MakeWorld();
    Add(*world, strip.body);
    Random random(3);
    for (int i = 0; i < 60; ++i) {
      BodyDef body;
      body.shape = FallingShape(Falling::kAllKinds, random);
      body.position = random.InBox({-15, 1, -3}, {15, 6, 3});
      body.rotation = random.Rotation();
      body.linear_velocity = random.InBox({-5, -1, 0}, {5, 0, 0});
      Add(*world, body);
    }
    REQUIRE(Run(*world, pool, 150));
    if (workers == 0) alone = world->StateHash();
    CHECK(world->StateHash() == alone);
  }
}

}  // namespace
}  // namespace nowait
