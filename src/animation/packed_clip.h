// PackedClip: the curves of all bones as a blob, in the order in which playback needs their points.
//
// A point is a word of 16 bits with its frame, and 2 or 3 words in its track's format. The content:
//
//   ClipHeader   rate, last frame, bones
//   tracks       ClipTrack each: first a rotation for each bone, in order; then positions
//   segments     ClipSegment each, some seconds long: where a reader may begin
//   heads        for each segment, for each track, the four points of its window at that frame
//   stream       all other points, in the order of PlaybackOrder
//
// Reading goes on through the stream and never back, and each word of it is used: a frame of
// playback touches the lines of the points that it needs and no others. The heads, which are points
// of the stream once more, are for readers that begin in the middle.
//
// Thread safety: a view of bytes that others own; any number of readers.
// Errors: a clip comes from outside. Open plays all of it once, so that no reader has to check
// anything: kCorrupt "clip" with the reason; `amount` is the track, segment or word. PackClip:
// kCapacity "blob bytes" or "memory".
// Test: tests/animation/clip_test.cc, tests/fuzz/clip_programs.cc.
// Source: [bitsquid2010], "The BitSquid low level animation system" and "The Blob and I".
#ifndef NOWAIT_SRC_ANIMATION_PACKED_CLIP_H_
#define NOWAIT_SRC_ANIMATION_PACKED_CLIP_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/animation/fit_clip.h"
#include "src/animation/quantise.h"
#include "src/base/result.h"
#include "src/resource/blob.h"

namespace nowait {

inline constexpr std::uint32_t kClipKind = FourCharacters("CLIP");
inline constexpr std::uint32_t kClipVersion = 1;

struct ClipTrack {
  static constexpr std::uint16_t kRotation32 = 0;
  static constexpr std::uint16_t kRotation48 = 1;
  static constexpr std::uint16_t kPosition48 = 2;

  std::uint16_t bone;
  std::uint16_t format;

  // Of a point, without its frame.
  std::uint32_t words() const { return format == kRotation32 ? 2 : 3; }
};

struct ClipSegment {
  std::uint32_t first_frame;
  std::uint32_t place;  // in the stream, of the first word that playback from here needs
};

struct ClipHeader {
  float frame_rate;
  std::uint32_t end_frame;
  std::uint32_t bones;
  BlobArray<ClipTrack> tracks;
  BlobArray<ClipSegment> segments;
  BlobArray<std::uint16_t> heads;
  BlobArray<std::uint16_t> stream;
};
template <>
inline constexpr bool kHasNoPadding<ClipHeader> = true;
static_assert(BlobData<ClipHeader> && sizeof(ClipHeader) == 3 * 4 + 4 * sizeof(BlobArray<float>));
static_assert(BlobData<ClipTrack> && BlobData<ClipSegment>);

class PackedClip {
 public:
  static Result<PackedClip> Open(const Blob& blob);

  float frame_rate() const { return header_->frame_rate; }  // frames a second
  std::uint32_t end_frame() const { return header_->end_frame; }
  std::uint32_t bones() const { return header_->bones; }
  // One of these for each bone, then the positions.
  std::span<const ClipTrack> tracks() const { return tracks_; }
  std::span<const ClipSegment> segments() const { return segments_; }
  std::span<const std::uint16_t> head(std::size_t segment) const {
    return heads_.subspan(segment * head_words_, head_words_);
  }
  std::span<const std::uint16_t> stream() const { return stream_; }

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
  std::span<const std::uint16_t> heads_;
  std::span<const std::uint16_t> stream_;
  std::size_t head_words_ = 0;
};

struct PackDef {
  std::uint32_t segment_frames = 512;
  std::uint32_t most_bytes = 64u << 20;
};

// A blob of the clip.
Result<std::vector<std::byte>> PackClip(const FittedClip& clip, const PackDef& def = {});

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_PACKED_CLIP_H_
