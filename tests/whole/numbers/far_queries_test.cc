// Queries whose numbers are as large as floats go: in a world whose bodies are near its origin.
#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "src/world/world.h"

namespace nowait {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();

struct Row {
  std::unique_ptr<World> world;
  std::vector<BodyId> bodies;  // balls of one metre at x = 10, 20, 30, 40, in another order
};

Row MakeRow() {
  WorldDef def;
  def.max_bodies = 16;
  def.max_contacts = 16;
  Row row{std::move(*World::Create(def)), {}};
  WaitTime wait;
  row.bodies.resize(4);
  // The nearest is not the one of the lowest slot, and static and dynamic bodies are in two trees.
  for (const std::size_t i : {2u, 0u, 3u, 1u}) {
    BodyDef ball;
    ball.type = i % 2 == 0 ? BodyType::kStatic : BodyType::kDynamic;
    ball.shape = Shape::Sphere(1.0f);
    ball.position = {10.0f * static_cast<float>(i + 1), 0, 0};
    row.bodies[i] = *row.world->CreateBody(ball, wait);
  }
  return row;
}

TEST_CASE("a ray of any length hits the first of several bodies, from both sides") {
  const Row row = MakeRow();
  WaitTime wait;
  for (const float length : {100.0f, 1e7f, 1e9f, 3e19f, 1e30f, kLargest}) {
    CAPTURE(length);
    const auto forward = row.world->CastRay({{-0.5f * length, 0, 0}, {length, 0, 0}}, {}, wait);
    REQUIRE(forward.has_value());
    CHECK(forward->body == row.bodies[0]);
    CHECK(forward->point.x == Approx(9.0f).margin(length < 1e7f ? 1e-3 : 1e-2));
    CHECK(forward->normal.x == Approx(-1.0f));
    const auto back = row.world->CastRay({{0.5f * length, 0, 0}, {-length, 0, 0}}, {}, wait);
    REQUIRE(back.has_value());
    CHECK(back->body == row.bodies[3]);
    CHECK(back->point.x == Approx(41.0f).margin(length < 1e7f ? 1e-3 : 1e-2));
    QueryFilter filter;
    filter.ignore = row.bodies[0];
    const auto second = row.world->CastRay({{-0.5f * length, 0, 0}, {length, 0, 0}}, filter, wait);
    REQUIRE(second.has_value());
    CHECK(second->body == row.bodies[1]);
    CHECK_FALSE(row.world->CastRay({{-0.5f * length, 5, 0}, {length, 0, 0}}, {}, wait));
    // From among the bodies outwards.
    const auto out = row.world->CastRay({{25, 0, 0}, {length, 0, 0}}, {}, wait);
    REQUIRE(out.has_value());
    CHECK(out->body == row.bodies[2]);
  }
}

TEST_CASE("areas of any size touch what is in them") {
  const Row row = MakeRow();
  const WorldView view = row.world->Read();
  WaitTime wait;
  std::vector<BodyId> found;
  std::vector<BodySnapshot> copies;
  for (const float size : {100.0f, 1e12f, 1e20f, 1e30f, kLargest}) {
    CAPTURE(size);
    const Vec3 half{size, size, size};
    view.FindInBox(ToBounds(-half, half), {}, found, wait);
    CHECK(found.size() == 4);
    view.FindInBox(ToBounds({25, -size, -size}, half), {}, found, wait);
    CHECK(found.size() == 2);
    view.Collect(ToBounds(-half, half), {}, copies, wait);
    CHECK(copies.size() == 4);
    view.Collect(Ball{{0, 0, 0}, size}, {}, copies, wait);
    CHECK(copies.size() == 4);
    view.Collect(OrientedBox{{0, 0, 0}, half, {}}, {}, copies, wait);
    CHECK(copies.size() == 4);
    view.Collect(SweptBox{{0, 0, 0}, half, {1, 0, 0}}, {}, copies, wait);
    CHECK(copies.size() == 4);
    view.Collect(SweptBox{{-0.4f * size, 0, 0}, {0.1f, 0.1f, 0.1f}, {0.8f * size, 0, 0}}, {},
                 copies, wait);
    CHECK(copies.size() == 4);
    view.Collect(RayCast{{-0.4f * size, 0, 0}, {0.8f * size, 0, 0}}, {}, copies, wait);
    CHECK(copies.size() == 4);
    const auto nearest = view.FindNearest({0, 0, 0}, size, {}, wait);
    REQUIRE(nearest.has_value());
    CHECK(nearest->body == row.bodies[0]);
  }
}

TEST_CASE("an area that is not finite or inside out touches nothing") {
  const Row row = MakeRow();
  const WorldView view = row.world->Read();
  WaitTime wait;
  std::vector<BodyId> found;
  const float infinity = std::numeric_limits<float>::infinity();
  view.FindInBox(ToBounds({-infinity, -1, -1}, {100, 1, 1}), {}, found, wait);
  CHECK(found.empty());
  view.FindInBox(ToBounds({-100, -1, -1}, {infinity, 1, 1}), {}, found, wait);
  CHECK(found.empty());
  view.FindInBox(ToBounds({100, -1, -1}, {-100, 1, 1}), {}, found, wait);
  CHECK(found.empty());
  view.FindInBox(ToBounds({std::numeric_limits<float>::quiet_NaN(), -1, -1}, {100, 1, 1}), {},
                 found, wait);
  CHECK(found.empty());
}

}  // namespace
}  // namespace nowait
