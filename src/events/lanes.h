// EventLanes: the events of one system, posted by any number of threads and merged into one stream
// that is the same for any number of threads.
//
//   // each job of the system, on any thread        // one thread, when all jobs are done
//   auto section = lanes->Open(job);                const auto stream = lanes->Merge();
//   if (!section) return section.error();           if (!stream) return stream.error();
//   section->Post(DoorOpened{door});                for (const EventView event : *stream) ...
//
// A section has a key: the number of the job, the slot of an object, or anything else that
// identifies the work and not the thread. In a merged stream the sections are ordered by their
// keys, and the events of a section by their posts. Two sections must not have the same key.
//
// Thread safety: Open from any thread; a section belongs to one thread at a time. Merge from one
// thread, when every section is closed. Before Merge only the order of the keys needs to be known.
// Progress: Open and closing a section are lock-free (owned_lanes.h), Post is wait-free.
//
// Promise: if the set of sections does not depend on the threads, neither does the merged stream,
// to the last bit, nor does the set of events that it leaves out. It keeps, whole, the sections
// that come first by key and fit into `most_bytes`, each at the bytes of its events plus 16. lost()
// counts the events of the others. Memory: at most lanes * 10/3 * most_bytes, as far as it is used.
//
// Source: [bitsquid2010], "Events". Test: tests/events/lanes_test.cc.
// Lecture: events without a dispatcher.
#ifndef NOWAIT_SRC_EVENTS_LANES_H_
#define NOWAIT_SRC_EVENTS_LANES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/events/event.h"
#include "src/events/lane.h"
#include "src/events/owned_lanes.h"
#include "src/events/stream.h"
#include "src/sync/held_locks.h"
#include "src/sync/policy.h"

namespace nowait {

struct EventLanesDef {
  std::uint32_t lanes = 16;             // the number of sections that can be open at once
  std::uint32_t most_bytes = 1u << 20;  // the size of a merged stream
};

class EventLanes {
 public:
  static constexpr std::uint32_t kMostLanes = 1u << 16;
  static constexpr std::uint32_t kMostBytes = 1u << 30;
  static constexpr std::uint64_t kHighestKey = EventLane::kNoCut - 1;

  // An open section; its destructor closes it. Movable.
  class Section {
   public:
    // Whether the event has room becomes known with all sections, in lost(). Not in an update of
    // game objects, which may be run twice (src/sync/held_locks.h).
    template <Event T>
    void Post(const T& event) {
      NOWAIT_ASSERT(!InUpdate<EngineSync>(),
                    "an update of game objects posts no event: its effects do");
      lane_->Post(T::kType, std::as_bytes(std::span(&event, 1)));
    }

   private:
    friend class EventLanes;
    explicit Section(OwnedLanes<EventLane>::Owner lane) : lane_(std::move(lane)) {}

    OwnedLanes<EventLane>::Owner lane_;
  };

  // kInvalidArgument "event lanes" (1 .. kMostLanes), "event bytes" (at most kMostBytes);
  // kCapacity "memory".
  static Result<std::unique_ptr<EventLanes>> Create(const EventLanesDef& def);

  EventLanes(const EventLanes&) = delete;
  EventLanes& operator=(const EventLanes&) = delete;

  // kCapacity "event lanes": this many sections are open. kInvalidArgument "event section": the key
  // is above kHighestKey.
  Result<Section> Open(std::uint64_t key);

  // The events since the last call, valid until the next one. kWrongPhase "merge of events":
  // a section is open; nothing has changed. kInvalidArgument "event section": two kept
  // sections have the key `amount`; all events are gone. kCapacity "memory": nothing has
  // changed.
  Result<EventStream> Merge();

  // About the last Merge: the number of events for which the stream had no room, and the first key
  // that was left out, which is above kHighestKey if none was.
  std::uint64_t lost() const { return lost_; }
  std::uint64_t cut() const { return cut_; }

 private:
  struct Piece {
    EventLane::Section section;
    const EventLane* lane;
  };

  explicit EventLanes(const EventLanesDef& def);

  Result<EventStream> MergeLanes();

  OwnedLanes<EventLane> lanes_;
  const std::size_t most_bytes_;
  std::unique_ptr<std::byte[]> merged_;
  std::vector<Piece> pieces_;  // used by Merge
  std::uint64_t lost_ = 0;
  std::uint64_t cut_ = EventLane::kNoCut;
};

// Implementation: why this is right
//
// Invariants
//   1. A lane belongs to one open section, or to Merge, which has all of them (owned_lanes.h).
//   2. Call the sections s1, s2, ... by ascending keys, and P the longest beginning of that list
//      whose costs add up to most_bytes at most. A lane that drops a section has seen that its own
//      sections up to that key cost more: it is not in P. cut() is the lowest key that the lane has
//      dropped, and no section from there on stays in the lane.
//   3. Merge leaves out the keys from the lowest cut of a lane on, and then stops at the first
//      section without room. If the first section outside P was dropped, that cut is its key, for
//      no lane has dropped an earlier one. Otherwise it is in a lane, all before it are in P, and
//      there is no room for it. Either way P is what is left, and P does not know about lanes.

}  // namespace nowait

#endif  // NOWAIT_SRC_EVENTS_LANES_H_
