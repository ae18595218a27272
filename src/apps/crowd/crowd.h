// Crowd: characters that each play, blend and change clips of their own, in four stages a frame.
//
//   Animate ── PlantFeet ── UpdateScene ── CopyMatrices
//
//   Animate       each character's state machine, one or two samplers; then blends: a local pose
//   PlantFeet     its feet on the ground, and an event for each foot that has come down
//   UpdateScene   local to global
//   CopyMatrices  a matrix for each bone of each character, in one array: what a renderer takes
//
// A character's machine is triggered at moments drawn from its own random numbers, and each stage
// writes only what belongs to a character. So the matrices are the same for any number of threads,
// and so are the events, whose sections have the numbers of the characters as keys.
//
// Thread safety: a stage by one thread at a time, which is one of the pool's; it helps meanwhile.
// Errors: of Create, kInvalidArgument for clips that are not of the skeleton, and kCapacity
// "memory". A stage returns those of ParallelFor.
// Source: [bitsquid2010], "First profiler screenshot": 1,000 characters of 90 bones.
#ifndef NOWAIT_SRC_APPS_CROWD_CROWD_H_
#define NOWAIT_SRC_APPS_CROWD_CROWD_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/animation/local_to_global.h"
#include "src/animation/pose.h"
#include "src/animation/sampler.h"
#include "src/animation/skeleton.h"
#include "src/animation/state_machine.h"
#include "src/apps/crowd/blend_batches.h"
#include "src/apps/crowd/clips.h"
#include "src/apps/crowd/feet.h"
#include "src/base/result.h"
#include "src/events/lanes.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/world/world.h"

namespace nowait {

// The ground under a crowd: the static bodies of a world in which nothing changes meanwhile.
struct CrowdGround {
  const World* world = nullptr;  // null: a floor at y = 0
  float top = 0.0f;              // metres; higher than all of it
};

class Crowd {
 public:
  // skeleton: of all clips, and outlives the crowd as they and the ground do; at least one clip.
  static Result<std::unique_ptr<Crowd>> Create(TaskPool& pool, const Skeleton& skeleton,
                                               std::vector<CrowdClip> clips, CrowdGround ground,
                                               std::uint32_t characters, std::uint64_t seed,
                                               const BlendBatchesDef& blends);
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  Result<void> Animate(float dt);
  Result<void> PlantFeet();
  Result<void> UpdateScene();
  Result<void> CopyMatrices();

  std::uint32_t characters() const { return static_cast<std::uint32_t>(characters_.size()); }
  // By character, then by bone.
  std::span<const Affine> matrices() const { return matrices_; }
  // The footsteps since the last call (src/apps/crowd/footsteps.h), by character; valid until the
  // next call. One thread, between stages.
  Result<EventStream> TakeFootsteps() { return steps_->Merge(); }
  // How many characters show two clips at the moment.
  std::uint32_t Fading() const;

 private:
  // A sampler, the clip that it is at, and what it shows.
  struct Player {
    Sampler sampler;
    std::uint32_t clip;
    Pose pose;
  };
  struct Character {
    Random random;
    Vec3 origin;
    AnimationMachine machine;
    float until_trigger;          // seconds
    std::vector<Player> players;  // two
    Pose blended;
    Pose global;

    // The local pose as of the last Animate, and then with its feet on the ground.
    Pose& local() { return machine.Shown().size() == 2 ? blended : players[0].pose; }
  };

  Crowd(TaskPool& pool, const Skeleton& skeleton, std::vector<CrowdClip> clips, CrowdGround ground);
  Result<void> AddCharacters(std::uint32_t count, std::uint64_t seed);
  void AnimateOne(Character& character, float dt);
  void Show(Player& player, const AnimationMachine::ShownClip& shown);
  void PostSteps(std::uint32_t index);

  TaskPool& pool_;
  const Skeleton& skeleton_;
  const std::vector<CrowdClip> clips_;
  const Feet feet_;
  const CrowdGround ground_;
  std::unique_ptr<EventLanes> steps_;
  std::unique_ptr<BlendBatches> batches_;
  std::vector<BlendJob> blends_;  // of Animate
  AnimationTable table_;
  std::vector<Character> characters_;
  std::vector<Affine> matrices_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_CROWD_CROWD_H_
