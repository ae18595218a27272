// Bodies of a centimetre or two lie on level ground of every kind as high as they should, and fall
// asleep.
#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/convex_hull.h"
#include "src/collision/height_field.h"
#include "src/collision/triangle_mesh.h"
#include "tests/collision/meshes.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

const Quat kLying = FromAxisAngle({1, 0, 0}, 1.57079633f);

std::unique_ptr<const ConvexHull> Prism(float half_height, float radius) {
  std::vector<Vec3> points;
  for (int i = 0; i < 6; ++i) {
    const Vec3 side =
        Rotate(FromAxisAngle({0, 1, 0}, static_cast<float>(i) * 1.04719755f), {0, 0, radius});
    points.push_back({side.x, half_height, side.z});
    points.push_back({side.x, -half_height, side.z});
  }
  return std::move(*ConvexHull::Create({.points = points}));
}

// A body that is laid down, and the height at which its centre should come to rest.
struct Laid {
  Shape shape;
  Quat rotation;
  float height;
};

TEST_CASE("small bodies rest on a floor, a field and a mesh at their height, and fall asleep") {
  const std::vector<float> level(100, 0.0f);
  const auto field = std::move(*HeightField::Create({10, 10, 1.0f, level}));
  const auto mesh = test::MeshOf(test::Sheet(10, 1.0f));
  const auto prism = Prism(0.06f, 0.02f);
  std::vector<Laid> laid = {
      {Shape::Box({0.02f, 0.02f, 0.02f}), {}, 0.02f},
      {Shape::Box({0.2f, 0.01f, 0.05f}), {}, 0.01f},
      {Shape::Hull(prism.get()), kLying, 0.02f * 0.8660254f},
      {Shape::Capsule(0.1f, 0.02f), kLying, 0.02f},
  };
  for (const float radius : {0.005f, 0.01f, 0.02f, 0.03f, 0.05f, 0.2f}) {
    for (const float half_height : {0.01f, 0.03f, 0.1f, 0.5f}) {
      laid.push_back({Shape::Cylinder(half_height, radius), kLying, radius});
      laid.push_back({Shape::Cylinder(half_height, radius), {}, half_height});
    }
  }
  for (int ground = 0; ground < 3; ++ground) {
    const auto world = MakeWorld();
    const PoolHere pool(0);
    BodyDef floor = Floor();
    if (ground == 1) floor.shape = Shape::Ground(field.get());
    if (ground == 2) floor.shape = Shape::Mesh(mesh.get());
    if (ground == 1) floor.position = {-4.5f, 0, -4.5f};
    if (ground == 2) floor.position = {};
    Add(*world, floor);
    std::vector<BodyId> bodies;
    for (std::size_t i = 0; i < laid.size(); ++i) {
      BodyDef def;
      def.shape = laid[i].shape;
      def.rotation = FromAxisAngle({0, 1, 0}, 0.3f) * laid[i].rotation;
      def.position = {-3.8f + 1.1f * static_cast<float>(i % 8), laid[i].height + 0.002f,
                      -3.8f + 1.1f * static_cast<float>(i / 8)};
      def.rolling_resistance = 0.2f;
      bodies.push_back(Add(*world, def));
    }
    REQUIRE(Run(*world, pool, 240));
    for (std::size_t i = 0; i < laid.size(); ++i) {
      const BodySnapshot body = Get(*world, bodies[i]);
      CAPTURE(ground, i, laid[i].shape.radius, laid[i].shape.half_height, laid[i].height);
      CHECK(body.asleep);
      CHECK(body.position.y == Approx(laid[i].height).margin(0.001));
    }
  }
}

}  // namespace
}  // namespace nowait
