#include "src/jobs/task_pool.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "src/base/assert.h"
#include "src/jobs/device_hand.h"
#include "src/jobs/run_job.h"
#include "src/jobs/task_pool_calls.h"
#include "src/jobs/task_pool_def.h"
#include "src/jobs/task_pool_devices.h"
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
Result<std::unique_ptr<BasicTaskPool<Queues>>> BasicTaskPool<Queues>::Create(TaskPoolDef def) {
  try {
    if (auto good = def.Check(); !good) return std::unexpected(good.error());
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
      workers_(def_.Workers()),
      scheduler_({.graph = {.capacity = def_.capacity, .threads = def_.Members(), .tag = NextTag()},
                  .workers = workers_,
                  .names = static_cast<std::uint8_t>(def_.main_threads.size()),
                  .named_workers = static_cast<std::uint8_t>(def_.named_workers),
                  .lists = kMaxLists,
                  .on_throw = {&OnThrow, this}}),
      registered_(threads(), false) {
  NOWAIT_ASSERT(def_.Check(), "a pool is made from what Create takes");
  const auto join = [this](std::uint8_t name) {
    members_.emplace_back(scheduler_, static_cast<std::uint16_t>(members_.size()), name);
  };
  for (std::uint32_t i = 0; i < workers_; ++i) join(AffinityToWorker(i).value_or(0));
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
Result<std::uint8_t> BasicTaskPool<Queues>::AffinityToWorker(std::uint32_t worker) const {
  if (worker >= def_.named_workers) {
    return Fail(ErrorCode::kNotFound, "named worker", worker, "it is none of TaskPoolDef's");
  }
  return static_cast<std::uint8_t>(def_.main_threads.size() + worker + 1);
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
void BasicTaskPool<Queues>::Count(Thread& thread) {
  const ScopedLock lock(mutex_);
  counts_ += std::exchange(thread.counts(), {});
}

template class BasicTaskPool<GlobalQueue<>>;
template class BasicTaskPool<WorkStealing<>>;

}  // namespace nowait
