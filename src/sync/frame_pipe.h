// FramePipe: buffers that go round between a thread that fills them and one that uses them up.
//
//   producer                              consumer
//     Frame& frame = pipe.Fill();           while (Frame* frame = pipe.Take()) {
//     ... frame ...                           ... *frame ...
//     pipe.Publish();                        pipe.Release();
//     pipe.End();   when there are no more  }
//
// With two buffers the consumer is at most one frame behind: while it uses frame n the producer fills
// frame n + 1, and then has to wait for it.
//
// Thread safety: Fill, Publish and End by one thread, Take and Release by one other.
// Blocking: Fill sleeps until a buffer has come back, Take until one has been handed over, or there are
// no more.
//
// Invariants
//   1. Each buffer's number is in one place: with the producer, in full_, with the consumer, in empty_.
//      So a ring with a cell for each, and one for the end, is never full.
//   2. Whoever puts a number into a ring notifies afterwards; whoever finds a ring empty announces that it
//      will sleep, and looks again (src/sync/event_count.h).
//
// Promise: frames are taken in the order in which they were handed over, each once. What the producer
// did before Publish happens before what the consumer does after the Take of that frame, and what that one
// did before Release before what the producer does with the buffer when it comes back.
//
// Source: the review's renderer back end, which consumes what the front end has made; the frame of latency
// is id's "Beyond Programming Shaders", 2009, which it quotes. Model: models/sync/spsc_ring,
// frame_pipe.cc. Lecture: publication: the single-producer ring.
#ifndef NOWAIT_SRC_SYNC_FRAME_PIPE_H_
#define NOWAIT_SRC_SYNC_FRAME_PIPE_H_

#include <cstddef>
#include <cstdint>

#include "src/base/assert.h"
#include "src/sync/event_count.h"
#include "src/sync/policy.h"
#include "src/sync/spsc_ring.h"

namespace nowait {

template <class T, class Sync = EngineSync>
class FramePipe {
 public:
  // buffers: at least 1, with which the two take turns. They are default-constructed.
  explicit FramePipe(std::uint32_t buffers)
      : buffers_(buffers), full_(std::size_t{buffers} + 1), empty_(buffers) {
    for (std::uint32_t i = 0; i < buffers; ++i) Put(empty_, i);
  }

  // The producer's.
  T& Fill() {
    given_back_.Await([this] { return empty_.TryPop(&filling_); });
    return buffers_[filling_];
  }
  void Publish() {
    Put(full_, filling_);
    handed_over_.NotifyAll();
  }
  // Once, after the last Publish.
  void End() {
    Put(full_, kEnd);
    handed_over_.NotifyAll();
  }

  // The consumer's. Null: there are no more, and none may be asked for.
  T* Take() {
    handed_over_.Await([this] { return full_.TryPop(&taken_); });
    return taken_ == kEnd ? nullptr : &buffers_[taken_];
  }
  void Release() {
    Put(empty_, taken_);
    given_back_.NotifyAll();
  }

 private:
  static constexpr std::uint32_t kEnd = ~std::uint32_t{0};

  static void Put(SpscRing<std::uint32_t, Sync>& ring, std::uint32_t buffer) {
    const bool has_room = ring.TryPush(buffer);
    NOWAIT_ASSERT(has_room, "each buffer is in one place");
    static_cast<void>(has_room);
  }

  SyncArray<Sync, T> buffers_;
  SpscRing<std::uint32_t, Sync> full_;
  SpscRing<std::uint32_t, Sync> empty_;
  EventCount<Sync> handed_over_;
  EventCount<Sync> given_back_;
  std::uint32_t filling_ = 0;            // the producer's
  alignas(64) std::uint32_t taken_ = 0;  // the consumer's
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_FRAME_PIPE_H_
