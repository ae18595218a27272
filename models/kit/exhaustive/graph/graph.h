// Graph: an execution of a program as the memory model sees it: the events of its threads, the
// write that each read takes its value from, and the order of the writes of each location.
//
// A graph says nothing about when an event ran. Two interleavings that agree on all of the above
// are the same graph, which is where the exhaustive search saves its work.
//
//   program order         the events of a thread, by index
//   reads-from            GraphEvent::source
//   modification order    GraphEvent::older and ::newer, from Location::newest down
//
// An event is first appended, which puts it into its thread. It is then attached, which puts it
// among the reads and writes of its location, where other threads see it. A revisit (revisit.h)
// works on a graph with one event that is appended but not attached.
//
// Slots number the events in the order of addition, which TruSt needs in addition to the graph
// proper. They are stable until Restrict. A graph is a value; a copy takes a handful of block
// copies.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_GRAPH_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_GRAPH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/kit/exhaustive/graph/clock.h"
#include "models/kit/exhaustive/graph/event.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

// The name of an atomic object, the same in every execution: the thread that made it, and its
// number among that thread's objects.
using ObjectName = std::uint32_t;
constexpr ObjectName NameOf(int maker, std::uint32_t number) {
  return static_cast<ObjectName>(maker) << 24 | number;
}
constexpr std::uint32_t NumberOf(ObjectName name) { return name & 0xffffff; }

// The place in modification order of an object's initial value.
inline constexpr int kInitialPlace = -1;

struct Location {
  ObjectName name = 0;
  Word initial = 0;
  Slot newest = kNoSlot;  // write
  Slot last_read = kNoSlot;
  std::uint16_t writes = 0;
};

class Graph {
 public:
  void Clear();

  int size() const { return static_cast<int>(events_.size()); }
  const GraphEvent& operator[](Slot slot) const { return events_[slot]; }
  const Location& location(LocationIndex index) const { return locations_[index]; }
  int locations() const { return static_cast<int>(locations_.size()); }
  // Whether the threads are interchangeable (symmetry.h). Set once, while the graph is empty.
  bool symmetric() const { return symmetric_; }
  void SetSymmetric() { symmetric_ = true; }
  // The number of events that request seq_cst.
  int seq_cst_requests() const { return seq_cst_requests_; }

  unsigned Length(int thread) const {
    return static_cast<unsigned>(threads_[static_cast<std::size_t>(thread)].size());
  }
  Slot At(int thread, unsigned index) const {
    return threads_[static_cast<std::size_t>(thread)][index];
  }

  // The location of the object. It is added with this initial value if the graph does not have it
  // yet.
  LocationIndex Locate(ObjectName name, Word initial);

  // Appends the event as the next one of its thread.
  Slot Append(const GraphEvent& event);
  // Replaces the event's result. That of an attached event may differ only in the write that it
  // reads, and in what follows from that.
  void Replace(Slot slot, const GraphEvent& event) { events_[slot] = event; }
  // place: of a writing event in modification order; the events at that place and above move up.
  void Attach(Slot slot, int place);

  // The place at which an access stands: a write's own, or that of the write it reads.
  int PlaceOf(const GraphEvent& event) const {
    if (event.writes) return event.place;
    return event.source == kInitial ? kInitialPlace : events_[event.source].place;
  }
  // The write at this place of its location's order; kInitial for kInitialPlace.
  Slot WriteAt(LocationIndex location, int place) const;
  // The value stored by that write.
  Word ValueOf(LocationIndex location, Slot write) const {
    return write == kInitial ? locations_[location].initial : events_[write].written;
  }
  // Whether there is a write at this place that is part of a read-modify-write: nothing can come
  // between it and the preceding write.
  bool IsUpdateAt(LocationIndex location, int place) const;

  // The preceding event of the same thread; null for the first.
  const GraphEvent* Before(const GraphEvent& event) const {
    return event.index == 0 ? nullptr : &events_[At(event.thread, event.index - 1u)];
  }
  // The index of its thread's last event before this one at the same location; the event's own
  // index if it is the first.
  unsigned LookBefore(const GraphEvent& event) const;

  // Makes this graph the part of `whole` with slots up to `last` or with events in `also`. The part
  // must be closed under program order and reads-from, except for `detached`, which remains
  // appended but is no longer attached. Returns the new slot of `detached`.
  Slot Restrict(const Graph& whole, Slot last, const Clock& also, Slot detached);

 private:
  std::vector<GraphEvent> events_;  // by slot
  std::array<std::vector<Slot>, kMaxThreads> threads_;
  std::vector<Location> locations_;
  int seq_cst_requests_ = 0;
  bool symmetric_ = false;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_GRAPH_H_
