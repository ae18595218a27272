// DeviceRequest: something that may stall, for the thread of the device where it does.
//
//   auto pool = TaskPool::Create({.devices = {"disk"}});
//   if (!pool) return std::unexpected(pool.error());
//   ...                                            // Register
//   DeviceRequest load("load", &Load, &level);
//   auto loaded = (*pool)->AddRequest("disk", load);
//   if (!loaded) return std::unexpected(loaded.error());
//   auto show = (*pool)->Add({.work = {&Show, &level}, .dependency = *loaded});
//   if (!show) return std::unexpected(show.error());
//   auto waited = (*pool)->Wait(*show);            // helps with other tasks, never with the device
//   if (!waited) return waited;
//   return load.answer();
//
// A request is a task, put into its device's queue when it is submitted and its dependency is
// complete. Its id can be polled, waited for while helping, and used as a dependency. It can be
// cancelled until it is in that queue. Its task fails if its answer is an error.
// Thread safety: made by one thread, which leaves it alone, and in its place, until its task is
// complete. Then it may be made again, unless it was abandoned (kWrongPhase): its data are in use.
// Promise: serve is called once, on the device's thread, and its work happens before the task is
// complete; or it is never called, and answer() is one of the errors behind the class. The
// exception is a request that was abandoned (TaskPoolDef::device_patience): its serve goes on.
//
// Source: [cbloom2011]: one thread for each device that can stall, and a handle to ask for
// completion; [bitsquid2010]: work for an external processor. Lecture: dependencies, helping waits,
// devices.
#ifndef NOWAIT_SRC_JOBS_DEVICE_H_
#define NOWAIT_SRC_JOBS_DEVICE_H_

#include <exception>
#include <memory>
#include <utility>

#include "src/base/result.h"
#include "src/jobs/device_queue.h"
#include "src/jobs/job.h"
#include "src/jobs/run_job.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_id.h"

namespace nowait {

class DeviceRequest {
 public:
  // May stall. Neither makes tasks nor waits for any.
  using Serve = Result<void> (*)(void* data);

  // name: of the span in a profile; a literal. owner: of what data points to; the device's thread
  // shares it while it serves. A request without one that was abandoned uses its data for ever.
  DeviceRequest(const char* name, Serve serve, void* data, std::shared_ptr<const void> owner = {})
      : work_{name, serve, data, std::move(owner)} {}
  DeviceRequest(const DeviceRequest&) = delete;
  DeviceRequest& operator=(const DeviceRequest&) = delete;

  TaskId task() const { return task_; }
  // The answer of a complete request.
  const Result<void>& answer() const { return answer_; }

 private:
  template <class Queues>
  friend class BasicTaskPool;

  Result<void> Begin(DeviceQueue<DeviceRequest>& device) {
    if (abandoned_) return Refused("it has been abandoned");
    device_ = &device;
    answer_ = Refused("cancelled");
    return {};
  }
  // The work of its external task.
  Job HandOver() {
    return {[](void* data) {
              auto& request = *static_cast<DeviceRequest*>(data);
              request.device_->Push(request);
            },
            this};
  }
  // The end of serve: its value, or its exception.
  struct Served {
    Result<void> answer;
    std::exception_ptr thrown;
  };
  // Apart from the request, which may be gone when serve returns.
  struct Work {
    Served Do() const;

    const char* name;
    Serve serve;
    void* data;
    std::shared_ptr<const void> owner;
  };
  // On the device's thread.
  bool IsRefused() const { return device_->stopped(); }
  void Answer(Served served, const ThrownReport& on_throw, TaskCounts& counts);
  void Refuse(TaskCounts& counts);
  // On another one, for a thread that hangs.
  void Abandon(TaskCounts& counts);

  static std::unexpected<Error> Refused(const char* why) {
    return Fail(ErrorCode::kWrongPhase, "request", 0, why);
  }

  const Work work_;
  DeviceQueue<DeviceRequest>* device_ = nullptr;
  TaskId task_;
  bool abandoned_ = false;
  Result<void> answer_ = Refused("cancelled");
};

// Implementation: answers and order
//
// The answer is what serve returned, or
//   kWrongPhase  "cancelled"          before the device had it, or because the pool was shut down
//   kWrongPhase  "the device stopped" TaskPool::StopDevice
//   kWrongPhase  "it threw"           serve was called and threw; TaskPoolDef::on_throw got it
//   kTimeout     "it has been abandoned"  serve lasts for longer than TaskPoolDef::device_patience
//
// An abandoned request leaves its thread behind, and another one serves the device from then on
// (device_hand.h). The thread goes on in serve, which may return some day: until then it uses what
// its data point to, and an owner keeps that alive.
//
// The device's thread stalls, in the order of the requests. It asks the system to be scheduled
// before the workers, as they can go on when it has answered.
//
// The queue has room for every task that can be open. A program that makes too many requests gets
// kCapacity ("open tasks") from TaskPool::AddRequest, as for every other task, and nothing fails
// later.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_DEVICE_H_
