// The player's scene of characters: they walk round a course by themselves. On it are stairs and a
// ramp, crates that can be pushed, a ferry that carries them, pillars, and a hurdle that they jump.
//
// Thread safety: one thread; Advance moves the characters as jobs of the pool.
// Determinism: as Character has it; the same for any number of threads.
#ifndef NOWAIT_SRC_APPS_PLAYER_WALKERS_H_
#define NOWAIT_SRC_APPS_PLAYER_WALKERS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/character/character.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "src/world/world.h"

namespace nowait {

// The state of the characters beside their world. The place of each is that of its body.
struct SavedWalkers {
  static constexpr std::uint32_t kInTheAir = ~std::uint32_t{0};
  struct Walker {
    Vec3 velocity;
    Vec3 drift;
    float rise;
    std::uint32_t ground;  // the slot of the body on which it stands, or kInTheAir
    std::uint32_t ground_generation;
    Vec3 ground_normal;
    Vec3 ground_position;
    Quat ground_rotation;
    std::uint32_t next;
    float stuck;  // seconds
  };

  float ferry_time = 0.0f;  // seconds of its round
  std::vector<Walker> walkers;
};

class Walkers {
 public:
  // A world with the course in it, and room for `more` bodies besides `count` characters. The
  // errors are World::Create's and CreateBody's.
  static Result<std::unique_ptr<World>> CreateCourse(std::uint32_t count, std::uint32_t more);

  // `count` characters on the course of `world`, which outlives them. The errors are CreateBody's.
  static Result<std::unique_ptr<Walkers>> Create(World& world, std::uint32_t count,
                                                 std::uint64_t seed);

  // A game update of `dt` seconds: the ferry, the characters, and the bodies that stand for them.
  Result<void> Advance(World& world, float dt, TaskPool& pool);

  SavedWalkers Save() const;
  // Become those that were saved, in a world that is what the saved one was; made for as many and
  // the same seed. kCorrupt "ferry", "walkers" or "walker" with the slot or the number.
  Result<void> Restore(const World& world, const SavedWalkers& saved);

 private:
  // A character, and its way round the course.
  struct Walker {
    Character character;
    BodyId body;
    float speed;           // metres a second
    std::size_t next = 0;  // place that it goes to
    float stuck = 0.0f;    // seconds
    std::vector<CharacterPush> pushes;
    Result<void> moved;
  };

  Walkers();

  void MoveOne(Walker& walker, const World& world, const WorldView& view, float dt) const;
  Result<void> MoveFerry(World& world, float dt);
  static Result<CharacterState> StateOf(const SavedWalkers::Walker& saved, const World& world,
                                        BodyId body);

  std::vector<Walker> walkers_;
  JobBatch batch_;
  BodyId ferry_;
  float ferry_time_ = 0.0f;  // seconds of its round
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_WALKERS_H_
