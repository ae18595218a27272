// Motion: an animation as it was captured, a value for each bone and frame; and how two differ.
//
// Thread safety: a value, and a function of values.
#ifndef NOWAIT_SRC_ANIMATION_MOTION_H_
#define NOWAIT_SRC_ANIMATION_MOTION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/animation/hermite.h"
#include "src/animation/skeleton.h"

namespace nowait {

struct Motion {
  static constexpr std::uint32_t kMostFrames = 65'535;  // their numbers have 16 bits

  Skeleton skeleton;
  float frame_rate = 0.0f;  // frames a second
  std::uint32_t frames = 0;
  // By bone, then by frame, in the parent's frame.
  std::vector<std::vector<CurveValue<4>>> rotations;
  // Likewise; empty for a bone that keeps its place of rest.
  std::vector<std::vector<CurveValue<3>>> positions;

  // kInvalidArgument: no bone, not from 2 to kMostFrames frames, a rate that is not positive and
  // finite, a bone with another number of frames, a rotation whose length is not 1 (within 1e-3),
  // or a position outside of Position::kRange; `amount` is the bone.
  Result<void> Check() const;

  // The bytes of a rotation of four floats for each bone and frame, and of three floats for each
  // position that is not at rest. A player of frames as they are has to keep at least these.
  std::size_t RawBytes() const;
};

// The largest differences of two motions, over all frames and bones.
struct MotionError {
  float degrees = 0.0f;  // in the parents' frames
  float metres = 0.0f;
  float chain_degrees = 0.0f;  // of the bones without a child, in the character's frame
  float chain_metres = 0.0f;
  std::vector<float> metres_of_chain;  // by Skeleton::ChainEnds(), as the next ones
  std::vector<float> degrees_of_chain;
};

// Motions of one skeleton with the same number of frames.
MotionError Compare(const Motion& a, const Motion& b);

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_MOTION_H_
