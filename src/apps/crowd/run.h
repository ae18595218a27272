// RunCrowd: frames of a crowd on a pool, each a task that makes the next one.
//
// Thread safety: any thread; makes threads of its own.
#ifndef NOWAIT_SRC_APPS_CROWD_RUN_H_
#define NOWAIT_SRC_APPS_CROWD_RUN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/animation/motion.h"
#include "src/apps/crowd/footsteps.h"
#include "src/apps/demo/scene.h"
#include "src/profile/profile.h"

namespace nowait {

struct CrowdDef {
  std::uint32_t characters = 1'000;
  std::uint32_t frames = 120;
  std::uint32_t workers = 1;
  std::uint64_t seed = 1;
  // Every so many frames, and in the last one, all matrices go into the hash.
  std::uint32_t hash_every = 30;
  // For every ten frames a thread that helps with a blend is put aside for so long, as a system may
  // do it. 0: never.
  std::uint32_t stall_ms = 0;
  bool blend_once = false;  // plain tasks for blends, not idempotent ones
};

struct CrowdResult {
  std::uint64_t hash = 0;
  // Of all frames, nanoseconds: the four stages of Crowd.
  std::array<std::uint64_t, 4> stage_time{};
  std::uint64_t longest_frame = 0;          // without the hash
  std::uint64_t stalls = 0;                 // threads that were put aside
  std::uint64_t longest_stalled_frame = 0;  // of the frames with such a thread
  std::uint64_t fading = 0;  // characters that showed two clips, summed over the frames
  FootstepCount footsteps;
  std::size_t raw_bytes = 0;     // of the motions
  std::size_t packed_bytes = 0;  // of their clips
  std::string error;             // empty: all went well
};

// motions: of one skeleton, at least one. ground: null for a floor. profile: with room for
// `workers` + 1 lanes; a sample of "frame" marks the start of each.
CrowdResult RunCrowd(const CrowdDef& def, const std::vector<Motion>& motions, const Ground* ground,
                     Profile& profile);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_CROWD_RUN_H_
