// What Catch2 prints of the engine's values, where it would print {?}.
//
//   ids        "(slot 7, generation 2, world 1)"; "(none: ...)" where the id is not valid
//   vectors    "(1, 0.25, -3)"; a quaternion has four parts
//   boxes      "(0, 0, 0) to (1, 1, 1)"; rays "(0, 0, 0) + (1, 0, 0) * 0.5"
//   results    the value, or "error: " and its words, with each field that the words may lack
//   optionals  the value, or "nothing"; pairs "(a, b)"
//
// Numbers have all their digits: two that compare as different look different.
//
// unit_test (tools/rules/tests.bzl) begins each source with this header, so that all sources of a
// test have the same definitions. A type is known by its members, not by its name: the header
// includes nothing of src, and a change of src does not compile all tests anew.
#ifndef NOWAIT_TESTS_SUPPORT_PRINT_H_
#define NOWAIT_TESTS_SUPPORT_PRINT_H_

#include <catch2/catch.hpp>
#include <charconv>
#include <concepts>
#include <string>

namespace nowait::print {

template <class T>
std::string Words(const T& value) {
  if constexpr (std::floating_point<T>) {
    char digits[64];
    return std::string(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
  } else {
    return Catch::Detail::stringify(value);
  }
}

template <class T>
concept Id = requires(const T& id) {
  { id.slot() } -> std::integral;
  { id.generation() } -> std::integral;
};
template <class T>
concept Vector = requires(const T& v) {
  { v.x } -> std::convertible_to<double>;
  { v.y } -> std::convertible_to<double>;
  { v.z } -> std::convertible_to<double>;
};
template <class T>
concept Box = requires(const T& box) {
  { box.min[0] } -> std::convertible_to<double>;
  { box.max[0] } -> std::convertible_to<double>;
  box.min.size();
};
template <class T>
concept RayLike = requires(const T& ray) {
  ray.origin.size();
  ray.displacement.size();
  { ray.max_fraction } -> std::convertible_to<double>;
};
template <class T>
concept ErrorLike = requires(const T& error) {
  { ToString(error) } -> std::same_as<std::string>;
  error.code;
  error.subject;
  { error.amount } -> std::convertible_to<long long>;
};
template <class T>
concept ResultLike = requires(const T& result) {
  { result.has_value() } -> std::same_as<bool>;
  result.error();
};
template <class T>
concept OptionalLike = !ResultLike<T> && requires(const T& optional) {
  { optional.has_value() } -> std::same_as<bool>;
  *optional;
};
template <class T>
concept Pair = requires(const T& pair) {
  typename T::first_type;
  typename T::second_type;
  pair.first;
  pair.second;
};

// Catch2 prints what can be inserted into a stream, and ranges, by itself.
template <class T>
concept Known = (Id<T> || Vector<T> || Box<T> || RayLike<T> || ErrorLike<T> || ResultLike<T> ||
                 OptionalLike<T> || Pair<T>)&&!Catch::Detail::IsStreamInsertable<T>::value
                && !Catch::is_range<T>::value;

// The elements of an array of numbers.
template <class Array>
std::string Point(const Array& array) {
  std::string words = "(";
  for (const auto& number : array) words += (words.size() > 1 ? ", " : "") + Words(number);
  return words + ")";
}

template <Id T>
std::string Print(const T& id) {
  std::string words = "(";
  if constexpr (requires { id.valid(); }) {
    if (!id.valid()) words += "none: ";
  }
  words += "slot " + Words(id.slot()) + ", generation " + Words(id.generation());
  if constexpr (requires { id.world(); }) words += ", world " + Words(id.world());
  if constexpr (requires { id.tag(); }) words += ", tag " + Words(id.tag());
  return words + ")";
}

template <Vector T>
std::string Print(const T& v) {
  std::string words = "(" + Words(v.x) + ", " + Words(v.y) + ", " + Words(v.z);
  if constexpr (requires { v.w; }) words += ", " + Words(v.w);
  return words + ")";
}

template <Box T>
std::string Print(const T& box) {
  return Point(box.min) + " to " + Point(box.max);
}

template <RayLike T>
std::string Print(const T& ray) {
  return Point(ray.origin) + " + " + Point(ray.displacement) + " * " + Words(ray.max_fraction);
}

template <ErrorLike T>
std::string Print(const T& error) {
  return "error: " + ToString(error) + " (code " + Words(static_cast<int>(error.code)) +
         ", amount " + Words(error.amount) + ")";
}

template <ResultLike T>
std::string Print(const T& result) {
  if (!result.has_value()) return Words(result.error());
  if constexpr (requires { Catch::Detail::stringify(*result); }) {
    return Words(*result);
  } else {
    return "done";  // there is no value
  }
}

template <OptionalLike T>
std::string Print(const T& optional) {
  return optional.has_value() ? Words(*optional) : "nothing";
}

template <Pair T>
std::string Print(const T& pair) {
  return "(" + Words(pair.first) + ", " + Words(pair.second) + ")";
}

}  // namespace nowait::print

template <nowait::print::Known T>
struct Catch::StringMaker<T, void> {
  static std::string convert(const T& value) { return nowait::print::Print(value); }
};

#endif  // NOWAIT_TESTS_SUPPORT_PRINT_H_
