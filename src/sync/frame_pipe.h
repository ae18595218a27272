// FramePipe: buffers that circulate between a thread that fills them and a thread that consumes
// them.
//
//   producer                              consumer
//     Frame& frame = pipe.Fill();           while (Frame* frame = pipe.Take()) {
//     ... frame ...                           ... *frame ...
//     pipe.Publish();                         pipe.Release();
//     pipe.End();   after the last          }
//
// With two buffers the consumer is at most one frame behind: while it uses frame n, the producer
// fills frame n + 1, and then has to wait for a buffer.
//
// Thread safety: Fill, TryFill, Publish and End by one thread, Take, TryTake and Release by one
// other.
// Blocking: Fill sleeps until a buffer has come back, Take until a frame has been published or the
// producer has ended.
//
// Promise: frames are taken in the order in which they were published, each once. The producer's
// work before Publish happens before the consumer's work after the Take of that frame. The
// consumer's work before Release happens before the producer's work with the buffer when it comes
// back.
//
// Source: [sanglard2013]: the renderer's back end consumes the front end's work. The frame of
// latency is that of id's "Beyond Programming Shaders", 2009, which it quotes. Model:
// models/sync/spsc_ring, frame_pipe.cc. Lecture: publication: the single-producer ring.
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
  // buffers: at least 1; with 1 the two threads take turns. They are default-constructed.
  explicit FramePipe(std::uint32_t buffers)
      : buffers_(buffers), full_(std::size_t{buffers} + 1), empty_(buffers) {
    for (std::uint32_t i = 0; i < buffers; ++i) Put(empty_, i);
  }

  // For the producer.
  T& Fill() {
    given_back_.Await([this] { return empty_.TryPop(&filling_); });
    return buffers_[filling_];
  }
  // Like Fill, for a producer that must not wait: null if no buffer has come back. Wait-free.
  T* TryFill() { return empty_.TryPop(&filling_) ? &buffers_[filling_] : nullptr; }
  void Publish() {
    Put(full_, filling_);
    handed_over_.NotifyAll();
  }
  // Called once, after the last Publish.
  void End() {
    Put(full_, kEnd);
    handed_over_.NotifyAll();
  }

  // For the consumer. Null: the producer has ended, and Take must not be called again.
  T* Take() {
    handed_over_.Await([this] { return full_.TryPop(&taken_); });
    return taken_ == kEnd ? nullptr : &buffers_[taken_];
  }
  // Like Take, for a consumer with other work: false if no frame is available. Wait-free.
  bool TryTake(T** frame) {
    if (!full_.TryPop(&taken_)) return false;
    *frame = taken_ == kEnd ? nullptr : &buffers_[taken_];
    return true;
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

// Implementation: why this is right
//
// Invariants
//   1. Each buffer's number is in one place: with the producer, in full_, with the consumer, or in
//      empty_. A ring with a cell for each buffer, and a cell for the end, is never full.
//   2. A thread that puts a number into a ring notifies afterwards. A thread that finds a ring
//      empty announces that it will sleep, and looks again (src/sync/event_count.h).

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_FRAME_PIPE_H_
