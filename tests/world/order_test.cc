// Results that do not depend on the slots that bodies happen to have: which slot is the ground's,
// and which slots had other bodies before.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

// A layer for each of a row's four balls, in the order in which queries go through the trees.
constexpr std::array<Layer, 4> kLayers = {Layer::kStatic, Layer::kDynamic, UserLayer(0),
                                          UserLayer(1)};

using Order = std::array<std::size_t, kLayers.size()>;

WorldDef FourLayers() {
  WorldDef def;
  def.max_bodies = kLayers.size();
  def.max_contacts = 16;
  def.user_layers = {{.name = "debris"}, {.name = "trigger"}};
  return def;
}

BodyDef BallIn(Layer layer, float x) {
  BodyDef def = SphereAt(0.5f, {x, 0, 0});
  def.type = layer == Layer::kStatic ? BodyType::kStatic : BodyType::kDynamic;
  if (layer >= UserLayer(0)) def.layer = layer;
  return def;
}

std::size_t NearestOf(const Order& place) {
  return static_cast<std::size_t>(std::min_element(place.begin(), place.end()) - place.begin());
}

// A ray goes through the trees in the order of their layers, and is as short in each as the hits so
// far have made it. So it looks at the bodies that are nearer than all in the layers before.
std::uint64_t LooksOf(const Order& place) {
  std::uint64_t looks = 0;
  std::size_t nearest = place.size();
  for (const std::size_t at : place) {
    if (at >= nearest) continue;
    nearest = at;
    ++looks;
  }
  return looks;
}

TEST_CASE("a ray is as short in a tree as hits in others made it, whichever has the low slot") {
  Order slot{0, 1, 2, 3};
  int orders = 0;
  do {
    Order place{0, 1, 2, 3};
    do {
      CAPTURE(slot, place);
      const auto world = MakeWorld(FourLayers());
      std::array<BodyId, 4> ids;
      for (const std::size_t layer : slot) {
        ids[layer] = Add(*world, BallIn(kLayers[layer], 10.0f * static_cast<float>(place[layer])));
      }
      WaitTime wait;
      const auto hit = world->CastRay({{-5, 0, 0}, {50, 0, 0}}, {}, wait);
      REQUIRE(hit.has_value());
      CHECK(hit->body == ids[NearestOf(place)]);
      CHECK(hit->fraction == Approx(4.5f / 50.0f));
      INFO("a look at a body costs a lock: with more of them, a hit did not shorten the ray");
      CHECK(wait.acquisitions == LooksOf(place));
      ++orders;
    } while (std::next_permutation(place.begin(), place.end()));
  } while (std::next_permutation(slot.begin(), slot.end()));
  CHECK(orders == 24 * 24);
}

TEST_CASE(
    "of bodies at the same distance a ray hits the one of lower id, in whichever tree it is") {
  Order slot{0, 1, 2, 3};
  do {
    CAPTURE(slot);
    const auto world = MakeWorld(FourLayers());
    std::vector<BodyId> ids;
    for (const std::size_t layer : slot) ids.push_back(Add(*world, BallIn(kLayers[layer], 10)));
    WaitTime wait;
    const auto hit = world->CastRay({{0, 0, 0}, {50, 0, 0}}, {}, wait);
    REQUIRE(hit.has_value());
    CHECK(hit->body == ids.front());
    const auto nearest = world->Read().FindNearest({0, 0, 0}, 50, {}, wait);
    REQUIRE(nearest.has_value());
    CHECK(nearest->body == ids.front());
  } while (std::next_permutation(slot.begin(), slot.end()));
}

// A ground and a ball on it, in slots of either order.
struct OnGround {
  explicit OnGround(bool ground_first) {
    WorldDef def;
    def.max_bodies = 2;  // so that a slot is reused at once
    world = MakeWorld(def);
    if (ground_first) ground = Add(*world, Floor());
    ball = Add(*world, Ball());
    if (!ground_first) ground = Add(*world, Floor());
  }
  static BodyDef Ball() { return SphereAt(0.5f, {0, 0.5f, 0}); }

  std::unique_ptr<World> world;
  BodyId ground, ball;
};

TEST_CASE("a contact's a is its body of the lower slot, be that the ground or what lies on it") {
  const bool ground_first = GENERATE(false, true);
  PoolHere pool(0);
  OnGround scene(ground_first);
  REQUIRE(Run(*scene.world, pool, 1));
  const auto [a, b] = std::minmax({scene.ground, scene.ball});
  REQUIRE(scene.world->contact_events().size() == 1);
  CHECK(scene.world->contact_events()[0] == ContactEvent{ContactEvent::Kind::kBegan, a, b});
}

TEST_CASE("a contact of the next bodies in its slots is another one, with events of its own") {
  const bool ground_first = GENERATE(false, true);
  const bool other_ground = GENERATE(false, true);
  CAPTURE(ground_first, other_ground);
  PoolHere pool(0);
  OnGround scene(ground_first);
  REQUIRE(Run(*scene.world, pool, 2));
  CHECK(scene.world->contact_events().empty());  // it goes on
  BodyId& replaced = other_ground ? scene.ground : scene.ball;
  const auto [a, b] = std::minmax({scene.ground, scene.ball});
  const BodyId before = replaced;
  WaitTime wait;
  REQUIRE(scene.world->DestroyBody(before, wait));
  replaced = Add(*scene.world, other_ground ? Floor() : OnGround::Ball());
  REQUIRE(replaced.slot() == before.slot());
  REQUIRE(Run(*scene.world, pool, 1));
  const auto [next_a, next_b] = std::minmax({scene.ground, scene.ball});
  INFO("a contact is continued by the ids of its bodies, not by their slots");
  const auto events = scene.world->contact_events();
  REQUIRE(events.size() == 2);
  CHECK(events[0] == ContactEvent{ContactEvent::Kind::kEnded, a, b});
  CHECK(events[1] == ContactEvent{ContactEvent::Kind::kBegan, next_a, next_b});
}

// Each event after the ones of lower pairs, and the lower slot first in each.
void CheckOrder(std::span<const ContactEvent> events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    INFO("event " << i << " of " << events.size());
    CHECK(events[i].a < events[i].b);
    if (i == 0) continue;
    const bool ascends = events[i - 1].a != events[i].a ? events[i - 1].a < events[i].a
                                                        : events[i - 1].b < events[i].b;
    CHECK(ascends);
  }
}

// Balls on a line that all touch their neighbours, with their slots in a random order. Then the
// balls change places, and contacts that end are mixed with others that begin.
TEST_CASE("contacts are listed by ascending pair, each once, however bodies came by their slots") {
  const std::uint32_t workers = GENERATE(0u, 3u);
  const auto seed = GENERATE(range(1, 9));
  CAPTURE(workers, seed);
  Random random(static_cast<std::uint64_t>(seed));
  constexpr std::uint32_t kBalls = 60;
  const auto shuffled = [&] {
    std::vector<float> places;
    for (std::uint32_t i = 0; i < kBalls; ++i) {
      places.insert(places.begin() + random.Below(i + 1), static_cast<float>(i));
    }
    return places;
  };
  WorldDef def;
  def.gravity = {};
  const auto world = MakeWorld(def);
  std::vector<BodyId> balls;
  for (const float x : shuffled()) {
    BodyDef ball = SphereAt(0.5f, {x, 0, 0});
    ball.asleep = random.Below(2) == 0;
    balls.push_back(Add(*world, ball));
  }
  PoolHere pool(workers);
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->contact_events().size() == kBalls - 1);
  CheckOrder(world->contact_events());

  const std::vector<float> places = shuffled();
  for (std::size_t i = 0; i < balls.size(); ++i) {
    WaitTime wait;
    REQUIRE(world->MoveBody(balls[i], {places[i], 0, 0}, {}, wait));
  }
  REQUIRE(Run(*world, pool, 1));
  const auto events = world->contact_events();
  const auto began = std::count_if(events.begin(), events.end(), [](const ContactEvent& event) {
    return event.kind == ContactEvent::Kind::kBegan;
  });
  // As many end as begin; a few pairs are neighbours again.
  CHECK(began > kBalls / 2);
  CHECK(2 * static_cast<std::size_t>(began) == events.size());
  CheckOrder(events);
}

}  // namespace
}  // namespace nowait
