// LiveEncoder: the messages for one viewer, from frames.
//
//   LiveEncoder encoder({.scene = "pile", .lanes = feed.lanes()});
//   const auto message = encoder.Encode(frame);                       if (!message) ...
//
// A message contains the changes since the encoder's previous message, whatever frames were left
// out in between. Each viewer and each recording therefore has its own encoder, and a slow viewer
// needs no frame to be sent again. A body that moved by less than the unit of a LivePlace costs
// nothing.
//
// A hull and a compound are sent once, while they are among the latest ones (sent_shapes.h), a
// ground and a mesh once for each body that has it: a hundred bodies with one mesh of a million
// triangles are a first message of gigabytes, for each viewer.
//
// A body that has got another shape, layer or type is gone, and new in the same message.
//
// Of a body that is not in the viewer's sight nothing is sent, but that it has left the sight, or
// is gone. When it comes back, its changes since then are sent.
//
// Thread safety: one thread. Complexity: linear in the bodies and spans of the frame. Memory: 64
// bytes for each slot up to the highest one, and the data of the latest hulls and compounds.
// Format: docs/live-wire.md. Test: tests/live/encoder_test.cc.
#ifndef NOWAIT_SRC_LIVE_ENCODER_H_
#define NOWAIT_SRC_LIVE_ENCODER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/events/stream.h"
#include "src/live/event_writer.h"
#include "src/live/frame.h"
#include "src/live/place.h"
#include "src/live/sent_shapes.h"
#include "src/live/structures.h"
#include "src/live/wire.h"

namespace nowait {

struct LiveHello {
  std::string scene = {};               // the scene's name
  float frame_seconds = 1.0f / 30;      // of the scene's time, at normal speed
  std::vector<std::string> lanes = {};  // the names of the profile's lanes, in their order
  std::vector<std::string> layers = {"static", "dynamic"};  // and of the world's layers
  std::uint32_t body_locks = 1;                             // WorldDef::body_locks
};

class LiveEncoder {
 public:
  explicit LiveEncoder(LiveHello hello) : hello_(std::move(hello)) {}

  // Returns the message for a frame, valid until the next call. sight: of the bodies, only these
  // are in it; null: all. It includes the height fields, meshes, hulls and compounds of bodies that
  // it has for the first time. kCapacity "memory": the encoder must be discarded, together with its
  // viewer.
  Result<EventStream> Encode(const LiveFrame& frame, const LiveSight* sight = nullptr);

  // Sets the parts that the viewer shows, from the next message on; initially no part.
  void Show(LiveParts parts) { shown_ = parts; }
  LiveParts shown() const { return shown_; }

  // The number of frames that were offered since the first message but are in no message.
  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Sent {
    BodyId id;  // not valid: no body
    LivePlace place;
    std::uint64_t state = 0;
    std::uint32_t thread = 0;  // the lane's number and one; 0: no lane
    std::uint32_t form = 0;    // BodySnapshot::form
    bool in_sight = false;     // in the last message
    LiveShape shape = LiveShape::kOther;
    std::uint32_t number = 0;  // of a hull or a compound
  };

  // Shapes with a number that no viewer knows yet.
  struct NewShapes {
    std::vector<std::pair<std::uint32_t, const ConvexHull*>> hulls;
    std::vector<std::pair<std::uint32_t, std::vector<LiveChildRecord>>> compounds;
  };

  void Describe();
  void Choose(const LiveFrame& frame, const LiveSight* sight);
  void AddSight();
  void AddGone(const LiveFrame& frame);
  void Release(const Sent& sent);
  void AddBodies();
  void AddGround(const BodySnapshot& body);
  void AddHoles(const BodySnapshot& body);
  void AddMesh(const BodySnapshot& body);
  void AddHull(std::uint32_t number, const ConvexHull& hull);
  std::uint32_t Use(const ConvexHull& hull, NewShapes& news);
  std::uint32_t Use(const CompoundShape& compound, NewShapes& news);
  void AddPlaces();
  void AddStates();
  void AddThreads();
  void AddSpans(const LiveFrame& frame);
  void AddTasks(const LiveFrame& frame);
  void AddLights(const LiveFrame& frame, const LiveSight* sight);
  void AddLocks(const LiveFrame& frame);
  void AddFrame(const LiveFrame& frame);
  std::uint32_t NameOf(const char* name);

  const LiveHello hello_;
  EventWriter writer_;
  std::vector<Sent> sent_;                      // by slot
  std::map<const char*, std::uint32_t> names_;  // of spans: their numbers, by address
  SentShapes hulls_;
  SentShapes compounds_;
  std::vector<std::vector<std::uint32_t>> hulls_of_;  // by a compound's number: it uses their hulls
  // Used within one call of Encode.
  std::vector<const BodySnapshot*> seen_;   // the bodies that the message is about, by slot
  std::vector<std::uint32_t> slots_;        // within one function
  std::vector<const BodySnapshot*> moved_;  // likewise
  std::vector<std::uint16_t> cores_;        // by lane: where the span before ended; likewise
  LiveParts shown_;
  StructuresWriter structures_;
  std::optional<LiveLocks> locks_;  // as last sent
  std::vector<LiveLight> lights_;   // likewise
  std::size_t lights_of_scene_ = 0;
  std::vector<LiveLight> shining_;  // used within one function
  std::uint64_t last_ = 0;          // the number of the frame in the last message
  std::uint64_t dropped_ = 0;
  std::uint64_t lost_spans_before_ = 0;  // before the first message
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_ENCODER_H_
