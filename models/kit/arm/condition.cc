#include "models/kit/arm/condition.h"

#include <cctype>
#include <charconv>
#include <utility>

namespace nowait::arm {
namespace {

std::optional<std::uint64_t> Number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// A condition is alternatives of conjunctions of terms. Each function reads as much as it can.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::expected<Condition, std::string> All() {
    auto condition = Alternatives(0);
    if (condition && !AtEnd()) {
      return std::unexpected("the condition goes on with \"" + std::string(text_) + "\"");
    }
    return condition;
  }

 private:
  using Read = std::expected<Condition, std::string>;
  static constexpr int kDeepest = 100;  // parentheses within each other

  bool AtEnd() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_[0])) != 0) {
      text_.remove_prefix(1);
    }
    return text_.empty();
  }
  bool Take(std::string_view word) {
    if (AtEnd() || !text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  Read Alternatives(int depth) { return Several(depth, "\\/", Condition::Kind::kOr); }
  Read Several(int depth, std::string_view between, Condition::Kind kind) {
    Condition several{.kind = kind};
    do {
      Read part =
          kind == Condition::Kind::kOr ? Several(depth, "/\\", Condition::Kind::kAnd) : Term(depth);
      if (!part) return part;
      several.of.push_back(std::move(*part));
    } while (Take(between));
    return several;
  }
  Read Term(int depth) {
    if (depth == kDeepest) return std::unexpected("too many parentheses in the condition");
    if (Take("~")) {
      Read negated = Term(depth + 1);
      if (!negated) return negated;
      return Condition{.kind = Condition::Kind::kNot, .of = {std::move(*negated)}};
    }
    if (Take("(")) {
      Read within = Alternatives(depth + 1);
      if (within && !Take(")")) return std::unexpected("no ) in the condition");
      return within;
    }
    return Equation();
  }
  Read Equation() {
    const std::string_view left = Word();
    if (left.empty() || !Take("=")) {
      return std::unexpected("no equation in the condition, at \"" + std::string(text_) + "\"");
    }
    const std::string_view right = Word();
    const auto value = Number(right);
    if (!value) return std::unexpected("no number: \"" + std::string(right) + "\"");
    if (const auto reg = ParseThreadRegister(left)) {
      return Condition{.kind = Condition::Kind::kRegister,
                       .thread = reg->thread,
                       .number = reg->number,
                       .value = *value};
    }
    return Condition{
        .kind = Condition::Kind::kLocation, .location = std::string(left), .value = *value};
  }
  std::string_view Word() {
    if (AtEnd()) return {};
    std::size_t end = 0;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 ||
                                  text_[end] == ':' || text_[end] == '_')) {
      ++end;
    }
    const std::string_view word = text_.substr(0, end);
    text_.remove_prefix(end);
    return word;
  }

  std::string_view text_;
};

}  // namespace

std::optional<ThreadRegister> ParseThreadRegister(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon + 2 >= text.size()) return {};
  const auto thread = Number(text.substr(0, colon));
  const char letter = text[colon + 1];
  if (letter != 'X' && letter != 'W' && letter != 'x' && letter != 'w') return {};
  const auto number = Number(text.substr(colon + 2));
  if (!thread || !number || *thread >= kMostThreads || *number > 30) return {};
  return ThreadRegister{static_cast<std::size_t>(*thread), static_cast<unsigned>(*number)};
}

std::expected<Condition, std::string> ParseCondition(std::string_view text) {
  return Reader(text).All();
}

}  // namespace nowait::arm
