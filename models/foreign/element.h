// Elements whose places inside a foreign structure are watched.
//
// The structure keeps its elements in plain memory, which no model declares. A place is declared
// here when set-up first constructs an element there: a scenario sends some elements all the way
// round before its threads begin. From then on each copy into the place or out of it is an access
// to plain data, and two unordered ones are a race. (<model>_watched sees the memory itself.)
#ifndef NOWAIT_MODELS_FOREIGN_ELEMENT_H_
#define NOWAIT_MODELS_FOREIGN_ELEMENT_H_

#include <array>
#include <cstddef>

#include "models/kit/scenario/model.h"

namespace nowait::foreign {

class Places {
 public:
  // Set-up runs once, and lies at the same address in each execution.
  Places() { current = this; }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  // Called at the end of set-up.
  void Learned() { learning_ = false; }

  static void Write(const void* place, int value) {
    if (auto* datum = Find(place)) datum->set(value);
  }
  // The value at a place, or `own` if this is no place in the structure.
  static int Read(const void* place, int own) {
    auto* datum = Find(place);
    return datum != nullptr ? datum->get() : own;
  }

 private:
  using Datum = ModelSync::plain<int>;

  // Null if this is not a place in the structure: an argument, a result.
  static Datum* Find(const void* place) {
    Places& places = *current;
    for (std::size_t i = 0; i < places.count_; ++i) {
      if (places.known_[i] == place) return &places.data_[i];
    }
    if (!places.learning_ || places.count_ == places.known_.size()) return nullptr;
    places.known_[places.count_] = place;
    return &places.data_[places.count_++];
  }

  static inline Places* current = nullptr;

  std::array<const void*, 16> known_{};
  std::array<Datum, 16> data_;
  std::size_t count_ = 0;
  bool learning_ = true;
};

struct Element {
  Element(int n = 0) : number(n) { Places::Write(this, n); }
  Element(const Element& other) : number(other.Number()) { Places::Write(this, number); }
  Element& operator=(const Element& other) {
    number = other.Number();
    Places::Write(this, number);
    return *this;
  }
  ~Element() { Places::Write(this, 0); }
  int Number() const { return Places::Read(this, number); }

  int number;
};

}  // namespace nowait::foreign

#endif  // NOWAIT_MODELS_FOREIGN_ELEMENT_H_
