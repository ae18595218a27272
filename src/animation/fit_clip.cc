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

// The bits of all points.
template <class Format>
std::size_t BitsOf(const FittedCurve<Format>& curve) {
  return curve.points.size() * static_cast<std::size_t>(GapBits(curve) + curve.format.bits());
}

// The bits for a time that are likely to make the curve smallest: a longer time becomes several.
template <class Format>
int BestGapBits(const FittedCurve<Format>& curve) {
  int best = GapBits(curve);
  std::size_t least = BitsOf(curve);
  for (int gap_bits = best - 1; gap_bits > 0; --gap_bits) {
    const int most = (1 << gap_bits) - 1;
    std::size_t points = curve.points.size();
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
      const int gap = curve.points[i].frame - curve.points[i - 1].frame;
      if (gap > most) points += static_cast<std::size_t>((gap - 1) / most);
    }
    const std::size_t bits = points * static_cast<std::size_t>(gap_bits + curve.format.bits());
    if (bits >= least) continue;
    least = bits;
    best = gap_bits;
  }
  return best;
}

template <class Format>
FittedCurve<Format> FitInFewestBits(std::span<const typename Format::Value> samples,
                                    std::span<const std::uint16_t> cuts, float limit,
                                    const Format& format = {}) {
  auto curve = FitCurve(samples, cuts, limit, format);
  const int gap_bits = BestGapBits(curve);
  if (gap_bits == GapBits(curve)) return curve;
  auto other = FitCurve(samples, cuts, limit, format, (1 << gap_bits) - 1);
  return BitsOf(other) < BitsOf(curve) ? other : curve;
}

FittedTrack FitRotation(const Motion& motion, std::uint16_t bone, float degrees,
                        const FitLimits& limits) {
  const std::span<const CurveValue<4>> samples = motion.rotations[bone];
  const auto cuts = CutsOf<Rotation<10>>(samples, ChordOfDegrees(limits.cut_degrees));
  const float limit = ChordOfDegrees(degrees);
  if (const auto box = TightBox<4>(samples, limit); box && limits.boxes) {
    auto boxed = FitInFewestBits(samples, cuts, limit, Boxed<4>(*box));
    if (boxed.error <= limit) return {bone, std::move(boxed)};
  }
  auto coarse = FitInFewestBits<Rotation<10>>(samples, cuts, limit);
  if (coarse.error <= limit) return {bone, std::move(coarse)};
  return {bone, FitInFewestBits<Rotation<15>>(samples, cuts, limit)};
}

FittedTrack FitPosition(const Motion& motion, std::uint16_t bone, const FitLimits& limits) {
  const std::span<const CurveValue<3>> samples = motion.positions[bone];
  const auto cuts = CutsOf<Position>(samples, limits.cut_metres);
  if (const auto box = TightBox<3>(samples, limits.metres); box && limits.boxes) {
    auto boxed = FitInFewestBits(samples, cuts, limits.metres, Boxed<3>(*box));
    if (boxed.error <= limits.metres) return {bone, std::move(boxed)};
  }
  return {bone, FitInFewestBits<Position>(samples, cuts, limits.metres)};
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
    clip.tracks[bone] = FitRotation(motion, bone, degrees[bone], limits);
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
      clip.tracks.push_back(FitRotation(motion, bone, limits.degrees, limits));
    }
    for (std::uint16_t bone = 0; bone < clip.bones; ++bone) {
      if (motion.positions[bone].empty()) continue;
      clip.tracks.push_back(FitPosition(motion, bone, limits));
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
