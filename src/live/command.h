// LiveCommand: a request of a viewer to the program that it views (docs/live-wire.md, "Commands").
//
// There are no other commands. ParseCommands checks each value against the bounds below, so that a
// program may use the values as they are.
//
// Thread safety: the functions have no state. Test: tests/live/command_test.cc.
#ifndef NOWAIT_SRC_LIVE_COMMAND_H_
#define NOWAIT_SRC_LIVE_COMMAND_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/live/parts.h"
#include "src/math/vec3.h"
#include "src/math/view_frustum.h"

namespace nowait {

struct LiveCommand {
  enum class Kind : std::uint8_t {
    kPause,  // on
    kStep,   // frames
    kSpeed,  // speed
    kReset,  // seed
    kThrow,  // position, velocity
    kPull,   // slot, generation, grip, position
    kLetGo,
    kShow,  // parts
    kRay,   // position, translation
    kLook,  // viewer, on, camera
  };

  static constexpr std::uint32_t kMostFrames = 600;  // of one step command
  static constexpr float kLeastSpeed = 1.0f / 16;    // of real time; the highest speed is 1
  static constexpr float kMostVelocity = 100.0f;     // metres per second, on each axis
  static constexpr float kFarthest = 1e5f;           // metres from the origin, on each axis
  static constexpr float kWidest = 100.0f;           // metres aside, at a metre ahead of a camera

  Kind kind = Kind::kPause;
  bool on = false;
  std::uint32_t frames = 0;
  std::uint64_t seed = 0;
  float speed = 1.0f;
  std::uint32_t slot = 0;  // of the pulled body, and its generation
  std::uint32_t generation = 0;
  Vec3 grip;      // a place on the pulled body, seen from the body
  Vec3 position;  // of a thrown body or a ray, or the place that the grip is pulled to
  Vec3 velocity;
  Vec3 translation;  // of a ray: the way from its position to its end
  LiveParts parts;
  std::uint64_t viewer = 0;  // of kLook: set by the server (src/live/server.h)
  ViewFrustum camera;        // where `on` is set; otherwise the viewer gets every body
};

inline constexpr std::size_t kMostCommandBytes = 1024;  // of a message with commands

// The commands of a message, which is an event stream. kCorrupt "command", with the offset of the
// event in the message as `amount`: an unknown type, a wrong size, or a value outside its bounds.
// kCapacity "command bytes", "memory".
Result<std::vector<LiveCommand>> ParseCommands(std::span<const std::byte> message);

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_COMMAND_H_
