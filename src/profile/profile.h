// Profile: the work of each thread, with timing.
//
//   Profile profile({.lanes = 8, .spans_per_lane = 1 << 16});
//   auto lane = profile.AddLane("worker 1");
//   if (!lane) return std::unexpected(lane.error());
//   ...                                             on the thread that the lane is for:
//   LaneScope use(*lane);
//   { ProfileScope scope("narrow phase"); ... }     a span, from here to the closing brace
//   ProfileCount("contacts", n);                    the value at this moment
//   ProfileMark("steal", victim);                   a moment, and what it is about
//   ProfileTask(pool, {.task = 7, ...});            a task that this thread has made
//
// There is no global profile: a Profile is a value that the application owns, and an application
// that measures nothing sets no lane. Spans without room are counted in `lost`.
//
// Thread safety: AddLane from one thread at a time. A lane is written only by the thread that uses
// it at the time. Lanes are plain data: they are read (lanes(), chrome_trace.h, summary.h) after
// the threads that wrote them have been joined or have otherwise been ordered before the reader.
// Lane::live alone may be read meanwhile, by one thread.
// Progress: wait-free. Without a lane, a scope costs one load of a thread-local and a branch at
// each end; the clock is not read. With one it costs two readings of the clock and of the core
// (core.h) and one write of 32 bytes to memory that only this thread writes; a mark costs one
// reading of each, a task one of the clock.
//
// Source: [bitsquid2010], "First profiler screenshot": scopes as nested bars, one lane a thread.
#ifndef NOWAIT_SRC_PROFILE_PROFILE_H_
#define NOWAIT_SRC_PROFILE_PROFILE_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/profile/core.h"
#include "src/sync/policy.h"
#include "src/sync/spsc_ring.h"

namespace nowait {

// Nanoseconds since a fixed moment. Injected, so that tests need no real time.
using ProfileClock = std::uint64_t (*)();

// The default: the policy's steady clock.
inline std::uint64_t SteadyNanoseconds() {
  const auto now = EngineSync::clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

// One whose begin is its end is a mark: a moment.
struct Span {
  static constexpr std::uint32_t kAboutNothing = ~std::uint32_t{0};

  const char* name;  // a string that outlives the profile, in practice a literal
  std::uint64_t begin;
  std::uint64_t end;
  std::uint32_t about = kAboutNothing;  // a number whose meaning the name says
  std::uint16_t begin_core = kNoCore;   // on which the thread ran then
  std::uint16_t end_core = kNoCore;     // another one: it was switched out in between
};
static_assert(sizeof(void*) != 8 || sizeof(Span) == 32);

struct Sample {
  const char* name;
  std::uint64_t time;
  std::int64_t value;
};

// That a task was made, or was given a parent or a dependency later. A span of its work, and a wait
// for it, are about its number, which a later task may have again once this one is complete.
struct TaskRecord {
  enum class Kind : std::uint8_t { kWork, kEmpty, kList, kIdempotent, kExternal, kLink };
  static constexpr std::uint32_t kNoTask = Span::kAboutNothing;

  std::uint64_t time;
  std::uint32_t task;
  std::uint32_t parent = kNoTask;      // complete only when this one is
  std::uint32_t dependency = kNoTask;  // complete before this one begins
  Kind kind = Kind::kWork;             // kLink: a later parent or dependency, of a task made before
  std::uint8_t priority = 0;           // 0 is the most urgent one
  bool bound = false;                  // to the one thread that may run it
};
static_assert(sizeof(TaskRecord) == 24);

// A span or a task's record for a reader that does not wait for the end of the thread.
template <class T>
struct Live {
  T entry;
  std::uint64_t lost;  // of its kind and lane, up to this one, for which the ring had no room
};

// The spans and samples of one thread.
struct alignas(64) Lane {
  // Of a thread that has no lane, or of one beyond the numbers.
  static constexpr std::uint16_t kNoNumber = 0xffff;

  std::string name;
  std::uint16_t number = kNoNumber;  // its index in Profile::lanes()
  ProfileClock clock = SteadyNanoseconds;
  ProfileCore core = CoreNow;
  std::vector<Span> spans;
  std::vector<Sample> samples;
  std::vector<TaskRecord> tasks;  // that its thread has made, by time
  std::uint64_t lost = 0;         // spans, samples and tasks for which there was no room
  // The newest spans and tasks again, for one other thread that takes them while this one runs;
  // null if the profile has no such reader. A full ring drops the entry.
  std::unique_ptr<SpscRing<Live<Span>>> live;
  std::unique_ptr<SpscRing<Live<TaskRecord>>> live_tasks;
  std::uint64_t live_lost = 0;  // spans
  std::uint64_t live_tasks_lost = 0;
  // The numbers of the lanes of its thread's pool, by the threads' numbers there. The pool is known
  // by the address of its queues: a thread may be one of several, and has the lane of one of them.
  const void* pool = nullptr;
  std::vector<std::uint16_t> of_pool;

  void AddSpan(const Span& span) {
    if (live != nullptr && !live->TryPush({span, live_lost})) ++live_lost;
    Add(spans, span);
  }
  void AddSample(const Sample& sample) { Add(samples, sample); }
  void AddTask(const TaskRecord& task) {
    if (live_tasks != nullptr && !live_tasks->TryPush({task, live_tasks_lost})) ++live_tasks_lost;
    Add(tasks, task);
  }

 private:
  template <class T>
  void Add(std::vector<T>& to, const T& entry) {
    if (to.size() == to.capacity()) {
      ++lost;
    } else {
      to.push_back(entry);
    }
  }
};

struct ProfileDef {
  std::uint32_t lanes = 16;
  std::uint32_t spans_per_lane = 1u << 16;  // and tasks
  std::uint32_t samples_per_lane = 1u << 12;
  std::uint32_t live_spans_per_lane = 0;  // of Lane::live, and tasks of live_tasks; 0: no rings
  ProfileClock clock = SteadyNanoseconds;
  ProfileCore core = CoreNow;
};

class Profile {
 public:
  explicit Profile(const ProfileDef& def) : def_(def) {}

  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  // Adds a lane that lives as long as the profile. kCapacity "profile lanes" if all have been given
  // out, "memory" if the system has too little for another one; then no lane is added.
  Result<Lane*> AddLane(std::string name);

  const std::deque<Lane>& lanes() const { return lanes_; }

  // The number of spans, samples and tasks of all lanes for which there was no room.
  std::uint64_t lost() const;

  // Empties the lanes, which stay in use.
  void Clear();

 private:
  ProfileDef def_;
  std::deque<Lane> lanes_;  // a deque, so that lanes stay where they are
};

namespace profile_internal {
// One load: see PerThread.
inline Lane*& CurrentLane() { return EngineSync::PerThread<Lane*, Lane>(); }

// Out of line, here and below: a thread without a lane saves no registers for them.
[[gnu::noinline]] inline void AddMark(Lane& lane, const char* name, std::uint32_t about) {
  const std::uint64_t now = lane.clock();
  const std::uint16_t core = lane.core();
  lane.AddSpan({name, now, now, about, core, core});
}

[[gnu::noinline]] inline void AddSteal(Lane& lane, const char* name, const void* pool,
                                       std::uint32_t from) {
  if (lane.pool != pool || from >= lane.of_pool.size()) return;
  const std::uint16_t other = lane.of_pool[from];
  if (other == lane.number) return;
  AddMark(lane, name, other == Lane::kNoNumber ? Span::kAboutNothing : other);
}
}  // namespace profile_internal

// The number of this thread's lane, or Lane::kNoNumber.
inline std::uint16_t LaneNumber() {
  const Lane* const lane = profile_internal::CurrentLane();
  return lane == nullptr ? Lane::kNoNumber : lane->number;
}

// Makes `lane` the lane of this thread (null: no lane), and returns the previous one.
inline Lane* UseLane(Lane* lane) { return std::exchange(profile_internal::CurrentLane(), lane); }

// Uses a lane during its lifetime. The scopes of one thread may end in any order: a thread may
// register with two pools, of two types, and leave the first one first. The first lane may be gone
// before the second scope ends, which then restores the lane from before both. Wait-free; linear in
// the number of this thread's younger scopes.
class LaneScope {
 public:
  explicit LaneScope(Lane* lane)
      : previous_(UseLane(lane)), older_(std::exchange(Youngest(), this)) {}
  ~LaneScope() {
    LaneScope** link = &Youngest();
    LaneScope* younger = nullptr;  // the one that began next on this thread
    while (*link != nullptr && *link != this) {
      younger = *link;
      link = &younger->older_;
    }
    NOWAIT_ASSERT(*link == this, "a lane is left on the thread that used it");
    if (*link != this) return;
    *link = older_;
    if (younger == nullptr) {
      UseLane(previous_);
    } else {
      younger->previous_ = previous_;
    }
  }
  LaneScope(const LaneScope&) = delete;
  LaneScope& operator=(const LaneScope&) = delete;

 private:
  static LaneScope*& Youngest() { return EngineSync::PerThread<LaneScope*, LaneScope>(); }

  Lane* previous_;
  LaneScope* older_;
};

// Measures the block that it is declared in.
class ProfileScope {
 public:
  // about: Span::about.
  explicit ProfileScope(const char* name, std::uint32_t about = Span::kAboutNothing)
      : lane_(profile_internal::CurrentLane()) {
    if (lane_ != nullptr) [[unlikely]]
      Begin(name, about);
  }
  ~ProfileScope() {
    if (lane_ != nullptr) [[unlikely]]
      End();
  }
  ProfileScope(const ProfileScope&) = delete;
  ProfileScope& operator=(const ProfileScope&) = delete;

 private:
  // Out of line, so that they cost a thread without a lane nothing.
  [[gnu::noinline]] void Begin(const char* name, std::uint32_t about) {
    name_ = name;
    about_ = about;
    core_ = lane_->core();
    begin_ = lane_->clock();
  }
  [[gnu::noinline]] void End() {
    const std::uint64_t end = lane_->clock();
    lane_->AddSpan({name_, begin_, end, about_, core_, lane_->core()});
  }

  Lane* const lane_;
  const char* name_;  // set only with a lane, as the others
  std::uint64_t begin_;
  std::uint32_t about_;
  std::uint16_t core_;
};

// Records the value of a counter at this moment.
inline void ProfileCount(const char* name, std::int64_t value) {
  Lane* const lane = profile_internal::CurrentLane();
  if (lane != nullptr) lane->AddSample({name, lane->clock(), value});
}

// Records that something has happened now. about: Span::about.
inline void ProfileMark(const char* name, std::uint32_t about) {
  Lane* const lane = profile_internal::CurrentLane();
  if (lane != nullptr) [[unlikely]]
    profile_internal::AddMark(*lane, name, about);
}

// Records that this thread has just taken something from the thread with this number in a pool
// (Lane::pool). The mark is about that thread's lane, or about nothing if that thread has no lane.
// A thread that takes its own steals nothing. Nothing is recorded in the lane of another pool,
// which does not know the number.
inline void ProfileSteal(const char* name, const void* pool, std::uint32_t from) {
  Lane* const lane = profile_internal::CurrentLane();
  if (lane != nullptr) [[unlikely]]
    profile_internal::AddSteal(*lane, name, pool, from);
}

// Records that this thread has just made a task of a pool, or linked one. task.time is set here.
// Nothing is recorded in the lane of another pool: numbers are those of one pool.
inline void ProfileTask(const void* pool, TaskRecord task) {
  Lane* const lane = profile_internal::CurrentLane();
  if (lane == nullptr || lane->pool != pool) return;
  task.time = lane->clock();
  lane->AddTask(task);
}

// Records a wait that ends now, of which the length is known. It begins at the earliest at the
// clock's zero: the length may be of another clock. On which core it began is not known any more.
inline void ProfileWaited(const char* name, std::chrono::nanoseconds waited, std::uint32_t about) {
  Lane* const lane = profile_internal::CurrentLane();
  if (lane == nullptr) return;
  const std::uint64_t now = lane->clock();
  const std::uint64_t length = std::min(static_cast<std::uint64_t>(waited.count()), now);
  lane->AddSpan({name, now - length, now, about, kNoCore, lane->core()});
}

// Implementation: why this is right
//
// A scope finds its lane through a thread-local pointer, so that code in any layer can be measured
// without a profile as a parameter.
//
// Invariants
//   1. A lane's arrays never grow beyond the capacity reserved at creation, so they never move and
//      a scope never allocates. Spans without room are counted in `lost`, and the reports show it.
//   2. A span is written when it ends. Spans of one lane therefore nest or are disjoint, and a lane
//      is sorted by the time at which they ended.

}  // namespace nowait

#endif  // NOWAIT_SRC_PROFILE_PROFILE_H_
