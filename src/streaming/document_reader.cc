#include "src/streaming/document_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace nowait {
namespace {

const Value::Items kNoItems;

}  // namespace

void DocumentReader::Fail(std::string_view field, std::string_view why) {
  if (error_.empty()) error_ = fmt::format("{}: {}{}: {}", file_, prefix_, field, why);
}

void DocumentReader::Expect(const Value& object, std::initializer_list<std::string_view> keys) {
  if (object.members() == nullptr) return Fail("document", "not an object");
  for (const Value::Member& member : *object.members()) {
    if (std::find(keys.begin(), keys.end(), member.key) == keys.end()) {
      Fail(member.key, "an unknown field");
    }
  }
}

const Value* DocumentReader::Find(const Value& object, std::string_view key) {
  const Value* const value = object.Find(key);
  if (value == nullptr) Fail(key, "it is missing");
  return value;
}

double DocumentReader::NumberOf(const Value& value, std::string_view field, double least,
                                double most) {
  double number = least;
  const Value::Number* const text = value.number();
  bool good = text != nullptr;
  if (good) {
    const char* const end = text->text.data() + text->text.size();
    const auto read = std::from_chars(text->text.data(), end, number);
    good = read.ec == std::errc() && read.ptr == end && number >= least && number <= most;
  }
  if (good) return number;
  Fail(field, fmt::format("not a number from {} to {}", least, most));
  return least;
}

double DocumentReader::Number(const Value& object, std::string_view key, double least,
                              double most) {
  const Value* const value = Find(object, key);
  return value == nullptr ? least : NumberOf(*value, key, least, most);
}

std::uint32_t DocumentReader::Whole(const Value& object, std::string_view key, std::uint32_t least,
                                    std::uint32_t most) {
  const double number = Number(object, key, least, most);
  if (number != std::floor(number)) Fail(key, "not a whole number");
  return static_cast<std::uint32_t>(number);
}

std::vector<double> DocumentReader::Numbers(const Value& object, std::string_view key,
                                            std::size_t count, double most) {
  std::vector<double> numbers(count, 0.0);
  const Value* const value = Find(object, key);
  if (value == nullptr) return numbers;
  if (value->items() == nullptr || value->items()->size() != count) {
    Fail(key, fmt::format("not an array of {} numbers", count));
    return numbers;
  }
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = NumberOf((*value->items())[i], key, -most, most);
  }
  return numbers;
}

Vec3 DocumentReader::Vector(const Value& object, std::string_view key, double most) {
  const std::vector<double> numbers = Numbers(object, key, 3, most);
  return {static_cast<float>(numbers[0]), static_cast<float>(numbers[1]),
          static_cast<float>(numbers[2])};
}

std::size_t DocumentReader::Choice(const Value& object, std::string_view key,
                                   std::initializer_list<std::string_view> choices) {
  const Value* const value = Find(object, key);
  if (value == nullptr) return 0;
  if (value->string() != nullptr) {
    const auto found = std::find(choices.begin(), choices.end(), *value->string());
    if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  }
  Fail(key, fmt::format("not one of {}", fmt::join(choices, ", ")));
  return 0;
}

bool DocumentReader::Flag(const Value& object, std::string_view key) {
  const Value* const value = Find(object, key);
  if (value != nullptr && value->bool_value() != nullptr) return *value->bool_value();
  Fail(key, "neither true nor false");
  return false;
}

const Value::Items& DocumentReader::Items(const Value& object, std::string_view key) {
  const Value* const value = Find(object, key);
  if (value != nullptr && value->items() == nullptr) Fail(key, "not an array");
  return value == nullptr || value->items() == nullptr ? kNoItems : *value->items();
}

std::string DocumentReader::Text(const Value& item, std::string_view field) {
  if (item.string() != nullptr) return *item.string();
  Fail(field, "not a text");
  return {};
}

}  // namespace nowait
