// ModelSync::plain: data whose races are errors.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_PLAIN_H_
#define NOWAIT_MODELS_KIT_PROGRAM_PLAIN_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "models/kit/program/handle.h"
#include "models/kit/program/machine.h"
#include "models/kit/program/operation.h"
#include "models/kit/program/word.h"

namespace nowait::model {

// For a back end that decides what each read finds, and so keeps the values itself: those that do
// not fit a Word are numbered. Null in the other back ends.
class WideValues {
 public:
  virtual ~WideValues() = default;
  // Equal numbers are equal values.
  virtual Word NumberOf(const void* value, std::size_t size) = 0;
  virtual const void* At(Word number) const = 0;
  // The bytes of the type's values do not determine them.
  [[noreturn]] virtual void RefuseType() = 0;
};
extern constinit WideValues* wide_values;

// A constant expression if each byte of a T is part of its value: a byte of padding has no value.
template <class T>
constexpr bool ReadsEachByte() {
  for (const auto byte : std::bit_cast<std::array<unsigned char, sizeof(T)>>(T{})) {
    static_cast<void>(byte == 0);
  }
  return true;
}
// Whether a value of T is determined by its bytes. Equal floats may differ in them, and are then
// two values for a thread that looks at the bytes.
template <class T>
concept HasBytes = std::is_trivially_copyable_v<T> && !std::is_same_v<T, long double> &&
                   (std::has_unique_object_representations_v<T> ||
                    (std::is_default_constructible_v<T> &&
                     requires { typename std::bool_constant<ReadsEachByte<T>()>; }));

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
    } else if constexpr (HasBytes<T>) {
      if (wide_values == nullptr) return value_;
      T value = value_;
      std::memcpy(static_cast<void*>(&value), wide_values->At(found), sizeof(T));
      return value;
    } else {
      return value_;
    }
  }
  void set(T value, Site site = Site::current()) {
    CurrentMachine()->WritePlain(handle_.Get(site), Shown(value), TypeOf<T>(), site);
    value_ = std::move(value);
  }

 private:
  // The value as a trace shows it, or as the back end knows it.
  static Word Shown(const T& value) {
    if constexpr (!HasBytes<T>) {
      if (wide_values != nullptr) wide_values->RefuseType();
    }
    if constexpr (kFitsWord<T>) return ToWord(value);
    if constexpr (HasBytes<T>) {
      if (wide_values == nullptr) return 0;
      const MachineCall call = CurrentMachine();
      return wide_values->NumberOf(&value, sizeof(T));
    }
    return 0;
  }

  T value_;
  Handle handle_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_PLAIN_H_
