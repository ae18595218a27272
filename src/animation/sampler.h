// Sampler: the pose of a clip at a time, for one character.
//
//   auto sampler = Sampler::Create(clip);
//   if (!sampler) return std::unexpected(sampler.error());
//   sampler->Sample(time * clip.frame_rate(), pose);         in each frame
//
// It keeps the four points around the time of each track, decoded, four tracks side by side.
// Forward, it reads the points that have become necessary from the stream, one behind the other,
// and evaluates the cubics of four tracks at once. Any other time is a random access: the head of
// that time's segment, and the stream from there. So playing backwards costs up to a segment for
// each frame; a clip that runs backwards for long is packed backwards.
// The pose depends on the time alone, to the bit, and not on the times before.
//
// Thread safety: a sampler belongs to one thread at a time; the clip's bytes are shared and outlive
// it.
// Errors: kCapacity "memory". A clip that has been opened is sound.
// Complexity: linear in the tracks, the points that are read, and for each frame at which an
// interval ends linear in the tracks.
// Test: tests/animation/clip_test.cc. Benchmark: tests/bench/animation_bench.cc.
#ifndef NOWAIT_SRC_ANIMATION_SAMPLER_H_
#define NOWAIT_SRC_ANIMATION_SAMPLER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/animation/hermite.h"
#include "src/animation/packed_clip.h"
#include "src/animation/playback_order.h"
#include "src/animation/pose.h"
#include "src/base/result.h"

namespace nowait {

class Sampler {
 public:
  static Result<Sampler> Create(const PackedClip& clip);

  const PackedClip& clip() const { return clip_; }

  // From now on that clip. Allocates only where it has more tracks than any before; after an error
  // nothing has changed.
  Result<void> Play(const PackedClip& clip);

  // Writes the rotations of all bones, and the positions of those that have a track. frame: a time
  // in frames; one outside of the clip becomes the nearest inside, NaN the beginning.
  void Sample(float frame, Pose& pose);

  // The next bit of the stream that it will read: what it has touched is in front of it.
  std::size_t place() const { return place_; }

 private:
  // The tracks of N components, four in each element.
  template <int N>
  using Tracks = std::vector<CubicLanes<4, N>>;

  explicit Sampler(const PackedClip& clip) : clip_(clip) {}
  void Seek(std::size_t segment);
  void ReadUntil(float frame);
  template <int N>
  void ReadHead(Tracks<N>& tracks, std::uint32_t first_track, std::uint32_t count,
                std::size_t& place);
  template <int N>
  void Read(Tracks<N>& tracks, std::uint32_t first_track, std::uint32_t index);
  void Expect(std::uint32_t track, std::uint32_t frame);

  PackedClip clip_;
  Tracks<4> rotations_;  // of all bones
  Tracks<3> positions_;  // of the tracks behind them
  PlaybackOrder order_{0};
  std::size_t place_ = 0;
  std::size_t segment_ = 0;  // the one that time_ is in
  float time_ = 0.0f;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_SAMPLER_H_
