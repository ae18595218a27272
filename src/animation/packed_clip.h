// PackedClip: the curves of all bones as a blob, in the order in which playback needs their points.
//
// A point is the time since the point before it of its track, in frames, and the bits of the
// track's format. Each track says how many bits the time has. They lie in rows of bits (bits.h):
//
//   ClipHeader   rate, last frame, bones
//   tracks       ClipTrack each: first a rotation for each bone, in order; then positions
//   segments     ClipSegment each, some seconds long: where a reader may begin
//   heads        for each segment, for each track, the four points of its window at that frame; the
//                first has its frame, in 16 bits, in place of a time
//   stream       all other points, in the order of PlaybackOrder
//
// Reading goes on through the stream and never back, and each bit of it is used: a frame of
// playback touches the lines of the points that it needs and no others. The heads, which are points
// of the stream once more, are for readers that begin in the middle.
//
// Thread safety: a view of bytes that others own; any number of readers.
// Errors: a clip comes from outside. Open plays all of it once, so that no reader has to check
// anything: kCorrupt "clip" with the reason; `amount` is the track, segment or bit. PackClip:
// kCapacity "blob bytes" or "memory".
// Test: tests/animation/clip_test.cc, tests/fuzz/clip_programs.cc.
// Source: [bitsquid2010], "The BitSquid low level animation system" and "The Blob and I".
#ifndef NOWAIT_SRC_ANIMATION_PACKED_CLIP_H_
#define NOWAIT_SRC_ANIMATION_PACKED_CLIP_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/animation/bits.h"
#include "src/animation/boxed.h"
#include "src/animation/fit_clip.h"
#include "src/animation/quantise.h"
#include "src/base/result.h"
#include "src/resource/blob.h"

namespace nowait {

inline constexpr std::uint32_t kClipKind = FourCharacters("CLIP");
inline constexpr std::uint32_t kClipVersion = 2;

struct ClipTrack {
  // In the order of FittedTrack's curves.
  static constexpr std::uint8_t kRotation32 = 0;
  static constexpr std::uint8_t kRotation47 = 1;
  static constexpr std::uint8_t kBoxedRotation = 2;
  static constexpr std::uint8_t kPosition48 = 3;
  static constexpr std::uint8_t kBoxedPosition = 4;
  static constexpr int kFrameBits = 16;  // of the frame in a head

  std::uint16_t bone;
  std::uint8_t format;
  std::uint8_t gap_bits;     // of a time since the point before, from 1 to 16
  std::uint32_t value_bits;  // of a point without its time, as the format says: up to 48
  Box box;                   // in a format without one, the box of nothing

  bool is_rotation() const { return format <= kBoxedRotation; }
  bool is_boxed() const { return format == kBoxedRotation || format == kBoxedPosition; }
  int point_bits() const { return gap_bits + static_cast<int>(value_bits); }
  int head_bits() const { return kFrameBits + 3 * gap_bits + 4 * static_cast<int>(value_bits); }
};

struct ClipSegment {
  std::uint32_t first_frame;
  std::uint32_t place;  // in the stream, of the first bit that playback from here needs
};

struct ClipHeader {
  float frame_rate;
  std::uint32_t end_frame;
  std::uint32_t bones;
  std::uint32_t stream_bits;
  BlobArray<ClipTrack> tracks;
  BlobArray<ClipSegment> segments;
  BlobArray<std::uint64_t> heads;
  BlobArray<std::uint64_t> stream;
};
static_assert(BlobData<ClipHeader> && sizeof(ClipHeader) == 4 * 4 + 4 * sizeof(BlobArray<float>));
static_assert(BlobData<ClipTrack> && sizeof(ClipTrack) == 8 + 8 * sizeof(float) + 4 + 4);
static_assert(BlobData<ClipSegment>);

class PackedClip {
 public:
  static Result<PackedClip> Open(const Blob& blob);

  float frame_rate() const { return header_->frame_rate; }  // frames a second
  std::uint32_t end_frame() const { return header_->end_frame; }
  std::uint32_t bones() const { return header_->bones; }
  // One of these for each bone, then the positions.
  std::span<const ClipTrack> tracks() const { return tracks_; }
  std::span<const ClipSegment> segments() const { return segments_; }
  // A row of bits. The head of a segment begins at bit segment * head_bits().
  std::span<const std::uint64_t> heads() const { return heads_; }
  std::size_t head_bits() const { return head_bits_; }
  std::span<const std::uint64_t> stream() const { return stream_; }
  std::size_t stream_bits() const { return header_->stream_bits; }

  // The segment that `frame` is in. Logarithmic.
  std::size_t SegmentAt(float frame) const;

 private:
  PackedClip() = default;
  Result<void> CheckTracks() const;
  Result<void> CheckSegments() const;
  Result<void> Play() const;

  const ClipHeader* header_ = nullptr;
  std::span<const ClipTrack> tracks_;
  std::span<const ClipSegment> segments_;
  std::span<const std::uint64_t> heads_;
  std::span<const std::uint64_t> stream_;
  std::size_t head_bits_ = 0;
};

struct PackDef {
  std::uint32_t segment_frames = 512;
  std::uint32_t most_bytes = 64u << 20;
};

// A blob of the clip.
Result<std::vector<std::byte>> PackClip(const FittedClip& clip, const PackDef& def = {});

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_PACKED_CLIP_H_
