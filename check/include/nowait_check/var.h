// check::var<T>: plain data that several threads access in turn. Two unordered accesses by
// different threads, at least one of them a write, are a data race and fail the execution.
//
//   check::var<int> data;          // used like an int, but each access is checked
//   data = 42;
//   int copy = data;               // or data.get(): a report then names this line
#ifndef NOWAIT_CHECK_VAR_H_
#define NOWAIT_CHECK_VAR_H_

#include <utility>

#include "nowait_check/machine.h"
#include "nowait_check/word.h"

namespace nowait::check {

template <class T>
class var : machine::Examined {
  using Site = machine::Site;

 public:
  var(Site site = Site::current()) : var(T(), site) {}
  var(T value, Site site = Site::current()) : value_(std::move(value)) {  // implicit, as a T's
    machine::Begin(object_, machine::Kind::kPlain, 0, machine::TypeOf<T>(), site);
  }
  ~var() { machine::End(object_, machine::Kind::kPlain); }
  var(const var&) = delete;
  // Never viable: otherwise a value would convert to a copy as well as to an operand.
  var& operator=(const var&) requires(sizeof(T) == 0) = delete;

  // Returns a copy: a reference would allow accesses that escape the check.
  T get(Site site = Site::current()) const {
    machine::ReadPlain(object_, Shown(value_), machine::TypeOf<T>(), site);
    return value_;
  }
  void set(T value, Site site = Site::current()) {
    machine::WritePlain(object_, Shown(value), machine::TypeOf<T>(), site);
    value_ = std::move(value);
  }

  operator T() const { return get(); }
  var& operator=(machine::Located<T> value) {
    set(std::move(value.value), value.site);
    return *this;
  }
  var& operator+=(machine::Located<T> value) {
    set(get(value.site) + value.value, value.site);
    return *this;
  }
  var& operator-=(machine::Located<T> value) {
    set(get(value.site) - value.value, value.site);
    return *this;
  }

 private:
  // The value as a report shows it.
  static machine::Word Shown(const T& value) {
    if constexpr (machine::kFits<T>) return machine::ToWord(value);
    return 0;
  }

  T value_;
  machine::Object object_;
};

}  // namespace nowait::check

#endif  // NOWAIT_CHECK_VAR_H_
