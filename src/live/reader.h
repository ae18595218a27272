// LiveReader: a viewer's knowledge of a scene, built from messages.
//
//   LiveReader reader;
//   if (const auto read = reader.Read(message); !read) ...
//   for (const auto& [slot, body] : reader.scene().bodies) ...
//
// Messages come from outside. A wrong message is refused with an offset, and the scene then
// contains the events before that offset.
//
// Thread safety: one thread. Complexity: logarithmic in the bodies, for each change. Format:
// docs/live-wire.md. Test: tests/live/encoder_test.cc, tests/fuzz/live_wire_programs.cc.
#ifndef NOWAIT_SRC_LIVE_READER_H_
#define NOWAIT_SRC_LIVE_READER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_snapshot.h"
#include "src/events/stream.h"
#include "src/live/event_cursor.h"
#include "src/live/light.h"
#include "src/live/place.h"
#include "src/live/structures.h"
#include "src/live/wire.h"
#include "src/profile/profile.h"

namespace nowait {

struct LiveBody {
  LiveBodyRecord record{};
  LivePlace place;
  std::uint32_t island = BodySnapshot::kNoIsland;
  bool asleep = false;
  std::optional<std::uint32_t> lane;  // of the thread that moved it last
  bool in_sight = true;               // false: the rest is as it was when it was seen last
};

struct LiveGround {
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  float spacing = 0.0f;
  std::vector<float> heights;  // row by row
  std::vector<bool> holes;     // by cell, row by row; empty: no cell is one
};

// A convex shape: its corners, and the corners of each face, counter-clockwise seen from outside.
struct LiveHull {
  std::vector<Vec3> vertices;
  std::vector<std::vector<std::uint8_t>> faces;
};

// Triangles: three vertices each, counter-clockwise seen from the front.
struct LiveMesh {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> corners;
};

struct LiveReadSpan {
  std::uint32_t lane;
  std::uint32_t name;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint32_t about = Span::kAboutNothing;
  std::uint16_t begin_core = kNoCore;
  std::uint16_t end_core = kNoCore;
};

struct LiveScene {
  std::uint32_t version = 0;
  std::string name;
  float frame_seconds = 0.0f;
  std::map<std::uint32_t, std::string> lanes;
  std::map<std::uint32_t, std::string> names;  // of spans
  std::map<std::uint32_t, std::string> layers;
  std::map<std::uint32_t, LiveBody> bodies;                         // by slot
  std::map<std::uint32_t, LiveGround> grounds;                      // by slot
  std::map<std::uint32_t, LiveMesh> meshes;                         // by slot
  std::map<std::uint32_t, LiveHull> hulls;                          // by number
  std::map<std::uint32_t, std::vector<LiveChildRecord>> compounds;  // likewise
  std::vector<LiveReadSpan> spans;                                  // of the last message
  std::vector<LaneTask> tasks;                                      // likewise
  std::uint32_t body_locks = 0;                                     // 0: unknown
  LiveStructures structures;
  LiveLocks locks;
  std::uint32_t lights_of_scene = 0;
  std::vector<LiveLight> lights;        // that shine on what is in sight
  std::optional<LiveFrameEvent> frame;  // the last one
};

class LiveReader {
 public:
  // kCorrupt "live event" with the offset of the event in the message as `amount`; kCorrupt "live
  // wire" for another version. kCapacity "memory".
  Result<void> Read(const EventStream& message);

  const LiveScene& scene() const { return scene_; }

 private:
  bool ReadEvent(const EventView& event);
  bool ReadHello(EventCursor cursor);
  bool ReadText(EventCursor cursor, std::map<std::uint32_t, std::string>& to);
  bool ReadGround(EventCursor cursor);
  bool ReadHoles(EventCursor cursor);
  bool ReadMesh(EventCursor cursor);
  bool ReadHull(EventCursor cursor);
  bool ReadCompound(EventCursor cursor);
  bool ReadGone(EventCursor cursor);
  bool ReadBodies(EventCursor cursor);
  bool ReadPlaces(EventCursor cursor);
  bool ReadStates(EventCursor cursor);
  bool ReadThreads(EventCursor cursor);
  bool ReadSight(EventCursor cursor, bool in_sight);
  bool ReadBodyLocks(EventCursor cursor);
  bool ReadSpans(EventCursor cursor);
  bool ReadTasks(EventCursor cursor);
  bool ReadLights(EventCursor cursor);
  bool ReadLocks(EventCursor cursor);
  LiveBody* Find(std::uint64_t slot);

  LiveScene scene_;
  bool greeted_ = false;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_READER_H_
