// Contacts with meshes: the same as with the shapes that the meshes are of, wherever the mesh
// stands. Inner edges have no contacts.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/core_distance.h"
#include "tests/collision/convex_shapes.h"
#include "tests/collision/meshes.h"

namespace nowait {
namespace {

using test::BoxMesh;
using test::kConvex;
using test::MeshData;
using test::MeshOf;
using test::OutsideOf;
using test::Reach;
using test::Shapes;
using test::Sheet;
using test::Soup;

constexpr float kMargin = 0.02f;

Manifold Contacts(const Placed& mesh, const Placed& shape) {
  Manifold manifold;
  Collide(mesh, shape, kMargin, manifold);
  return manifold;
}

float Least(const Manifold& manifold) {
  float least = 1e30f;
  for (const ContactPoint& point : manifold.points()) least = std::min(least, point.separation);
  return least;
}

TEST_CASE("on a flat sheet every contact points straight up, and the deepest is the lowest point") {
  // Fine and coarse beside the shapes, whose boxes reach beyond no border.
  for (const float spacing : {0.13f, 0.9f, 20.0f}) {
    const auto mesh = MeshOf(Sheet(spacing > 1.0f ? 2 : spacing > 0.5f ? 8 : 50, spacing));
    const Shape of_mesh = Shape::Mesh(mesh.get());
    const Placed floor(of_mesh, {}, {});
    Random random(91);
    Shapes shapes;
    for (int round = 0; round < 300; ++round) {
      const Shape shape = shapes.Draw(kConvex[round % kConvex.size()], random);
      const Quat turn = round % 3 == 0 ? Quat{} : random.Rotation();
      const Placed at_origin(shape, {}, turn);
      const float below = static_cast<float>(Reach(at_origin, {0, -1, 0}));
      const float gap = random.Between(-0.1f, 0.019f);
      const Vec3 place = random.InBox({-1, 0, -1}, {1, 0, 1}) + Vec3{0, below + gap, 0};
      const Manifold manifold = Contacts(floor, Placed(shape, place, turn));
      CAPTURE(spacing, round, gap);
      REQUIRE(!manifold.empty());
      // Of a corner that is deep beside the triangles, a part of the depth.
      const bool is_deep = gap < -0.25f * spacing;
      if (!is_deep) CHECK(Least(manifold) == Approx(gap).margin(3.1e-3));
      CHECK(Least(manifold) >= gap - 1e-4f);
      CHECK(Least(manifold) <= (gap < 0.0f ? 0.5f : 1.0f) * gap + 1e-3f);
      for (const ContactPoint& point : manifold.points()) {
        CHECK(point.normal.y > 0.9999f);
        CHECK(point.separation <= kMargin);
      }
    }
  }
}

TEST_CASE("a box that lies on a fine sheet stands on its four corners") {
  const auto mesh = MeshOf(Sheet(40, 0.11f));
  const Shape of_mesh = Shape::Mesh(mesh.get()), box = Shape::Box({0.5f, 0.3f, 0.4f});
  const Manifold manifold =
      Contacts(Placed(of_mesh, {}, {}), Placed(box, {0.03f, 0.295f, 0.02f}, {}));
  REQUIRE(manifold.count() == 4);
  std::set<std::pair<bool, bool>> corners;
  for (const ContactPoint& point : manifold.points()) {
    CHECK(point.separation == Approx(-0.005).margin(1e-5));
    CHECK(std::abs(point.position.x - 0.03f) == Approx(0.5).margin(2e-3));
    CHECK(std::abs(point.position.z - 0.02f) == Approx(0.4).margin(2e-3));
    corners.insert({point.position.x > 0.0f, point.position.z > 0.0f});
  }
  CHECK(corners.size() == 4);
}

TEST_CASE("a shape that touches a box of triangles is as far from it as from the box") {
  Random random(92);
  Shapes shapes;
  const Vec3 half{0.8f, 0.5f, 1.1f};
  const auto mesh = MeshOf(BoxMesh(half));
  const Shape of_mesh = Shape::Mesh(mesh.get()), solid = Shape::Box(half);
  int touching = 0, deeper = 0;
  for (int round = 0; round < 600; ++round) {
    const Shape shape = shapes.Draw(kConvex[round % kConvex.size()], random);
    const Quat turn = random.Rotation();
    const Vec3 direction = random.Direction();
    const Placed box(solid, {}, {});
    // Moved to a chosen distance along the way between the nearest points.
    Placed body(shape, direction * 4.0f, turn);
    for (int step = 0; step < 4; ++step) {
      const CoreDistance of = DistanceOf(Core(box, {}), Core(body, {}));
      const double by = random.Between(-0.03f, 0.015f) - of.distance;
      body.position = body.position + ToFloat(of.normal * by);
    }
    const double distance = DistanceOf(Core(box, {}), Core(body, {})).distance;
    const Manifold manifold = Contacts(Placed(of_mesh, {}, {}), body);
    CAPTURE(round, distance);
    if (distance > kMargin) {
      CHECK(manifold.empty());
      continue;
    }
    ++touching;
    REQUIRE(!manifold.empty());
    // Faces are preferred; in a few poses the face of the triangle beside is deeper.
    CHECK(Least(manifold) <= distance + 4e-3);
    CHECK(Least(manifold) >= distance - 0.025);
    deeper += Least(manifold) < distance - 4e-3 ? 1 : 0;
    for (const ContactPoint& point : manifold.points()) {
      // Along each normal the two bodies are no deeper than the point says, but for the preference
      // for faces.
      const double gap = test::Gap(box, body, point.normal);
      CHECK(point.separation >= gap - 4e-3);
    }
  }
  CHECK(touching > 400);
  CHECK(deeper < 12);
}

TEST_CASE("a sphere over any mesh has the contacts of the local minima of the distance") {
  Random random(93);
  int points = 0;
  for (int round = 0; round < 300; ++round) {
    const MeshData data = Sheet(12, 0.3f, 0.12f, 95u + round % 6);
    const auto mesh = MeshOf(data);
    const Shape of_mesh = Shape::Mesh(mesh.get()), ball = Shape::Sphere(0.4f);
    const Vec3 centre = random.InBox({-1, 0.3f, -1}, {1, 0.55f, 1});
    const Manifold manifold = Contacts(Placed(of_mesh, {}, {}), Placed(ball, centre, {}));
    double nearest = 1e30;
    const Core point(Placed(Shape::Sphere(0.001f), centre, {}), {});
    for (std::size_t i = 0; i < data.triangles(); ++i) {
      const Core triangle = Core::OfTriangle(data.PlacesOf(i), {}, {});
      nearest = std::min(nearest, DistanceOf(triangle, point).distance + 0.001 - 0.4);
    }
    CAPTURE(round, nearest);
    if (nearest > kMargin) {
      CHECK(manifold.empty());
      continue;
    }
    REQUIRE(!manifold.empty());
    CHECK(Least(manifold) == Approx(nearest).margin(1e-4));
    // At each contact no place of the surface near it is nearer to the centre.
    for (const ContactPoint& contact : manifold.points()) {
      ++points;
      const float height = contact.separation + 0.4f;
      const Vec3 on_mesh = centre - contact.normal * height;
      for (int way = 0; way < 40; ++way) {
        const Vec3 beside = on_mesh + random.Direction() * 0.001f;
        const Core there(Placed(Shape::Sphere(0.001f), beside, {}), {});
        double best = 1e30;
        Vec3 on_surface;
        for (std::size_t i = 0; i < data.triangles(); ++i) {
          const auto of = DistanceOf(Core::OfTriangle(data.PlacesOf(i), {}, {}), there);
          if (of.distance < best) on_surface = ToFloat(of.on_a);
          best = std::min(best, of.distance);
        }
        CHECK(Length(on_surface - centre) > height - 5e-5f);
      }
    }
  }
  CHECK(points > 100);
}

TEST_CASE("no inner edge of a flat sheet pushes a sphere aside, however large it is") {
  Random random(37);
  for (const float bumps : {0.0f, 1e-6f, 5e-6f}) {
    const auto mesh = MeshOf(Sheet(60, 0.23f, bumps));
    const Shape ground = Shape::Mesh(mesh.get());
    for (const float radius : {0.05f, 0.4f, 5.0f, 20.0f, 300.0f}) {
      const Shape sphere = Shape::Sphere(radius);
      for (int i = 0; i < 60; ++i) {
        Vec3 at = random.InBox({-3, 0, -3}, {3, 0, 3});
        if (i % 3 == 1) at.x = 0.23f * static_cast<float>(random.Below(20));  // an edge
        if (i % 3 == 2) at = mesh->Vertex(random.Below(mesh->vertices()));
        at.y = radius - 0.001f;
        CAPTURE(bumps, radius, i, at.x, at.z);
        Manifold manifold;
        Collide(Placed(ground, {}, {}), Placed(sphere, at, {}), 0.02f, manifold);
        REQUIRE(manifold.count() >= 1);
        for (const ContactPoint& point : manifold.points()) {
          CHECK(point.separation == Approx(-0.001f).margin(2e-5f + 1e-6f * radius));
          CHECK(Length(point.normal - Vec3{0, 1, 0}) < 4e-4f);
        }
      }
    }
  }
}

TEST_CASE("contacts are the same wherever mesh and shape stand together") {
  Random random(94);
  Shapes shapes;
  int touching = 0;
  for (int round = 0; round < 300; ++round) {
    const auto mesh = MeshOf(Sheet(10, 0.37f, 0.15f, 100u + round % 6));
    const Shape of_mesh = Shape::Mesh(mesh.get());
    const Shape shape = shapes.Draw(kConvex[round % kConvex.size()], random);
    const Placed here(shape, random.InBox({-1, 0.1f, -1}, {1, 1, 1}), random.Rotation());
    const Manifold expected = Contacts(Placed(of_mesh, {}, {}), here);
    const Placed moved(of_mesh, random.InBox({-8, -8, -8}, {8, 8, 8}), random.Rotation());
    Placed there = here;
    there.position = moved.ToWorld(here.position);
    there.rotation = moved.rotation * here.rotation;
    const Manifold manifold = Contacts(moved, there);
    CAPTURE(round);
    touching += expected.empty() ? 0 : 1;
    CHECK((std::abs(Least(manifold) - Least(expected)) < 2e-3f ||
           std::min(Least(manifold), Least(expected)) > kMargin - 1e-3f));
    // And turned round they point the other way.
    Manifold turned;
    Collide(there, moved, kMargin, turned);
    REQUIRE(turned.count() == manifold.count());
    std::set<std::uint32_t> features;
    for (std::uint32_t i = 0; i < turned.count(); ++i) {
      CHECK(turned.points()[i].normal == -manifold.points()[i].normal);
      CHECK(turned.points()[i].feature == manifold.points()[i].feature);
      features.insert(turned.points()[i].feature);
      CHECK(std::abs(Length(turned.points()[i].normal) - 1.0f) < 1e-4f);
    }
    CHECK(features.size() == manifold.count());
  }
  CHECK(touching > 150);
}

// A roof: its ridge is the z axis from -5 to 5, and both sides fall by one in ten.
MeshData Roof() {
  MeshData data;
  data.vertices = {{-5, -0.5f, -5}, {-5, -0.5f, 5}, {0, 0, -5},
                   {0, 0, 5},       {5, -0.5f, -5}, {5, -0.5f, 5}};
  data.AddTriangle(0, 1, 3);
  data.AddTriangle(0, 3, 2);
  data.AddTriangle(2, 3, 5);
  data.AddTriangle(2, 5, 4);
  return data;
}

TEST_CASE("a box pressed into a roof is held at both ends, over the ridge and over a side") {
  const auto mesh = MeshOf(Roof());
  const Shape of_mesh = Shape::Mesh(mesh.get()), box = Shape::Box({0.5f, 1.0f, 0.8f});
  const bool over_ridge = GENERATE(true, false);
  for (const float depth : {0.005f, 0.1f, 0.2f}) {
    CAPTURE(over_ridge, depth);
    // Over the ridge the box is tilted a little along it: far from the box, the ridge is above the
    // plane of the box's lower side. Beside it the box lies flat, over both triangles of the side.
    const Quat tilt =
        over_ridge ? FromAxisAngle({1, 0, 0}, 0.003f) : FromAxisAngle({0, 0, 1}, -0.09966865f);
    const Vec3 ground = over_ridge ? Vec3{} : Vec3{2.5f, -0.25f, 0};
    const Placed placed(box, ground + Rotate(tilt, {0, 1.0f - depth, 0}), tilt);
    const Manifold manifold = Contacts(Placed(of_mesh, {}, {}), placed);
    float low = 1.0f, high = -1.0f;
    for (const ContactPoint& point : manifold.points()) {
      CHECK(point.normal.y > 0.99f);
      CHECK(point.separation >= -depth - 4e-3f);
      if (point.separation >= 0.0f) continue;
      low = std::min(low, point.position.z);
      high = std::max(high, point.position.z);
    }
    CHECK(low == Approx(-0.8).margin(0.02));
    CHECK(high == Approx(0.8).margin(0.02));
  }
}

TEST_CASE("contact points with hills lie on the surface of the shape") {
  Random random(95);
  Shapes shapes;
  int points = 0;
  for (int round = 0; round < 400; ++round) {
    const auto mesh = MeshOf(Sheet(10, 0.4f, 0.1f, 110u + round % 6));
    const Shape of_mesh = Shape::Mesh(mesh.get());
    const Shape shape = shapes.Draw(kConvex[round % kConvex.size()], random);
    const Placed body(shape, random.InBox({-1, 0.2f, -1}, {1, 1, 1}), random.Rotation());
    for (const ContactPoint& point : Contacts(Placed(of_mesh, {}, {}), body).points()) {
      if (point.separation < -0.05f) continue;  // deep, its faces lie across each other
      ++points;
      const Vec3 on_shape = point.position + point.normal * (0.5f * point.separation);
      CAPTURE(round, point.separation);
      CHECK(OutsideOf(body, on_shape) < 5e-3f + 0.3f * std::max(-point.separation, 0.0f));
      // Of a tilted capsule, a ball around a place of its segment may touch inside.
      if (shape.kind != ShapeKind::kCapsule) CHECK(OutsideOf(body, on_shape) > -5e-3f);
    }
  }
  CHECK(points > 200);
}

// A floor of cells two metres wide on one side and one metre wide on the other: where they meet,
// vertices lie in the middle of edges. The vertices of each triangle are its own.
MeshData FloorWithCornersInEdges() {
  MeshData data;
  const auto add = [&](Vec3 a, Vec3 b, Vec3 c) {
    const auto at = static_cast<std::uint32_t>(data.vertices.size());
    data.vertices.insert(data.vertices.end(), {a, b, c});
    data.AddTriangle(at, at + 1, at + 2);
  };
  const auto add_cell = [&](float x, float z, float size) {
    add({x, 0, z}, {x, 0, z + size}, {x + size, 0, z + size});
    add({x, 0, z}, {x + size, 0, z + size}, {x + size, 0, z});
  };
  for (int k = -3; k < 3; ++k) add_cell(-2, 2.0f * static_cast<float>(k), 2);
  for (int k = -6; k < 6; ++k) add_cell(0, static_cast<float>(k), 1);
  for (int k = -6; k < 6; ++k) add_cell(1, static_cast<float>(k), 1);
  return data;
}

TEST_CASE("corners in the middle of edges are level, also where no vertex is shared") {
  const auto mesh = MeshOf(FloorWithCornersInEdges());
  const Shape of_mesh = Shape::Mesh(mesh.get());
  Random random(98);
  Shapes shapes;
  for (int round = 0; round < 300; ++round) {
    const Shape shape = shapes.Draw(kConvex[round % kConvex.size()], random, 0.5f);
    const Quat turn = round % 2 == 0 ? Quat{} : random.Rotation();
    const float below = static_cast<float>(Reach(Placed(shape, {}, turn), {0, -1, 0}));
    const Vec3 place = random.InBox({-0.6f, 0, -4}, {0.4f, 0, 4}) +
                       Vec3{0, below + random.Between(-0.01f, 0.015f), 0};
    const Manifold manifold = Contacts(Placed(of_mesh, {}, {}), Placed(shape, place, turn));
    CAPTURE(round, place.x, place.z);
    REQUIRE(!manifold.empty());
    for (const ContactPoint& point : manifold.points()) CHECK(point.normal.y > 0.9999f);
  }
}

TEST_CASE("a sheet that is given twice holds on both sides") {
  MeshData data = Sheet(8, 0.5f);
  const std::size_t once = data.indices.size();
  for (std::size_t i = 0; i < once; i += 3) {
    data.AddTriangle(data.indices[i], data.indices[i + 2], data.indices[i + 1]);
  }
  const auto mesh = MeshOf(data);
  const Shape of_mesh = Shape::Mesh(mesh.get()), box = Shape::Box({0.3f, 0.2f, 0.4f});
  for (const float side : {-1.0f, 1.0f}) {
    const Placed body(box, {0.1f, side * 0.199f, 0.2f}, {});
    const Manifold manifold = Contacts(Placed(of_mesh, {}, {}), body);
    REQUIRE(manifold.count() == 4);
    for (const ContactPoint& point : manifold.points()) {
      CHECK(point.normal.y == side);
      CHECK(point.separation == Approx(-0.001).margin(1e-5));
    }
  }
}

TEST_CASE("a mesh is not met from behind, and not by another mesh") {
  const auto mesh = MeshOf(Sheet(8, 0.5f));
  const Shape of_mesh = Shape::Mesh(mesh.get());
  const Placed floor(of_mesh, {}, {});
  Random random(96);
  Shapes shapes;
  for (int round = 0; round < 50; ++round) {
    const Shape shape = shapes.Draw(kConvex[round % kConvex.size()], random);
    CHECK(Contacts(floor, Placed(shape, {0.1f, -0.01f, 0.2f}, random.Rotation())).empty());
    CHECK(!Contacts(floor, Placed(shape, {0.1f, 0.01f, 0.2f}, random.Rotation())).empty());
  }
  CHECK(Contacts(floor, floor).empty());
}

TEST_CASE("a shape far larger or smaller than the triangles, and one beside needles") {
  Random random(97);
  Shapes shapes;
  const auto fine = MeshOf(Sheet(120, 0.05f, 0.002f));
  const Shape of_fine = Shape::Mesh(fine.get());
  for (const ShapeKind kind : kConvex) {
    const Shape large = kind == ShapeKind::kHull ? shapes.BoxAsHull({90, 120, 200})
                                                 : shapes.Draw(kind, random, 300.0f);
    const float below = static_cast<float>(Reach(Placed(large, {}, {}), {0, -1, 0}));
    const Manifold manifold = Contacts(Placed(of_fine, {}, {}), Placed(large, {0, below, 0}, {}));
    CAPTURE(static_cast<int>(kind));
    CHECK(!manifold.empty());
    CHECK(Least(manifold) > -0.02f);
    const Shape small = shapes.Draw(kind, random, 0.002f);
    const float under = static_cast<float>(Reach(Placed(small, {}, {}), {0, -1, 0}));
    const auto flat = MeshOf(Sheet(2, 1000.0f));
    const Shape of_flat = Shape::Mesh(flat.get());
    const Placed at(small, {123.4f, under - 1e-5f, -77.7f}, {});
    CHECK(Contacts(Placed(of_flat, {}, {}), at).count() >= 1);
  }
  // A millimetre wide and twenty metres long, turned so that no coordinate is even.
  MeshData needles;
  const Mat3 slope = ToMatrix(FromAxisAngle(NormaliseOr({3, 1, 2}, {}), 0.4f));
  for (std::uint32_t i = 0; i < 600; ++i) {
    const float x = 0.001f * static_cast<float>(i) - 0.3f;
    needles.vertices.insert(needles.vertices.end(),
                            {slope * Vec3{x, 0, -10}, slope * Vec3{x, 0, 10}});
    if (i > 0) {
      needles.AddTriangle(2 * i - 2, 2 * i - 1, 2 * i + 1);
      needles.AddTriangle(2 * i - 2, 2 * i + 1, 2 * i);
    }
  }
  const auto fence = MeshOf(needles);
  const Shape of_fence = Shape::Mesh(fence.get());
  for (const ShapeKind kind : kConvex) {
    const Shape shape = shapes.Draw(kind, random, 0.3f);
    const float below = static_cast<float>(Reach(Placed(shape, {}, {}), -slope.y));
    for (const float along : {-7.3f, 0.5f, 9.1f}) {
      const Vec3 place = slope * Vec3{0.01f, below - 0.001f, along};
      const Manifold manifold = Contacts(Placed(of_fence, {}, {}), Placed(shape, place, {}));
      CAPTURE(static_cast<int>(kind), along);
      REQUIRE(!manifold.empty());
      CHECK(Least(manifold) == Approx(-0.001).margin(1.05e-3));
      for (const ContactPoint& point : manifold.points()) {
        CHECK(Dot(point.normal, slope.y) > 0.9999f);
      }
    }
  }
}

}  // namespace
}  // namespace nowait
