// Motion, FitClip, PackClip and Sampler, one after the other.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "src/animation/fit_clip.h"
#include "src/animation/packed_clip.h"
#include "src/animation/sampler.h"
#include "src/math/random.h"
#include "tests/animation/made_motion.h"

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

Bytes Packed(const FittedClip& clip, std::uint32_t segment_frames = 512) {
  auto bytes = PackClip(clip, {.segment_frames = segment_frames});
  REQUIRE(bytes);
  return *bytes;
}
PackedClip Opened(const Bytes& bytes) {
  const auto blob = Blob::Open(bytes);
  REQUIRE(blob);
  const auto clip = PackedClip::Open(*blob);
  INFO((clip ? std::string() : ToString(clip.error())));
  REQUIRE(clip);
  return *clip;
}

bool SamePose(const Pose& a, const Pose& b) {
  for (std::uint32_t i = 0; i < a.bones(); ++i) {
    if (a.rotation(i) != b.rotation(i) || a.position(i) != b.position(i)) return false;
  }
  return true;
}

TEST_CASE("a bone without positions is compared at its place of rest") {
  const Motion motion = MadeMotion(7, 10, 1);
  Motion resting = motion;
  for (auto& positions : resting.positions) positions.clear();
  Motion still = resting;
  const Vec3 rest = still.skeleton[0].rest;
  still.positions[0].assign(10, {rest.x, rest.y, rest.z});
  Motion moved = still;
  moved.positions[0].assign(10, {rest.x + 1.0f, rest.y, rest.z});
  for (const Motion* other : {&resting, &still}) {
    CHECK(Compare(moved, *other).metres == Approx(1.0f));
    CHECK(Compare(moved, *other).chain_metres == Approx(1.0f));
    CHECK(Compare(*other, moved).chain_metres == Approx(1.0f));
  }
  CHECK(Compare(resting, still).chain_metres == 0.0f);
}

TEST_CASE("a fitted clip keeps its limits, in the parents' frames and at the chains' ends") {
  const Motion motion = MadeMotion(15, 300, 1);
  const FitLimits limits;
  const auto clip = FitClip(motion, limits);
  REQUIRE(clip);
  const MotionError error = Compare(motion, FramesOf(*clip, motion.skeleton));
  CHECK(error.degrees <= limits.degrees * 1.001f);
  CHECK(error.metres <= limits.metres);
  CHECK(error.chain_metres <= limits.chain_metres);
  CHECK(error.chain_degrees <= limits.chain_degrees);

  // A chain's limit is reached by better rotations, in the finer format.
  FitLimits strict = limits;
  strict.chain_metres = 0.001f;
  const auto better = FitClip(motion, strict);
  REQUIRE(better);
  CHECK(Compare(motion, FramesOf(*better, motion.skeleton)).chain_metres <= strict.chain_metres);
  CHECK(error.chain_metres > strict.chain_metres);
  CHECK(Packed(*better).size() > Packed(*clip).size());
}

TEST_CASE("a track has the format that its values and its limit ask for") {
  Motion motion = MadeMotion(4, 300, 1);
  // Bone 2 turns round and round: no component may be left out of all its rotations.
  for (std::uint32_t f = 0; f < motion.frames; ++f) {
    const Quat q = FromAxisAngle({0.6f, 0.0f, 0.8f}, 0.08f * static_cast<float>(f));
    motion.rotations[2][f] = {q.x, q.y, q.z, q.w};
  }
  const auto formats = [&](const FitLimits& limits) {
    const auto clip = FitClip(motion, limits);
    REQUIRE(clip);
    const MotionError error = Compare(motion, FramesOf(*clip, motion.skeleton));
    CHECK(error.degrees <= limits.degrees * 1.001f);
    std::vector<std::size_t> indices;
    for (const auto& track : clip->tracks) indices.push_back(track.curve.index());
    return indices;
  };
  constexpr std::size_t k32 = ClipTrack::kRotation32, k47 = ClipTrack::kRotation47,
                        kBoxed = ClipTrack::kBoxedRotation;
  constexpr std::size_t kPlace48 = ClipTrack::kPosition48, kBoxedPlace = ClipTrack::kBoxedPosition;
  CHECK(formats({}) ==
        std::vector<std::size_t>{kBoxed, kBoxed, k32, kBoxed, kBoxedPlace, kBoxedPlace});
  CHECK(formats({.boxes = false}) ==
        std::vector<std::size_t>{k32, k32, k32, k32, kPlace48, kPlace48});
  // Ten bits keep a rotation within 0.16 degrees, and no curve of them is better.
  CHECK(formats({.degrees = 0.03f})[2] == k47);
  CHECK(formats({.degrees = 0.03f})[1] == kBoxed);
}

TEST_CASE("the ends of chains have limits of their own for places and for directions") {
  const Motion motion = MadeMotion(15, 300, 1);
  constexpr float kFar = 1e9f;
  const auto fit = [&](float metres, float degrees) {
    const auto clip = FitClip(motion, {.chain_metres = metres, .chain_degrees = degrees});
    REQUIRE(clip);
    return Compare(motion, FramesOf(*clip, motion.skeleton));
  };
  const MotionError neither = fit(kFar, kFar);
  const float metres = neither.chain_metres / 2, degrees = neither.chain_degrees / 2;
  CHECK(fit(metres, kFar).chain_metres <= metres);
  CHECK(fit(kFar, degrees).chain_degrees <= degrees);
  const MotionError both = fit(metres, degrees);
  CHECK(both.chain_metres <= metres);
  CHECK(both.chain_degrees <= degrees);
  // Of each end; the largest is that of one of them.
  REQUIRE(both.degrees_of_chain.size() == motion.skeleton.ChainEnds().size());
  CHECK(std::ranges::max(both.degrees_of_chain) == both.chain_degrees);
  CHECK(std::ranges::max(both.metres_of_chain) == both.chain_metres);
}

TEST_CASE("a packed clip is a small part of its frames") {
  const Motion motion = MadeMotion(12, 600, 2);
  const auto clip = FitClip(motion, {});
  REQUIRE(clip);
  CHECK(Packed(*clip).size() * 10 < motion.RawBytes());
}

TEST_CASE("playback shows the fitted frames, to the bit") {
  // Fitted once for all of the cases below.
  static const Motion motion = MadeMotion(21, 700, 3, 250);
  static const auto fitted = FitClip(motion, {});
  REQUIRE(fitted);
  const Motion frames = FramesOf(*fitted, motion.skeleton);
  const Bytes bytes = Packed(*fitted, GENERATE(64u, 100u, 10'000u));
  auto sampler = Sampler::Create(Opened(bytes));
  REQUIRE(sampler);
  Pose pose(motion.skeleton);
  const auto step = GENERATE(1u, 3u, 150u);
  for (std::uint32_t f = 0; f < motion.frames; f += step) {
    sampler->Sample(static_cast<float>(f), pose);
    for (std::uint32_t bone = 0; bone < 21; ++bone) {
      const auto& q = frames.rotations[bone][f];
      REQUIRE(pose.rotation(bone) == Quat{q[0], q[1], q[2], q[3]});
      if (frames.positions[bone].empty()) {
        REQUIRE(pose.position(bone) == motion.skeleton[bone].rest);
      } else {
        const auto& p = frames.positions[bone][f];
        REQUIRE(pose.position(bone) == Vec3{p[0], p[1], p[2]});
      }
    }
  }
}

TEST_CASE("a pose depends on the time alone: forwards, backwards and at random") {
  const Motion motion = MadeMotion(13, 600, 4, 333);
  const auto fitted = FitClip(motion, {});
  REQUIRE(fitted);
  const Bytes bytes = Packed(*fitted, 128);
  const PackedClip clip = Opened(bytes);
  CHECK(clip.segments().size() == 5);
  std::vector<float> times;
  for (float t = 0; t <= 599; t += 0.77f) times.push_back(t);
  std::vector<Pose> forward;
  auto sampler = Sampler::Create(clip);
  REQUIRE(sampler);
  for (const float time : times) {
    forward.emplace_back(motion.skeleton);
    sampler->Sample(time, forward.back());
  }
  CHECK(sampler->place() == clip.stream_bits());
  Pose pose(motion.skeleton);
  for (std::size_t i = times.size(); i-- > 0;) {
    sampler->Sample(times[i], pose);
    REQUIRE(SamePose(pose, forward[i]));
  }
  Random random(5);
  for (int round = 0; round < 500; ++round) {
    const std::size_t i = random.Below(static_cast<std::uint32_t>(times.size()));
    CAPTURE(round, times[i]);
    sampler->Sample(times[i], pose);
    REQUIRE(SamePose(pose, forward[i]));
  }
}

TEST_CASE("times outside of a clip are its ends") {
  const Motion motion = MadeMotion(5, 50, 6);
  const auto fitted = FitClip(motion, {});
  REQUIRE(fitted);
  const Bytes bytes = Packed(*fitted);
  auto sampler = Sampler::Create(Opened(bytes));
  REQUIRE(sampler);
  Pose pose(motion.skeleton), begin(motion.skeleton), end(motion.skeleton);
  sampler->Sample(0, begin);
  sampler->Sample(49, end);
  for (const float before : {-1.0f, -1e30f, std::numeric_limits<float>::quiet_NaN()}) {
    sampler->Sample(before, pose);
    CHECK(SamePose(pose, begin));
  }
  for (const float behind : {49.5f, 1e30f}) {
    sampler->Sample(behind, pose);
    CHECK(SamePose(pose, end));
  }
}

TEST_CASE("the stream has each point once, and nothing else") {
  const Motion motion = MadeMotion(9, 400, 7);
  const auto fitted = FitClip(motion, {});
  REQUIRE(fitted);
  const Bytes bytes = Packed(*fitted, 50);
  const PackedClip clip = Opened(bytes);
  std::size_t bits = 0;
  for (std::size_t t = 0; t < fitted->tracks.size(); ++t) {
    const std::size_t points =
        std::visit([](const auto& curve) { return curve.points.size(); }, fitted->tracks[t].curve);
    // The first three are in the first head.
    if (points > 3) bits += (points - 3) * static_cast<std::size_t>(clip.tracks()[t].point_bits());
  }
  CHECK(clip.stream_bits() == bits);
}

TEST_CASE("the shortest clip") {
  const Motion motion = MadeMotion(1, 2, 8);
  const auto fitted = FitClip(motion, {});
  REQUIRE(fitted);
  const Bytes bytes = Packed(*fitted);
  const PackedClip clip = Opened(bytes);
  CHECK(clip.end_frame() == 1);
  CHECK(clip.stream_bits() == 0);
}

TEST_CASE("what is no motion is refused") {
  const auto refused = [](auto change) {
    Motion motion = MadeMotion(3, 10, 9);
    change(motion);
    const auto clip = FitClip(motion, {});
    REQUIRE(!clip);
    CHECK(clip.error().code == ErrorCode::kInvalidArgument);
    return std::string(clip.error().subject);
  };
  CHECK(refused([](Motion& m) {
          m.skeleton = {};
          m.rotations.clear();
          m.positions.clear();
        }) == "bones");
  CHECK(refused([](Motion& m) { m.frames = 1; }) == "frames");
  CHECK(refused([](Motion& m) { m.frames = 65'536; }) == "frames");
  CHECK(refused([](Motion& m) { m.frame_rate = 0; }) == "frame rate");
  CHECK(refused([](Motion& m) { m.frame_rate = INFINITY; }) == "frame rate");
  CHECK(refused([](Motion& m) { m.rotations.pop_back(); }) == "motion");
  CHECK(refused([](Motion& m) { m.rotations[1].pop_back(); }) == "motion");
  CHECK(refused([](Motion& m) { m.positions[0].pop_back(); }) == "motion");
  CHECK(refused([](Motion& m) { m.rotations[1][3] = {0, 0, 0, NAN}; }) == "rotation");
  CHECK(refused([](Motion& m) { m.rotations[1][3] = {0, 0, 0, 0.9f}; }) == "rotation");
  CHECK(refused([](Motion& m) { m.positions[0][3] = {0, 10.1f, 0}; }) == "position");
}

TEST_CASE("a blob without room is an error, not half a clip") {
  const auto fitted = FitClip(MadeMotion(3, 100, 10), {});
  REQUIRE(fitted);
  const auto bytes = PackClip(*fitted, {.most_bytes = 256});
  REQUIRE(!bytes);
  CHECK(bytes.error().code == ErrorCode::kCapacity);
}

// Each word of the content set to something else: refused, or a clip that can be played.
TEST_CASE("a clip that was changed is refused or played, never read beyond its end") {
  const auto fitted = FitClip(MadeMotion(3, 60, 11), {});
  REQUIRE(fitted);
  const Bytes sound = Packed(*fitted, 16);
  Random random(12);
  int refused = 0, played = 0;
  for (std::size_t at = sizeof(BlobHeader); at + 2 <= sound.size(); at += 2) {
    for (const std::uint32_t word : {0u, 0xffffu, random.Next()}) {
      // The content as a blob of its own, because the checksum has to be right.
      Bytes content(sound.begin() + sizeof(BlobHeader), sound.end());
      content[at - sizeof(BlobHeader)] = static_cast<std::byte>(word);
      content[at + 1 - sizeof(BlobHeader)] = static_cast<std::byte>(word >> 8);
      BlobWriter writer(kClipKind, kClipVersion, 1u << 20);
      REQUIRE(writer.AddArray<std::byte>(content));
      const auto bytes = writer.Finish();
      REQUIRE(bytes);
      const auto blob = Blob::Open(*bytes);
      REQUIRE(blob);
      const auto clip = PackedClip::Open(*blob);
      if (!clip) {
        ++refused;
        CHECK(clip.error().code == ErrorCode::kCorrupt);
        continue;
      }
      ++played;
      auto sampler = Sampler::Create(*clip);
      REQUIRE(sampler);
      std::vector<Skeleton::Bone> bones(clip->bones());
      for (std::size_t i = 0; i < bones.size(); ++i) bones[i].rest = {};
      Pose pose(*Skeleton::Create(bones));
      for (float t = 0; t < 61; t += 3.3f) sampler->Sample(t, pose);
      for (std::uint32_t i = 0; i < pose.bones(); ++i) {
        CHECK(std::isfinite(pose.rotation(i).w));
      }
    }
  }
  CHECK(refused > 100);
  CHECK(played > 100);
}

TEST_CASE("a sampler that goes on to another clip shows what a new one shows") {
  // More bones, fewer and more again; each is left in a later segment.
  std::vector<Motion> motions;
  for (const std::uint32_t bones : {9u, 3u, 14u}) {
    motions.push_back(MadeMotion(bones, 400 + 10 * bones, bones));
  }
  std::vector<Bytes> bytes;
  for (const Motion& motion : motions) bytes.push_back(Packed(*FitClip(motion, {}), 64));
  auto sampler = Sampler::Create(Opened(bytes[0]));
  REQUIRE(sampler);
  for (const std::size_t which : {0u, 1u, 2u, 0u, 2u}) {
    CAPTURE(which);
    const PackedClip clip = Opened(bytes[which]);
    REQUIRE(sampler->Play(clip));
    CHECK(sampler->clip().bones() == clip.bones());
    auto fresh = Sampler::Create(clip);
    REQUIRE(fresh);
    Pose pose(motions[which].skeleton), expected(motions[which].skeleton);
    for (const float time : {0.0f, 3.5f, 200.25f, 190.0f, 399.0f}) {
      CAPTURE(time);
      sampler->Sample(time, pose);
      fresh->Sample(time, expected);
      REQUIRE(SamePose(pose, expected));
    }
  }
}

TEST_CASE("a motion at each of its bounds is one") {
  Motion motion = MadeMotion(1, 2, 9);
  REQUIRE(motion.Check());
  const auto fill = [&](std::uint32_t frames) {
    motion.frames = frames;
    motion.rotations[0].assign(frames, {0, 0, 0, 1});
    motion.positions[0].assign(frames, {10, -10, 0});
    return motion.Check();
  };
  CHECK(fill(2));
  CHECK(fill(Motion::kMostFrames));
  CHECK(fill(Motion::kMostFrames + 1).error().subject == std::string("frames"));
  REQUIRE(fill(3));
  motion.positions[0][2][1] = std::nextafter(-10.0f, -11.0f);
  CHECK(motion.Check().error().subject == std::string("position"));
  motion.positions[0].clear();
  CHECK(motion.Check());
  motion.rotations[0][2] = {0, 0, 0, 1.0009f};
  CHECK(motion.Check());
  motion.rotations[0][2] = {0, 0, 0, 1.0011f};
  CHECK(motion.Check().error().subject == std::string("rotation"));
}

TEST_CASE("the bone that is wrong is named, also where it is the last one") {
  Motion motion = MadeMotion(7, 10, 9);
  motion.rotations[6][9] = {0, 0, 0, 0.5f};
  CHECK(motion.Check().error().amount == 6);
  motion = MadeMotion(7, 10, 9);
  motion.positions[6].assign(9, {0, 0, 0});
  CHECK(motion.Check().error() ==
        Error{ErrorCode::kInvalidArgument, "motion", 6, "a bone without all frames"});
  motion.positions[6].assign(10, {0, 0, -11});
  CHECK(motion.Check().error().amount == 6);
}

TEST_CASE("the bytes of raw frames are those of rotations, and of positions that are kept") {
  Motion motion = MadeMotion(3, 10, 1);
  for (auto& positions : motion.positions) positions.clear();
  CHECK(motion.RawBytes() == 3 * 10 * 16);
  motion.positions[2].assign(10, {});
  CHECK(motion.RawBytes() == 3 * 10 * 16 + 10 * 12);
}

}  // namespace
}  // namespace nowait
