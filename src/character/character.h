// Character: a capsule that walks.
//
//   std::vector<CharacterPush> pushes;
//   const WorldView view = world.Read();
//   const auto moved = character.Move({world, view, wait}, {.velocity = {1.5f, 0, 0}}, dt, pushes);
//   if (!moved) return std::unexpected(moved.error());
//   ApplyPushes(world, pushes, wait);
//
// It is no body of the solver: it moves by casts of its capsule. It slides along walls, climbs and
// descends steps of at most step_height, walks on slopes up to steepest_cosine and slides down
// steeper ones, falls and jumps. It stands on a body and is carried by that body's motion, whether
// the solver or the game moves it. It pushes dynamic bodies with a bounded force, presses with its
// weight on the one that it stands on, and gives way to bodies that come into it.
//
// Thread safety: each character on one thread at a time; Move reads the world and changes the
// character alone. So many characters may move at once, as tasks of the pool in a game update, each
// with a view and a list of pushes of its own; ApplyPushes comes after them, in their order.
// Promise: at most kMostQueries queries a move. The result depends on the world, the character and
// the arguments alone.
// Errors: kInvalidArgument names the field; then nothing has changed.
// Complexity: that of the queries.
//
// Source: a mover of this kind: [fauerby2003]. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_CHARACTER_CHARACTER_H_
#define NOWAIT_SRC_CHARACTER_CHARACTER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/character/capsule_mover.h"
#include "src/character/character_def.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"
#include "src/world/world.h"

namespace nowait {

// The player's or the program's wish for a move.
struct CharacterWish {
  Vec3 velocity{};    // over the ground, metres a second; y does not count. Each within 1000
  float jump = 0.0f;  // the speed upwards of a jump, if it stands; 0 .. 1000
};

// The ground that a character stands on.
struct CharacterGround {
  BodyId body;
  Vec3 normal;
  Vec3 position;  // of the body, when the character came to stand on it or last moved
  Quat rotation;
};

// The part of a character that its moves change, and on which the next move depends.
struct CharacterState {
  Vec3 position;                          // of the capsule's middle
  Vec3 velocity;                          // of the last move, what carried it included
  Vec3 drift;                             // over the ground, of what carried it when it left that
  float rise = 0.0f;                      // its speed upwards in the air
  std::optional<CharacterGround> ground;  // on which it stands
};

class Character {
 public:
  // Queries of the parts of a move, at most: a look at the ground that carries it and a slide with
  // it, recovery, the slide of the move itself, a step, and the ground below.
  static constexpr std::uint32_t kSlideQueries = 2 * CapsuleMover::kSlides;
  static constexpr std::uint32_t kStepQueries = 4;
  static constexpr std::uint32_t kGroundQueries = 3;
  static constexpr std::uint32_t kMostQueries = 1 + kSlideQueries + 2 * CapsuleMover::kRecoveries +
                                                kSlideQueries + kStepQueries + kGroundQueries;

  // kInvalidArgument: the field of `def` that is out of range.
  static Result<Character> Create(const CharacterDef& def);

  // Advances it by `dt` seconds (1e-6 .. 1). Appends to `pushes`. Where there is less room than it
  // needs, it stays as deep in the one body as in the other; where there is less than its radius,
  // it may come out on the far side of either.
  Result<void> Move(const CharacterSurroundings& around, const CharacterWish& wish, float dt,
                    std::vector<CharacterPush>& pushes);

  Vec3 position() const { return state_.position; }
  Vec3 velocity() const { return state_.velocity; }
  bool stands() const { return state_.ground.has_value(); }
  BodyId ground() const { return stands() ? state_.ground->body : BodyId(); }  // what it stands on
  std::uint32_t queries() const { return queries_; }                           // of the last move
  const CharacterDef& def() const { return def_; }

  // Puts it elsewhere, in the air and at rest. kInvalidArgument "position".
  Result<void> Place(Vec3 position);

  // For saving a character; another one of the same definition goes on from there.
  const CharacterState& state() const { return state_; }
  // Ground that is gone by the next move carries it no longer. kInvalidArgument: the field of
  // `state` that no move leaves so.
  Result<void> Restore(const CharacterState& state);

 private:
  explicit Character(const CharacterDef& def) : def_(def) { state_.position = def.position; }

  // The parts of a move.
  void Carry(CapsuleMover& mover, float dt);
  void Walk(CapsuleMover& mover, Vec3 way, float dt);
  bool StepUp(CapsuleMover& mover, Vec3 way);
  void Fly(CapsuleMover& mover, Vec3 way, float dt);
  void FindGround(CapsuleMover& mover, float reach, float dt, std::vector<CharacterPush>& pushes);

  CharacterDef def_;
  CharacterState state_;
  std::uint32_t queries_ = 0;
};

// Gives the bodies their impulses. A body that is gone, or would be too fast, stays as it is.
// Game update; any thread.
void ApplyPushes(World& world, std::span<const CharacterPush> pushes, WaitTime& wait);

}  // namespace nowait

#endif  // NOWAIT_SRC_CHARACTER_CHARACTER_H_
