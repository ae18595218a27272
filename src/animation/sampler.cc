#include "src/animation/sampler.h"

#include <algorithm>
#include <array>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

// The value of a point with N components, in a format for any motion. Few tracks have one: it stays
// out of the way of the others.
template <int N>
[[gnu::noinline]] CurveValue<N> ValueOfAny(const ClipTrack& track, std::uint64_t bits) {
  if constexpr (N == 3) {
    return Position::Unpack(bits);
  } else {
    return track.format == ClipTrack::kRotation32 ? Rotation<10>::Unpack(bits)
                                                  : Rotation<15>::Unpack(bits);
  }
}
template <int N>
CurveValue<N> ValueOf(const ClipTrack& track, std::uint64_t bits) {
  if (track.is_boxed()) [[likely]]
    return Boxed<N>::Unpack(track.box, bits);
  return ValueOfAny<N>(track, bits);
}

}  // namespace

Result<Sampler> Sampler::Create(const PackedClip& clip) {
  Sampler sampler(clip);
  if (auto playing = sampler.Play(clip); !playing) return std::unexpected(playing.error());
  return sampler;
}

Result<void> Sampler::Play(const PackedClip& clip) {
  const std::size_t rotations = clip.bones();
  const std::size_t positions = clip.tracks().size() - rotations;
  auto reserved = OrNoMemory([&]() -> Result<void> {
    rotations_.reserve((rotations + 3) / 4);
    positions_.reserve((positions + 3) / 4);
    order_.Reserve(clip.tracks().size());
    return {};
  });
  if (!reserved) return reserved;
  clip_ = clip;
  rotations_.resize((rotations + 3) / 4);
  positions_.resize((positions + 3) / 4);
  order_.Resize(clip.tracks().size());
  Seek(0);
  segment_ = 0;
  time_ = 0.0f;
  return {};
}

void Sampler::Sample(float frame, Pose& pose) {
  NOWAIT_ASSERT(pose.bones() == clip_.bones(), "a pose of the clip's skeleton");
  const auto end = static_cast<float>(clip_.end_frame());
  frame = frame > 0.0f ? std::min(frame, end) : 0.0f;
  // One segment ahead is nearer by the stream than by its head.
  const std::size_t segment = clip_.SegmentAt(frame);
  if (frame < time_ || segment > segment_ + 1) Seek(segment);
  segment_ = segment;
  time_ = frame;
  ReadUntil(frame);

  for (std::size_t i = 0; i < rotations_.size(); ++i) {
    pose.SetRotations(static_cast<std::uint32_t>(4 * i), Normalised<4>(rotations_[i].At(frame)));
  }
  const auto tracks = clip_.tracks().subspan(clip_.bones());
  for (std::size_t i = 0; i < tracks.size(); i += 4) {
    const auto lanes = positions_[i / 4].At(frame);
    const std::array<std::array<float, 4>, 3> values = {lanes[0].ToArray(), lanes[1].ToArray(),
                                                        lanes[2].ToArray()};
    for (std::size_t k = i; k < std::min(i + 4, tracks.size()); ++k) {
      pose.SetPosition(tracks[k].bone, {values[0][k - i], values[1][k - i], values[2][k - i]});
    }
  }
}

void Sampler::Seek(std::size_t segment) {
  std::size_t place = segment * clip_.head_bits();
  const std::uint32_t bones = clip_.bones();
  ReadHead(rotations_, 0, bones, place);
  ReadHead(positions_, bones, static_cast<std::uint32_t>(clip_.tracks().size()) - bones, place);
  place_ = clip_.segments()[segment].place;
}

template <int N>
void Sampler::ReadHead(Tracks<N>& tracks, std::uint32_t first_track, std::uint32_t count,
                       std::size_t& place) {
  const auto take = [&](int bits) {
    const std::uint64_t taken = BitsAt(clip_.heads(), place, bits);
    place += static_cast<std::size_t>(bits);
    return taken;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const ClipTrack& track = clip_.tracks()[first_track + i];
    CurveWindow<N> window;
    std::uint64_t frame = take(ClipTrack::kFrameBits);
    for (int k = 0; k < 4; ++k) {
      if (k > 0) frame += take(track.gap_bits);
      window.frame[k] = static_cast<std::uint16_t>(frame);
      window.value[k] = ValueOf<N>(track, take(static_cast<int>(track.value_bits)));
    }
    tracks[i / 4].Set(static_cast<int>(i % 4), window);
    Expect(first_track + i, window.frame[2]);
  }
}

void Sampler::ReadUntil(float frame) {
  const std::uint32_t bones = clip_.bones();
  for (;;) {
    const std::uint32_t ends = order_.First().frame;
    if (ends == PlaybackOrder::kNever || frame <= static_cast<float>(ends)) return;
    order_.ForEachAt(ends, [&](std::uint32_t track) {
      if (track < bones) {
        Read(rotations_, 0, track);
      } else {
        Read(positions_, bones, track - bones);
      }
    });
  }
}

// The next interval of a track, with a point of the stream if it has one more.
template <int N>
void Sampler::Read(Tracks<N>& tracks, std::uint32_t first_track, std::uint32_t index) {
  CubicLanes<4, N>& cubics = tracks[index / 4];
  const auto lane = static_cast<int>(index % 4);
  if (cubics.frame(3, lane) == clip_.end_frame()) {
    cubics.Repeat(lane);
  } else {
    const ClipTrack& track = clip_.tracks()[first_track + index];
    // No format looks at the bits above its own.
    const int bits = track.point_bits();
    const std::uint64_t point = BitsFrom(clip_.stream(), place_, bits);
    const auto gap = static_cast<std::uint16_t>(point & ((1u << track.gap_bits) - 1));
    cubics.Push(lane, static_cast<std::uint16_t>(cubics.frame(3, lane) + gap),
                ValueOf<N>(track, point >> track.gap_bits));
    place_ += static_cast<std::size_t>(bits);
  }
  Expect(first_track + index, cubics.frame(2, lane));
}

void Sampler::Expect(std::uint32_t track, std::uint32_t frame) {
  if (frame == clip_.end_frame()) {
    order_.Finish(track);
  } else {
    order_.Set(track, frame);
  }
}

}  // namespace nowait
