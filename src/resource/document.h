// Value: a node of a JSON document, as content people edit it.
//
//   const Value door = Value::Object({{"id", Value::String("gate")}, {"width", *number}});
//
// An object keeps the order of its keys, and a number keeps its text: a tool that changes one field
// of a scene changes one line of its file. Same() compares both. Equal() compares meanings: keys in
// any order, and numbers by their exact decimal value, which makes 1, 1.0 and 10e-1 equal. Strings
// are UTF-8 without escapes.
//
// Complexity: Equal() of values that differ takes constant time unless their hashes collide; of
// equal ones, O(n log n) for n values. A copy costs the size.
// Thread safety: as a std::vector.
#ifndef NOWAIT_SRC_RESOURCE_DOCUMENT_H_
#define NOWAIT_SRC_RESOURCE_DOCUMENT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace nowait {

class Value {
 public:
  struct Member;
  struct Number {
    std::string text;  // as JSON writes numbers
  };
  using Items = std::vector<Value>;
  using Members = std::vector<Member>;

  Value();  // null
  static Value Null();
  static Value Bool(bool value);
  // text: a number in JSON's grammar; it is not checked.
  static Value FromNumber(std::string text);
  static Value String(std::string text);
  static Value Array(Items items);
  // The keys are different from each other.
  static Value Object(Members members);

  // The content, or null if the value is of another type.
  const bool* bool_value() const { return std::get_if<bool>(&data_); }
  const Number* number() const { return std::get_if<Number>(&data_); }
  const std::string* string() const { return std::get_if<std::string>(&data_); }
  const Items* items() const { return std::get_if<Items>(&data_); }
  const Members* members() const { return std::get_if<Members>(&data_); }
  bool is_null() const { return std::holds_alternative<std::nullptr_t>(data_); }
  // A container has a brace or a bracket.
  bool is_container() const { return items() != nullptr || members() != nullptr; }

  // The member of this key; null if this is not an object, or has no such member.
  const Value* Find(std::string_view key) const;

  friend bool Equal(const Value& a, const Value& b);
  friend bool Same(const Value& a, const Value& b);

 private:
  using Data = std::variant<std::nullptr_t, bool, Number, std::string, Items, Members>;
  explicit Value(Data data);

  Data data_;
  std::size_t hash_;  // of its meaning: equal values have equal hashes
};

struct Value::Member {
  std::string key;
  Value value;
};

// The same text for equal numbers, and different ones for others: of a whole number, its digits.
std::string MeaningOf(const Value::Number& number);

// Here, where a Member is complete.
inline Value::Value() : Value(Data(nullptr)) {}
inline Value Value::Null() { return {}; }
inline Value Value::Bool(bool value) { return Value(Data(value)); }
inline Value Value::FromNumber(std::string text) { return Value(Data(Number{std::move(text)})); }
inline Value Value::String(std::string text) { return Value(Data(std::move(text))); }
inline Value Value::Array(Items items) { return Value(Data(std::move(items))); }

// Equal in meaning.
bool Equal(const Value& a, const Value& b);
// Equal in meaning, in the order of keys and in the texts of numbers.
bool Same(const Value& a, const Value& b);

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_DOCUMENT_H_
