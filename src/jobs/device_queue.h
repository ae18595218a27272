// DeviceQueue: requests on their way to the one thread that serves a device.
//
//   any thread                              the device's thread
//     queue.Push(request);                    while (Request* request = queue.Take()) {
//                                               queue.stopped() ? refuse it : serve it
//     queue.Stop();                             answer the request
//     queue.End();  when no more can come     }
//
// A stopped device goes on taking requests, and refuses them. So there is no moment from which on a
// pushed request is found by no thread, and no request has to be searched for.
//
// Thread safety: Push, Stop and stopped from any thread, any time before End; End once, by a thread
// that comes after every Push; Take by the one thread.
// Progress: Push and Stop never wait for the device, however long it stalls: the queue has room for
// everything that may be in it. A Push that meets a Take which is emptying the next cell goes round
// until that has ended (src/jobs/bounded_queue.h). Take sleeps while there is nothing.
//
// Promise: each request is taken once, those of one thread in the order in which it pushed them,
// and Take returns null after all of them. The work before a Push happens before the return of that
// Take. A request whose Push comes after Stop finds the device stopped; one that is taken meanwhile
// is served or refused.
//
// Source: [cbloom2011]: requests are enqueued immediately, and a thread for each device wraps what
// can stall. Model: models/jobs/device_queue. Lecture: dependencies, helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_DEVICE_QUEUE_H_
#define NOWAIT_SRC_JOBS_DEVICE_QUEUE_H_

#include <atomic>
#include <cstddef>

#include "src/jobs/bounded_queue.h"
#include "src/sync/event_count.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Request, class Sync = EngineSync>
class DeviceQueue {
 public:
  // most: how many requests can be in the queue at the same time.
  explicit DeviceQueue(std::size_t most) : requests_(most + 1) {}

  void Push(Request& request) { Put(&request); }

  // From now on requests are to be refused.
  void Stop() {
    // relaxed: a later Push publishes it with the request.
    stopped_.store(true, std::memory_order::relaxed);
  }
  // To be asked after the Take of the request in question. relaxed: see Stop.
  bool stopped() const { return stopped_.load(std::memory_order::relaxed); }

  // No more requests follow.
  void End() { Put(nullptr); }

  // Null: the end; not to be called again.
  Request* Take() {
    Request* request = nullptr;
    pushed_.Await([&] { return requests_.TryPop(&request); });
    return request;
  }

 private:
  void Put(Request* request) {
    while (!requests_.TryPush(request)) Sync::Yield();
    pushed_.NotifyAll();
  }

  BoundedQueue<Request*, Sync> requests_;
  EventCount<Sync> pushed_;
  typename Sync::template atomic<bool> stopped_{false};
};

// Implementation: why this is right
//
// Invariants
//   1. At most `most` requests have been pushed and not taken, and one end. So "full" is said only
//      because of a Take that the Push overlaps.
//   2. Each Push notifies afterwards; Take announces that it will sleep, and looks again.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_DEVICE_QUEUE_H_
