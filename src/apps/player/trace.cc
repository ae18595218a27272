#include "src/apps/player/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "src/math/hash.h"
#include "src/resource/blob.h"

namespace nowait {
namespace {

constexpr std::uint32_t kTraceKind = FourCharacters("TRCE");
constexpr std::uint32_t kTraceVersion = 1;

struct TraceHead {
  BlobArray<TracedFrame> frames;
  BlobArray<TracedBody> bodies;
};

std::uint64_t HashOf(const BodySnapshot& body) {
  Hash hash;
  hash.Add(body.position);
  hash.Add(body.rotation);
  hash.Add(body.linear_velocity);
  hash.Add(body.angular_velocity);
  hash.AddByte(body.asleep ? 1 : 0);
  return hash.value();
}

// The bodies of a frame that differ, or are in one run alone.
Divergence Compare(std::size_t frame, std::span<const TracedBody> one,
                   std::span<const TracedBody> other) {
  Divergence divergence{.frame = frame + 1, .body = {}, .bodies = 0, .is_end = false};
  const auto differs = [&](const TracedBody& body) {
    if (!divergence.body) divergence.body = body;
    ++divergence.bodies;
  };
  std::size_t i = 0, k = 0;
  while (i < one.size() || k < other.size()) {
    if (k == other.size() || (i < one.size() && one[i].slot < other[k].slot)) {
      differs(one[i++]);
    } else if (i == one.size() || other[k].slot < one[i].slot) {
      differs(other[k++]);
    } else {
      if (one[i] != other[k]) differs(one[i]);
      ++i;
      ++k;
    }
  }
  return divergence;
}

}  // namespace

void TraceWriter::Add(const World& world) {
  world.Snapshot(snapshot_);
  frames_.push_back({world.StateHash(), snapshot_.size()});
  for (const BodySnapshot& body : snapshot_) {
    bodies_.push_back({body.id.slot(), body.id.generation(), HashOf(body)});
  }
}

Result<std::vector<std::byte>> TraceWriter::Finish() {
  BlobWriter writer(kTraceKind, kTraceVersion, std::numeric_limits<std::uint32_t>::max());
  TraceHead head{};
  const auto at = writer.Add(head);
  if (!at) return std::unexpected(at.error());
  const auto frames = writer.AddArray(std::span<const TracedFrame>(frames_));
  if (!frames) return std::unexpected(frames.error());
  const auto bodies = writer.AddArray(std::span<const TracedBody>(bodies_));
  if (!bodies) return std::unexpected(bodies.error());
  writer.Set(*at, {*frames, *bodies});
  frames_.clear();
  bodies_.clear();
  return writer.Finish();
}

Result<Trace> Trace::Open(std::span<const std::byte> bytes) {
  const Result<Blob> blob = Blob::Open(bytes);
  if (!blob) return std::unexpected(blob.error());
  if (auto fits = blob->Expect(kTraceKind, kTraceVersion); !fits) {
    return std::unexpected(fits.error());
  }
  const auto head = blob->First<TraceHead>();
  if (!head) return std::unexpected(head.error());
  const auto frames = blob->Get((*head)->frames);
  if (!frames) return std::unexpected(frames.error());
  const auto bodies = blob->Get((*head)->bodies);
  if (!bodies) return std::unexpected(bodies.error());
  Trace trace;
  trace.frames_ = *frames;
  trace.bodies_ = *bodies;
  std::size_t start = 0;
  for (const TracedFrame& frame : *frames) {
    trace.starts_.push_back(start);
    if (frame.bodies > bodies->size() - start) {
      return Fail(ErrorCode::kCorrupt, "trace", 0, "it has too few bodies for its frames");
    }
    start += frame.bodies;
  }
  return trace;
}

std::optional<Divergence> FirstDivergence(const Trace& one, const Trace& other) {
  const std::size_t both = std::min(one.frames().size(), other.frames().size());
  for (std::size_t frame = 0; frame < both; ++frame) {
    const Divergence found = Compare(frame, one.BodiesOf(frame), other.BodiesOf(frame));
    const bool same = one.frames()[frame].state_hash == other.frames()[frame].state_hash;
    if (found.bodies > 0 || !same) return found;
  }
  if (one.frames().size() == other.frames().size()) return std::nullopt;
  return Divergence{.frame = both + 1, .body = {}, .bodies = 0, .is_end = true};
}

std::string ToString(const Divergence& divergence) {
  if (divergence.is_end) {
    return fmt::format("one run has no frame {}; up to there they are the same", divergence.frame);
  }
  if (!divergence.body) {
    return fmt::format("frame {}: the bodies are the same, the joints are not", divergence.frame);
  }
  return fmt::format("frame {}: body {} of generation {} is the first of {} that differ",
                     divergence.frame, divergence.body->slot, divergence.body->generation,
                     divergence.bodies);
}

}  // namespace nowait
