// Converts a T of at most eight bytes to a Word and back.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_WORD_H_
#define NOWAIT_MODELS_KIT_PROGRAM_WORD_H_

#include <cstring>
#include <type_traits>

#include "models/kit/program/operation.h"

namespace nowait::model {

template <class T>
inline constexpr bool kFitsWord = std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(Word);

// A compare-exchange compares object representations: padding would make it fail for ever.
template <class T>
Word ToWord(const T& value) {
  static_assert(kFitsWord<T>);
  Word word = 0;
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    word = static_cast<Word>(static_cast<std::int64_t>(value));
  } else {
    std::memcpy(&word, &value, sizeof(T));
  }
  return word;
}

template <class T>
T FromWord(Word word) {
  static_assert(kFitsWord<T>);
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(word));
  } else {
    T value;
    // As void*: g++ warns of a type with initial values, which T's constructor has just given it.
    std::memcpy(static_cast<void*>(&value), &word, sizeof(T));
    return value;
  }
}

template <class T>
constexpr ValueType TypeOf() {
  if constexpr (std::is_same_v<T, bool>) return ValueType::kBool;
  if constexpr (std::is_same_v<T, float>) return ValueType::kFloat;
  if constexpr (std::is_same_v<T, double>) return ValueType::kDouble;
  if constexpr (std::is_pointer_v<T>) return ValueType::kPointer;
  if constexpr (std::is_integral_v<T>) {
    return std::is_signed_v<T> ? ValueType::kSigned : ValueType::kUnsigned;
  }
  return ValueType::kOther;
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_WORD_H_
