// Worlds of 3 to 8 slots, where a slot is reused at once and a capacity is just too small or just
// enough; beside an oracle that knows each body and each contact by its id.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/math/random.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

using Pair = std::pair<BodyId, BodyId>;

bool IsBefore(const ContactEvent& one, const ContactEvent& other) {
  return one.a != other.a ? one.a < other.a : one.b < other.b;
}

// The events of all steps so far, judged step by step.
class Told {
 public:
  void Step(const World& world, const std::set<BodyId>& alive) {
    const auto events = world.contact_events();
    for (std::size_t i = 0; i < events.size(); ++i) {
      INFO("event " << i);
      REQUIRE(events[i].a < events[i].b);
      if (i != 0) REQUIRE(IsBefore(events[i - 1], events[i]));
      const Pair pair{events[i].a, events[i].b};
      if (events[i].kind == ContactEvent::Kind::kBegan) {
        REQUIRE(alive.contains(pair.first));
        REQUIRE(alive.contains(pair.second));
        REQUIRE(touching_.insert(pair).second);
      } else {
        REQUIRE(touching_.erase(pair) == 1);
      }
    }
    // A removed body no longer touches any.
    for (const Pair& pair : touching_) {
      REQUIRE(alive.contains(pair.first));
      REQUIRE(alive.contains(pair.second));
    }
    for (const SleepEvent& event : world.sleep_events()) REQUIRE(alive.contains(event.body));
  }

 private:
  std::set<Pair> touching_;
};

// A body somewhere in a heap of bodies, so that it touches others; a few sleep, a few do not move.
BodyDef Somewhere(Random& random) {
  BodyDef def;
  def.shape = random.Below(2) == 0 ? Shape::Sphere(0.5f) : Shape::Box({0.5f, 0.5f, 0.5f});
  def.position = random.InBox({-1, 0, -1}, {1, 2, 1});
  const std::uint32_t kind = random.Below(6);
  if (kind == 0) def.type = BodyType::kStatic;
  def.asleep = kind == 1;
  return def;
}

// Two worlds in which the same happens, with different numbers of workers.
class Twins {
 public:
  Twins(const WorldDef& def, std::uint64_t seed)
      : random_(seed), worlds_{MakeWorld(def), MakeWorld(def)} {}

  void Play(int frames, std::array<TaskPool*, 2> pools) {
    for (int frame = 0; frame < frames; ++frame) {
      CAPTURE(frame);
      for (std::uint32_t n = random_.Below(4); n > 0; --n) Change();
      std::array<bool, 2> stepped;
      for (std::size_t i = 0; i < 2; ++i) {
        const std::uint64_t before = worlds_[i]->StateHash();
        const auto done = worlds_[i]->Update(1.0f / 60.0f, *pools[i]);
        stepped[i] = done.has_value();
        if (done) continue;
        REQUIRE(done.error().subject == std::string("contacts"));
        REQUIRE(worlds_[i]->StateHash() == before);
        REQUIRE(worlds_[i]->contact_events().empty());
        REQUIRE(worlds_[i]->sleep_events().empty());
        ++failed_;
      }
      REQUIRE(stepped[0] == stepped[1]);
      REQUIRE(worlds_[0]->StateHash() == worlds_[1]->StateHash());
      for (std::size_t i = 0; i < 2 && stepped[i]; ++i) {
        const std::set<BodyId> alive(alive_[i].begin(), alive_[i].end());
        told_[i].Step(*worlds_[i], alive);
      }
    }
  }
  int failed() const { return failed_; }

 private:
  // One thing that a game does, in both worlds.
  void Change() {
    WaitTime wait;
    const std::uint32_t what = random_.Below(5);
    if (what <= 1 || alive_[0].empty()) {
      const BodyDef def = Somewhere(random_);
      const auto first = worlds_[0]->CreateBody(def, wait);
      const auto second = worlds_[1]->CreateBody(def, wait);
      REQUIRE(first.has_value() == second.has_value());
      if (!first) return;
      REQUIRE(first->slot() == second->slot());
      alive_[0].push_back(*first);
      alive_[1].push_back(*second);
      return;
    }
    const std::uint32_t which = random_.Below(static_cast<std::uint32_t>(alive_[0].size()));
    const Vec3 to = random_.InBox({-1, 0, -1}, {1, 2, 1});
    for (std::size_t i = 0; i < 2; ++i) {
      const BodyId id = alive_[i][which];
      if (what == 2) {
        REQUIRE(worlds_[i]->DestroyBody(id, wait));
        alive_[i].erase(alive_[i].begin() + which);
      } else if (what == 3) {
        REQUIRE(worlds_[i]->MoveBody(id, to, {}, wait));
      } else {
        static_cast<void>(worlds_[i]->SetVelocity(id, to, {}, wait));  // refused by a static body
      }
    }
  }

  Random random_;
  std::array<std::unique_ptr<World>, 2> worlds_;
  std::array<std::vector<BodyId>, 2> alive_;
  std::array<Told, 2> told_;
  int failed_ = 0;
};

TEST_CASE(
    "in small worlds each contact begins and ends once, between the bodies that it is about") {
  PoolHere alone(0), three(2);
  const auto seed = GENERATE(range(1, 25));
  CAPTURE(seed);
  WorldDef def;
  def.max_bodies = 3 + static_cast<std::uint32_t>(seed) % 6;
  def.rest.time = 0.1f;
  Twins twins(def, static_cast<std::uint64_t>(seed));
  twins.Play(200, {alone.pool.get(), three.pool.get()});
  CHECK(twins.failed() == 0);
}

TEST_CASE(
    "a step that has no room for its contacts changes nothing, and the next ones are as ever") {
  PoolHere alone(0), three(2);
  int failed = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    WorldDef def;
    def.max_bodies = 8;
    def.max_contacts = 1 + static_cast<std::uint32_t>(seed % 4) * 3;
    def.rest.time = 0.1f;
    Twins twins(def, seed);
    twins.Play(100, {alone.pool.get(), three.pool.get()});
    failed += twins.failed();
  }
  CHECK(failed > 20);
}

// A heap of sleepers: each pair of them is found twice, when both are woken.
TEST_CASE("contacts that are found twice count once against a capacity that is just enough") {
  const std::uint32_t workers = GENERATE(0u, 2u);
  for (const std::uint32_t room : {10u, 9u}) {
    CAPTURE(workers, room);
    WorldDef def;
    def.max_bodies = 5;
    def.max_contacts = room;
    def.gravity = {};
    auto world = MakeWorld(def);
    PoolHere pool(workers);
    WaitTime wait;
    // Five balls in one place: ten pairs. One wakes all.
    std::vector<BodyId> balls;
    for (int i = 0; i < 5; ++i) {
      BodyDef ball = SphereAt(1, {0.1f * static_cast<float>(i), 0, 0});
      ball.asleep = true;
      balls.push_back(Add(*world, ball));
    }
    REQUIRE(world->WakeBody(balls[2], wait));
    const auto done = world->Update(1.0f / 60.0f, pool);
    REQUIRE(done.has_value() == (room == 10));
    CHECK(world->stats().steps == (room == 10 ? 1 : 0));
    CHECK(world->contact_events().size() == (room == 10 ? 10 : 0));
    // The ones that the step would have woken sleep on, if it did not happen.
    CHECK(Get(*world, balls[0]).asleep == (room != 10));
    CHECK(world->sleep_events().size() == (room == 10 ? 5 : 0));
  }
}

}  // namespace
}  // namespace nowait
