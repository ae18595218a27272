// CapsuleMover: the queries of one move of a character, counted.
//
// It keeps kSkin metres of air around the capsule: a cast that begins in contact would have no
// direction. Every function makes a bounded number of queries.
//
// Thread safety: one thread. Blocking: as WorldView's queries.
// Source: slide along the planes that were hit, and along the crease of two: a mover of this kind
// is described in [fauerby2003].
#ifndef NOWAIT_SRC_CHARACTER_CAPSULE_MOVER_H_
#define NOWAIT_SRC_CHARACTER_CAPSULE_MOVER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "src/bodies/body_snapshot.h"
#include "src/character/character_def.h"
#include "src/math/vec3.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"
#include "src/world/world_view.h"

namespace nowait {

// An impulse that a character gives to a body, at a point of the world.
struct CharacterPush {
  BodyId body;
  Vec3 impulse;  // newton seconds
  Vec3 point;
};

// The world as a character sees it. view: of this world.
struct CharacterSurroundings {
  const World& world;
  const WorldView& view;
  WaitTime& wait;
};

class CapsuleMover {
 public:
  static constexpr float kSkin = 0.01f;  // metres
  static constexpr int kSlides = 4;      // casts of a slide
  static constexpr int kRecoveries = 3;

  CapsuleMover(const CharacterDef& def, const CharacterSurroundings& around, Vec3 position,
               std::vector<CharacterPush>& pushes)
      : def_(def), around_(around), position_(position), pushes_(pushes) {}

  Vec3 position() const { return position_; }
  void set_position(Vec3 position) { position_ = position; }
  std::uint32_t queries() const { return queries_; }

  struct Hit {
    BodyId body;
    float travelled;  // metres
    Vec3 point;
    Vec3 normal;  // out of the body
  };

  // Goes along `way` up to the first body, less the skin. 1 query.
  std::optional<Hit> Advance(Vec3 way);

  // Goes along `way`, and along what it hits. steep_is_wall: a slope that is too steep to stand on
  // turns it aside, but does not lift it. It pushes dynamic bodies that are in its way, for `dt`
  // seconds. At most 2 * kSlides queries.
  struct SlideResult {
    bool ceiling = false;  // met something from below
    // Where it first met a wall or a slope that is too steep, and what was left of its way there.
    struct Wall {
      Vec3 position, left, normal;
    };
    std::optional<Wall> wall;
  };
  SlideResult Slide(Vec3 way, bool steep_is_wall, float dt);

  // Leaves bodies that it is in, or too near to; a body that comes into it is pushed back for `dt`
  // seconds. At most 2 * kRecoveries queries.
  void Recover(float dt);

  // Whether it can stand on what it hit: the slope is not too steep, or it is the edge of a step,
  // not higher above its feet than a step, behind which there is such a slope. At most 1 query.
  bool IsGround(const Hit& hit);

  // A copy of the body, unless it is gone. 1 query.
  std::optional<BodySnapshot> Look(BodyId body);

  // Pushes a dynamic body with which it shares an impulse, so that they do not approach each other
  // along `normal`, out of the body. velocity: its own. 1 query.
  void Push(const Hit& hit, Vec3 velocity, float dt);

 private:
  // Moves it, within the places of a world.
  void Go(Vec3 way);
  QueryFilter Filter() const;
  PlacedShape Capsule() const;
  bool IsGentle(Vec3 normal) const { return normal.y >= def_.steepest_cosine; }

  const CharacterDef& def_;
  const CharacterSurroundings& around_;
  Vec3 position_;
  std::vector<CharacterPush>& pushes_;
  std::uint32_t queries_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_CHARACTER_CAPSULE_MOVER_H_
