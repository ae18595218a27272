#include "src/animation/packed_clip.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "src/animation/raw_windows.h"
#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

using Window = RawWindows::Window;
using Point = RawWindows::Point;

std::unexpected<Error> Wrong(std::size_t place, const char* why) {
  return Fail(ErrorCode::kCorrupt, "clip", static_cast<std::int64_t>(place), why);
}

std::size_t HeadBits(std::span<const ClipTrack> tracks) {
  std::size_t bits = 0;
  for (const ClipTrack& track : tracks) bits += static_cast<std::size_t>(track.head_bits());
  return bits;
}

std::uint32_t ValueBits(const ClipTrack& track) {
  const int bits = track.is_boxed()                         ? track.box.all_bits()
                   : track.format == ClipTrack::kRotation32 ? Rotation<10>::bits()
                   : track.format == ClipTrack::kRotation47 ? Rotation<15>::bits()
                                                            : Position::bits();
  return static_cast<std::uint32_t>(bits);
}

// Goes through a row of bits.
struct Reader {
  std::span<const std::uint64_t> words;
  std::size_t place;

  std::uint64_t Take(int bits) {
    const std::uint64_t taken = BitsAt(words, place, bits);
    place += static_cast<std::size_t>(bits);
    return taken;
  }
};

}  // namespace

Result<PackedClip> PackedClip::Open(const Blob& blob) {
  if (auto kind = blob.Expect(kClipKind, kClipVersion); !kind) {
    return std::unexpected(kind.error());
  }
  PackedClip clip;
  const auto header = blob.First<ClipHeader>();
  if (!header) return std::unexpected(header.error());
  clip.header_ = *header;
  const auto get = [&](const auto& array, auto& to) -> Result<void> {
    const auto got = blob.Get(array);
    if (!got) return std::unexpected(got.error());
    to = *got;
    return {};
  };
  Result<void> checked = get(clip.header_->tracks, clip.tracks_);
  if (checked) checked = get(clip.header_->segments, clip.segments_);
  if (checked) checked = get(clip.header_->heads, clip.heads_);
  if (checked) checked = get(clip.header_->stream, clip.stream_);
  if (checked) checked = clip.CheckTracks();
  if (!checked) return std::unexpected(checked.error());
  clip.head_bits_ = HeadBits(clip.tracks_);
  checked = clip.CheckSegments();
  if (checked) checked = OrNoMemory([&] { return clip.Play(); });
  if (!checked) return std::unexpected(checked.error());
  return clip;
}

Result<void> PackedClip::CheckTracks() const {
  const float rate = header_->frame_rate;
  if (!(rate > 0.0f) || !std::isfinite(rate)) return Wrong(0, "its frame rate is no rate");
  if (header_->end_frame == 0 || header_->end_frame >= Motion::kMostFrames) {
    return Wrong(header_->end_frame, "its last frame is not one of 1 to 65,534");
  }
  const std::uint32_t bones = header_->bones;
  if (bones == 0 || bones > Skeleton::kMostBones) return Wrong(bones, "from 1 to 1,024 bones");
  if (tracks_.size() < bones) return Wrong(tracks_.size(), "a bone has no rotation");
  if (tracks_.size() > 2 * bones) return Wrong(tracks_.size(), "more tracks than bones have");
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const ClipTrack& track = tracks_[i];
    if (track.gap_bits < 1 || track.gap_bits > 16) return Wrong(i, "times of no number of bits");
    if (track.is_boxed() && !track.box.IsWithin(i < bones ? 1.01f : 1.01f * Position::kRange)) {
      return Wrong(i, "a box without bounds");
    }
    if (track.value_bits != ValueBits(track)) return Wrong(i, "values of another number of bits");
    if (i < bones) {
      if (track.bone != i) return Wrong(i, "rotations in another order than the bones");
      if (!track.is_rotation()) return Wrong(i, "a rotation of an unknown format");
      continue;
    }
    if (track.bone >= bones) return Wrong(i, "a position of no bone");
    if (i > bones && track.bone <= tracks_[i - 1].bone) return Wrong(i, "positions not in order");
    if (track.format != ClipTrack::kPosition48 && track.format != ClipTrack::kBoxedPosition) {
      return Wrong(i, "a position of an unknown format");
    }
  }
  return {};
}

Result<void> PackedClip::CheckSegments() const {
  if (segments_.empty()) return Wrong(0, "it has no segment");
  if (heads_.size() != BitWriter::WordsOf(segments_.size() * head_bits_)) {
    return Wrong(segments_.size(), "not a head for each segment");
  }
  if (stream_.size() != BitWriter::WordsOf(stream_bits())) {
    return Wrong(stream_bits(), "a stream of another length");
  }
  if (segments_[0].first_frame != 0 || segments_[0].place != 0) {
    return Wrong(0, "its first segment is not at the beginning");
  }
  for (std::size_t i = 1; i < segments_.size(); ++i) {
    if (segments_[i].first_frame <= segments_[i - 1].first_frame ||
        segments_[i].first_frame > header_->end_frame) {
      return Wrong(i, "segments not in order");
    }
  }
  return {};
}

// Reads all of it as playback does. Each step takes bits from the stream, or finishes a track.
Result<void> PackedClip::Play() const {
  const std::uint32_t end = header_->end_frame;
  RawWindows windows(tracks_.size(), end);
  // Frames that do not go back: a time is not negative.
  const auto take_window = [&](Reader& head, const ClipTrack& track, Window& window) {
    std::uint32_t frame = static_cast<std::uint32_t>(head.Take(ClipTrack::kFrameBits));
    for (std::size_t i = 0; i < window.size(); ++i) {
      if (i > 0) frame += static_cast<std::uint32_t>(head.Take(track.gap_bits));
      if (frame > end) return false;
      window[i] = {static_cast<std::uint16_t>(frame),
                   head.Take(static_cast<int>(track.value_bits))};
    }
    return true;
  };
  Reader first{heads_, 0};
  for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
    Window window;
    if (!take_window(first, tracks_[t], window)) return Wrong(t, "frames beyond the end");
    if (window[1].frame != 0) return Wrong(t, "a track begins after frame 0");
    windows.Set(t, window);
  }
  Reader rest{stream_, 0};
  // Until no interval ends before `frame`.
  const auto play_to = [&](std::uint32_t frame) -> Result<void> {
    for (;;) {
      const auto next = windows.First();
      if (next.frame >= frame) return {};
      const Point& last = windows[next.track][3];
      if (!windows.HasMore(next.track)) {
        windows.Push(next.track, last);
        continue;
      }
      const ClipTrack& track = tracks_[next.track];
      if (stream_bits() - rest.place < static_cast<std::size_t>(track.point_bits())) {
        return Wrong(rest.place, "the stream is cut off");
      }
      const std::uint64_t at = last.frame + rest.Take(track.gap_bits);
      if (at > end) return Wrong(rest.place, "frames beyond the end");
      windows.Push(next.track,
                   {static_cast<std::uint16_t>(at), rest.Take(static_cast<int>(track.value_bits))});
    }
  };
  for (std::size_t s = 1; s < segments_.size(); ++s) {
    if (auto played = play_to(segments_[s].first_frame); !played) return played;
    if (rest.place != segments_[s].place) return Wrong(s, "a segment begins elsewhere");
    Reader again{heads_, s * head_bits_};
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      Window window;
      if (!take_window(again, tracks_[t], window) || window != windows[t]) {
        return Wrong(s, "a head shows another window");
      }
    }
  }
  if (auto played = play_to(PlaybackOrder::kNever); !played) return played;
  if (rest.place != stream_bits()) return Wrong(rest.place, "points that no track needs");
  return {};
}

std::size_t PackedClip::SegmentAt(float frame) const {
  const auto behind = std::upper_bound(segments_.begin() + 1, segments_.end(), frame,
                                       [](float at, const ClipSegment& segment) {
                                         return at < static_cast<float>(segment.first_frame);
                                       });
  return static_cast<std::size_t>(behind - segments_.begin()) - 1;
}

namespace {

ClipTrack TrackOf(const FittedTrack& fitted) {
  // The alternatives of the variant are in the order of the formats.
  ClipTrack track{fitted.bone, static_cast<std::uint8_t>(fitted.curve.index()), 0, 0, {}};
  std::visit(
      [&](const auto& curve) {
        track.gap_bits = static_cast<std::uint8_t>(GapBits(curve));
        track.value_bits = static_cast<std::uint32_t>(curve.format.bits());
        if constexpr (requires { curve.format.box(); }) track.box = curve.format.box();
      },
      fitted.curve);
  return track;
}

// The points of a track in any format.
std::vector<Point> PointsOf(const FittedTrack& track) {
  std::vector<Point> points;
  std::visit(
      [&](const auto& curve) {
        for (const auto& fitted : curve.points) points.push_back({fitted.frame, fitted.bits});
      },
      track.curve);
  return points;
}

// The parts of a blob, as they are filled.
struct Parts {
  std::vector<ClipTrack> tracks;
  std::vector<ClipSegment> segments;
  BitWriter heads;
  BitWriter stream;
};

// A point behind one at frame `before`.
void Put(const Point& point, std::uint16_t before, const ClipTrack& track, BitWriter& to) {
  to.Put(static_cast<std::uint64_t>(point.frame - before), track.gap_bits);
  to.Put(point.bits, static_cast<int>(track.value_bits));
}
void PutWindow(const Window& window, const ClipTrack& track, BitWriter& to) {
  to.Put(window[0].frame, ClipTrack::kFrameBits);
  to.Put(window[0].bits, static_cast<int>(track.value_bits));
  for (std::size_t i = 1; i < window.size(); ++i) Put(window[i], window[i - 1].frame, track, to);
}

Parts PartsOf(const FittedClip& clip, std::uint32_t segment_frames) {
  Parts parts;
  std::vector<std::vector<Point>> points;
  std::vector<std::size_t> next;  // of each track, the point behind its window
  RawWindows windows(clip.tracks.size(), clip.end_frame);
  for (const FittedTrack& track : clip.tracks) {
    parts.tracks.push_back(TrackOf(track));
    points.push_back(PointsOf(track));
    const auto& all = points.back();
    const auto t = static_cast<std::uint32_t>(points.size() - 1);
    windows.Set(t, {all[0], all[0], all[1], all[std::min<std::size_t>(2, all.size() - 1)]});
    next.push_back(3);
  }
  for (std::uint32_t first = 0; first <= clip.end_frame; first += segment_frames) {
    parts.segments.push_back({first, static_cast<std::uint32_t>(parts.stream.size())});
    for (std::uint32_t t = 0; t < points.size(); ++t) {
      PutWindow(windows[t], parts.tracks[t], parts.heads);
    }
    for (;;) {
      const auto due = windows.First();
      if (due.frame == PlaybackOrder::kNever || due.frame >= first + segment_frames) break;
      const auto& all = points[due.track];
      if (windows.HasMore(due.track)) {
        Put(all[next[due.track]], windows[due.track][3].frame, parts.tracks[due.track],
            parts.stream);
      }
      windows.Push(due.track, all[std::min(next[due.track], all.size() - 1)]);
      ++next[due.track];
    }
  }
  return parts;
}

}  // namespace

Result<std::vector<std::byte>> PackClip(const FittedClip& clip, const PackDef& def) {
  return OrNoMemory([&]() -> Result<std::vector<std::byte>> {
    const Parts parts = PartsOf(clip, std::max(def.segment_frames, 1u));
    if (parts.stream.size() > std::numeric_limits<std::uint32_t>::max()) {  // of a place
      return Fail(ErrorCode::kCapacity, "blob bytes", def.most_bytes);
    }
    ClipHeader header{clip.frame_rate,
                      clip.end_frame,
                      clip.bones,
                      static_cast<std::uint32_t>(parts.stream.size()),
                      {},
                      {},
                      {},
                      {}};
    BlobWriter writer(kClipKind, kClipVersion, def.most_bytes);
    const auto first = writer.Add(header);
    if (!first) return std::unexpected(first.error());
    const auto add = [&](const auto& values, auto& array) -> Result<void> {
      const auto added = writer.AddArray(std::span(values));
      if (!added) return std::unexpected(added.error());
      array = *added;
      return {};
    };
    Result<void> added = add(parts.tracks, header.tracks);
    if (added) added = add(parts.segments, header.segments);
    if (added) added = add(parts.heads.words(), header.heads);
    if (added) added = add(parts.stream.words(), header.stream);
    if (!added) return std::unexpected(added.error());
    writer.Set(*first, header);
    return writer.Finish();
  });
}

}  // namespace nowait
