// Scenarios of src/jobs/work_deque.h.
#ifndef NOWAIT_MODELS_ARM_WORK_DEQUE_H_
#define NOWAIT_MODELS_ARM_WORK_DEQUE_H_

#include <cstdint>
#include <initializer_list>

#include "src/jobs/work_deque.h"

namespace nowait::arm {

// Items 1 .. kPushed are in it at the beginning. Each item that was pushed is given out once, with
// the note that its owner has written before.
template <class Sync, int kPushed, int kCells>
struct Deque {
  static constexpr int kMost = 4;

  Deque() {
    for (int i = 1; i <= kPushed; ++i) Push(i);
  }
  void Push(int item) {
    notes[item].set(item);
    if (deque.Push(static_cast<std::uint32_t>(item))) ++pushed;
  }
  // Returns the item's number; 0 if the deque gave no item.
  int Take() {
    std::uint32_t item = 0;
    return deque.Take(&item) ? Read(item) : 0;
  }
  int Steal() {
    std::uint32_t item = 0;
    return deque.Steal(&item) == StealResult::kItem ? Read(item) : 0;
  }
  int Read(std::uint32_t item) {
    const int number = static_cast<int>(item);
    return number != 0 && notes[number].get() == number ? number : kWrong;
  }
  // Whether the items that were given out, and those that are left, are those that were pushed.
  bool AllOnce(std::initializer_list<int> given) {
    int count[kMost + 1] = {};
    for (const int item : given) {
      if (item == kWrong) return false;
      ++count[item];
    }
    for (int item = Take(); item != 0; item = Take()) {
      if (item == kWrong) return false;
      ++count[item];
    }
    int total = 0;
    for (int item = 1; item <= kMost; ++item) {
      if (count[item] > 1) return false;
      total += count[item];
    }
    return total == pushed;
  }

  static constexpr int kWrong = -1;

  WorkDeque<std::uint32_t, Sync> deque{kCells};
  typename Sync::template plain<int> notes[kMost + 1];
  int pushed = 0;
};

template <class Sync>
struct DequeLastItem : Deque<Sync, 1, 2> {
  static constexpr const char* kName = "work_deque last_item";
  static constexpr const char* kPromise =
      "the last item goes to the owner or to one of two thieves";
  static constexpr int kThreads = 3;

  void Thread(int t) { got[t] = t == 0 ? this->Take() : this->Steal(); }
  bool Holds() { return this->AllOnce({got[0], got[1], got[2]}); }

  int got[3] = {};
};

template <class Sync>
struct DequeLastButOne : Deque<Sync, 2, 2> {
  static constexpr const char* kName = "work_deque last_but_one";
  static constexpr const char* kPromise =
      "of two items the owner takes one and a thief does not steal it as well";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      got[0] = this->Take();
    } else {
      got[1] = this->Steal();
      got[2] = this->Steal();
    }
  }
  bool Holds() { return this->AllOnce({got[0], got[1], got[2]}); }

  int got[3] = {};
};

template <class Sync>
struct DequeTwoThieves : Deque<Sync, 2, 2> {
  static constexpr const char* kName = "work_deque two_thieves";
  static constexpr const char* kPromise =
      "of two items the owner takes one, and neither of two thieves steals it as well";
  static constexpr int kThreads = 3;

  void Thread(int t) { got[t] = t == 0 ? this->Take() : this->Steal(); }
  bool Holds() { return this->AllOnce({got[0], got[1], got[2]}); }

  int got[3] = {};
};

template <class Sync>
struct DequePublishes : Deque<Sync, 0, 2> {
  static constexpr const char* kName = "work_deque publishes";
  static constexpr const char* kPromise = "a thief that gets an item finds what its owner wrote";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      this->Push(1);
      this->Push(2);
    } else {
      got[0] = this->Steal();
      got[1] = this->Steal();
    }
  }
  bool Holds() { return this->AllOnce({got[0], got[1]}); }

  int got[2] = {};
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_WORK_DEQUE_H_
