// Clips: refused with one line, or one that can be played from any time without leaving its bytes.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "src/animation/packed_clip.h"
#include "src/animation/sampler.h"
#include "src/animation/skeleton.h"
#include "src/resource/blob.h"
#include "tests/fuzz/promise.h"

namespace nowait {
namespace {

void PlayEverywhere(const PackedClip& clip) {
  const auto skeleton = Skeleton::Create(std::vector<Skeleton::Bone>(clip.bones()));
  fuzz::Promise(skeleton.has_value(), "a clip has the bones of a skeleton");
  auto sampler = Sampler::Create(clip);
  fuzz::Promise(sampler.has_value(), "a sound clip has a sampler");
  Pose pose(*skeleton);
  const auto end = static_cast<float>(clip.end_frame());
  for (const float part : {0.0f, 0.1f, 0.5f, 0.95f, 1.0f, 0.4f, 0.05f}) {
    sampler->Sample(part * end, pose);
    fuzz::Promise(sampler->place() <= clip.stream_bits(), "a sampler stays in the stream");
    for (std::uint32_t bone = 0; bone < clip.bones(); ++bone) {
      fuzz::Promise(IsFinite(pose.rotation(bone)), "rotations are finite");
      fuzz::Promise(IsFinite(pose.position(bone)), "positions are finite");
    }
  }
  sampler->Sample(end, pose);
  fuzz::Promise(sampler->place() == clip.stream_bits(), "the end needs the last point");
}

}  // namespace
}  // namespace nowait

// The bytes are the content of a blob, whose header no fuzzer guesses.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  nowait::BlobWriter writer(nowait::kClipKind, nowait::kClipVersion, 1u << 24);
  const auto content = std::as_bytes(std::span(data, size));
  if (!writer.AddArray<std::byte>(content)) return 0;
  const auto bytes = writer.Finish();
  if (!bytes) return 0;
  const auto blob = nowait::Blob::Open(*bytes);
  nowait::fuzz::Promise(blob.has_value(), "a written blob is one");
  const auto clip = nowait::PackedClip::Open(*blob);
  if (clip) {
    nowait::PlayEverywhere(*clip);
  } else {
    nowait::fuzz::PromiseOneLine(ToString(clip.error()));
    nowait::fuzz::Promise(clip.error().code == nowait::ErrorCode::kCorrupt,
                          "a wrong clip comes from outside");
  }
  return 0;
}
