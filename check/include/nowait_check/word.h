// Converts a value to the form in which the checker stores it, and back.
#ifndef NOWAIT_CHECK_WORD_H_
#define NOWAIT_CHECK_WORD_H_

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "nowait_check/machine.h"

namespace nowait::check::machine {

template <class T>
inline constexpr bool kFits = std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(Word);

// Signed values are sign-extended, so that a report shows them with their signs.
template <class T>
Word ToWord(const T& value) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return static_cast<Word>(static_cast<std::int64_t>(value));
  } else {
    Word word = 0;
    std::memcpy(&word, &value, sizeof(T));
    return word;
  }
}

template <class T>
T FromWord(Word word) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(word));
  } else {
    alignas(T) unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &word, sizeof(T));
    return *std::launder(reinterpret_cast<T*>(bytes));
  }
}

template <class T>
constexpr Type TypeOf() {
  if constexpr (std::is_same_v<T, bool>) return Type::kBool;
  if constexpr (std::is_same_v<T, float>) return Type::kFloat;
  if constexpr (std::is_same_v<T, double>) return Type::kDouble;
  if constexpr (std::is_pointer_v<T>) return Type::kPointer;
  if constexpr (std::is_integral_v<T>) return std::is_signed_v<T> ? Type::kSigned : Type::kUnsigned;
  return Type::kOther;
}

// The base of the examined objects: one examined object is never an operand of another.
struct Examined {};

// The operand of an operator, which has no room for a further argument. The conversion to it takes
// place at the call, so its default argument is the location of the call.
template <class T>
struct Located {
  template <class U>
  requires(std::is_convertible_v<U, T> && !std::is_base_of_v<Examined, std::remove_cvref_t<U>>)
      Located(U&& from, Site place = Site::current())  // implicit, on purpose
      : value(std::forward<U>(from)), site(place) {}

  T value;
  Site site;
};

}  // namespace nowait::check::machine

#endif  // NOWAIT_CHECK_WORD_H_
