// The wire: what a running engine sends to a viewer, as events (docs/live-wire.md).
//
// A message is an event stream (src/events/stream.h) with everything that a viewer has to learn
// about one frame. The first message to a viewer opens with kHello and describes the whole scene; a
// later one has the changes since the previous message. LiveFrameEvent is the last event of each
// message. A reader skips the types that it does not know.
//
// Numbers are little-endian. "varint" is an unsigned LEB128 of at most 64 bits; "signed varint" is
// the zigzag of one (0, -1, 1, -2, ...).
//
// Thread safety: the wire has no state. Source: [bitsquid2010], "Events" and "First profiler
// screenshot": an engine that streams its events to a tool.
#ifndef NOWAIT_SRC_LIVE_WIRE_H_
#define NOWAIT_SRC_LIVE_WIRE_H_

#include <array>
#include <cstdint>

#include "src/events/event.h"
#include "src/resource/blob_data.h"

namespace nowait {

inline constexpr std::uint32_t kLiveVersion = 7;
// From the one in which a span may be about a number. Before it, a span's name is its number alone.
inline constexpr std::uint32_t kLiveAboutVersion = 3;
// From the one in which a span has cores.
inline constexpr std::uint32_t kLiveCoreVersion = 5;
// Readers accept it and those between: they only lack parts (docs/live-wire.md, "Versions").
inline constexpr std::uint32_t kLiveOldestVersion = 1;

// Types with a variable size.
inline constexpr std::uint32_t kLiveHello = FourCharacters("LvHi");
inline constexpr std::uint32_t kLiveLane = FourCharacters("LvLn");
inline constexpr std::uint32_t kLiveName = FourCharacters("LvNm");
inline constexpr std::uint32_t kLiveGround = FourCharacters("LvGd");
inline constexpr std::uint32_t kLiveHoles = FourCharacters("LvHl");
inline constexpr std::uint32_t kLiveGone = FourCharacters("LvGo");
inline constexpr std::uint32_t kLiveOut = FourCharacters("LvOu");
inline constexpr std::uint32_t kLiveIn = FourCharacters("LvIn");
inline constexpr std::uint32_t kLiveBodies = FourCharacters("LvBo");
inline constexpr std::uint32_t kLiveHull = FourCharacters("LvHu");
inline constexpr std::uint32_t kLiveMesh = FourCharacters("LvMe");
inline constexpr std::uint32_t kLiveCompound = FourCharacters("LvCo");
inline constexpr std::uint32_t kLivePlaces = FourCharacters("LvPl");
inline constexpr std::uint32_t kLiveStates = FourCharacters("LvSt");
inline constexpr std::uint32_t kLiveThreads = FourCharacters("LvTh");
inline constexpr std::uint32_t kLiveSpans = FourCharacters("LvSp");
inline constexpr std::uint32_t kLiveTasks = FourCharacters("LvTk");
inline constexpr std::uint32_t kLiveLayer = FourCharacters("LvLy");
inline constexpr std::uint32_t kLiveBodyLocks = FourCharacters("LvBl");
inline constexpr std::uint32_t kLiveTree = FourCharacters("LvTr");
inline constexpr std::uint32_t kLiveLinks = FourCharacters("LvLk");
inline constexpr std::uint32_t kLiveRay = FourCharacters("LvRa");
inline constexpr std::uint32_t kLiveLights = FourCharacters("LvLi");
inline constexpr std::uint32_t kLiveLocks = FourCharacters("LvLo");

// The shapes that a viewer draws; a body with any other number has no drawn shape.
enum class LiveShape : std::uint8_t {
  kSphere = 0,
  kBox = 1,
  kGround = 2,
  kCylinder = 3,
  kHull = 4,
  kCapsule = 5,
  kMesh = 6,
  kCompound = 7,
  kPlane = 8,
  kOther = 255
};

// An element of kLiveBodies.
struct LiveBodyRecord {
  std::uint32_t slot;
  std::uint32_t generation;
  std::uint32_t shape;    // LiveShape
  std::uint32_t dynamic;  // 0 or 1
  // A sphere's radius; a box's half extents; the radius and half the height of a cylinder or a
  // capsule; the number of a hull or a compound; the normal of a plane, whose place is a point of
  // its surface.
  std::array<float, 3> size;
  std::uint32_t layer = 0;
};
static_assert(sizeof(LiveBodyRecord) == 32);

// A child of a kLiveCompound, in the frame of the body.
struct LiveChildRecord {
  std::uint32_t shape;        // LiveShape: convex
  std::array<float, 3> size;  // as a body's
  std::array<float, 3> position;
  std::array<float, 4> rotation;
};
static_assert(sizeof(LiveChildRecord) == 44);

struct LiveFrameEvent {
  static constexpr std::uint32_t kType = FourCharacters("LvFr");

  std::uint64_t number;        // among the frames that the engine has offered, from 1
  std::uint64_t step;          // the number of the scene's frames computed so far
  std::uint64_t begin;         // nanoseconds of the profile's clock
  std::uint64_t end;           // likewise
  std::uint64_t seed;          // of the scene
  std::uint32_t paused;        // 0 or 1
  std::uint32_t speed_permil;  // of real time; 1000: real time
  std::uint32_t bodies;        // this and the following as in UpdateStats
  std::uint32_t awake;
  std::uint32_t pairs;
  std::uint32_t contacts;
  std::uint32_t islands;
  std::uint32_t largest_island;
  std::array<std::uint32_t, 5> phases_us;  // begin, collide, finalise, solve, finish
  std::uint32_t dropped;                   // frames offered so far that did not reach this viewer
  std::uint32_t lost_spans;                // spans lost on the way so far
  std::uint32_t reserved = 0;              // zero
};
static_assert(Event<LiveFrameEvent> && sizeof(LiveFrameEvent) == 104);

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_WIRE_H_
