#include "src/animation/sampler.h"

#include <algorithm>
#include <array>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

// The value of a point with N components, which may lie in either of two formats.
template <int N>
CurveValue<N> ValueOf(const ClipTrack& track, std::span<const std::uint16_t> words) {
  if constexpr (N == 3) {
    return Position::Unpack(words.first<3>());
  } else {
    return track.format == ClipTrack::kRotation32 ? Rotation<10>::Unpack(words.first<2>())
                                                  : Rotation<15>::Unpack(words.first<3>());
  }
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
    rotations_.Reserve(rotations);
    positions_.Reserve(positions);
    order_.Reserve(clip.tracks().size());
    return {};
  });
  if (!reserved) return reserved;
  clip_ = clip;
  rotations_.Resize(rotations);
  positions_.Resize(positions);
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

  for (std::size_t i = 0; i < rotations_.cubics.size(); ++i) {
    pose.SetRotations(static_cast<std::uint32_t>(4 * i),
                      Normalised<4>(rotations_.cubics[i].At(frame)));
  }
  const auto tracks = clip_.tracks().subspan(clip_.bones());
  for (std::size_t i = 0; i < tracks.size(); i += 4) {
    const auto lanes = positions_.cubics[i / 4].At(frame);
    const std::array<std::array<float, 4>, 3> values = {lanes[0].ToArray(), lanes[1].ToArray(),
                                                        lanes[2].ToArray()};
    for (std::size_t k = i; k < std::min(i + 4, tracks.size()); ++k) {
      pose.SetPosition(tracks[k].bone, {values[0][k - i], values[1][k - i], values[2][k - i]});
    }
  }
}

void Sampler::Seek(std::size_t segment) {
  auto words = clip_.head(segment);
  ReadHead(rotations_, 0, words);
  ReadHead(positions_, clip_.bones(), words);
  place_ = clip_.segments()[segment].place;
}

template <int N>
void Sampler::ReadHead(Tracks<N>& tracks, std::uint32_t first_track,
                       std::span<const std::uint16_t>& words) {
  for (std::uint32_t i = 0; i < tracks.windows.size(); ++i) {
    const ClipTrack& track = clip_.tracks()[first_track + i];
    CurveWindow<N>& window = tracks.windows[i];
    for (int k = 0; k < 4; ++k) {
      window.frame[k] = words[0];
      window.value[k] = ValueOf<N>(track, words.subspan(1));
      words = words.subspan(1 + track.words());
    }
    tracks.Refresh(i);
    Expect(first_track + i, window.frame[2]);
  }
}

void Sampler::ReadUntil(float frame) {
  for (;;) {
    const auto next = order_.First();
    if (next.frame == PlaybackOrder::kNever || frame <= static_cast<float>(next.frame)) return;
    if (next.track < clip_.bones()) {
      Read(rotations_, 0, next.track);
    } else {
      Read(positions_, clip_.bones(), next.track - clip_.bones());
    }
  }
}

// The next interval of a track, with a point of the stream if it has one more.
template <int N>
void Sampler::Read(Tracks<N>& tracks, std::uint32_t first_track, std::uint32_t index) {
  CurveWindow<N>& window = tracks.windows[index];
  if (window.frame[3] == clip_.end_frame()) {
    window.Push(window.frame[3], window.value[3]);
  } else {
    const ClipTrack& track = clip_.tracks()[first_track + index];
    const auto words = clip_.stream().subspan(place_, 1 + track.words());
    window.Push(words[0], ValueOf<N>(track, words.subspan(1)));
    place_ += words.size();
  }
  tracks.Refresh(index);
  Expect(first_track + index, window.frame[2]);
}

void Sampler::Expect(std::uint32_t track, std::uint32_t frame) {
  if (frame == clip_.end_frame()) {
    order_.Finish(track);
  } else {
    order_.Set(track, frame);
  }
}

}  // namespace nowait
