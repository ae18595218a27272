#include "src/animation/motion.h"

#include <algorithm>
#include <cmath>

#include "src/animation/local_to_global.h"
#include "src/animation/pose.h"
#include "src/animation/quantise.h"
#include "src/base/assert.h"
#include "src/base/result.h"

namespace nowait {
namespace {

std::unexpected<Error> Wrong(const char* what, std::uint32_t bone, const char* why) {
  return Fail(ErrorCode::kInvalidArgument, what, bone, why);
}

// A bone without a track keeps its place of rest.
CurveValue<3> PositionAt(const Motion& motion, std::uint32_t bone, std::uint32_t frame) {
  if (!motion.positions[bone].empty()) return motion.positions[bone][frame];
  const Vec3 rest = motion.skeleton[bone].rest;
  return {rest.x, rest.y, rest.z};
}

void SetFrame(const Motion& motion, std::uint32_t frame, Pose& pose) {
  for (std::uint32_t bone = 0; bone < motion.skeleton.size(); ++bone) {
    const auto& r = motion.rotations[bone][frame];
    pose.SetRotation(bone, {r[0], r[1], r[2], r[3]});
    const auto p = PositionAt(motion, bone, frame);
    pose.SetPosition(bone, {p[0], p[1], p[2]});
  }
}

CurveValue<4> ToValue(Quat q) { return {q.x, q.y, q.z, q.w}; }

}  // namespace

Result<void> Motion::Check() const {
  if (skeleton.size() == 0) return Wrong("bones", 0, "there is at least one");
  if (frames < 2 || frames > kMostFrames) return Wrong("frames", 0, "from 2 to 65,535 of them");
  if (!(frame_rate > 0.0f) || !std::isfinite(frame_rate)) {
    return Wrong("frame rate", 0, "positive and finite");
  }
  if (rotations.size() != skeleton.size() || positions.size() != skeleton.size()) {
    return Wrong("motion", 0, "not as many tracks as bones");
  }
  for (std::uint32_t bone = 0; bone < skeleton.size(); ++bone) {
    if (rotations[bone].size() != frames ||
        (!positions[bone].empty() && positions[bone].size() != frames)) {
      return Wrong("motion", bone, "a bone without all frames");
    }
    for (const auto& q : rotations[bone]) {
      const float square = ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3];
      if (!(std::abs(square - 1.0f) < 2e-3f)) return Wrong("rotation", bone, "its length is not 1");
    }
    for (const auto& p : positions[bone]) {
      for (const float coordinate : p) {
        if (!(std::abs(coordinate) <= Position::kRange)) {
          return Wrong("position", bone, "farther than 10 m from its parent");
        }
      }
    }
  }
  return {};
}

std::size_t Motion::RawBytes() const {
  std::size_t bytes = 0;
  for (const auto& track : rotations) bytes += track.size() * sizeof(CurveValue<4>);
  for (const auto& track : positions) bytes += track.size() * sizeof(CurveValue<3>);
  return bytes;
}

MotionError Compare(const Motion& a, const Motion& b) {
  NOWAIT_ASSERT(a.skeleton.size() == b.skeleton.size() && a.frames == b.frames,
                "motions of one skeleton");
  const auto ends = a.skeleton.ChainEnds();
  MotionError error;
  error.metres_of_chain.resize(ends.size());
  error.degrees_of_chain.resize(ends.size());
  Pose local(a.skeleton), global_a(a.skeleton), global_b(a.skeleton);
  for (std::uint32_t frame = 0; frame < a.frames; ++frame) {
    for (std::uint32_t bone = 0; bone < a.skeleton.size(); ++bone) {
      const float chord = Chord(a.rotations[bone][frame], b.rotations[bone][frame]);
      error.degrees = std::max(error.degrees, DegreesOfChord(chord));
      error.metres = std::max(
          error.metres, Position::Distance(PositionAt(a, bone, frame), PositionAt(b, bone, frame)));
    }
    SetFrame(a, frame, local);
    LocalToGlobal(a.skeleton, local, global_a);
    SetFrame(b, frame, local);
    LocalToGlobal(b.skeleton, local, global_b);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const std::uint16_t end = ends[i];
      const float metres = Length(global_a.position(end) - global_b.position(end));
      error.metres_of_chain[i] = std::max(error.metres_of_chain[i], metres);
      error.chain_metres = std::max(error.chain_metres, metres);
      const float chord = Chord(ToValue(global_a.rotation(end)), ToValue(global_b.rotation(end)));
      const float degrees = DegreesOfChord(chord);
      error.degrees_of_chain[i] = std::max(error.degrees_of_chain[i], degrees);
      error.chain_degrees = std::max(error.chain_degrees, degrees);
    }
  }
  return error;
}

}  // namespace nowait
