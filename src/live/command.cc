#include "src/live/command.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "src/base/or_no_memory.h"
#include "src/bodies/body_id.h"
#include "src/events/stream.h"
#include "src/live/event_cursor.h"

namespace nowait {
namespace {

bool IsWithin(Vec3 v, float most) {
  const auto is = [most](float x) { return std::isfinite(x) && std::abs(x) <= most; };
  return is(v.x) && is(v.y) && is(v.z);
}

Vec3 ReadVector(EventCursor& cursor) {
  const auto x = cursor.Value<float>();
  const auto y = cursor.Value<float>();
  const auto z = cursor.Value<float>();
  return {x, y, z};
}

// Of length one and at a right angle, to what a viewer's floats make of them.
bool AreUnitAxes(Vec3 a, Vec3 b) {
  constexpr float kOff = 1e-3f;
  return std::abs(Length(a) - 1.0f) <= kOff && std::abs(Length(b) - 1.0f) <= kOff &&
         std::abs(Dot(a, b)) <= kOff;
}

// False: a value is outside its bounds.
bool ReadCamera(EventCursor& cursor, ViewFrustum& camera) {
  camera.eye = ReadVector(cursor);
  camera.forward = ReadVector(cursor);
  camera.up = ReadVector(cursor);
  for (float* side : {&camera.left, &camera.right, &camera.bottom, &camera.top}) {
    *side = cursor.Value<float>();
    if (!(std::abs(*side) <= LiveCommand::kWidest)) return false;
  }
  camera.far = cursor.Value<float>();
  camera.reach = ReadVector(cursor);
  return camera.left < camera.right && camera.bottom < camera.top && camera.far > 0.0f &&
         camera.far <= LiveCommand::kFarthest && AreUnitAxes(camera.forward, camera.up) &&
         IsWithin(camera.eye, LiveCommand::kFarthest) &&
         IsWithin(camera.reach, LiveCommand::kFarthest);
}

std::optional<LiveCommand> Parse(const EventView& event) {
  EventCursor cursor(event.data());
  LiveCommand command;
  bool good = false;
  switch (event.type()) {
    case FourCharacters("CmPa"): {
      const auto on = cursor.Value<std::uint32_t>();
      command.kind = LiveCommand::Kind::kPause;
      command.on = on == 1;
      good = on <= 1;
      break;
    }
    case FourCharacters("CmSt"):
      command.kind = LiveCommand::Kind::kStep;
      command.frames = cursor.Value<std::uint32_t>();
      good = command.frames >= 1 && command.frames <= LiveCommand::kMostFrames;
      break;
    case FourCharacters("CmSp"):
      command.kind = LiveCommand::Kind::kSpeed;
      command.speed = cursor.Value<float>();
      good = command.speed >= LiveCommand::kLeastSpeed && command.speed <= 1.0f;
      break;
    case FourCharacters("CmRs"):
      command.kind = LiveCommand::Kind::kReset;
      command.seed = cursor.Value<std::uint64_t>();
      good = true;
      break;
    case FourCharacters("CmTh"):
      command.kind = LiveCommand::Kind::kThrow;
      command.position = ReadVector(cursor);
      command.velocity = ReadVector(cursor);
      good = IsWithin(command.position, LiveCommand::kFarthest) &&
             IsWithin(command.velocity, LiveCommand::kMostVelocity);
      break;
    case FourCharacters("CmPu"):
      command.kind = LiveCommand::Kind::kPull;
      command.slot = cursor.Value<std::uint32_t>();
      command.generation = cursor.Value<std::uint32_t>();
      command.grip = ReadVector(cursor);
      command.position = ReadVector(cursor);
      good = command.slot < BodyId::kMaxBodies && IsWithin(command.grip, LiveCommand::kFarthest) &&
             IsWithin(command.position, LiveCommand::kFarthest);
      break;
    case FourCharacters("CmLe"):
      command.kind = LiveCommand::Kind::kLetGo;
      good = true;
      break;
    case FourCharacters("CmSh"):
      command.kind = LiveCommand::Kind::kShow;
      command.parts.bits = cursor.Value<std::uint32_t>();
      good = (command.parts.bits & ~LiveParts::kAll) == 0;
      break;
    case FourCharacters("CmRa"):
      command.kind = LiveCommand::Kind::kRay;
      command.position = ReadVector(cursor);
      command.translation = ReadVector(cursor);
      good = IsWithin(command.position, LiveCommand::kFarthest) &&
             IsWithin(command.translation, LiveCommand::kFarthest);
      break;
    case FourCharacters("CmVi"):
      command.kind = LiveCommand::Kind::kLook;
      command.on = cursor.left() > 0;
      good = !command.on || ReadCamera(cursor, command.camera);
      break;
    default:
      break;
  }
  if (!good || cursor.failed() || cursor.left() > 0) return {};
  return command;
}

}  // namespace

Result<std::vector<LiveCommand>> ParseCommands(std::span<const std::byte> message) {
  if (message.size() > kMostCommandBytes) {
    return Fail(ErrorCode::kCapacity, "command bytes", kMostCommandBytes);
  }
  // A message may lie at any address, but a stream must be aligned to 8 bytes.
  alignas(kEventAlignment) std::byte bytes[kMostCommandBytes];
  std::ranges::copy(message, bytes);
  const auto stream = EventStream::Open(std::span(bytes, message.size()));
  if (!stream) return Fail(ErrorCode::kCorrupt, "command", stream.error().amount);
  return OrNoMemory([&]() -> Result<std::vector<LiveCommand>> {
    std::vector<LiveCommand> commands;
    std::int64_t place = 0;
    for (const EventView event : *stream) {
      const auto command = Parse(event);
      if (!command) return Fail(ErrorCode::kCorrupt, "command", place);
      commands.push_back(*command);
      place += static_cast<std::int64_t>(BytesInStream(event.size()));
    }
    return commands;
  });
}

}  // namespace nowait
