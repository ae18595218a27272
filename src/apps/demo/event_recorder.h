// EventRecorder: the events of the demo's frames, from the threads to the consumer and to the file.
//
// In the game update each game thread posts to a section of its own, whose key is the thread's
// number, and the herd to one for each pair of riders (herd.h). Behind the physics update the main
// thread adds those of the physics as the last section, merges, gives the stream to the summary
// and, for --events, saves it as a blob.
//
// Thread safety: lanes() from any thread during a game update, EndFrame from one thread between
// two. Memory: kMostFrameBytes a frame (lanes.h), kMostSavedBytes for the file.
#ifndef NOWAIT_SRC_APPS_DEMO_EVENT_RECORDER_H_
#define NOWAIT_SRC_APPS_DEMO_EVENT_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/apps/demo/event_summary.h"
#include "src/base/result.h"
#include "src/events/lanes.h"
#include "src/world/world.h"

namespace nowait {

class EventRecorder {
 public:
  static constexpr std::uint32_t kMostFrameBytes = 4u << 20;
  static constexpr std::size_t kMostSavedBytes = std::size_t{1} << 30;

  // sections: of the game that are open at once. save: whether to keep the streams for a file.
  static Result<EventRecorder> Create(std::uint32_t sections, bool save);

  EventLanes& lanes() { return *lanes_; }

  // kCapacity "memory"; "event file": kMostSavedBytes is reached.
  Result<void> EndFrame(std::uint64_t frame, const World& world);

  const EventSummary& summary() const { return summary_; }
  // The streams that EndFrame has saved, a blob a frame.
  std::vector<std::byte> TakeFile() { return std::exchange(file_, {}); }

 private:
  EventRecorder(std::unique_ptr<EventLanes> lanes, bool save)
      : lanes_(std::move(lanes)), save_(save) {}

  std::unique_ptr<EventLanes> lanes_;
  bool save_;
  EventSummary summary_;
  std::vector<std::byte> file_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_EVENT_RECORDER_H_
