// A hundred characters on hills, moved as jobs of the pool: they stay on the ground and apart, and
// the result is the same for any number of threads.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "src/jobs/job_batch.h"
#include "src/math/hash.h"
#include "tests/character/walker.h"

namespace nowait {
namespace {

constexpr std::uint32_t kCharacters = 100;

struct Outcome {
  std::uint64_t hash = 0;
  std::uint32_t most_queries = 0;
  float lowest = 1e9f;    // of feet above the ground
  float nearest = 1e9f;   // of two middles, over the ground
  float farthest = 0.0f;  // that one has come

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome RunCrowd(std::uint32_t workers, int frames) {
  WorldDef def;
  def.user_layers.push_back({.name = "characters", .touches = LayerSet()});
  HillScene scene = MakeHillScene(40, 8, def);
  World& world = *scene.world;
  PoolHere pool(workers);
  WaitTime wait;
  Random random(17);
  std::vector<Character> characters;
  std::vector<Vec3> starts, wishes;
  for (std::uint32_t i = 0; i < kCharacters; ++i) {
    CharacterDef character;
    character.position = {6.0f + 2.7f * static_cast<float>(i % 10), 6.0f,
                          6.0f + 2.7f * static_cast<float>(i / 10)};
    BodyDef body;
    body.type = BodyType::kStatic;
    body.layer = UserLayer(0);
    body.shape = Shape::Capsule(character.half_height, character.radius);
    body.position = character.position;
    character.body = Add(world, body);
    characters.push_back(*Character::Create(character));
    starts.push_back(character.position);
    wishes.push_back(random.InBox({-2, 0, -2}, {2, 0, 2}));
  }
  Outcome outcome;
  std::vector<std::vector<CharacterPush>> pushes(kCharacters);
  JobBatch batch(64);
  for (int frame = 0; frame < frames; ++frame) {
    auto move = [&](std::uint32_t begin, std::uint32_t end) {
      WaitTime waited;
      const WorldView view = world.Read();
      for (std::uint32_t i = begin; i < end; ++i) {
        pushes[i].clear();
        const auto moved =
            characters[i].Move({world, view, waited}, {.velocity = wishes[i]}, kFrame, pushes[i]);
        if (!moved) characters[i] = *Character::Create({});
      }
    };
    REQUIRE(batch.AddLoop(kCharacters, 4, move));
    REQUIRE(batch.Run(*pool.pool));
    for (std::uint32_t i = 0; i < kCharacters; ++i) {
      ApplyPushes(world, pushes[i], wait);
      REQUIRE(world.MoveBody(characters[i].def().body, characters[i].position(), {}, wait));
      outcome.most_queries = std::max(outcome.most_queries, characters[i].queries());
    }
    REQUIRE(Run(world, pool, 1));
  }
  Hash hash;
  for (std::uint32_t i = 0; i < kCharacters; ++i) {
    const Vec3 at = characters[i].position();
    hash.Add(at);
    QueryFilter ground;
    ground.layers = LayerSet();
    ground.layers.Add(Layer::kStatic);
    const auto hit = world.CastRay({{at.x, 100, at.z}, {0, -300, 0}}, ground, wait);
    const float feet = at.y - MiddleOf(characters[i].def());
    if (hit) outcome.lowest = std::min(outcome.lowest, feet - hit->point.y);
    const Vec3 way = at - starts[i];
    outcome.farthest = std::max(outcome.farthest, std::sqrt(way.x * way.x + way.z * way.z));
    for (std::uint32_t k = 0; k < i; ++k) {
      outcome.nearest = std::min(outcome.nearest, Length(at - characters[k].position()));
    }
  }
  outcome.hash = hash.value() ^ world.StateHash();
  return outcome;
}

TEST_CASE("a crowd of a hundred walks over hills, on the ground and apart") {
  const Outcome outcome = RunCrowd(1, 240);
  CHECK(outcome.lowest > -0.05f);
  CHECK(outcome.nearest > 2 * 0.3f - 0.1f);
  CHECK(outcome.farthest > 3.0f);
  CHECK(outcome.most_queries <= Character::kMostQueries);
}

TEST_CASE("a crowd ends in the same places for 1, 2, 4 and 8 threads") {
  const Outcome one = RunCrowd(0, 60);
  CHECK(RunCrowd(1, 60) == one);
  CHECK(RunCrowd(3, 60) == one);
  CHECK(RunCrowd(7, 60) == one);
}

}  // namespace
}  // namespace nowait
