// A world with a character in it, stepped together.
#ifndef NOWAIT_TESTS_CHARACTER_WALKER_H_
#define NOWAIT_TESTS_CHARACTER_WALKER_H_

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/character/character.h"
#include "tests/world/scene.h"

namespace nowait {

inline constexpr float kFrame = 1.0f / 60.0f;  // seconds
inline constexpr float kSkin = CapsuleMover::kSkin;

// The height of a character's middle above the ground that it stands on, but for the skin.
inline float MiddleOf(const CharacterDef& def) { return def.half_height + def.radius; }

inline CharacterDef StandingAt(Vec3 feet) {
  CharacterDef def;
  def.position = feet + Vec3{0.0f, MiddleOf(def) + kSkin, 0.0f};
  return def;
}

inline BodyDef StaticBox(Vec3 position, Vec3 half) {
  BodyDef def = BoxAt(half, position);
  def.type = BodyType::kStatic;
  return def;
}

class Walker {
 public:
  explicit Walker(CharacterDef def = {})
      : world(MakeWorld()), pool(0), character(*Character::Create(def)) {}

  // One frame: the character moves, then the world.
  void Step(const CharacterWish& wish) {
    WaitTime wait;
    pushes.clear();
    {
      const WorldView view = world->Read();
      const auto moved = character.Move({*world, view, wait}, wish, kFrame, pushes);
      REQUIRE(moved.has_value());
    }
    ApplyPushes(*world, pushes, wait);
    REQUIRE(Run(*world, pool, 1));
    most_queries = std::max(most_queries, character.queries());
    REQUIRE(character.queries() <= Character::kMostQueries);
  }
  void Steps(int frames, const CharacterWish& wish) {
    for (int i = 0; i < frames; ++i) Step(wish);
  }
  float feet() const { return character.position().y - MiddleOf(character.def()); }

  std::unique_ptr<World> world;
  PoolHere pool;
  Character character;
  std::vector<CharacterPush> pushes;
  std::uint32_t most_queries = 0;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_CHARACTER_WALKER_H_
