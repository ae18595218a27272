// Messages to a viewer, and commands from it: refused with one line and a place, or read.
#include <cstdint>
#include <cstring>
#include <vector>

#include "src/events/stream.h"
#include "src/live/command.h"
#include "src/live/reader.h"
#include "tests/fuzz/promise.h"

namespace nowait {
namespace {

void CheckMessage(const EventStream& stream) {
  LiveReader reader;
  const auto read = reader.Read(stream);
  if (!read) {
    fuzz::PromiseOneLine(ToString(read.error()));
    fuzz::Promise(read.error().code == ErrorCode::kCorrupt, "what is wrong comes from outside");
    fuzz::Promise(read.error().amount >= 0 &&
                      static_cast<std::size_t>(read.error().amount) < stream.bytes().size(),
                  "the place of an error is in the message");
  }
  for (const auto& [slot, body] : reader.scene().bodies) {
    const Quat rotation = RotationOf(body.place);
    fuzz::Promise(IsFinite(rotation) && IsFinite(PositionOf(body.place)), "places are numbers");
  }
  fuzz::Promise(reader.scene().lights.size() <= kMostLights, "a scene has a most of lights");
  if (const auto& ray = reader.scene().structures.ray) {
    fuzz::Promise(IsFinite(ray->origin) && IsFinite(ray->translation), "a ray goes somewhere");
    fuzz::Promise(ray->nodes.size() <= LiveParts::kMostVisits, "a ray has a most of visits");
  }
}

void CheckCommands(std::span<const std::byte> bytes) {
  const auto commands = ParseCommands(bytes);
  if (!commands) return fuzz::PromiseOneLine(ToString(commands.error()));
  for (const LiveCommand& command : *commands) {
    fuzz::Promise(command.speed >= LiveCommand::kLeastSpeed && command.speed <= 1.0f,
                  "a speed is within its bounds");
    fuzz::Promise(IsFinite(command.position) && IsFinite(command.velocity),
                  "a throw is within its bounds");
    fuzz::Promise(IsFinite(command.translation), "a ray ends somewhere");
    const ViewFrustum& view = command.camera;
    fuzz::Promise(view.left < view.right && view.bottom < view.top && view.far > 0.0f &&
                      IsFinite(view.eye) && IsFinite(view.forward) && IsFinite(view.reach),
                  "a camera has a view");
  }
}

}  // namespace
}  // namespace nowait

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  if (const auto stream = nowait::EventStream::Open(bytes)) nowait::CheckMessage(*stream);
  nowait::CheckCommands(bytes);
  return 0;
}
