// Grounds, compounds, planes, meshes and hulls: each is sent once, and read as it was sent.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/height_field.h"
#include "src/collision/triangle_mesh.h"
#include "src/live/encoder.h"
#include "src/live/event_writer.h"
#include "src/live/reader.h"
#include "src/live/wire.h"
#include "tests/live/shown_bodies.h"

namespace nowait {
namespace {

TEST_CASE("a ground is sent with its heights, once, and goes with its body") {
  const std::vector<float> heights = {0.0f, 1.5f, -3.0f, 2.25f, 7.0f, 0.125f};
  const auto field =
      HeightField::Create({.columns = 3, .rows = 2, .spacing = 2.0f, .heights = heights});
  REQUIRE(field);
  LiveFrame frame;
  frame.number = 1;
  BodySnapshot body;
  body.id = BodyId(1, 4, 9);
  body.type = BodyType::kStatic;
  body.shape = Shape::Ground(field->get());
  frame.bodies.push_back(body);
  LiveEncoder encoder({.scene = "ground"});
  LiveReader reader;
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  REQUIRE(reader.scene().grounds.contains(4));
  const LiveGround& ground = reader.scene().grounds.at(4);
  CHECK(ground.columns == 3);
  CHECK(ground.spacing == 2.0f);
  for (std::size_t i = 0; i < heights.size(); ++i) {
    CHECK(std::abs(ground.heights[i] - heights[i]) <= 10.0f / 65535);
  }
  frame.number = 2;
  frame.bodies.clear();
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  CHECK(reader.scene().grounds.empty());
  CHECK(reader.scene().bodies.empty());
}

TEST_CASE("a compound is sent once for all bodies that have it, with its hulls before it") {
  constexpr std::array<Vec3, 4> kCorners = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0},
                                            Vec3{0, 0, 1}};
  const auto hull = ConvexHull::Create({.points = kCorners});
  REQUIRE(hull);
  const std::array children = {
      CompoundChild{.shape = Shape::Hull(hull->get()), .position = {2, 0, 0}},
      CompoundChild{.shape = Shape::Capsule(0.5f, 0.25f), .rotation = {0, 1, 0, 0}}};
  const auto compound = CompoundShape::Create({.children = children});
  REQUIRE(compound);
  LiveFrame frame;
  frame.number = 1;
  for (const std::uint32_t slot : {3u, 4u}) {
    BodySnapshot body;
    body.id = BodyId(1, slot, 9);
    body.shape = Shape::Compound(compound->get());
    frame.bodies.push_back(body);
  }
  LiveEncoder encoder({.scene = "compounds"});
  LiveReader reader;
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  const LiveScene& scene = reader.scene();
  REQUIRE(scene.compounds.size() == 1);
  REQUIRE(scene.hulls.contains(0));
  for (const std::uint32_t slot : {3u, 4u}) {
    const LiveBodyRecord& record = scene.bodies.at(slot).record;
    CHECK(record.shape == static_cast<std::uint32_t>(LiveShape::kCompound));
    CHECK(record.size[0] == 0.0f);
  }
  const auto& sent = (*compound)->children();
  const auto& read = scene.compounds.at(0);
  REQUIRE(read.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(Vec3{read[i].position[0], read[i].position[1], read[i].position[2]} == sent[i].position);
    CHECK(read[i].rotation[3] == sent[i].rotation.w);
    const bool is_hull = sent[i].shape.kind == ShapeKind::kHull;
    CHECK(read[i].shape ==
          static_cast<std::uint32_t>(is_hull ? LiveShape::kHull : LiveShape::kCapsule));
    CHECK(read[i].size == (is_hull ? std::array{0.0f, 0.0f, 0.0f} : std::array{0.25f, 0.5f, 0.0f}));
  }
  frame.number = 2;
  CHECK(encoder.Encode(frame)->bytes().size() == BytesInStream(sizeof(LiveFrameEvent)));
}

TEST_CASE("a plane is sent as its normal, at a place of its surface") {
  LiveFrame frame;
  frame.number = 1;
  BodySnapshot body;
  body.id = BodyId(1, 4, 9);
  body.type = BodyType::kStatic;
  body.shape = Shape::Plane({3, 4, 0}, 5.0f);
  body.position = {1, 2, 3};
  frame.bodies.push_back(body);
  LiveEncoder encoder({.scene = "plane"});
  LiveReader reader;
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  const LiveBody& read = reader.scene().bodies.at(4);
  CHECK(read.record.shape == static_cast<std::uint32_t>(LiveShape::kPlane));
  CHECK(read.record.size[0] == Approx(0.6f));
  CHECK(read.record.size[1] == Approx(0.8f));
  const Vec3 place = PositionOf(read.place);
  CHECK(place.x == Approx(4));
  CHECK(place.y == Approx(6));
  CHECK(place.z == Approx(3));
}

TEST_CASE("a mesh is sent with its triangles, once, and goes with its body") {
  const std::vector<Vec3> vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0.5f, 1}, {1, 0, 0}};
  const std::vector<std::uint32_t> indices = {0, 1, 2, 0, 2, 3};
  const auto mesh = TriangleMesh::Create({.vertices = vertices, .indices = indices});
  REQUIRE(mesh);
  LiveFrame frame;
  frame.number = 1;
  BodySnapshot body;
  body.id = BodyId(1, 4, 9);
  body.type = BodyType::kStatic;
  body.shape = Shape::Mesh(mesh->get());
  frame.bodies.push_back(body);
  LiveEncoder encoder({.scene = "mesh"});
  LiveReader reader;
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  REQUIRE(reader.scene().meshes.contains(4));
  CHECK(reader.scene().bodies.at(4).record.shape == static_cast<std::uint32_t>(LiveShape::kMesh));
  const LiveMesh& read = reader.scene().meshes.at(4);
  REQUIRE(read.vertices.size() == 4);
  REQUIRE(read.corners.size() == 6);
  for (std::uint32_t triangle = 0; triangle < 2; ++triangle) {
    const auto places = (*mesh)->PlacesOf(triangle);
    for (std::uint32_t i = 0; i < 3; ++i) {
      CHECK(read.vertices[read.corners[3 * triangle + i]] == places[i]);
    }
  }
  frame.number = 2;
  const auto again = encoder.Encode(frame);
  REQUIRE(again);
  CHECK(again->bytes().size() == BytesInStream(sizeof(LiveFrameEvent)));
  frame.number = 3;
  frame.bodies.clear();
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  CHECK(reader.scene().meshes.empty());
}

TEST_CASE("a mesh of another size, with no such vertex or of no body is refused") {
  LiveFrame frame;
  frame.number = 1;
  BodySnapshot body;
  body.id = BodyId(1, 4, 9);
  frame.bodies.push_back(body);
  LiveEncoder encoder({.scene = "mesh"});
  const auto hello = encoder.Encode(frame);
  REQUIRE(hello);
  const std::vector<std::byte> greeting(hello->bytes().begin(), hello->bytes().end());
  struct Case {
    std::uint32_t slot, vertices, triangles, corner;
    float place;
    bool is_read;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Case& of :
       {Case{4, 3, 1, 2, 0, true}, Case{5, 3, 1, 2, 0, false}, Case{4, 4, 1, 2, 0, false},
        Case{4, 3, 2, 2, 0, false}, Case{4, 3, 1, 3, 0, false}, Case{4, 3, 1, 2, nan, false},
        Case{4, ~0u, ~0u, 2, 0, false}}) {
    EventWriter writer;
    writer.Begin(kLiveMesh);
    writer.Value(of.slot);
    writer.Value(of.vertices);
    writer.Value(of.triangles);
    for (int i = 0; i < 3; ++i) writer.Value(Vec3{of.place, 0, 0});
    for (const std::uint32_t corner : {0u, 1u, of.corner}) writer.Value(corner);
    writer.End();
    LiveReader reader;
    REQUIRE(reader.Read(*EventStream::Open(greeting)));
    const auto read = reader.Read(*EventStream::Open(writer.bytes()));
    CAPTURE(of.slot, of.vertices, of.triangles, of.corner, of.place);
    CHECK(read.has_value() == of.is_read);
    if (!read) CHECK(std::string_view(read.error().subject) == "live event");
  }
}

TEST_CASE("a hull is sent once, for all bodies that have it and ever will") {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto hull = ConvexHull::Create({.points = points});
  const auto twin = ConvexHull::Create({.points = points});
  REQUIRE((hull && twin));
  LiveEncoder encoder({.scene = "hulls"});
  LiveReader reader;
  LiveFrame frame;
  const auto add = [&frame](std::uint32_t slot, const ConvexHull* of) {
    BodySnapshot body;
    body.id = BodyId(1, slot, 1);
    body.shape = Shape::Hull(of);
    frame.bodies.push_back(body);
  };
  add(0, hull->get());
  add(1, hull->get());
  for (const std::size_t hulls : {1u, 0u, 0u, 0u}) {
    ++frame.number;
    CAPTURE(frame.number);
    const auto message = encoder.Encode(frame);
    REQUIRE(message);
    CHECK(CountOf(*message, kLiveHull) == hulls);
    REQUIRE(reader.Read(*message));
    REQUIRE(reader.scene().bodies.size() == frame.bodies.size());
    for (const BodySnapshot& body : frame.bodies) {
      CheckHull(reader.scene(), reader.scene().bodies.at(body.id.slot()), *body.shape.hull);
    }
    if (frame.number == 1) frame.bodies.clear();  // all go
    if (frame.number == 2) add(2, hull->get());   // one comes back
    if (frame.number == 3) add(3, twin->get());   // one with the same data elsewhere
  }
}

}  // namespace
}  // namespace nowait
