// After any messages a reader knows the last frame, to the documented error.
#include "src/live/encoder.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/height_field.h"
#include "src/collision/triangle_mesh.h"
#include "src/live/event_writer.h"
#include "src/live/reader.h"
#include "src/live/recording.h"
#include "src/live/wire.h"
#include "src/math/random.h"

namespace nowait {
namespace {

// Frames whose bodies come, move, sleep and go at random.
class Bodies {
 public:
  explicit Bodies(std::uint64_t seed) : random_(seed) {
    for (std::uint32_t i = 0; i < kHulls; ++i) {
      std::vector<Vec3> points;
      for (std::uint32_t k = 0; k < 6 + 4 * i; ++k) points.push_back(random_.Direction());
      hulls_.push_back(std::move(*ConvexHull::Create({.points = points})));
    }
  }

  LiveFrame Next() {
    LiveFrame frame;
    frame.number = ++number_;
    for (std::uint32_t slot = 0; slot < 60; ++slot) {
      if (random_.Below(12) == 0) Toggle(slot);
    }
    for (auto& [slot, body] : bodies_) {
      if (!body.asleep) {
        body.position = body.position + random_.InBox({-1, -1, -1}, {1, 1, 1});
        if (random_.Below(2) == 0) body.rotation = random_.Rotation();
      }
      if (random_.Below(6) == 0) body.asleep = !body.asleep;
      if (random_.Below(4) == 0) {
        body.island = random_.Below(3) == 0 ? BodySnapshot::kNoIsland : random_.Below(60);
      }
      if (random_.Below(3) == 0) {
        body.lane = static_cast<std::uint16_t>(random_.Below(4) == 0 ? BodySnapshot::kNoLane
                                                                     : random_.Below(3));
      }
      frame.bodies.push_back(body);
    }
    frame.moment = {.step = number_, .begin = 1'000'000 * number_, .end = 1'000'000 * number_ + 5};
    for (std::uint32_t i = random_.Below(5); i > 0; --i) {
      const std::uint64_t begin = frame.moment.begin + random_.Below(1000) - 500;
      const std::uint32_t about = i < 3 ? Span::kAboutNothing : random_.Below(1u << 31);
      const std::uint16_t begin_core = AnyCore();
      const std::uint16_t end_core = random_.Below(2) == 0 ? begin_core : AnyCore();
      frame.spans.push_back(
          {random_.Below(3),
           {i % 2 == 0 ? "wait" : "task", begin, begin + i, about, begin_core, end_core}});
    }
    frame.lost_spans = number_ / 2;
    return frame;
  }

 private:
  void Toggle(std::uint32_t slot) {
    if (bodies_.erase(slot) > 0 && random_.Below(2) == 0) return;
    BodySnapshot body;
    body.id = BodyId(1, slot, ++generation_);
    body.type = random_.Below(5) == 0 ? BodyType::kStatic : BodyType::kDynamic;
    body.shape = AnyShape();
    body.position = random_.InBox({-90, -90, -90}, {90, 90, 90});
    bodies_[slot] = body;
  }

  Shape AnyShape() {
    switch (random_.Below(5)) {
      case 0:
        return Shape::Sphere(random_.Between(0.1f, 2.0f));
      case 1:
        return Shape::Cylinder(random_.Between(0.1f, 2.0f), 0.5f);
      case 2:
        return Shape::Capsule(random_.Between(0.1f, 2.0f), 0.5f);
      case 3:
        return Shape::Hull(hulls_[random_.Below(kHulls)].get());
      default:
        return Shape::Box(random_.InBox({0.1f, 0.1f, 0.1f}, {2, 2, 2}));
    }
  }

  // Few, so that a lane stays on its core at times; the greatest, and none.
  std::uint16_t AnyCore() {
    constexpr std::array<std::uint16_t, 4> kCores = {0, 200, kNoCore - 1, kNoCore};
    return kCores[random_.Below(random_.Below(2) == 0 ? 1 : 4)];
  }

  static constexpr std::uint32_t kHulls = 4;

  Random random_;
  std::vector<std::unique_ptr<const ConvexHull>> hulls_;
  std::uint64_t number_ = 0;
  std::uint32_t generation_ = 0;
  std::map<std::uint32_t, BodySnapshot> bodies_;
};

void CheckBody(const LiveBody& read, const BodySnapshot& sent) {
  REQUIRE(read.record.generation == sent.id.generation());
  REQUIRE(read.record.dynamic == (sent.type == BodyType::kDynamic ? 1 : 0));
  if (sent.shape.kind == ShapeKind::kSphere) REQUIRE(read.record.size[0] == sent.shape.radius);
  if (sent.shape.kind == ShapeKind::kBox) REQUIRE(read.record.size[2] == sent.shape.half.z);
  if (sent.shape.kind == ShapeKind::kCylinder || sent.shape.kind == ShapeKind::kCapsule) {
    const bool is_capsule = sent.shape.kind == ShapeKind::kCapsule;
    REQUIRE(read.record.shape ==
            static_cast<std::uint32_t>(is_capsule ? LiveShape::kCapsule : LiveShape::kCylinder));
    REQUIRE(read.record.size[0] == sent.shape.radius);
    REQUIRE(read.record.size[1] == sent.shape.half_height);
  }
  REQUIRE(read.place == ToLivePlace(sent.position, sent.rotation));
  REQUIRE(read.asleep == sent.asleep);
  REQUIRE(read.island == sent.island);
}

void CheckHull(const LiveScene& scene, const LiveBody& read, const ConvexHull& sent) {
  REQUIRE(read.record.shape == static_cast<std::uint32_t>(LiveShape::kHull));
  const LiveHull& hull = scene.hulls.at(static_cast<std::uint32_t>(read.record.size[0]));
  REQUIRE(std::ranges::equal(hull.vertices, sent.vertices()));
  REQUIRE(hull.faces.size() == sent.planes().size());
  for (std::size_t face = 0; face < hull.faces.size(); ++face) {
    REQUIRE(std::ranges::equal(hull.faces[face], sent.CornersOf(face)));
  }
}

void CheckScene(const LiveScene& scene, const LiveFrame& frame) {
  REQUIRE(scene.bodies.size() == frame.bodies.size());
  for (const BodySnapshot& body : frame.bodies) {
    REQUIRE(scene.bodies.contains(body.id.slot()));
    const LiveBody& read = scene.bodies.at(body.id.slot());
    CheckBody(read, body);
    if (body.shape.kind == ShapeKind::kHull) CheckHull(scene, read, *body.shape.hull);
  }
  REQUIRE(scene.spans.size() == frame.spans.size());
  for (std::size_t i = 0; i < frame.spans.size(); ++i) {
    REQUIRE(scene.names.at(scene.spans[i].name) == frame.spans[i].span.name);
    REQUIRE(scene.spans[i].lane == frame.spans[i].lane);
    REQUIRE(scene.spans[i].begin == frame.spans[i].span.begin);
    REQUIRE(scene.spans[i].end == frame.spans[i].span.end);
    REQUIRE(scene.spans[i].about == frame.spans[i].span.about);
    REQUIRE(scene.spans[i].begin_core == frame.spans[i].span.begin_core);
    REQUIRE(scene.spans[i].end_core == frame.spans[i].span.end_core);
  }
  REQUIRE(scene.frame->number == frame.number);
}

void CheckThreads(const LiveScene& scene, const LiveFrame& frame) {
  for (const BodySnapshot& body : frame.bodies) {
    const std::optional<std::uint32_t> lane = scene.bodies.at(body.id.slot()).lane;
    REQUIRE(lane.value_or(BodySnapshot::kNoLane) == body.lane);
  }
}

TEST_CASE("a reader knows the scene of each message, whatever frames were left out") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    Bodies bodies(seed);
    Random random(seed);
    LiveEncoder encoder(
        {.scene = "random", .lanes = {"main", "worker 1", "worker 2"}, .body_locks = 17});
    LiveReader reader;
    std::uint64_t first = 0;
    std::uint64_t messages = 0;
    for (int i = 0; i < 60; ++i) {
      const LiveFrame frame = bodies.Next();
      if (random.Below(3) == 0) continue;
      encoder.Show({random.Below(2) == 0 ? LiveParts::kThreads : 0});
      const auto message = encoder.Encode(frame);
      REQUIRE(message);
      REQUIRE(reader.Read(*message));
      if (first == 0) first = frame.number;
      ++messages;
      CheckScene(reader.scene(), frame);
      if (encoder.shown().threads()) CheckThreads(reader.scene(), frame);
      REQUIRE(reader.scene().frame->dropped == frame.number - first + 1 - messages);
    }
    CHECK(reader.scene().name == "random");
    CHECK(reader.scene().lanes.at(2) == "worker 2");
    CHECK(reader.scene().body_locks == 17);
  }
}

// Of a body out of sight a reader knows what it was when it was seen last.
TEST_CASE("of bodies out of sight nothing is sent, and those that come back are as they are") {
  std::uint64_t bytes = 0;
  std::uint64_t bytes_of_all = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    Bodies bodies(seed);
    Random random(seed);
    LiveEncoder encoder({.scene = "random"});
    LiveEncoder of_all({.scene = "random"});
    LiveReader reader;
    std::map<std::uint32_t, BodySnapshot> known;  // as they were when they were seen last
    for (int i = 0; i < 60; ++i) {
      const LiveFrame frame = bodies.Next();
      // Sometimes all; otherwise some slots, of bodies or of none, which mostly stay the same.
      const bool all = random.Below(8) == 0;
      LiveSight sight;
      const std::uint32_t shift = random.Below(4) == 0 ? random.Below(60) : 20;
      for (std::uint32_t slot = 0; slot < 60; ++slot) {
        if ((slot + shift) % 60 < 20) sight.slots.push_back(slot);
      }
      const auto message = encoder.Encode(frame, all ? nullptr : &sight);
      REQUIRE(message);
      REQUIRE(reader.Read(*message));
      bytes += message->bytes().size();
      bytes_of_all += of_all.Encode(frame)->bytes().size();

      std::map<std::uint32_t, BodySnapshot> there;
      for (const BodySnapshot& body : frame.bodies) there[body.id.slot()] = body;
      std::erase_if(known, [&](const auto& it) {
        return !there.contains(it.first) || there.at(it.first).id != it.second.id;
      });
      const auto is_seen = [&](std::uint32_t slot) {
        return all || std::ranges::binary_search(sight.slots, slot);
      };
      for (const auto& [slot, body] : there) {
        if (is_seen(slot)) known[slot] = body;
      }
      REQUIRE(reader.scene().bodies.size() == known.size());
      for (const auto& [slot, body] : known) {
        const LiveBody& read = reader.scene().bodies.at(slot);
        CheckBody(read, body);
        REQUIRE(read.in_sight == is_seen(slot));
      }
      REQUIRE(reader.scene().frame->bodies == frame.bodies.size());
    }
  }
  // A third of the bodies is in sight, another one now and then, and all of them in an eighth of
  // the frames.
  CHECK(bytes < bytes_of_all * 8 / 10);
}

TEST_CASE("a reader knows the number of a scene's lights, seen or not") {
  LiveFrame frame;
  frame.number = 1;
  frame.moment.lights.resize(3);
  const LiveSight dark;
  LiveEncoder encoder({.scene = "lights"});
  LiveReader reader;
  REQUIRE(reader.Read(*encoder.Encode(frame, &dark)));
  CHECK(reader.scene().lights_of_scene == 3);
  CHECK(reader.scene().lights.empty());
  ++frame.number;
  frame.moment.lights.resize(2);
  REQUIRE(reader.Read(*encoder.Encode(frame, &dark)));
  CHECK(reader.scene().lights_of_scene == 2);
  ++frame.number;
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  CHECK(reader.scene().lights == frame.moment.lights);
}

TEST_CASE("a sight of no body, or one that is so already, is refused") {
  LiveFrame frame;
  frame.number = 1;
  BodySnapshot body;
  body.id = BodyId(1, 4, 9);
  body.shape = Shape::Sphere(1);
  frame.bodies.push_back(body);
  const auto with = [&](std::uint32_t type, std::initializer_list<std::uint64_t> gaps) {
    LiveEncoder encoder({.scene = "sight"});
    LiveReader reader;
    REQUIRE(reader.Read(*encoder.Encode(frame)));
    EventWriter writer;
    writer.Begin(type);
    for (const std::uint64_t gap : gaps) writer.Varint(gap);
    writer.End();
    return reader.Read(*EventStream::Open(writer.bytes()));
  };
  CHECK(with(kLiveOut, {4}));
  CHECK(!with(kLiveOut, {3}));
  CHECK(!with(kLiveOut, {4, 0}));
  CHECK(!with(kLiveOut, {~std::uint64_t{0}}));
  CHECK(!with(kLiveIn, {4}));
}

TEST_CASE("a scene at rest costs its frame alone") {
  LiveEncoder encoder({.scene = "rest"});
  Bodies bodies(3);
  LiveFrame frame = bodies.Next();
  frame.spans.clear();
  REQUIRE(encoder.Encode(frame));
  ++frame.number;
  const auto message = encoder.Encode(frame);
  REQUIRE(message);
  CHECK(message->bytes().size() == BytesInStream(sizeof(LiveFrameEvent)));
}

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

TEST_CASE("a message cut off anywhere is refused or a beginning of it") {
  LiveEncoder encoder({.scene = "cut", .lanes = {"main"}});
  Bodies bodies(5);
  const auto message = encoder.Encode(bodies.Next());
  REQUIRE(message);
  const auto whole = message->bytes();
  std::vector<std::byte> bytes(whole.begin(), whole.end());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto stream = EventStream::Open(std::span(bytes).first(size));
    if (!stream) continue;
    LiveReader reader;
    REQUIRE(reader.Read(*stream));
    REQUIRE(!reader.scene().frame);
  }
}

TEST_CASE("another version, and changes of no body, are refused with a place") {
  LiveEncoder encoder({.scene = "x"});
  Bodies bodies(7);
  LiveFrame frame = bodies.Next();
  const auto first = encoder.Encode(frame);
  REQUIRE(first);
  std::vector<std::byte> bytes(first->bytes().begin(), first->bytes().end());
  for (const std::uint32_t version : {0u, kLiveVersion + 1}) {
    bytes[sizeof(EventHeader)] = static_cast<std::byte>(version);
    const auto read = LiveReader().Read(*EventStream::Open(bytes));
    REQUIRE(!read);
    CHECK(read.error().code == ErrorCode::kCorrupt);
  }
  bytes[sizeof(EventHeader)] = std::byte{1};  // the layer of a body was zero then
  LiveReader reader;
  REQUIRE(reader.Read(*EventStream::Open(bytes)));
  for (const auto& [slot, body] : reader.scene().bodies) {
    CHECK(body.record.layer == body.record.dynamic);
  }

  ++frame.number;
  frame.bodies.front().position.x += 1.0f;
  const auto change = encoder.Encode(frame);
  REQUIRE(change);
  CHECK(std::string(LiveReader().Read(*change).error().subject) == "live wire");
  LiveEncoder empty({.scene = "y"});
  LiveFrame nothing;
  nothing.number = 1;
  LiveReader other;
  REQUIRE(other.Read(*empty.Encode(nothing)));
  CHECK(std::string(other.Read(*change).error().subject) == "live event");
}

TEST_CASE("a recording is read again, and damage to it has a place") {
  LiveEncoder encoder({.scene = "recorded"});
  Recorder recorder;
  Bodies bodies(9);
  LiveFrame frame;
  for (int i = 0; i < 10; ++i) {
    frame = bodies.Next();
    REQUIRE(recorder.Add(frame.number, *encoder.Encode(frame)));
  }
  LiveReader reader;
  std::uint64_t seen = 0;
  const auto read = ReadRecording(recorder.bytes(), reader, [&](const EventStream&) { ++seen; });
  REQUIRE(read);
  CHECK(*read == 10);
  CHECK(seen == 10);
  CheckScene(reader.scene(), frame);

  std::vector<std::byte> damaged(recorder.bytes().begin(), recorder.bytes().end());
  damaged[damaged.size() / 2] ^= std::byte{16};
  LiveReader again;
  const auto wrong = ReadRecording(damaged, again, [](const EventStream&) {});
  REQUIRE(!wrong);
  CHECK(wrong.error().code == ErrorCode::kCorrupt);
  CHECK(wrong.error().amount <= static_cast<std::int64_t>(damaged.size()));
  CHECK(!ReadRecording({}, again, [](const EventStream&) {}));
}

TEST_CASE("a recording that is full keeps its messages") {
  LiveEncoder encoder({.scene = "full"});
  Bodies bodies(13);
  Recorder measured;
  REQUIRE(measured.Add(1, *encoder.Encode(bodies.Next())));
  LiveEncoder again({.scene = "full"});
  Bodies same(13);
  const LiveFrame first = same.Next();
  Recorder recorder(measured.bytes().size());
  REQUIRE(recorder.Add(1, *again.Encode(first)));
  const auto full = recorder.Add(2, *again.Encode(same.Next()));
  REQUIRE(!full);
  CHECK(full.error() == Error{ErrorCode::kCapacity, "recording",
                              static_cast<std::int64_t>(measured.bytes().size())});
  LiveReader reader;
  const std::vector<std::byte> file = recorder.Take();
  REQUIRE(ReadRecording(file, reader, [](const EventStream&) {}) == 1u);
  CheckScene(reader.scene(), first);
}

TEST_CASE("an event of a recording that is wrong is named by its place in the file") {
  LiveEncoder encoder({.scene = "recorded"});
  Bodies bodies(9);
  LiveFrame frame = bodies.Next();
  Recorder recorder;
  REQUIRE(recorder.Add(1, *encoder.Encode(frame)));
  const std::size_t first = recorder.bytes().size();
  // Its checksum is right, and it names a body that is not there.
  EventWriter writer;
  writer.Begin(kLiveGone);
  writer.Value(std::uint32_t{4'000});
  writer.End();
  REQUIRE(recorder.Add(2, *EventStream::Open(writer.bytes())));
  const auto bytes = recorder.bytes();
  const auto type = std::as_bytes(std::span(&kLiveGone, 1));
  const auto event = std::search(bytes.begin() + static_cast<std::ptrdiff_t>(first), bytes.end(),
                                 type.begin(), type.end());
  REQUIRE(event != bytes.end());
  LiveReader reader;
  const auto wrong = ReadRecording(bytes, reader, [](const EventStream&) {});
  REQUIRE(!wrong);
  CHECK(std::string(wrong.error().subject) == "live event");
  CHECK(wrong.error().amount == event - bytes.begin());
}

std::size_t CountOf(const EventStream& message, std::uint32_t type) {
  return static_cast<std::size_t>(
      std::count_if(message.begin(), message.end(),
                    [type](const EventView& event) { return event.type() == type; }));
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

TEST_CASE("a body that has moved by less than a unit costs nothing, and its way adds up") {
  LiveEncoder encoder({.scene = "slow"});
  LiveReader reader;
  LiveFrame frame;
  frame.number = 1;
  BodySnapshot body;
  body.id = BodyId(1, 0, 1);
  body.shape = Shape::Sphere(1);
  frame.bodies.push_back(body);
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  int sent = 0;
  for (int i = 0; i < 40; ++i) {
    ++frame.number;
    frame.bodies[0].position.x += 0.1f * kLivePlaceUnit;
    const auto message = encoder.Encode(frame);
    REQUIRE(message);
    const bool costs = message->bytes().size() > BytesInStream(sizeof(LiveFrameEvent));
    sent += costs ? 1 : 0;
    CHECK((CountOf(*message, kLivePlaces) == 1) == costs);
    REQUIRE(reader.Read(*message));
  }
  CHECK(sent == 4);
  CHECK(PositionOf(reader.scene().bodies.at(0).place).x == Approx(4 * kLivePlaceUnit).margin(1e-6));
}

TEST_CASE(
    "another body in the slot of one that is gone is another body, although it looks the same") {
  LiveEncoder encoder({.scene = "slots"});
  LiveReader reader;
  LiveFrame frame;
  BodySnapshot body;
  body.shape = Shape::Sphere(1);
  for (const std::uint32_t generation : {1u, 2u, 3u}) {
    body.id = BodyId(1, 5, generation);
    frame.bodies = {body};
    ++frame.number;
    const auto message = encoder.Encode(frame);
    REQUIRE(message);
    CHECK(CountOf(*message, kLiveBodies) == 1);
    REQUIRE(reader.Read(*message));
    CHECK(reader.scene().bodies.at(5).record.generation == generation);
  }
}

// A message with a body in slot 4, and the events that `add` writes behind it.
template <class F>
Result<void> ReadBehindABody(LiveReader& reader, F&& add) {
  LiveFrame frame;
  frame.number = 1;
  BodySnapshot body;
  body.id = BodyId(1, 4, 9);
  frame.bodies.push_back(body);
  LiveEncoder encoder({.scene = "body"});
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  EventWriter writer;
  add(writer);
  return reader.Read(*EventStream::Open(writer.bytes()));
}

TEST_CASE("threads of no body, of no lane, and impossible numbers of locks are refused") {
  const auto threads = [](std::uint64_t gap, std::uint64_t thread) {
    return [=](EventWriter& writer) {
      writer.Begin(kLiveThreads);
      writer.Varint(gap);
      writer.Varint(thread);
      writer.End();
    };
  };
  const auto locks = [](std::uint32_t count) {
    return [=](EventWriter& writer) {
      writer.Begin(kLiveBodyLocks);
      writer.Value(count);
      writer.End();
    };
  };
  LiveReader good;
  REQUIRE(ReadBehindABody(good, threads(4, 3)));
  CHECK(good.scene().bodies.at(4).lane == 2u);
  REQUIRE(ReadBehindABody(good, locks(1024)));
  const auto refused = [](auto&& add) {
    LiveReader reader;
    const auto read = ReadBehindABody(reader, add);
    return !read && read.error().code == ErrorCode::kCorrupt;
  };
  CHECK(refused(threads(3, 1)));
  CHECK(refused(threads(std::uint64_t{1} << 40, 1)));
  CHECK(refused(threads(4, 4097)));
  CHECK(refused([](EventWriter& writer) {
    writer.Begin(kLiveThreads);
    writer.Varint(4);
    writer.End();
  }));
  CHECK(refused(locks(0)));
  CHECK(refused(locks(1025)));
}

TEST_CASE("a span about a number of more than 32 bits is refused") {
  for (const std::uint64_t about : {std::uint64_t{0xffff'ffff}, std::uint64_t{1} << 32}) {
    LiveReader reader;
    const auto read = ReadBehindABody(reader, [about](EventWriter& writer) {
      writer.Begin(kLiveSpans);
      writer.Value(std::uint64_t{1000});
      writer.Varint(0);
      writer.Varint(5 << 2 | 1);
      writer.Varint(about);
      writer.SignedVarint(0);
      writer.Varint(7);
      writer.End();
    });
    CHECK(read.has_value() == (about >> 32 == 0));
  }
}

TEST_CASE("a core beyond the greatest one is refused") {
  for (const std::uint64_t begin : {std::uint64_t{kNoCore}, std::uint64_t{kNoCore} + 1}) {
    for (const std::uint64_t end : {std::uint64_t{0}, std::uint64_t{1} << 40}) {
      LiveReader reader;
      const auto read = ReadBehindABody(reader, [begin, end](EventWriter& writer) {
        writer.Begin(kLiveSpans);
        writer.Value(std::uint64_t{1000});
        writer.Varint(0);
        writer.Varint(5 << 2 | 2);
        writer.Varint(begin);
        writer.Varint(end);
        writer.SignedVarint(0);
        writer.Varint(7);
        writer.End();
      });
      CHECK(read.has_value() == (begin == kNoCore && end == 0));
    }
  }
}

TEST_CASE("a thread that stays on its core costs the cores of its first span alone") {
  const auto size = [](std::uint16_t core) {
    LiveEncoder encoder({.scene = "cores"});
    LiveFrame frame;
    frame.number = 1;
    REQUIRE(encoder.Encode(frame));
    ++frame.number;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const auto lane = static_cast<std::uint32_t>(i % 2);
      frame.spans.push_back({lane, {"task", i, i + 1, Span::kAboutNothing, core, core}});
    }
    return encoder.Encode(frame)->bytes().size();
  };
  CHECK(size(3) <= size(kNoCore) + 8);  // two bytes for each of two lanes, and an event's end
}

TEST_CASE("versions 3 and 4 have spans about a number, and no cores") {
  LiveEncoder encoder({.scene = "old"});
  LiveFrame frame;
  const auto hello = encoder.Encode(frame);
  REQUIRE(hello);
  std::vector<std::byte> bytes(hello->bytes().begin(), hello->bytes().end());
  for (const std::uint32_t version : {3u, 4u}) {
    bytes[sizeof(EventHeader)] = static_cast<std::byte>(version);
    LiveReader reader;
    REQUIRE(reader.Read(*EventStream::Open(bytes)));
    EventWriter writer;
    writer.Begin(kLiveSpans);
    writer.Value(std::uint64_t{1000});
    writer.Varint(1);
    writer.Varint(7 << 1 | 1);
    writer.Varint(9);
    writer.SignedVarint(10);
    writer.Varint(2);
    writer.End();
    REQUIRE(reader.Read(*EventStream::Open(writer.bytes())));
    REQUIRE(reader.scene().spans.size() == 1);
    CHECK(reader.scene().spans[0].name == 7);
    CHECK(reader.scene().spans[0].about == 9);
    CHECK(reader.scene().spans[0].begin_core == kNoCore);
    CHECK(reader.scene().spans[0].end_core == kNoCore);
  }
}

TEST_CASE("before version 3 the name of a span is its number, and spans are about nothing") {
  LiveEncoder encoder({.scene = "old"});
  LiveFrame frame;
  const auto hello = encoder.Encode(frame);
  REQUIRE(hello);
  std::vector<std::byte> bytes(hello->bytes().begin(), hello->bytes().end());
  bytes[sizeof(EventHeader)] = std::byte{2};
  LiveReader reader;
  REQUIRE(reader.Read(*EventStream::Open(bytes)));
  EventWriter writer;
  writer.Begin(kLiveSpans);
  writer.Value(std::uint64_t{1000});
  for (const std::uint64_t name : {5u, 6u}) {
    writer.Varint(1);
    writer.Varint(name);
    writer.SignedVarint(10);
    writer.Varint(7);
  }
  writer.End();
  REQUIRE(reader.Read(*EventStream::Open(writer.bytes())));
  REQUIRE(reader.scene().spans.size() == 2);
  CHECK(reader.scene().spans[0].name == 5);
  CHECK(reader.scene().spans[1].name == 6);
  CHECK(reader.scene().spans[1].begin == 1020);
  CHECK(reader.scene().spans[1].end == 1027);
  CHECK(reader.scene().spans[1].about == Span::kAboutNothing);
}

}  // namespace
}  // namespace nowait
