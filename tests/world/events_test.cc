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

TEST_CASE("the stream of an update has what its lists have, for every number of threads") {
  const auto alone = Story(0);
  CHECK(alone == Story(1));
  CHECK(alone == Story(3));
}

}  // namespace
}  // namespace nowait
