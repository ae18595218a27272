// Carried<T>: a value that knows the atomic reads that it was computed from; and CarryingSync, a
// policy whose atomics return such values.
//
//   auto head = ring.head.load(std::memory_order::relaxed);   // Carried<std::uint32_t>
//   ring.tail.store(head + 1, ...);                           // a data dependency
//   if (head == 3) ...                                        // a control dependency
//   cells[Index(head)].store(...)                             // an address dependency
//   std::uint32_t plain = head;                               // none is kept: the read is lost
//
// Arithmetic and comparisons carry. A comparison becomes a bool only in a condition, which is a
// branch: every later write of the thread depends on it, also behind the end of the `if`. A
// conversion to a plain T keeps no dependency, and the checker remembers that it cannot know
// (models/kit/buffering/README.md).
//
// Thread safety: as any value. A Carried<T> belongs to the thread that computed it.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_CARRIED_H_
#define NOWAIT_MODELS_KIT_BUFFERING_CARRIED_H_

#include <concepts>
#include <type_traits>

#include "models/kit/buffering/tracking.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::buffering {

inline void Lose(Places reads) {
  if (tracking != nullptr && reads != 0) tracking->Lose(reads);
}

template <class T>
class Carried {
 public:
  Carried(T value = T(), Places from = 0) : value_(value), from_(from) {}  // implicit, as a T's

  // To a plain T; the dependency is lost. A template, so that a condition prefers the branch below.
  template <std::same_as<T> Plain>
  operator Plain() const {
    Lose(from_);
    return value_;
  }
  // In a condition: a branch.
  explicit operator bool() const {
    if (tracking != nullptr && from_ != 0) tracking->Branch(from_);
    return static_cast<bool>(value_);
  }

  // For code that keeps the dependency itself.
  const T& bare() const { return value_; }
  Places from() const { return from_; }

 private:
  T value_;
  Places from_;
};

template <class T>
inline constexpr bool kIsCarried = false;
template <class T>
inline constexpr bool kIsCarried<Carried<T>> = true;

template <class T>
const T& Bare(const Carried<T>& value) {
  return value.bare();
}
template <class T>
Places From(const Carried<T>& value) {
  return value.from();
}
template <class T>
requires(!kIsCarried<T>) const T& Bare(const T& value) { return value; }
template <class T>
requires(!kIsCarried<T>) Places From(const T&) { return 0; }

template <class L, class R>
concept OneIsCarried = kIsCarried<L> || kIsCarried<R>;

#define NOWAIT_CARRIED_OPERATOR(op)                                      \
  template <class L, class R>                                            \
  requires OneIsCarried<L, R>                                            \
  auto operator op(const L& left, const R& right) {                      \
    return Carried(Bare(left) op Bare(right), From(left) | From(right)); \
  }
NOWAIT_CARRIED_OPERATOR(+)
NOWAIT_CARRIED_OPERATOR(-)
NOWAIT_CARRIED_OPERATOR(*)
NOWAIT_CARRIED_OPERATOR(/)
NOWAIT_CARRIED_OPERATOR(%)
NOWAIT_CARRIED_OPERATOR(&)
NOWAIT_CARRIED_OPERATOR(|)
NOWAIT_CARRIED_OPERATOR(^)
NOWAIT_CARRIED_OPERATOR(<<)
NOWAIT_CARRIED_OPERATOR(>>)
NOWAIT_CARRIED_OPERATOR(==)
NOWAIT_CARRIED_OPERATOR(!=)
NOWAIT_CARRIED_OPERATOR(<)
NOWAIT_CARRIED_OPERATOR(<=)
NOWAIT_CARRIED_OPERATOR(>)
NOWAIT_CARRIED_OPERATOR(>=)
#undef NOWAIT_CARRIED_OPERATOR

template <class T>
auto operator!(const Carried<T>& value) {
  return Carried(!value.bare(), value.from());
}
template <class T>
auto operator~(const Carried<T>& value) {
  return Carried(~value.bare(), value.from());
}

// The index of the object that the next access goes to.
template <class T>
T Index(const Carried<T>& index) {
  if (tracking != nullptr) tracking->Choose(index.from());
  return index.bare();
}

struct CarryingSync : ModelSync {
  template <class T>
  using value = Carried<T>;

  template <class T>
  class atomic {
   public:
    explicit atomic(T value = T(), Site site = Site::current()) : atomic_(value, site) {}

    Carried<T> load(std::memory_order order, Site site = Site::current()) const {
      return Kept(atomic_.load(order, site));
    }
    void store(const Carried<T>& value, std::memory_order order, Site site = Site::current()) {
      Use(value.from());
      atomic_.store(value.bare(), order, site);
    }
    Carried<T> exchange(const Carried<T>& value, std::memory_order order,
                        Site site = Site::current()) {
      Use(value.from());
      return Kept(atomic_.exchange(value.bare(), order, site));
    }
    Carried<T> fetch_add(const Carried<T>& value, std::memory_order order,
                         Site site = Site::current()) {
      Use(value.from());
      return Kept(atomic_.fetch_add(value.bare(), order, site));
    }
    Carried<bool> compare_exchange_strong(Carried<T>& expected, const Carried<T>& desired,
                                          std::memory_order success, std::memory_order failure,
                                          Site site = Site::current()) {
      Use(desired.from(), expected.from());
      T found = expected.bare();
      const bool done =
          atomic_.compare_exchange_strong(found, desired.bare(), success, failure, site);
      const Places from = tracking != nullptr ? tracking->Keep() : 0;
      const Carried<bool> result(done, from | expected.from());
      if (!done) expected = Carried<T>(found, from);
      return result;
    }

   private:
    static void Use(Places data, Places compared = 0) {
      if (tracking != nullptr) tracking->Use(data, compared);
    }
    static Carried<T> Kept(T value) {
      return Carried<T>(value, tracking != nullptr ? tracking->Keep() : 0);
    }

    ModelSync::atomic<T> atomic_;
  };
};

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_CARRIED_H_
