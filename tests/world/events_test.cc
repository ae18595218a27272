#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "src/world/world_events.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

// The lists of an update as its stream has them.
void CheckAgainstLists(const World& world, const EventStream& stream) {
  std::vector<ContactEvent> contacts;
  std::vector<SleepEvent> sleep;
  for (const EventView event : stream) {
    if (const auto* began = event.As<ContactBegan>()) {
      contacts.push_back({ContactEvent::Kind::kBegan, began->a, began->b});
    } else if (const auto* ended = event.As<ContactEnded>()) {
      contacts.push_back({ContactEvent::Kind::kEnded, ended->a, ended->b});
    } else if (const auto* woke = event.As<BodyWoke>()) {
      sleep.push_back({SleepEvent::Kind::kWoke, woke->body});
    } else if (const auto* slept = event.As<BodyFellAsleep>()) {
      sleep.push_back({SleepEvent::Kind::kFellAsleep, slept->body});
    } else {
      FAIL("an event of another type");
    }
  }
  REQUIRE(std::ranges::equal(world.contact_events(), contacts));
  REQUIRE(std::ranges::equal(world.sleep_events(), sleep));
}

// Of each update, the slots that its events name, in their order.
std::vector<std::pair<std::uint32_t, std::uint32_t>> Story(std::uint32_t workers) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> story;
  HillScene scene = MakeHillScene(40, 3);
  PoolHere pool(workers);
  const auto lanes = EventLanes::Create({.lanes = 1, .most_bytes = 1u << 16});
  REQUIRE(lanes);
  std::uint32_t kinds = 0;
  for (int update = 0; update < 250; ++update) {
    if (update == 200) {
      WaitTime wait;
      for (const BodyId id : scene.bodies) {
        REQUIRE(scene.world->SetVelocity(id, {0, 3, 0}, {}, wait));
      }
    }
    REQUIRE(scene.world->Update(1.0f / 30, pool, 2));
    {
      auto section = (*lanes)->Open(0);
      REQUIRE(section);
      PostEvents(*scene.world, *section);
    }
    const auto stream = (*lanes)->Merge();
    REQUIRE(stream);
    REQUIRE((*lanes)->lost() == 0);
    CheckAgainstLists(*scene.world, *stream);
    for (const EventView event : *stream) {
      BodyId first;
      std::memcpy(&first, event.data().data(), sizeof first);
      story.emplace_back(event.type(), first.slot());
      kinds |= event.As<ContactBegan>()   ? 1
               : event.As<ContactEnded>() ? 2
               : event.As<BodyWoke>()     ? 4
                                          : 8;
    }
    story.emplace_back(0, 0);
  }
  CHECK(kinds == 15);  // the scene has all of them
  return story;
}

TEST_CASE("a contact that begins says where, and how hard") {
  PoolHere pool(1);
  const auto world = MakeWorld();
  const BodyId floor = Add(*world, Floor());
  BodyDef ball = SphereAt(0.5f, {3, 2, 4});
  ball.linear_velocity = {1, -8, 0};
  const BodyId falling = Add(*world, ball);
  for (int i = 0; i < 60 && world->contact_events().empty(); ++i) REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->contact_events().size() == 1);
  REQUIRE(world->contact_hits().size() == 1);
  const ContactHit& hit = world->contact_hits()[0];
  CHECK(world->contact_events()[0].a == floor);
  CHECK(world->contact_events()[0].b == falling);
  CHECK(hit.normal.y == Approx(1.0f));
  // It falls 1.5 m: v^2 = 8^2 + 2 * 9.81 * 1.5.
  CHECK(hit.speed == Approx(9.66f).margin(0.4f));
  CHECK(hit.slide == Approx(1.0f).margin(0.01f));
  CHECK(hit.place.x == Approx(3 + 1.5f / 8.8f).margin(0.05f));
  CHECK(hit.place.y == Approx(0.0f).margin(0.2f));
  CHECK(hit.place.z == Approx(4.0f));

  const auto lanes = EventLanes::Create({.lanes = 1});
  REQUIRE(lanes);
  {
    auto section = (*lanes)->Open(0);
    REQUIRE(section);
    PostEvents(*world, *section);
  }
  const auto stream = (*lanes)->Merge();
  REQUIRE(stream);
  const auto* const began = (*stream->begin()).As<ContactBegan>();
  REQUIRE(began != nullptr);
  CHECK((began->place == hit.place && began->normal == hit.normal));
  CHECK((began->speed == hit.speed && began->slide == hit.slide));

  const auto saved = world->Save();
  REQUIRE(saved);
  REQUIRE(world->Restore(*saved));
  CHECK(world->contact_events().empty());
  CHECK(world->contact_hits().empty());
}

TEST_CASE("of several steps in an update each contact that began has its own hit") {
  PoolHere pool(0);
  const auto world = MakeWorld();
  Add(*world, Floor());
  for (int i = 0; i < 12; ++i) {
    BodyDef ball =
        SphereAt(0.25f, {static_cast<float>(3 * i), 0.5f + 0.07f * static_cast<float>(i), 0});
    ball.linear_velocity = {0, -1 - static_cast<float>(i) / 4, 0};
    Add(*world, ball);
  }
  REQUIRE(world->Update(0.5f, pool, 30));
  std::size_t next = 0;
  std::vector<bool> seen(12);
  for (const ContactEvent& event : world->contact_events()) {
    if (event.kind != ContactEvent::Kind::kBegan) continue;
    REQUIRE(next < world->contact_hits().size());
    const ContactHit& hit = world->contact_hits()[next++];
    const int ball = static_cast<int>(event.b.slot()) - static_cast<int>(event.a.slot()) - 1;
    REQUIRE((ball >= 0 && ball < 12));
    CHECK(hit.place.x == Approx(static_cast<float>(3 * ball)).margin(1e-3));
    if (!seen[static_cast<std::size_t>(ball)]) CHECK(hit.speed > 0.9f);
    seen[static_cast<std::size_t>(ball)] = true;
  }
  CHECK(next == world->contact_hits().size());
  CHECK(next >= 12);
}

TEST_CASE("the stream of an update has what its lists have, for every number of threads") {
  const auto alone = Story(0);
  CHECK(alone == Story(1));
  CHECK(alone == Story(3));
}

}  // namespace
}  // namespace nowait
