#include "src/animation/fit_clip.h"

#include <cstddef>
#include <span>
#include <utility>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

constexpr int kMostRounds = 16;
constexpr float kTighter = 0.75f;

template <class Format>
std::vector<std::uint16_t> CutsOf(std::span<const typename Format::Value> samples, float limit) {
  std::vector<std::uint16_t> cuts;
  for (std::size_t f = 0; f + 1 < samples.size(); ++f) {
    if (Format::Distance(samples[f], samples[f + 1]) > limit) {
      cuts.push_back(static_cast<std::uint16_t>(f));
    }
  }
  return cuts;
}

template <class Format>
std::size_t WordsOf(const FittedCurve<Format>& curve) {
  return curve.points.size() * (1 + Format::kWords);
}

// The coarse format where its error is within the limit and its curve is not the larger one.
FittedTrack FitRotation(const Motion& motion, std::uint16_t bone, float degrees,
                        float cut_degrees) {
  const std::span<const CurveValue<4>> samples = motion.rotations[bone];
  const auto cuts = CutsOf<Rotation<10>>(samples, ChordOfDegrees(cut_degrees));
  const float limit = ChordOfDegrees(degrees);
  auto coarse = FitCurve<Rotation<10>>(samples, cuts, limit);
  auto fine = FitCurve<Rotation<15>>(samples, cuts, limit);
  if (coarse.error <= limit && WordsOf(coarse) <= WordsOf(fine)) return {bone, std::move(coarse)};
  return {bone, std::move(fine)};
}

template <class Format>
std::vector<typename Format::Value> FramesOf(const FittedCurve<Format>& curve) {
  std::vector<typename Format::Value> frames;
  std::size_t i = 0;
  CubicLanes<1, Format::kComponents> cubic;
  cubic.Set(0, WindowAt(curve, 0));
  for (std::uint32_t frame = 0; frame <= curve.points.back().frame; ++frame) {
    if (frame > curve.points[i + 1].frame) {
      while (frame > curve.points[i + 1].frame) ++i;
      cubic.Set(0, WindowAt(curve, i));
    }
    const auto lanes = Normalised<1>(cubic.At(static_cast<float>(frame)));
    typename Format::Value value;
    for (int k = 0; k < Format::kComponents; ++k) value[k] = lanes[k].ToArray()[0];
    frames.push_back(value);
  }
  return frames;
}

// Whether a rotation was fitted again.
bool Tighten(const Motion& motion, const FitLimits& limits, const MotionError& error,
             std::vector<float>& degrees, FittedClip& clip) {
  std::vector<bool> again(motion.skeleton.size());
  const auto ends = motion.skeleton.ChainEnds();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (error.metres_of_chain[i] <= limits.chain_metres &&
        error.degrees_of_chain[i] <= limits.chain_degrees) {
      continue;
    }
    for (std::uint16_t bone = ends[i]; bone != Skeleton::kNoParent;
         bone = motion.skeleton[bone].parent) {
      again[bone] = true;
    }
  }
  bool any = false;
  for (std::uint16_t bone = 0; bone < motion.skeleton.size(); ++bone) {
    if (!again[bone]) continue;
    any = true;
    degrees[bone] *= kTighter;
    clip.tracks[bone] = FitRotation(motion, bone, degrees[bone], limits.cut_degrees);
  }
  return any;
}

}  // namespace

Result<FittedClip> FitClip(const Motion& motion, const FitLimits& limits) {
  if (auto checked = motion.Check(); !checked) return std::unexpected(checked.error());
  return OrNoMemory([&]() -> Result<FittedClip> {
    FittedClip clip{motion.frame_rate,
                    static_cast<std::uint16_t>(motion.frames - 1),
                    static_cast<std::uint16_t>(motion.skeleton.size()),
                    {}};
    for (std::uint16_t bone = 0; bone < clip.bones; ++bone) {
      clip.tracks.push_back(FitRotation(motion, bone, limits.degrees, limits.cut_degrees));
    }
    for (std::uint16_t bone = 0; bone < clip.bones; ++bone) {
      const std::span<const CurveValue<3>> samples = motion.positions[bone];
      if (samples.empty()) continue;
      const auto cuts = CutsOf<Position>(samples, limits.cut_metres);
      clip.tracks.push_back({bone, FitCurve<Position>(samples, cuts, limits.metres)});
    }
    std::vector<float> degrees(clip.bones, limits.degrees);
    for (int round = 0; round < kMostRounds; ++round) {
      const MotionError error = Compare(motion, FramesOf(clip, motion.skeleton));
      if (!Tighten(motion, limits, error, degrees, clip)) break;
    }
    return clip;
  });
}

Motion FramesOf(const FittedClip& clip, const Skeleton& skeleton) {
  Motion motion{skeleton, clip.frame_rate, clip.end_frame + 1u, {}, {}};
  motion.rotations.resize(clip.bones);
  motion.positions.resize(clip.bones);
  for (const FittedTrack& track : clip.tracks) {
    std::visit(
        [&](const auto& curve) {
          auto frames = FramesOf(curve);
          if constexpr (requires { motion.rotations[0] = frames; }) {
            motion.rotations[track.bone] = std::move(frames);
          } else {
            motion.positions[track.bone] = std::move(frames);
          }
        },
        track.curve);
  }
  return motion;
}

}  // namespace nowait
