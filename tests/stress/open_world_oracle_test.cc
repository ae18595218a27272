// The oracle of the open world: what it remembers of a place, and what it says that areas touch.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/stress/open_world_areas.h"
#include "tests/stress/open_world_places.h"

namespace nowait::open_world {
namespace {

TEST_CASE("a place that nobody changes between two looks has one state") {
  Places places;
  Place& place = places[places.Of(Role::kSingle)[0]];
  const State there{7, place.centre};
  for (int round = 0; round < 100; ++round) {
    std::uint64_t look = place.LookBefore();
    REQUIRE(place.Between(look, place.LookAfter()).size() == 1);
    REQUIRE_FALSE(place.Between(look, place.LookAfter())[0].present());
    place.Begin(there);
    place.End();
    look = place.LookBefore();
    REQUIRE(place.Between(look, place.LookAfter()).size() == 1);
    REQUIRE(place.Between(look, place.LookAfter())[0].id_bits == 7);
    place.Begin({});
    place.End();
  }
}

TEST_CASE("a change under way is both states, and a failed one leaves the old state") {
  Places places;
  Place& place = places[places.Of(Role::kSingle)[0]];
  const std::uint64_t before = place.LookBefore();
  place.Begin({State::kNotYetKnown, place.centre});
  const std::uint64_t during = place.LookBefore();
  REQUIRE(place.Between(before, place.LookAfter()).size() == 2);
  REQUIRE(place.Between(before, place.LookAfter())[1].id_bits == State::kNotYetKnown);
  place.Correct({9, place.centre});
  place.End();
  REQUIRE(place.Between(during, place.LookAfter()).size() == 2);
  REQUIRE(place.Between(during, place.LookAfter())[1].id_bits == 9);
  const State was = place.now();
  place.Begin({State::kNotYetKnown, place.centre});
  place.Undo(was);
  REQUIRE(place.Between(place.LookBefore(), place.LookAfter())[0].id_bits == 9);
  REQUIRE(place.now().id_bits == 9);
}

TEST_CASE("states of too long ago are not remembered wrongly") {
  Places places;
  Place& place = places[places.Of(Role::kSingle)[0]];
  const std::uint64_t look = place.LookBefore();
  for (std::uint32_t id = 0; id < 100; ++id) {
    place.Begin({id, place.centre});
    place.End();
    const auto states = place.Between(look, place.LookAfter());
    if (states.empty()) {
      REQUIRE(id + 4 > Place::kHistory);
      continue;
    }
    REQUIRE(states.size() == id + 2);
    REQUIRE_FALSE(states[0].present());
    for (std::uint32_t i = 0; i <= id; ++i) REQUIRE(states[i + 1].id_bits == i);
  }
}

TEST_CASE("places have cells of their own, in which their bodies stay") {
  Places places;
  Random random(3);
  std::uint32_t roles[4] = {};
  for (std::uint32_t i = 0; i < kPlaces; ++i) {
    const Place& place = places[i];
    ++roles[static_cast<int>(place.role)];
    for (int k = 0; k < 20; ++k) {
      const float off = random.Between(-kDrift, kDrift);
      const Vec3 at =
          place.role == Role::kDrifter ? place.centre + Vec3{off, 0, 0} : place.Somewhere(random);
      const State state{1, at};
      REQUIRE(Contains(place.Possible(state), place.Sure(state)));
      REQUIRE(place.Sure(state).IsUsable());
      REQUIRE(places.In(place.Possible(state)) == std::vector{i});
    }
  }
  for (const std::uint32_t count : roles) REQUIRE(count >= kPlaces / 8);
}

// Points of the area, drawn at random.
Vec3 PointOf(const Bounds<3>& box, Random& random) { return random.InBox(MinOf(box), MaxOf(box)); }
Vec3 PointOf(const Ball& ball, Random& random) {
  return ball.centre + random.Direction() * (ball.radius * random.Unit());
}
Vec3 PointOf(const OrientedBox& box, Random& random) {
  return box.centre + Rotate(box.rotation, random.InBox(Vec3{} - box.half, box.half));
}
Vec3 PointOf(const SweptBox& box, Random& random) {
  return box.centre + box.translation * random.Unit() + random.InBox(Vec3{} - box.half, box.half);
}

// A box around a point of the area is not missed; one that is surely touched has a point of the
// area near it; and what is touched is not missed.
template <class Area>
void Compare(const Area& area, Random& random, int& touched, int& missed) {
  for (int i = 0; i < 20; ++i) {
    const Vec3 half = random.InBox({0, 0, 0}, {1, 1, 1});
    const Vec3 inside = PointOf(area, random);
    CHECK_FALSE(SurelyMisses(area, ToBounds(inside - half, inside + half)));
    CHECK(Contains(GrownBy(HullOf(area), {0.01f, 0.01f, 0.01f}), ToBounds(inside, inside)));
    const Vec3 somewhere = random.InBox({-12, -12, -12}, {12, 12, 12});
    const Bounds<3> box = ToBounds(somewhere - half, somewhere + half);
    const bool touches = SurelyTouches(area, box);
    const bool misses = SurelyMisses(area, box);
    CHECK_FALSE((touches && misses));
    touched += touches ? 1 : 0;
    missed += misses ? 1 : 0;
    for (int k = 0; misses && k < 50; ++k) {
      const Vec3 point = PointOf(area, random);
      CHECK_FALSE(Contains(box, ToBounds(point, point)));
    }
  }
}

TEST_CASE(
    "an area has no point in a box that it misses, and none that it has is outside its hull") {
  Random random(4);
  int touched = 0, missed = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec3 centre = random.InBox({-8, -8, -8}, {8, 8, 8});
    const Vec3 half = random.InBox({0.2f, 0.2f, 0.2f}, {6, 6, 6});
    Compare(ToBounds(centre - half, centre + half), random, touched, missed);
    Compare(Ball{centre, half.x}, random, touched, missed);
    Compare(OrientedBox{centre, half, random.Rotation()}, random, touched, missed);
    Compare(SweptBox{centre, half, random.InBox({-9, -9, -9}, {9, 9, 9})}, random, touched, missed);
  }
  CHECK(touched > 300);
  CHECK(missed > 1000);
}

TEST_CASE("a ray meets a ball where it comes to its radius, or nowhere") {
  const RayCast ray{{0, 0, 0}, {10, 0, 0}};
  CHECK(std::abs(Enters(ray, {5, 0, 0}, 1.0) - 0.4) < 1e-6);
  CHECK(Enters(ray, {0.5f, 0, 0}, 1.0) == 0);
  CHECK(Enters(ray, {-5, 0, 0}, 1.0) < 0);
  CHECK(Enters(ray, {5, 2, 0}, 1.0) < 0);
  CHECK(Enters(ray, {15, 0, 0}, 1.0) < 0);
}

}  // namespace
}  // namespace nowait::open_world
