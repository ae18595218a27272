#include "src/animation/packed_clip.h"

#include <algorithm>
#include <cmath>
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

// The next point of `words`, which has one.
Point TakePoint(std::span<const std::uint16_t>& words, const ClipTrack& track) {
  Point point{words[0], {}};
  std::copy_n(words.begin() + 1, track.words(), point.words.begin());
  words = words.subspan(1 + track.words());
  return point;
}

void Append(const Point& point, const ClipTrack& track, std::vector<std::uint16_t>& to) {
  to.push_back(point.frame);
  to.insert(to.end(), point.words.begin(), point.words.begin() + track.words());
}

std::size_t HeadWords(std::span<const ClipTrack> tracks) {
  std::size_t words = 0;
  for (const ClipTrack& track : tracks) words += 4 * (1 + track.words());
  return words;
}

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
  clip.head_words_ = HeadWords(clip.tracks_);
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
    if (i < bones) {
      if (track.bone != i) return Wrong(i, "rotations in another order than the bones");
      if (track.format != ClipTrack::kRotation32 && track.format != ClipTrack::kRotation48) {
        return Wrong(i, "a rotation of an unknown format");
      }
      continue;
    }
    if (track.bone >= bones) return Wrong(i, "a position of no bone");
    if (i > bones && track.bone <= tracks_[i - 1].bone) return Wrong(i, "positions not in order");
    if (track.format != ClipTrack::kPosition48) return Wrong(i, "a position of an unknown format");
  }
  return {};
}

Result<void> PackedClip::CheckSegments() const {
  if (segments_.empty()) return Wrong(0, "it has no segment");
  if (heads_.size() / head_words_ != segments_.size() || heads_.size() % head_words_ != 0) {
    return Wrong(segments_.size(), "not a head for each segment");
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

// Reads all of it as playback does. Each step takes words from the stream, or finishes a track.
Result<void> PackedClip::Play() const {
  const std::uint32_t end = header_->end_frame;
  RawWindows windows(tracks_.size(), end);
  auto words = head(0);
  for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
    Window window;
    for (Point& point : window) point = TakePoint(words, tracks_[t]);
    if (window[1].frame != 0) return Wrong(t, "a track begins after frame 0");
    for (int i = 1; i < 4; ++i) {
      if (window[i].frame < window[i - 1].frame || window[i].frame > end) {
        return Wrong(t, "frames go back or beyond the end");
      }
    }
    windows.Set(t, window);
  }
  auto rest = stream_;
  const auto place = [&] { return stream_.size() - rest.size(); };
  // Until no interval ends before `frame`.
  const auto play_to = [&](std::uint32_t frame) -> Result<void> {
    for (;;) {
      const auto next = windows.First();
      if (next.frame >= frame) return {};
      if (!windows.HasMore(next.track)) {
        windows.Push(next.track, windows[next.track][3]);
        continue;
      }
      const ClipTrack& track = tracks_[next.track];
      if (rest.size() < 1 + track.words()) return Wrong(place(), "the stream is cut off");
      const Point point = TakePoint(rest, track);
      if (point.frame < windows[next.track][3].frame || point.frame > end) {
        return Wrong(place(), "frames go back or beyond the end");
      }
      windows.Push(next.track, point);
    }
  };
  for (std::size_t s = 1; s < segments_.size(); ++s) {
    if (auto played = play_to(segments_[s].first_frame); !played) return played;
    if (place() != segments_[s].place) return Wrong(s, "a segment begins elsewhere");
    auto again = head(s);
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      for (const Point& point : windows[t]) {
        if (TakePoint(again, tracks_[t]) != point) return Wrong(s, "a head shows another window");
      }
    }
  }
  if (auto played = play_to(PlaybackOrder::kNever); !played) return played;
  if (!rest.empty()) return Wrong(place(), "points that no track needs");
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

// The points of a track in any format.
std::vector<Point> PointsOf(const FittedTrack& track) {
  std::vector<Point> points;
  std::visit(
      [&](const auto& curve) {
        for (const auto& fitted : curve.points) {
          Point point{fitted.frame, {}};
          std::copy(fitted.words.begin(), fitted.words.end(), point.words.begin());
          points.push_back(point);
        }
      },
      track.curve);
  return points;
}

// The parts of a blob, as they are filled.
struct Parts {
  std::vector<ClipTrack> tracks;
  std::vector<ClipSegment> segments;
  std::vector<std::uint16_t> heads;
  std::vector<std::uint16_t> stream;
};

Parts PartsOf(const FittedClip& clip, std::uint32_t segment_frames) {
  Parts parts;
  std::vector<std::vector<Point>> points;
  std::vector<std::size_t> next;  // of each track, the point behind its window
  RawWindows windows(clip.tracks.size(), clip.end_frame);
  for (const FittedTrack& track : clip.tracks) {
    // The alternatives of the variant are in the order of the formats.
    parts.tracks.push_back({track.bone, static_cast<std::uint16_t>(track.curve.index())});
    points.push_back(PointsOf(track));
    const auto& all = points.back();
    const auto t = static_cast<std::uint32_t>(points.size() - 1);
    windows.Set(t, {all[0], all[0], all[1], all[std::min<std::size_t>(2, all.size() - 1)]});
    next.push_back(3);
  }
  for (std::uint32_t first = 0; first <= clip.end_frame; first += segment_frames) {
    parts.segments.push_back({first, static_cast<std::uint32_t>(parts.stream.size())});
    for (std::uint32_t t = 0; t < points.size(); ++t) {
      for (const Point& point : windows[t]) Append(point, parts.tracks[t], parts.heads);
    }
    for (;;) {
      const auto due = windows.First();
      if (due.frame == PlaybackOrder::kNever || due.frame >= first + segment_frames) break;
      const auto& all = points[due.track];
      if (windows.HasMore(due.track))
        Append(all[next[due.track]], parts.tracks[due.track], parts.stream);
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
    ClipHeader header{clip.frame_rate, clip.end_frame, clip.bones, {}, {}, {}, {}};
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
    if (added) added = add(parts.heads, header.heads);
    if (added) added = add(parts.stream, header.stream);
    if (!added) return std::unexpected(added.error());
    writer.Set(*first, header);
    return writer.Finish();
  });
}

}  // namespace nowait
