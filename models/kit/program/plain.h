// ModelSync::plain: data whose races are errors.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_PLAIN_H_
#define NOWAIT_MODELS_KIT_PROGRAM_PLAIN_H_

#include <utility>

#include "models/kit/program/handle.h"
#include "models/kit/program/machine.h"
#include "models/kit/program/operation.h"
#include "models/kit/program/word.h"

namespace nowait::model {

template <class T>
class Plain {
 public:
  Plain(Site site = Site::current()) : Plain(T{}, site) {}
  explicit Plain(T value, Site site = Site::current())
      : value_(std::move(value)), handle_(CurrentMachine()->NewPlain(site)) {}
  ~Plain() { CurrentMachine()->DeletePlain(handle_.Release()); }
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;

  // Returns a copy: a reference would allow accesses that escape the check.
  T get(Site site = Site::current()) const {
    const Word found =
        CurrentMachine()->ReadPlain(handle_.Get(site), Shown(value_), TypeOf<T>(), site);
    if constexpr (kFitsWord<T>) {
      return FromWord<T>(found);
    } else {
      return value_;
    }
  }
  void set(T value, Site site = Site::current()) {
    CurrentMachine()->WritePlain(handle_.Get(site), Shown(value), TypeOf<T>(), site);
    value_ = std::move(value);
  }

 private:
  // The value as a trace shows it.
  static Word Shown(const T& value) {
    if constexpr (kFitsWord<T>) return ToWord(value);
    return 0;
  }

  T value_;
  Handle handle_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_PLAIN_H_
