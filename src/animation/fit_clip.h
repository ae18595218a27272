// FitClip: the curves of a motion, each in the format that takes fewest bits at the same error.
//
//   auto clip = FitClip(motion, {});
//   if (!clip) return std::unexpected(clip.error());
//   auto bytes = PackClip(*clip);                            src/animation/packed_clip.h
//
// Curves are in the frames of the parents, as [bitsquid2010] has them: a fist that moves with an
// arm costs nothing there, and blending needs local poses anyway. The price is that errors add up
// along a chain. So there are two pairs of limits: of a bone, and of the end of its chain. Where an
// end is off by more, the rotations above it are fitted again with three quarters of the error, at
// most 16 times. Compare says which error is left: a limit may be out of the formats' reach, and
// then takes all 16 rounds and many points.
//
// A track gets the box that its values fill (boxed.h). Rotations without such a box get 10 bits a
// component, or 15 where the limit is out of reach with 10. A point has the time since the point
// before it, in as few bits as the longest such time of its track needs. A track is fitted once
// more with shorter times where these are likely to take fewer bits in all.
//
// Thread safety: functions of values.
// Errors: those of Motion::Check; kCapacity "memory".
// Complexity: FitCurve of each track up to six times, and of some again for each round.
// Test: tests/animation/clip_test.cc.
#ifndef NOWAIT_SRC_ANIMATION_FIT_CLIP_H_
#define NOWAIT_SRC_ANIMATION_FIT_CLIP_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "src/animation/boxed.h"
#include "src/animation/fit.h"
#include "src/animation/motion.h"
#include "src/animation/quantise.h"
#include "src/base/result.h"

namespace nowait {

struct FitLimits {
  float degrees = 0.3f;  // of a bone, in its parent's frame
  float metres = 0.0005f;
  float chain_metres = 0.02f;  // at the end of a chain, in the character's frame
  float chain_degrees = 1.5f;
  // A bone that turns or moves farther than this from one frame to the next has jumped.
  float cut_degrees = 30.0f;
  float cut_metres = 0.25f;
  bool boxes = true;  // false: the formats of quantise.h alone, to compare
};

struct FittedTrack {
  std::uint16_t bone;
  std::variant<FittedCurve<Rotation<10>>, FittedCurve<Rotation<15>>, FittedCurve<Boxed<4>>,
               FittedCurve<Position>, FittedCurve<Boxed<3>>>
      curve;
};

struct FittedClip {
  float frame_rate;
  std::uint16_t end_frame;
  std::uint16_t bones;
  // A rotation for each bone, in their order; then the positions, in the order of their bones.
  std::vector<FittedTrack> tracks;
};

// The bits of the time of a point since the point before it: as many as the longest one needs.
template <class Format>
int GapBits(const FittedCurve<Format>& curve) {
  unsigned longest = 0;
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    longest = std::max<unsigned>(longest, curve.points[i].frame - curve.points[i - 1].frame);
  }
  return std::bit_width(longest);
}

Result<FittedClip> FitClip(const Motion& motion, const FitLimits& limits);

// The frames of the clip as playback shows them. skeleton: of the motion that was fitted.
Motion FramesOf(const FittedClip& clip, const Skeleton& skeleton);

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_FIT_CLIP_H_
