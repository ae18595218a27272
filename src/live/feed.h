// LiveFeed: frames from the engine to the thread of the viewers, and commands back.
//
//   engine                                       viewers' thread
//     feed->Offer(world, moment, ...);             while (feed->TryTake(&frame) && frame) {
//     while (feed->TakeCommand(&command)) ...        ... *frame ...; feed->Release();
//                                                  }
//     feed->End();
//
// The engine never waits for a viewer. It copies a frame into a returned buffer. If no buffer has
// been returned, it leaves the frame out, at the cost of one look. The viewers' thread keeps the
// buffers while nobody watches. Frames are numbered, so that each viewer can count those that it
// has missed.
//
// Thread safety: Offer, TakeCommand and End by one thread, which reads the Lane::live rings of the
// lanes; TryTake, Take, Release and Give by one other thread.
// Progress: Offer with kDrop copies the bodies under their locks (World::Snapshot), casts a
// viewer's ray (World::TraceRay) under those of the bodies in its way, helps the pool while a
// camera is there (sights.h), and is otherwise wait-free; with kWait it sleeps until a buffer is
// returned. The other calls except Take are wait-free.
//
// Structures: src/sync/frame_pipe.h, src/sync/spsc_ring.h, with their models.
// Source: [bitsquid2010], the profiler's events over a connection.
#ifndef NOWAIT_SRC_LIVE_FEED_H_
#define NOWAIT_SRC_LIVE_FEED_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"
#include "src/live/command.h"
#include "src/live/frame.h"
#include "src/live/sights.h"
#include "src/profile/profile.h"
#include "src/sync/frame_pipe.h"
#include "src/sync/spsc_ring.h"
#include "src/world/world.h"

namespace nowait {

enum class WhenFull { kDrop, kWait };

class LiveFeed {
 public:
  // The most spans and tasks, each, of one frame; further ones are lost, and counted.
  static constexpr std::size_t kMostSpans = 1u << 16;
  static constexpr std::size_t kMostCommands = 64;  // in transit

  // buffers: 1 .. 64. profile: may be null; must have all its lanes and must outlive the feed.
  // pool: finds what cameras see, outlives the feed, and the engine's thread is registered with it;
  // where it is null, frames have no sights, and every viewer gets every body. kInvalidArgument
  // "feed buffers"; kCapacity "memory".
  static Result<std::unique_ptr<LiveFeed>> Create(std::uint32_t buffers, const Profile* profile,
                                                  TaskPool* pool = nullptr);

  // The names of the profile's lanes, in order. Any thread.
  const std::vector<std::string>& lanes() const { return lanes_; }

  // --- For the engine.

  // Copies the world's bodies, the last update's stats, the parts that viewers ask for (parts.h),
  // and the spans and tasks since the last call. Called in a game update, while no thread changes
  // bodies. Returns whether the frame was passed on. kCapacity "memory", and errors of
  // Sights::Find: it was not. Linear in bodies, spans, tasks and contacts.
  Result<bool> Offer(const World& world, const LiveMoment& moment, WhenFull when_full);

  // Returns false if there is no command. The feed handles kShow, kRay and kLook: later frames have
  // those parts, the way of that ray, and what that camera sees.
  bool TakeCommand(LiveCommand* command);

  // Called once, after the last Offer.
  void End() { frames_.End(); }

  // --- For the viewers' thread.

  // False: no frame is available. Null: the engine has ended; then only Give may still be called.
  bool TryTake(LiveFrame** frame) { return frames_.TryTake(frame); }
  // The same, but sleeps until a frame is available.
  LiveFrame* Take() { return frames_.Take(); }
  void Release() { frames_.Release(); }

  // Returns false, and refuses the command, if the engine has not taken the earlier ones.
  bool Give(const LiveCommand& command) { return commands_.TryPush(command); }

 private:
  LiveFeed(std::uint32_t buffers, const Profile* profile, TaskPool* pool);

  void TakeEntries(LiveFrame* frame);

  const Profile* const profile_;
  TaskPool* const pool_;
  std::vector<std::string> lanes_;
  FramePipe<LiveFrame> frames_;
  SpscRing<LiveCommand> commands_;

  // For the engine.
  LiveFrame* held_ = nullptr;  // a returned buffer that was not filled, because an Offer failed
  std::uint64_t number_ = 0;
  bool offered_last_ = false;
  LiveParts parts_;
  std::optional<RayCast> ray_;
  Sights sights_;
  std::vector<std::uint64_t> lane_lost_;        // by lane, as last seen
  std::vector<std::uint64_t> lane_tasks_lost_;  // likewise
  std::uint64_t lost_spans_ = 0;                // and tasks
};

// Implementation: why this is right
//
// Invariants
//   1. Each Offer takes the spans and tasks out of the rings only when it has a buffer: without a
//      viewer the rings are full, and each entry costs its lane one comparison.
//   2. After frames that were left out, the rings hold old entries, or the oldest of them. Those
//      that ended before the frame's own begin are then dropped and not counted: no viewer has seen
//      the frame that they belong to.
//   3. A task is in the message of its first span, or in an earlier one: the spans of all lanes are
//      taken first, and a task's record is in its ring before the task is submitted.

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_FEED_H_
