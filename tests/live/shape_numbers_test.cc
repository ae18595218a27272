// Hulls and compounds keep their numbers while they are in use or among the latest ones. Then other
// hulls and compounds have the numbers.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/live/encoder.h"
#include "src/live/reader.h"
#include "src/live/sent_shapes.h"
#include "src/live/wire.h"
#include "src/math/random.h"
#include "tests/live/shown_bodies.h"

namespace nowait {
namespace {

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

std::pair<std::uint32_t, bool> Use(SentShapes& sent, std::uint32_t data) {
  return sent.Use(std::as_bytes(std::span(&data, 1)));
}

TEST_CASE("of many shapes the oldest that nothing has any more leaves its number to another one") {
  SentShapes sent;
  for (std::uint32_t i = 0; i < SentShapes::kMost; ++i) {
    CHECK(Use(sent, i + 7) == std::pair(i, true));
  }
  CHECK(Use(sent, 7) == std::pair(0u, false));
  constexpr auto kNext = static_cast<std::uint32_t>(SentShapes::kMost);
  for (std::uint32_t i = 1; i < kNext; ++i) sent.Release(i);
  CHECK(Use(sent, 1) == std::pair(kNext, true));  // 7 is in use twice
  sent.Release(0);
  CHECK(Use(sent, 2) == std::pair(1u, true));  // instead of 8, which is not in use
  CHECK(Use(sent, 9) == std::pair(2u, false));
  sent.Release(0);
  CHECK(Use(sent, 7) == std::pair(0u, true));  // instead of 9, which is
  CHECK(Use(sent, 9) == std::pair(3u, true));
}

TEST_CASE("shapes that come and go need no more numbers, and without a free one nothing is sent") {
  constexpr auto kMost = static_cast<std::uint32_t>(SentShapes::kMost);
  SentShapes sent(kMost + 2);
  for (std::uint32_t i = 0; i < 10 * kMost; ++i) {
    const auto [number, is_new] = Use(sent, i);
    CHECK(is_new);
    CHECK(number < kMost);
    sent.Release(number);
  }
  for (std::uint32_t i = 0; i < kMost + 2; ++i) CHECK(Use(sent, ~i).second);
  CHECK_THROWS_AS(Use(sent, 0), std::bad_alloc);
  // A number is exact where its successor is as well.
  constexpr auto kLast = static_cast<std::uint32_t>(SentShapes::kNumbers - 1);
  STATIC_REQUIRE(static_cast<std::uint32_t>(static_cast<float>(kLast)) == kLast);
  STATIC_REQUIRE(static_cast<std::uint32_t>(static_cast<float>(kLast + 2)) != kLast + 2);
}

// The largest number that the scene has, and one.
std::size_t NumbersOf(const LiveScene& scene) {
  const auto end = [](const auto& shapes) -> std::size_t {
    return shapes.empty() ? 0 : shapes.rbegin()->first + std::size_t{1};
  };
  return std::max(end(scene.hulls), end(scene.compounds));
}

TEST_CASE("a compound that changes in each frame fills neither the numbers nor a reader's memory") {
  LiveEncoder encoder({.scene = "edited"});
  LiveReader reader;
  const Made kept = Make(0.5f);
  LiveFrame frame;
  BodySnapshot still, edited;
  still.id = BodyId(1, 3, 9);
  still.shape = Shape::Compound(kept.compound.get());
  edited.id = BodyId(1, 4, 9);
  constexpr std::size_t kFrames = 4 * SentShapes::kMost;
  for (std::size_t i = 0; i < kFrames; ++i) {
    const Made made = Make(1.0f + 0.001f * static_cast<float>(i));
    edited.shape = Shape::Compound(made.compound.get());
    ++edited.form;
    frame.bodies = {still, edited};
    ++frame.number;
    REQUIRE(reader.Read(*encoder.Encode(frame)));
    CheckCompound(reader.scene(), 3, kept);
    CheckCompound(reader.scene(), 4, made);
  }
  // The latest ones and the one that is kept; of hulls also the one in a compound that is replaced.
  CHECK(NumbersOf(reader.scene()) <= SentShapes::kMost + 2);
  CHECK(NumbersOf(reader.scene()) > SentShapes::kMost);
}

TEST_CASE("whatever bodies come and go, a reader has their shapes") {
  Random random(20261129);
  std::vector<Made> pool;
  for (std::size_t i = 0; i < 2 * SentShapes::kMost; ++i) {
    pool.push_back(Make(1.0f + 0.001f * static_cast<float>(i)));
  }
  LiveEncoder encoder({.scene = "pool"});
  LiveReader reader;
  LiveFrame frame;
  std::map<std::uint32_t, std::size_t> has;  // by slot, of the pool
  std::map<std::uint32_t, BodySnapshot> bodies;
  std::uint32_t generation = 0;
  std::size_t sent = 0;  // hulls
  constexpr std::uint32_t kSlots = 90;
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
    // A part of them is in sight. The others are as they were.
    LiveSight sight;
    for (const auto& [slot, body] : bodies) {
      if (slot % 10 != 0 || random.Below(2) == 0) sight.slots.push_back(slot);
    }
    const auto message = encoder.Encode(frame, &sight);
    REQUIRE(message);
    sent += CountOf(*message, kLiveHull);
    REQUIRE(reader.Read(*message));
    const LiveScene& scene = reader.scene();
    for (const std::uint32_t slot : sight.slots) {
      const Made& made = pool[has[slot]];
      if (slot % 2 == 0) {
        CheckHull(scene, scene.bodies.at(slot), *made.hull);
      } else {
        CheckCompound(scene, slot, made);
      }
    }
  }
  // In use besides the latest hulls: one for each compound that the reader has (the latest ones,
  // and those of bodies), and one for each body.
  constexpr std::size_t kMostNumbers = 2 * SentShapes::kMost + 2 * kSlots;
  CHECK(NumbersOf(reader.scene()) <= kMostNumbers);
  CHECK(sent > 2 * kMostNumbers);
}

}  // namespace
}  // namespace nowait
