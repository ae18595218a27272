#include "src/jobs/task_pool.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/jobs/alarm.h"
#include "src/jobs/device_hand.h"
#include "src/jobs/priority.h"
#include "src/jobs/run_job.h"
#include "src/sync/held_locks.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

// Different for pools whose ids could be mixed up: for 65,535 pools one after another.
std::uint16_t NextTag() {
  static EngineSync::mutex mutex;
  static std::uint16_t tag = 0;
  const ScopedLock lock(mutex);
  return ++tag;
}

std::uint32_t WorkersOf(const TaskPoolDef& def) {
  if (def.workers) return *def.workers;
  const auto cores = EngineSync::HardwareConcurrency();
  const auto mains = static_cast<std::uint32_t>(def.main_threads.size());
  return cores > mains ? cores - mains : 0;
}

// The users of the graph: the threads, and one more for all unregistered threads that answer.
std::uint32_t MembersOf(const TaskPoolDef& def) {
  return WorkersOf(def) + static_cast<std::uint32_t>(def.main_threads.size() + def.devices.size()) +
         1;
}

// A time that is not too long to be added to a point of time.
constexpr EngineSync::clock::duration kLongest = std::chrono::hours(24 * 365);
// After a thread was refused that was to serve a device.
constexpr EngineSync::clock::duration kAgain = std::chrono::milliseconds(100);

// Records what a worker did since it last slept.
void Record(const TaskCounts& counts, const TaskCounts& before) {
  const auto record = [](const char* name, std::uint64_t count) {
    if (count != 0) ProfileCount(name, static_cast<std::int64_t>(count));
  };
  record("tasks", counts.ran - before.ran);
  record("stale entries", counts.stale - before.stale);
  record("jobs", counts.lists.jobs - before.lists.jobs);
  record("stalls", counts.lists.stalls - before.lists.stalls);
  record("hidden stalls", counts.lists.hidden - before.lists.hidden);
  record("yields", counts.lists.yields - before.lists.yields);
}

}  // namespace

template <class Queues>
BasicTaskPool<Queues>::Presence::Presence(BasicTaskPool& in, std::uint32_t as)
    : pool(in),
      member(as),
      calls(as < in.threads()),
      thread(in.members_[as]),
      outer(std::exchange(Innermost(), this)),
      lane(in.lanes_[as]) {}

template <class Queues>
BasicTaskPool<Queues>::Presence::~Presence() {
  if (left_behind) return;
  pool.Count(thread);
  // Not always the innermost: registrations with several pools may end in any order.
  Presence** link = &Innermost();
  while (*link != nullptr && *link != this) link = &(*link)->outer;
  NOWAIT_ASSERT(*link == this, "a registration ends on its thread");
  if (*link == this) *link = outer;
}

template <class Queues>
typename BasicTaskPool<Queues>::Presence*& BasicTaskPool<Queues>::Innermost() {
  return EngineSync::PerThread<Presence*, BasicTaskPool>();
}

template <class Queues>
BasicTaskPool<Queues>::Registration::Registration(BasicTaskPool& pool, std::uint32_t member)
    : presence_(std::make_unique<Presence>(pool, member)) {}

template <class Queues>
BasicTaskPool<Queues>::Registration::Registration(Registration&&) noexcept = default;

template <class Queues>
BasicTaskPool<Queues>::Registration::~Registration() {
  if (presence_ == nullptr) return;
  BasicTaskPool& pool = presence_->pool;
  const std::uint32_t member = presence_->member;
  pool.scheduler_.Leave(presence_->thread);
  presence_.reset();
  const ScopedLock lock(pool.mutex_);
  pool.registered_[member] = false;
}

template <class Queues>
Result<void> BasicTaskPool<Queues>::Check(const TaskPoolDef& def) {
  const std::size_t mains = def.main_threads.size();
  if (mains == 0 || mains > 255) {
    return Fail(ErrorCode::kInvalidArgument, "main threads", static_cast<std::int64_t>(mains),
                "a pool has from 1 to 255");
  }
  const std::uint64_t members =
      std::uint64_t{def.workers.value_or(0)} + mains + def.devices.size() + 1;
  for (const auto* names : {&def.main_threads, &def.devices}) {
    for (auto name = names->begin(); name != names->end(); ++name) {
      if (std::find(names->begin(), name, *name) == name) continue;
      return Fail(ErrorCode::kInvalidArgument, names == &def.devices ? "devices" : "main threads",
                  name - names->begin(), "two have the same name");
    }
  }
  if (def.device_patience && *def.device_patience <= EngineSync::clock::duration::zero()) {
    return Fail(ErrorCode::kInvalidArgument, "device patience", def.device_patience->count(),
                "it is above zero");
  }
  if (!Scheduler::Graph::CanHave(0, members)) {
    return Fail(ErrorCode::kInvalidArgument, "threads", static_cast<std::int64_t>(members - 1),
                "and one: with 32 tasks for each there are more than 65,534");
  }
  if (!Scheduler::Graph::CanHave(def.capacity, MembersOf(def))) {
    return Fail(ErrorCode::kInvalidArgument, "open tasks", def.capacity,
                "with 32 more for each thread, and 32, there are more than 65,534");
  }
  return {};
}

template <class Queues>
Result<std::unique_ptr<BasicTaskPool<Queues>>> BasicTaskPool<Queues>::Create(TaskPoolDef def) {
  try {
    if (auto good = Check(def); !good) return std::unexpected(good.error());
    auto pool = std::make_unique<BasicTaskPool>(Key(), std::move(def));
    // Its destructor ends the threads that were started.
    if (!pool->refused_) return std::unexpected(pool->refused_.error());
    return pool;
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kCapacity, "memory", 0, "for a pool");
  }
}

template <class Queues>
BasicTaskPool<Queues>::BasicTaskPool(Key, TaskPoolDef def)
    : def_(std::move(def)),
      workers_(WorkersOf(def_)),
      scheduler_(
          {.graph = {.capacity = def_.capacity, .threads = MembersOf(def_), .tag = NextTag()},
           .workers = workers_,
           .names = static_cast<std::uint8_t>(def_.main_threads.size()),
           .lists = kMaxLists,
           .on_throw = {&OnThrow, this}}),
      registered_(threads(), false) {
  NOWAIT_ASSERT(Check(def_), "a pool is made from what Create takes");
  const auto join = [this](std::uint8_t name) {
    members_.emplace_back(scheduler_, static_cast<std::uint16_t>(members_.size()), name);
  };
  for (std::uint32_t i = 0; i < workers_; ++i) join(0);
  for (std::size_t i = 1; i <= def_.main_threads.size(); ++i) join(static_cast<std::uint8_t>(i));
  for (std::size_t i = 0; i < def_.devices.size(); ++i) {
    join(0);
    devices_.emplace_back(*this, static_cast<std::uint32_t>(i), scheduler_.graph().most_open());
  }
  join(0);  // for the threads that have not registered
  AddLanes();
  StartThreads();
}

template <class Queues>
void BasicTaskPool<Queues>::StartThreads() {
  threads_.reserve(workers_);
  for (auto& device : devices_) device.hand = std::make_shared<DeviceHand>();
  // From here on nothing throws: only the destructor ends threads that have been started.
  if (def_.device_patience && !devices_.empty()) refused_ = alarm_.Start();
  std::uint32_t started = 0;
  while (started < workers_ && refused_) {
    StartWorker(started);
    if (refused_) ++started;
  }
  if (!refused_) scheduler_.WorkersGone(workers_ - started);
  AwaitStarts(started);
  for (auto& device : devices_) {
    if (!refused_) return;
    auto thread = StartDevice(device, device.hand);
    if (!thread) {
      refused_ = std::unexpected(thread.error());
    } else {
      device.thread = std::move(*thread);
      device.hand->Open(true);
    }
  }
}

template <class Queues>
void BasicTaskPool<Queues>::StartWorker(std::uint32_t worker) {
  // Short enough to need no memory.
  const std::string name = "worker " + std::to_string(worker + 1);
  auto thread = EngineSync::thread::Start(name, [this, worker] { Work(worker); });
  if (thread) {
    threads_.push_back(std::move(*thread));
  } else {
    refused_ = std::unexpected(thread.error());
  }
}

template <class Queues>
Result<EngineSync::thread> BasicTaskPool<Queues>::StartDevice(Device& device,
                                                              std::shared_ptr<DeviceHand> hand) {
  return EngineSync::thread::Start(def_.devices[device.number],
                                   [this, &device, hand = std::move(hand)] {
                                     if (hand->Begins()) Serve(device, *hand);
                                   });
}

template <class Queues>
void BasicTaskPool<Queues>::AwaitStarts(std::uint32_t workers) {
  if (!def_.on_worker_start) return;
  mutex_.lock();
  while (started_ != workers) one_started_.wait(mutex_);
  if (refused_) refused_ = start_hooks_;
  mutex_.unlock();
}

// In the order in which a trace is read: main threads, then workers, then devices.
template <class Queues>
void BasicTaskPool<Queues>::AddLanes() {
  lanes_.assign(members_.size(), nullptr);
  if (def_.profile == nullptr) return;
  const auto add = [this](std::size_t member, const std::string& name) {
    lanes_[member] = def_.profile->AddLane(name).value_or(nullptr);
  };
  for (std::size_t i = 0; i < def_.main_threads.size(); ++i) {
    add(workers_ + i, def_.main_threads[i]);
  }
  for (std::uint32_t i = 0; i < workers_; ++i) add(i, "worker " + std::to_string(i + 1));
  for (std::size_t i = 0; i < def_.devices.size(); ++i) add(threads() + i, def_.devices[i]);
  std::vector<std::uint16_t> numbers;
  for (const Lane* lane : lanes_) {
    numbers.push_back(lane == nullptr ? Lane::kNoNumber : lane->number);
  }
  for (Lane* lane : lanes_) {
    if (lane == nullptr) continue;
    lane->pool = &scheduler_.queues();
    lane->of_pool = numbers;
  }
}

template <class Queues>
BasicTaskPool<Queues>::~BasicTaskPool() {
  if (closed_) return;
  for (auto& device : devices_) device.requests.Stop();
  {
    // No thread is registered, so the first main thread's part is free. This thread is present so
    // that what its jobs throw is reported and counted, too (ReportThrown).
    const Presence presence(*this, workers_);
    static_cast<void>(scheduler_.Close(presence.thread, TaskShutdown::kCancel));
  }
  EndDevices();
}

// The devices have answered everything, and no thread is left to ask for more.
template <class Queues>
void BasicTaskPool<Queues>::EndDevices() {
  for (auto& device : devices_) device.requests.End();
  for (auto& device : devices_) {
    EngineSync::thread last;
    {
      const ScopedLock lock(device.mutex);
      device.ended = true;
      last = std::move(device.thread);
    }
    if (last.joinable()) last.join();
  }
}

template <class Queues>
Result<typename BasicTaskPool<Queues>::Registration> BasicTaskPool<Queues>::Register(
    std::string_view main_thread) {
  const auto affinity = AffinityTo(main_thread);
  if (!affinity) return std::unexpected(affinity.error());
  if (Present() != nullptr) {
    return Fail(ErrorCode::kWrongPhase, "registration", *affinity,
                "the calling thread is one of the pool's");
  }
  const std::uint32_t member = workers_ + *affinity - 1;
  const ScopedLock lock(mutex_);
  if (registered_[member]) {
    return Fail(ErrorCode::kWrongPhase, "registration", *affinity, "the name is in use");
  }
  try {
    Registration made(*this, member);
    registered_[member] = true;
    return made;
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kCapacity, "memory", 0, "for a registration");
  }
}

template <class Queues>
Result<std::uint8_t> BasicTaskPool<Queues>::AffinityTo(std::string_view main_thread) const {
  const auto& names = def_.main_threads;
  const auto found = std::find(names.begin(), names.end(), main_thread);
  if (found == names.end()) return Fail(ErrorCode::kNotFound, "main thread");
  return static_cast<std::uint8_t>(found - names.begin() + 1);
}

template <class Queues>
const typename BasicTaskPool<Queues>::Presence* BasicTaskPool<Queues>::Present() const {
  for (const Presence* p = Innermost(); p != nullptr; p = p->outer) {
    if (&p->pool == this) return p;
  }
  return nullptr;
}

template <class Queues>
std::unexpected<Error> BasicTaskPool<Queues>::NotHere(const Presence* present) {
  return Fail(ErrorCode::kNotOwner, "pool", 0,
              present == nullptr ? "the calling thread is not registered"
                                 : "the calling thread only answers");
}

template <class Queues>
template <class Call>
std::invoke_result_t<Call, typename BasicTaskPool<Queues>::Thread&> BasicTaskPool<Queues>::WithHere(
    const Call& call) const {
  const Presence* const present = Present();
  if (present != nullptr && present->calls) [[likely]]
    return call(present->thread);
  return NotHere(present);
}
template <class Queues>
template <class Call>
std::invoke_result_t<Call, typename BasicTaskPool<Queues>::Thread&>
BasicTaskPool<Queues>::ChangeHere(const Call& call) const {
  NOWAIT_ASSERT(!InUpdate<EngineSync>(), "an update of game objects makes no task: its effects do");
  return WithHere(call);
}

template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::Add(const TaskDef& def) {
  return ChangeHere([&](Thread& here) { return scheduler_.Add(here, def); });
}
template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::AddCopied(void (*function)(void*),
                                                std::span<const std::byte> bytes,
                                                const TaskDef& def) {
  return ChangeHere([&](Thread& here) { return scheduler_.AddCopied(here, function, bytes, def); });
}
template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::AddList(JobList<>& list, const TaskDef& def) {
  return ChangeHere([&](Thread& here) { return scheduler_.AddList(here, list, def); });
}
template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::AddIdempotent(IdempotentJob& job, const TaskDef& def) {
  return ChangeHere([&](Thread& here) { return scheduler_.AddIdempotent(here, job, def); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::AddChild(TaskId parent, TaskId child) {
  return ChangeHere([&](Thread& here) { return scheduler_.AddChild(here, parent, child); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::DependsOn(TaskId task, TaskId dependency) {
  return ChangeHere([&](Thread& here) { return scheduler_.DependsOn(here, task, dependency); });
}
template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::WhenAll(std::span<const TaskId> tasks) {
  return ChangeHere([&](Thread& here) { return scheduler_.WhenAll(here, tasks); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::Submit(TaskId task) {
  return ChangeHere([&](Thread& here) { return scheduler_.Submit(here, task); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::Wait(TaskId task) {
  return WithHere([&](Thread& here) { return scheduler_.Wait(here, task); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::Wait(TaskId task, const WaitLimits& limits) {
  return WithHere([&](Thread& here) -> Result<void> {
    WaitBound bound{.least = static_cast<std::uint32_t>(limits.from)};
    if (bound.least >= kPriorities) {
      return Fail(ErrorCode::kInvalidArgument, "priority", bound.least, "there are three");
    }
    if (!limits.until) return scheduler_.Wait(here, task, bound);
    if (auto ready = alarm_.Start(); !ready) return ready;
    const Alarm::Time until = *limits.until;
    bound.gives_up = [](const void* time) {
      return EngineSync::clock::now() >= *static_cast<const Alarm::Time*>(time);
    };
    bound.data = &until;
    const auto wake = [](void* scheduler) { static_cast<Scheduler*>(scheduler)->Wake(); };
    const Alarm::Setting setting(alarm_, until, {wake, &scheduler_});
    return scheduler_.Wait(here, task, bound);
  });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::MayWait() const {
  return WithHere([&](Thread& here) { return scheduler_.MayWait(here); });
}
template <class Queues>
Result<bool> BasicTaskPool<Queues>::Cancel(TaskId task) {
  return ChangeHere([&](Thread& here) { return scheduler_.Cancel(here, task); });
}
template <class Queues>
Result<std::uint32_t> BasicTaskPool<Queues>::CancelGroup(TaskId task) {
  return ChangeHere([&](Thread& here) { return scheduler_.CancelGroup(here, task); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::CompleteExternal(TaskId task) {
  return guests_.Run(
      Present(),
      [this] { return Presence(*this, static_cast<std::uint32_t>(members_.size() - 1)); },
      [&](Thread& thread) { return scheduler_.CompleteExternal(thread, task); });
}

template <class Queues>
DeviceQueue<DeviceRequest>* BasicTaskPool<Queues>::Find(std::string_view device) {
  const auto found = std::find(def_.devices.begin(), def_.devices.end(), device);
  return found == def_.devices.end()
             ? nullptr
             : &devices_[static_cast<std::size_t>(found - def_.devices.begin())].requests;
}

template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::AddRequest(std::string_view device, DeviceRequest& request,
                                                 TaskId parent, TaskId dependency) {
  DeviceQueue<DeviceRequest>* const queue = Find(device);
  if (queue == nullptr) return Fail(ErrorCode::kNotFound, "device");
  if (auto begun = request.Begin(*queue); !begun) return std::unexpected(begun.error());
  const auto task = Add({.work = request.HandOver(),
                         .parent = parent,
                         .dependency = dependency,
                         .kind = TaskKind::kRequest});
  // The task is held: no other thread looks at the request yet.
  if (task) request.task_ = *task;
  return task;
}

template <class Queues>
Result<void> BasicTaskPool<Queues>::StopDevice(std::string_view device) {
  DeviceQueue<DeviceRequest>* const queue = Find(device);
  if (queue == nullptr) return Fail(ErrorCode::kNotFound, "device");
  queue->Stop();
  return {};
}

template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::Current() const {
  return WithHere([](Thread& here) { return Result<TaskId>(here.current()); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::DoWorkWhileWaitingFor(const std::function<bool()>& done) {
  return WithHere([&](Thread& here) { return scheduler_.DoWorkWhileWaitingFor(here, done); });
}

template <class Queues>
void BasicTaskPool<Queues>::ReportThrown() {
  const Presence* const here = Present();
  if (here == nullptr) return;
  RunJob({[](void*) { throw; }, nullptr}, here->thread.current(), {&OnThrow, this},
         here->thread.counts());
}

template <class Queues>
Result<void> BasicTaskPool<Queues>::Close(TaskShutdown how) {
  return WithHere([&](Thread& here) {
    if (how == TaskShutdown::kCancel && !here.current().IsTask()) {
      for (auto& device : devices_) device.requests.Stop();
    }
    auto closed = scheduler_.Close(here, how);
    if (closed) {
      closed_ = true;
      EndDevices();
      threads_.clear();
      guests_.Await();
      Count(here);
    }
    return closed;
  });
}

template <class Queues>
TaskCounts BasicTaskPool<Queues>::Counts() const {
  const ScopedLock lock(mutex_);
  return counts_;
}

template <class Queues>
void BasicTaskPool<Queues>::OnThrow(void* pool, TaskId task, const char* what) {
  const auto& on_throw = static_cast<BasicTaskPool*>(pool)->def_.on_throw;
  if (on_throw) on_throw(task, what);
}

template <class Queues>
void BasicTaskPool<Queues>::Work(std::uint32_t worker) {
  if (def_.on_worker_start) {
    const bool returned = CallHook(def_.on_worker_start, worker);
    const ScopedLock lock(mutex_);
    ++started_;
    if (!returned && start_hooks_) {
      start_hooks_ = Fail(ErrorCode::kWrongPhase, "worker start hook", worker, "it threw");
    }
    one_started_.notify_one();
    if (!returned) return scheduler_.WorkersGone(1);
  }
  {
    const Presence presence(*this, worker);
    Thread& thread = presence.thread;
    TaskCounts before;
    scheduler_.Work(thread, [&] {
      Record(thread.counts(), before);
      before = thread.counts();
    });
  }
  if (def_.on_worker_stop) static_cast<void>(CallHook(def_.on_worker_stop, worker));
}

// Whether it returned. An exception is reported and counted.
template <class Queues>
bool BasicTaskPool<Queues>::CallHook(const std::function<void(std::uint32_t)>& hook,
                                     std::uint32_t worker) {
  TaskCounts counts;
  auto call = [&] { hook(worker); };
  const auto run = [](void* data) { (*static_cast<decltype(call)*>(data))(); };
  const bool returned = RunJob({run, &call}, TaskId(), {&OnThrow, this}, counts);
  const ScopedLock lock(mutex_);
  counts_ += counts;
  return returned;
}

template <class Queues>
void BasicTaskPool<Queues>::Serve(Device& device, DeviceHand& hand) {
  Presence presence(*this, threads() + device.number);
  static_cast<void>(EngineSync::PutThreadFirst());
  while (DeviceRequest* const request = device.requests.Take()) {
    if (!ServeOne(device, hand, *request, presence)) {
      presence.left_behind = true;
      return;
    }
  }
}

// False: the thread has been left behind, and the pool may be gone.
template <class Queues>
bool BasicTaskPool<Queues>::ServeOne(Device& device, DeviceHand& hand, DeviceRequest& request,
                                     Presence& presence) {
  BasicTaskPool& pool = device.pool;
  if (request.IsRefused()) {
    request.Refuse(presence.thread.counts());
  } else {
    const DeviceRequest::Work work = request.work_;
    const auto& patience = pool.def_.device_patience;
    const bool watched = patience.has_value();
    if (watched) {
      const auto now = EngineSync::clock::now();
      hand.Serves(request, pool.alarm_, now + std::min(*patience, kLongest), device.Watch());
    }
    // Without the lane, which belongs to the device's next thread if this one is left behind.
    Lane* const lane = watched ? UseLane(nullptr) : nullptr;
    const std::uint64_t begun = lane != nullptr ? lane->clock() : 0;
    DeviceRequest::Served served = work.Do();
    if (watched && !hand.Claim()) return false;
    if (lane != nullptr) {
      lane->AddSpan({work.name, begun, lane->clock()});
      UseLane(lane);
    }
    request.Answer(std::move(served), {&OnThrow, &pool}, presence.thread.counts());
  }
  const bool failed = !request.answer();
  // From here on the request belongs to its maker again.
  const auto completed =
      pool.scheduler_.CompleteExternal(presence.thread, request.task(), true, failed);
  NOWAIT_ASSERT(completed, "a device completes each request once");
  return true;
}

// On the alarm's thread: another thread is to serve the device, if its own one hangs.
template <class Queues>
void BasicTaskPool<Queues>::LeaveBehind(Device& device) {
  DeviceRequest* request = nullptr;
  {
    const ScopedLock lock(device.mutex);
    const auto now = EngineSync::clock::now();
    if (device.ended || !device.hand->IsLate(now)) return;
    const auto next = OrNoMemory(
        []() -> Result<std::shared_ptr<DeviceHand>> { return std::make_shared<DeviceHand>(); });
    auto thread = next ? StartDevice(device, *next) : std::unexpected(next.error());
    if (!thread) return device.hand->WatchAgain(now, alarm_, now + kAgain, device.Watch());
    request = device.hand->LeaveBehind(now);
    (*next)->Open(request != nullptr);
    if (request == nullptr) return;  // which waits for the end of the new thread
    device.thread.detach();
    device.thread = std::move(*thread);
    device.hand = *next;
  }
  const auto completed = guests_.Run(
      Present(),
      [this] { return Presence(*this, static_cast<std::uint32_t>(members_.size() - 1)); },
      [&](Thread& thread) {
        request->Abandon(thread.counts());
        return scheduler_.CompleteExternal(thread, request->task(), true, true);
      });
  NOWAIT_ASSERT(completed, "a request is answered once");
}

template <class Queues>
void BasicTaskPool<Queues>::Count(Thread& thread) {
  const ScopedLock lock(mutex_);
  counts_ += std::exchange(thread.counts(), {});
}

template class BasicTaskPool<GlobalQueue<>>;
template class BasicTaskPool<WorkStealing<>>;

}  // namespace nowait
