// LiveReader: a viewer's knowledge of a scene, built from messages.
//
//   LiveReader reader;
//   if (const auto read = reader.Read(message); !read) ...
//   for (const auto& [slot, body] : reader.scene().bodies) ...
//
// Hulls and compounds that no message will name again are forgotten (old_shapes.h). Messages come
// from outside. A wrong message is refused with an offset, and the scene then
// contains the events before that offset.
//
// Thread safety: one thread. Complexity: logarithmic in the bodies, for each change. Format:
// docs/live-wire.md. Test: tests/live/encoder_test.cc, tests/fuzz/live_wire_programs.cc.
#ifndef NOWAIT_SRC_LIVE_READER_H_
#define NOWAIT_SRC_LIVE_READER_H_

#include <cstdint>
#include <map>
#include <string>

#include "src/base/result.h"
#include "src/events/stream.h"
#include "src/live/event_cursor.h"
#include "src/live/old_shapes.h"
#include "src/live/scene.h"

namespace nowait {

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
  OldShapes old_shapes_;
  bool greeted_ = false;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_READER_H_
