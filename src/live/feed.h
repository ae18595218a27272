// LiveFeed: frames from the engine to the thread of the viewers, and commands back.
//
//   engine                                       viewers' thread
//     feed->Offer(world, moment, ...);             while (feed->TryTake(&frame) && frame) {
//     while (feed->TakeCommand(&command)) ...        ... *frame ...; feed->Release();
//                                                  }
//     feed->End();
//
// The engine never waits for a viewer. It copies a frame into a buffer that is back; when no buffer
// is back it leaves the frame out, for the price of one look. A viewers' thread that nobody watches
// keeps the buffers. Frames have numbers, so that each viewer can count those that it has missed.
//
// Thread safety: Offer, TakeCommand and End by one thread, which is the reader of the lanes'
// Lane::live rings; TryTake, Take, Release and Give by one other.
// Progress: Offer with kDrop copies the bodies under their locks (World::Snapshot), and is
// wait-free but for these; with kWait it sleeps until a buffer is back. The other calls but Take
// are wait-free.
//
// Structures: src/sync/frame_pipe.h, src/sync/spsc_ring.h, with their models.
// Source: [bitsquid2010], the profiler's events over a connection.
#ifndef NOWAIT_SRC_LIVE_FEED_H_
#define NOWAIT_SRC_LIVE_FEED_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/live/command.h"
#include "src/live/frame.h"
#include "src/profile/profile.h"
#include "src/sync/frame_pipe.h"
#include "src/sync/spsc_ring.h"
#include "src/world/world.h"

namespace nowait {

enum class WhenFull { kDrop, kWait };

class LiveFeed {
 public:
  // Spans of one frame; more are lost, and counted.
  static constexpr std::size_t kMostSpans = 1u << 16;
  static constexpr std::size_t kMostCommands = 64;  // on their way

  // buffers: 1 .. 64. profile: its lanes are all there; may be null; outlives the feed.
  // kInvalidArgument "feed buffers"; kCapacity "memory".
  static Result<std::unique_ptr<LiveFeed>> Create(std::uint32_t buffers, const Profile* profile);

  // The names of the profile's lanes, in their order. Any thread.
  const std::vector<std::string>& lanes() const { return lanes_; }

  // --- The engine's.

  // Copies the world's bodies, the last update's stats, the parts that viewers ask for (parts.h),
  // and the spans since the last call. In a game update, while no thread changes bodies. Returns
  // whether the frame was handed over. kCapacity "memory": it was not. Linear in bodies, spans and
  // contacts.
  Result<bool> Offer(const World& world, const LiveMoment& moment, WhenFull when_full);

  // False: there is no command. kShow is the feed's own: from then on frames have those parts.
  bool TakeCommand(LiveCommand* command);

  // Once, after the last Offer.
  void End() { frames_.End(); }

  // --- The viewers'.

  // False: no frame is there. Null: the engine has ended; then no more calls but Give.
  bool TryTake(LiveFrame** frame) { return frames_.TryTake(frame); }
  // The same, asleep until a frame is there.
  LiveFrame* Take() { return frames_.Take(); }
  void Release() { frames_.Release(); }

  // False: the engine has not taken the ones before, and the command is refused.
  bool Give(const LiveCommand& command) { return commands_.TryPush(command); }

 private:
  LiveFeed(std::uint32_t buffers, const Profile* profile);

  void TakeSpans(LiveFrame* frame);

  const Profile* const profile_;
  std::vector<std::string> lanes_;
  FramePipe<LiveFrame> frames_;
  SpscRing<LiveCommand> commands_;

  // The engine's.
  LiveFrame* held_ = nullptr;  // a buffer that is back and not filled: an Offer has failed
  std::uint64_t number_ = 0;
  bool offered_last_ = false;
  LiveParts parts_;
  std::vector<std::uint64_t> lane_lost_;  // of each lane, as seen last
  std::uint64_t lost_spans_ = 0;
};

// Implementation: why this is right
//
// Invariants
//   1. Each Offer takes the spans out of the rings only when it has a buffer: without a viewer a
//      ring is full, and each span costs the lane one comparison.
//   2. After frames that were left out the rings have old spans, or the oldest of them. Those that
//      ended before the frame's own begin are thrown away then and not counted: no viewer has seen
//      the frame that they belong to.

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_FEED_H_
