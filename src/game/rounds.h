// Rounds: the order of the updates of one phase, as the updates themselves ask for it.
//
//   rounds.Begin(objects);
//   while (!rounds.ready().empty()) {
//     ...                                    // on all threads, the update of each ready object:
//     if (!rounds.IsDone(horse)) {           // it finds that the horse has to come first,
//       return rounds.PutOff(rider, horse);  // and drops what it has done
//     }
//     ...
//     rounds.EndRound();                     // on one thread
//     while (rounds.IsStuck()) Report(rounds.BreakCycle());
//   }
//
// An object is done if it is not of this phase, or if it was ready in an earlier round and was not
// put off. An object that was put off is ready again in the round behind the one in which the
// object that it needs is done. No thread waits for another object: it continues with others.
//
// Promise: the rounds depend on what the updates ask for, and not on the threads: two objects of
// one round are not done for each other, even if one has ended. Objects that need each other are
// named as a cycle, and others are never in one.
//
// Thread safety: within a round, IsDone from any thread, and PutOff from the thread that updates
// the object, at most once; everything else from one thread, between rounds.
// Complexity: a round is linear in the objects that are ready or put off. No allocation.
// Source: [cbloom2011], objects "whose dependencies aren't done" are put later in the tick.
// Test: tests/game/rounds_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_GAME_ROUNDS_H_
#define NOWAIT_SRC_GAME_ROUNDS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/assert.h"
#include "src/game/object_table.h"

namespace nowait {

class Rounds {
 public:
  // slots: of the table whose objects these are. Throws std::bad_alloc.
  explicit Rounds(std::uint32_t slots) : of_(slots) {
    ready_.reserve(slots);
    put_off_.reserve(slots);
    cycle_.reserve(slots);
  }

  // Ends an earlier phase, whatever is left of it. All objects, which are different, are ready.
  void Begin(std::span<const ObjectHandle> objects) {
    for (const ObjectHandle object : ready_) of_[object.slot].done = true;
    for (const ObjectHandle object : put_off_) of_[object.slot].done = true;
    put_off_.clear();
    ready_.assign(objects.begin(), objects.end());
    for (const ObjectHandle object : ready_) {
      of_[object.slot] = {.done = false, .generation = object.generation, .needs = {}};
    }
  }

  // In the order in which they were put off; in the first round, in the order of Begin.
  std::span<const ObjectHandle> ready() const { return ready_; }

  // Also true for an object that is gone.
  bool IsDone(ObjectHandle object) const {
    if (object.slot >= of_.size()) return true;
    const Slot& slot = of_[object.slot];
    return slot.done || slot.generation != object.generation;
  }

  // object: a ready one. needed: an object that is not done.
  void PutOff(ObjectHandle object, ObjectHandle needed) {
    NOWAIT_ASSERT(!IsDone(object) && !IsDone(needed), "an object that is done is never needed");
    of_[object.slot].needs = needed;
  }

  void EndRound() {
    for (const ObjectHandle object : ready_) {
      if (of_[object.slot].needs == ObjectHandle{}) {
        of_[object.slot].done = true;
      } else {
        put_off_.push_back(object);
      }
    }
    FindReady();
  }

  // Whether objects are left of which each one needs another one that is left.
  bool IsStuck() const { return ready_.empty() && !put_off_.empty(); }

  // Of a phase that is stuck. Returns objects of which each needs the next one, and the last one
  // needs the first one, which has the lowest slot. They are done now, without an update. Valid
  // until the next call.
  std::span<const ObjectHandle> BreakCycle() {
    NOWAIT_ASSERT(IsStuck(), "a phase that goes on has no cycle yet");
    // As many steps as there are objects lead into a cycle from anywhere.
    ObjectHandle object = put_off_.front();
    for (std::size_t i = 0; i < put_off_.size(); ++i) object = of_[object.slot].needs;
    cycle_.clear();
    while (!of_[object.slot].done) {
      of_[object.slot].done = true;
      cycle_.push_back(object);
      object = of_[object.slot].needs;
    }
    std::ranges::rotate(cycle_, std::ranges::min_element(cycle_, {}, &ObjectHandle::slot));
    std::erase_if(put_off_, [this](ObjectHandle left) { return of_[left.slot].done; });
    FindReady();
    return cycle_;
  }

 private:
  struct Slot {
    bool done = true;
    std::uint32_t generation = 0;
    ObjectHandle needs;  // of the phase, and not done; no object: none
  };

  void FindReady() {
    ready_.clear();
    std::erase_if(put_off_, [this](ObjectHandle object) {
      Slot& slot = of_[object.slot];
      if (!of_[slot.needs.slot].done) return false;
      slot.needs = {};
      ready_.push_back(object);
      return true;
    });
  }

  std::vector<Slot> of_;
  std::vector<ObjectHandle> ready_;
  std::vector<ObjectHandle> put_off_;
  std::vector<ObjectHandle> cycle_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_GAME_ROUNDS_H_
