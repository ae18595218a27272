#include "src/apps/crowd/clips.h"

#include <algorithm>
#include <expected>
#include <utility>

#include "src/animation/footfalls.h"
#include "src/apps/crowd/feet.h"
#include "src/apps/crowd/variants.h"
#include "src/jobs/parallel_for.h"
#include "src/profile/profile.h"
#include "src/resource/blob.h"

namespace nowait {
namespace {

bool SameSkeleton(const Skeleton& a, const Skeleton& b) {
  return std::ranges::equal(a.bones(), b.bones(), [](const auto& x, const auto& y) {
    return x.name == y.name && x.parent == y.parent;
  });
}

Result<std::vector<std::byte>> PackOne(const Motion& motion, const FitLimits& limits) {
  const auto fitted = FitClip(motion, limits);
  if (!fitted) return std::unexpected(fitted.error());
  return PackClip(*fitted);
}

std::vector<Footfall> FootfallsOf(const Motion& motion) {
  std::vector<Footfall> footfalls;
  const Feet feet(motion.skeleton);
  if (!feet.legs()) return footfalls;
  for (std::uint32_t foot = 0; foot < 2; ++foot) {
    for (const std::uint16_t frame : FindFootfalls(motion, (*feet.legs())[foot].foot)) {
      footfalls.push_back({static_cast<float>(frame), foot});
    }
  }
  std::ranges::stable_sort(footfalls, {}, &Footfall::frame);
  return footfalls;
}

}  // namespace

std::expected<std::vector<Motion>, std::string> ReadMotions(const std::vector<std::string>& files,
                                                            const ImportDef& import,
                                                            std::uint32_t bones) {
  std::vector<Motion> motions;
  for (const std::string& file : files) {
    const auto captured = ReadMotion(file, import);
    if (!captured) return std::unexpected(file + ": " + ToString(captured.error()));
    if (!motions.empty() && captured->skeleton.size() > bones) {
      return std::unexpected(file + ": another skeleton than the first file's");
    }
    for (const bool mirror : {false, true}) {
      auto motion = WithBones(mirror ? Mirrored(*captured) : *captured, bones);
      if (!motion) return std::unexpected(file + ": " + ToString(motion.error()));
      if (!motions.empty() && !SameSkeleton(motions[0].skeleton, motion->skeleton)) {
        return std::unexpected(file + ": another skeleton than the first file's");
      }
      motions.push_back(std::move(*motion));
    }
  }
  return motions;
}

Result<Clips> Clips::Pack(TaskPool& pool, const std::vector<Motion>& motions,
                          const FitLimits& limits) {
  std::vector<Result<std::vector<std::byte>>> packed(motions.size());
  const auto done = ParallelFor(pool, static_cast<std::uint32_t>(motions.size()), 1,
                                [&](std::uint32_t begin, std::uint32_t end) {
                                  const ProfileScope piece("fit");
                                  for (std::uint32_t i = begin; i < end; ++i) {
                                    packed[i] = PackOne(motions[i], limits);
                                  }
                                });
  if (!done) return std::unexpected(done.error());
  Clips clips;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    if (!packed[i]) return std::unexpected(packed[i].error());
    clips.blobs_.push_back(std::move(*packed[i]));
    const auto blob = Blob::Open(clips.blobs_.back());
    if (!blob) return std::unexpected(blob.error());
    const auto clip = PackedClip::Open(*blob);
    if (!clip) return std::unexpected(clip.error());
    clips.opened_.push_back({*clip, FootfallsOf(motions[i])});
  }
  return clips;
}

std::size_t Clips::bytes() const {
  std::size_t bytes = 0;
  for (const auto& blob : blobs_) bytes += blob.size();
  return bytes;
}

}  // namespace nowait
