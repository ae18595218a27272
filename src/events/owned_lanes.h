// OwnedLanes: lanes that one thread each takes and gives back, and that one thread has all at once
// when no other has any.
//
//   // any thread                                   // one thread
//   auto owner = lanes.Take();                      const bool had_all = lanes.TakeAll([&] {
//   if (owner) (*owner)->Post(event);                 for (Lane& lane : lanes.all()) Read(lane);
//                                                   });
//
// Thread safety: Take and the end of an Owner from any thread, any time; an Owner belongs to one
// thread at a time. TakeAll from one thread at a time.
// Progress: lock-free (src/sync/index_pool.h). TakeAll never waits.
//
// Promise: a lane has one owner at a time, and what its last owner did there happens before what
// the next one does. The work of TakeAll is an owner of all lanes. TakeAll does without its work
// exactly if it has found a lane with an owner; meanwhile, and beside its work, a Take may find no
// lane.
//
// Model: models/events/owned_lanes. Lecture: events without a dispatcher.
#ifndef NOWAIT_SRC_EVENTS_OWNED_LANES_H_
#define NOWAIT_SRC_EVENTS_OWNED_LANES_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "src/sync/index_pool.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Lane, class Sync = EngineSync>
class OwnedLanes {
 public:
  // Of one lane; its destructor gives the lane back. Movable.
  class Owner {
   public:
    Owner(Owner&& other) noexcept
        : lanes_(std::exchange(other.lanes_, nullptr)), index_(other.index_) {}
    Owner& operator=(Owner&&) = delete;
    ~Owner() {
      if (lanes_ != nullptr) lanes_->free_.Return(index_);
    }

    Lane& operator*() const { return lanes_->lanes_[index_]; }
    Lane* operator->() const { return &**this; }

   private:
    friend class OwnedLanes;
    Owner(OwnedLanes* lanes, std::uint32_t index) : lanes_(lanes), index_(index) {}

    OwnedLanes* lanes_;
    std::uint32_t index_;
  };

  // count: of lanes, at least 1; each is made of `arguments`. Throws what a lane's constructor
  // throws, and std::bad_alloc.
  template <class... Arguments>
  explicit OwnedLanes(std::uint32_t count, const Arguments&... arguments) : free_(count) {
    for (std::uint32_t i = 0; i < count; ++i) lanes_.emplace_back(arguments...);
    taken_.reserve(count);
  }

  std::uint32_t count() const { return free_.capacity(); }

  // A lane without an owner, or nothing if each has one.
  std::optional<Owner> Take() {
    const std::uint32_t index = free_.Take();
    if (index == IndexPool<Sync>::kNone) return std::nullopt;
    return Owner(this, index);
  }

  // Calls work() as the owner of all lanes, or returns false. An exception of work() goes on.
  template <class Work>
  bool TakeAll(const Work& work) {
    const GiveBack give_back{*this};
    for (std::uint32_t index = free_.Take(); index != IndexPool<Sync>::kNone;
         index = free_.Take()) {
      taken_.push_back(index);
    }
    if (taken_.size() != lanes_.size()) return false;
    work();
    return true;
  }

  // For the work of TakeAll.
  std::deque<Lane>& all() { return lanes_; }

 private:
  struct GiveBack {
    // The one taken last is given out again first: its memory is warm.
    ~GiveBack() {
      for (; !lanes.taken_.empty(); lanes.taken_.pop_back()) {
        lanes.free_.Return(lanes.taken_.back());
      }
    }
    OwnedLanes& lanes;
  };

  IndexPool<Sync> free_;  // the lanes that have no owner
  std::deque<Lane> lanes_;
  std::vector<std::uint32_t> taken_;  // used by TakeAll
};

// Implementation: why this is right
//
// A lane belongs to the thread that took its index from free_, until it returns it. The pool gives
// an index to one owner at a time and orders one owner's work before the next one's. TakeAll takes
// indices until the pool is empty. If it has all of them, it is the owner of all lanes, after every
// other one. If it has fewer, then at the moment at which the pool was empty somebody else had one.

}  // namespace nowait

#endif  // NOWAIT_SRC_EVENTS_OWNED_LANES_H_
