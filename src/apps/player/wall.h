// The player's scene of a wall that breaks: stones are shot at it, and each brick that is hit hard
// enough leaves the wall, which is one body, and falls as a body of its own.
//
// The wall's shape is a compound that is edited (CompoundShape::Edited). The stones are one hull,
// scaled. Bricks that have lain for a while become rubble: a layer that touches the ground alone.
//
// Thread safety: one thread.
// Determinism: +, * and / alone.
#ifndef NOWAIT_SRC_APPS_PLAYER_WALL_H_
#define NOWAIT_SRC_APPS_PLAYER_WALL_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/scaled_shape.h"
#include "src/math/random.h"
#include "src/world/world.h"

namespace nowait {

// The state of a wall beside its world; bodies by their slots.
struct SavedWall {
  static constexpr std::uint32_t kNoWall = ~std::uint32_t{0};
  struct Fallen {
    std::uint32_t slot;
    float age;  // seconds
  };

  std::uint32_t wall = kNoWall;  // kNoWall: no brick is left in it
  std::uint32_t shots = 0;
  float until_shot = 0.0f;            // seconds
  std::vector<std::uint32_t> stones;  // the oldest one first
  std::vector<Fallen> fallen;         // likewise
};

class Wall {
 public:
  static constexpr std::uint32_t kMostBricks = 160;
  static constexpr std::size_t kMostStones = 12;  // then the oldest one goes

  // A world with room for the scene and `more` bodies.
  static Result<std::unique_ptr<World>> CreateWorld(std::uint32_t bricks, std::uint32_t more);

  // Puts the ground and a wall of `bricks` bricks, 1 .. kMostBricks, into `world`. The errors are
  // those of the shapes and of CreateBody.
  static Result<std::unique_ptr<Wall>> Create(World& world, std::uint32_t bricks,
                                              std::uint64_t seed);

  // A game update of `dt` seconds, after an update of the world.
  Result<void> Advance(World& world, float dt);

  SavedWall Save() const;
  // Becomes the wall that was saved, of a world that is what the saved one was. kCorrupt "wall",
  // "stone" or "brick" with the slot of a body that is not there or is no such thing.
  Result<void> Restore(const World& world, const SavedWall& saved);

  std::size_t bricks_left() const { return now_ == nullptr ? 0 : now_->children().size(); }

 private:
  explicit Wall(std::uint64_t seed) : seed_(seed) {}

  struct Fallen {
    BodyId body;
    float age = 0.0f;  // seconds
  };

  Result<void> MakeStones();
  Result<void> Shoot(World& world);
  Result<void> BreakOut(World& world, std::uint32_t brick);
  Result<void> AgeFallen(World& world, float dt);

  std::uint64_t seed_;
  std::uint32_t shots_ = 0;
  BodyId wall_;
  // The compounds that this wall has made: a frame of a viewer's may have any. At most one a brick.
  std::vector<std::unique_ptr<const CompoundShape>> compounds_;
  const CompoundShape* now_ = nullptr;  // null: no brick is left
  std::unique_ptr<const ConvexHull> stone_;
  std::vector<ScaledShape> stones_;
  std::deque<BodyId> shot_;
  std::deque<Fallen> fallen_;  // the oldest one first
  float until_shot_ = 0.0f;    // seconds
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_WALL_H_
