// After any messages a reader knows the last frame, to the documented error.
#include "src/live/encoder.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <map>

#include "src/live/reader.h"
#include "src/live/wire.h"
#include "src/math/random.h"
#include "tests/live/shown_bodies.h"

namespace nowait {
namespace {

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

}  // namespace
}  // namespace nowait
