#include "src/resource/document.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

namespace nowait {
namespace {

// sign * 0.digits * 10^exponent; the digits neither begin nor end with 0.
struct Decimal {
  bool negative = false;
  std::string digits;  // none: zero
  std::int64_t exponent = 0;
  friend bool operator==(const Decimal&, const Decimal&) = default;
};

// Nothing if the exponent does not fit into 64 bits.
std::optional<Decimal> ToDecimal(std::string_view text) {
  Decimal decimal;
  decimal.negative = text.starts_with('-');
  if (decimal.negative) text.remove_prefix(1);
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  std::string_view power = text.substr(std::min(mark + 1, text.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  if (!power.empty()) {
    const auto [end, error] =
        std::from_chars(power.data(), power.data() + power.size(), decimal.exponent);
    constexpr std::int64_t kFar = std::int64_t{1} << 62;
    if (error != std::errc() || decimal.exponent > kFar || decimal.exponent < -kFar) return {};
  }
  const std::string_view mantissa = text.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  decimal.digits = std::string(mantissa.substr(0, point));
  decimal.exponent += static_cast<std::int64_t>(point);
  if (point < mantissa.size()) decimal.digits += mantissa.substr(point + 1);
  const std::size_t first = decimal.digits.find_first_not_of('0');
  if (first == std::string::npos) return Decimal{};
  decimal.digits.erase(0, first);
  decimal.exponent -= static_cast<std::int64_t>(first);
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
  return decimal;
}

bool EqualNumbers(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto left = ToDecimal(a), right = ToDecimal(b);
  return left && right && *left == *right;
}

std::size_t Mix(std::size_t hash, std::size_t other) {
  return (hash ^ other) * std::size_t{0x9e3779b97f4a7c15} + (hash >> 29);
}

std::size_t HashText(std::string_view text) { return std::hash<std::string_view>()(text); }

std::size_t HashNumber(std::string_view text) {
  const auto decimal = ToDecimal(text);
  if (!decimal) return HashText(text);
  return Mix(HashText(decimal->digits),
             static_cast<std::size_t>(decimal->exponent) * 2 + (decimal->negative ? 1 : 0));
}

}  // namespace

std::string MeaningOf(const Value::Number& number) {
  const auto decimal = ToDecimal(number.text);
  if (!decimal) return number.text;
  std::string text = (decimal->negative ? "-" : "") + decimal->digits;
  if (decimal->digits.empty()) return "0";
  constexpr std::int64_t kMostZeros = 20;
  const std::int64_t zeros = decimal->exponent - static_cast<std::int64_t>(decimal->digits.size());
  if (zeros < 0 || zeros > kMostZeros) return text + "e" + std::to_string(zeros);
  return text + std::string(static_cast<std::size_t>(zeros), '0');
}

Value Value::Object(Members members) { return Value(Data(std::move(members))); }

Value::Value(Data data) : data_(std::move(data)), hash_(Mix(0, data_.index() + 1)) {
  if (const bool* value = bool_value()) hash_ = Mix(hash_, *value ? 1 : 2);
  if (const Number* value = number()) hash_ = Mix(hash_, HashNumber(value->text));
  if (const std::string* text = string()) hash_ = Mix(hash_, HashText(*text));
  if (const Items* all = items()) {
    for (const Value& item : *all) hash_ = Mix(hash_, item.hash_);
  }
  if (const Members* all = members()) {
    // A sum: the same in every order.
    for (const Member& member : *all) hash_ += Mix(HashText(member.key), member.value.hash_);
  }
}

const Value* Value::Find(std::string_view key) const {
  const Members* const all = members();
  if (all == nullptr) return nullptr;
  const auto found = std::ranges::find(*all, key, &Member::key);
  return found == all->end() ? nullptr : &found->value;
}

bool Equal(const Value& a, const Value& b) {
  if (a.hash_ != b.hash_ || a.data_.index() != b.data_.index()) return false;
  if (const Value::Number* number = a.number()) return EqualNumbers(number->text, b.number()->text);
  if (const Value::Items* items = a.items()) return std::ranges::equal(*items, *b.items(), Equal);
  if (const Value::Members* members = a.members()) {
    if (members->size() != b.members()->size()) return false;
    std::map<std::string_view, const Value*> by_key;  // of b, if the keys' orders differ
    for (std::size_t i = 0; i < members->size(); ++i) {
      const Value::Member& member = (*members)[i];
      const Value::Member& beside = (*b.members())[i];
      const Value* other = &beside.value;
      if (beside.key != member.key) {
        if (by_key.empty()) {
          for (const auto& [key, value] : *b.members()) by_key.emplace(key, &value);
        }
        const auto found = by_key.find(member.key);
        if (found == by_key.end()) return false;
        other = found->second;
      }
      if (!Equal(member.value, *other)) return false;
    }
    return true;
  }
  if (const std::string* text = a.string()) return *text == *b.string();
  return a.is_null() || *a.bool_value() == *b.bool_value();
}

bool Same(const Value& a, const Value& b) {
  if (a.hash_ != b.hash_ || a.data_.index() != b.data_.index()) return false;
  if (const Value::Number* number = a.number()) return number->text == b.number()->text;
  if (const Value::Items* items = a.items()) return std::ranges::equal(*items, *b.items(), Same);
  if (const Value::Members* members = a.members()) {
    return std::ranges::equal(*members, *b.members(),
                              [](const Value::Member& left, const Value::Member& right) {
                                return left.key == right.key && Same(left.value, right.value);
                              });
  }
  return Equal(a, b);
}

}  // namespace nowait
