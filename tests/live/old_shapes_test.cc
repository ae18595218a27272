// A reader keeps the hulls and compounds that are in use or may come again, and no others.
#include "src/live/old_shapes.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/live/encoder.h"
#include "src/live/event_writer.h"
#include "src/live/reader.h"
#include "src/live/wire.h"
#include "src/math/random.h"
#include "tests/live/shown_bodies.h"

namespace nowait {
namespace {

// A look leaves the latest hulls and compounds, and older ones in use. Behind a message there are
// fewer than twice as many as the last look has left.
constexpr std::size_t kMost = 4 * kLiveLatestShapes;

struct Made {
  std::unique_ptr<const ConvexHull> hull;
  std::unique_ptr<const CompoundShape> compound;
};

// A hull and a compound that has it; no two sizes have equal ones.
Made Make(float size) {
  const std::array corners = {Vec3{0, 0, 0}, Vec3{size, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  auto hull = ConvexHull::Create({.points = corners});
  REQUIRE(hull);
  Made made{std::move(*hull), nullptr};
  const std::array children = {CompoundChild{.shape = Shape::Hull(made.hull.get())},
                               CompoundChild{.shape = Shape::Sphere(size)}};
  auto compound = CompoundShape::Create({.children = children});
  REQUIRE(compound);
  made.compound = std::move(*compound);
  return made;
}

void CheckCompound(const LiveScene& scene, std::uint32_t slot, const Made& made) {
  const LiveBodyRecord& record = scene.bodies.at(slot).record;
  REQUIRE(record.shape == static_cast<std::uint32_t>(LiveShape::kCompound));
  const auto at = scene.compounds.find(static_cast<std::uint32_t>(record.size[0]));
  REQUIRE(at != scene.compounds.end());
  REQUIRE(at->second.size() == 2);
  REQUIRE(at->second[1].size[0] == made.compound->children()[1].shape.radius);
  LiveBody child;
  child.record.shape = at->second[0].shape;
  child.record.size = at->second[0].size;
  CheckHull(scene, child, *made.hull);
}

// The message in a greeting of another version.
std::vector<std::byte> WithVersion(const EventStream& message, std::uint32_t version) {
  std::vector<std::byte> bytes(message.bytes().begin(), message.bytes().end());
  bytes[sizeof(EventHeader)] = static_cast<std::byte>(version);
  return bytes;
}

TEST_CASE("a compound that changes in each frame does not fill the memory of a reader") {
  LiveEncoder encoder({.scene = "edited"});
  LiveReader reader, earlier;  // earlier: of the version whose encoders never forgot
  const Made kept = Make(0.5f);
  LiveFrame frame;
  BodySnapshot still, edited;
  still.id = BodyId(1, 3, 9);
  still.shape = Shape::Compound(kept.compound.get());
  edited.id = BodyId(1, 4, 9);
  std::size_t most = 0;
  constexpr std::uint32_t kFrames = 3 * kMost;
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    const Made made = Make(1.0f + 0.001f * static_cast<float>(i));
    edited.shape = Shape::Compound(made.compound.get());
    ++edited.form;
    frame.bodies = {still, edited};
    ++frame.number;
    const auto message = encoder.Encode(frame);
    REQUIRE(message);
    REQUIRE(reader.Read(*message));
    if (i == 0) {
      REQUIRE(earlier.Read(*EventStream::Open(WithVersion(*message, kLiveForgetVersion - 1))));
    } else {
      REQUIRE(earlier.Read(*message));
    }
    const LiveScene& scene = reader.scene();
    most = std::max(most, scene.hulls.size() + scene.compounds.size());
    CheckCompound(scene, 3, kept);
    CheckCompound(scene, 4, made);
  }
  // The older ones in use are the compound that is kept and its hull: each hull has one compound,
  // whose number is the hull's.
  CHECK(most <= kMost + 2 * 2);
  CHECK(most > kLiveLatestShapes);
  CHECK(earlier.scene().hulls.size() == kFrames + 1);
  CHECK(earlier.scene().compounds.size() == kFrames + 1);
  CheckCompound(earlier.scene(), 3, kept);
}

TEST_CASE("whatever bodies come and go, a reader has their shapes") {
  Random random(20261129);
  std::vector<Made> pool;
  for (std::uint32_t i = 0; i < 2 * kLiveLatestShapes; ++i) {
    pool.push_back(Make(1.0f + 0.001f * static_cast<float>(i)));
  }
  LiveEncoder encoder({.scene = "pool"});
  LiveReader reader;
  LiveFrame frame;
  std::map<std::uint32_t, std::size_t> has;  // by slot, of the pool
  std::uint32_t generation = 0;
  constexpr std::uint32_t kSlots = 90;
  std::map<std::uint32_t, BodySnapshot> bodies;
  std::size_t most = 0;
  std::uint32_t newest_hull = 0;
  for (int round = 0; round < 600; ++round) {
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
      if (random.Below(3) != 0) continue;
      bodies.erase(slot);
      if (random.Below(5) == 0) continue;
      has[slot] = random.Below(static_cast<std::uint32_t>(pool.size()));
      const Made& made = pool[has[slot]];
      BodySnapshot& body = bodies[slot];
      body.id = BodyId(1, slot, ++generation);
      body.shape =
          slot % 2 == 0 ? Shape::Hull(made.hull.get()) : Shape::Compound(made.compound.get());
    }
    frame.bodies.clear();
    for (const auto& [slot, body] : bodies) frame.bodies.push_back(body);
    ++frame.number;
    REQUIRE(reader.Read(*encoder.Encode(frame)));
    const LiveScene& scene = reader.scene();
    most = std::max(most, scene.hulls.size() + scene.compounds.size());
    newest_hull = std::max(newest_hull, scene.hulls.rbegin()->first);
    for (const auto& [slot, body] : bodies) {
      const Made& made = pool[has[slot]];
      if (slot % 2 == 0) {
        CheckHull(scene, scene.bodies.at(slot), *made.hull);
      } else {
        CheckCompound(scene, slot, made);
      }
    }
  }
  // Of a compound that is left its hull is, which may be older than the latest hulls. A body has at
  // most one older compound with one hull, or one older hull.
  CHECK(most <= 2 * (3 * kLiveLatestShapes + 2 * kSlots));
  CHECK(newest_hull > 2 * (3 * kLiveLatestShapes + 2 * kSlots));
}

TEST_CASE("numbers that no encoder sends do no harm") {
  LiveEncoder encoder({.scene = "numbers"});
  LiveReader reader;
  LiveFrame frame;
  frame.number = 1;
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  const auto add = [&](std::uint32_t number) {
    EventWriter writer;
    writer.Begin(kLiveCompound);
    writer.Value(number);
    writer.Value(LiveChildRecord{.shape = static_cast<std::uint32_t>(LiveShape::kHull),
                                 .size = {3e38f, 0, 0},
                                 .position = {},
                                 .rotation = {}});
    writer.End();
    writer.Begin(kLiveBodies);
    writer.Value(LiveBodyRecord{.slot = number % BodyId::kMaxBodies,
                                .generation = 1,
                                .shape = static_cast<std::uint32_t>(LiveShape::kCompound),
                                .dynamic = 1,
                                .size = {3e38f, 0, 0}});
    writer.End();
    return reader.Read(*EventStream::Open(writer.bytes()));
  };
  REQUIRE(add(~0u));
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < 3 * kMost; ++i) {
    REQUIRE(add(7 * i));
    most = std::max(most, reader.scene().compounds.size());
  }
  CHECK(most <= kMost);  // none in use
  CHECK(reader.scene().compounds.contains(~0u));
}

}  // namespace
}  // namespace nowait
