#include "src/resource/document_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

// The reader of nlohmann/json reports what it reads to this.
class Builder {
 public:
  // at: the offset that the reader has reached.
  explicit Builder(const std::size_t& at) : at_(at) {}

  bool null() { return Put(Value::Null()); }
  bool boolean(bool value) { return Put(Value::Bool(value)); }
  // Integers with a sign come here; for JSON's -0 the reader has lost the sign.
  bool number_integer(std::int64_t value) {
    return Put(Value::FromNumber(value == 0 ? "-0" : std::to_string(value)));
  }
  bool number_unsigned(std::uint64_t value) {
    return Put(Value::FromNumber(std::to_string(value)));
  }
  bool number_float(double /*value*/, const std::string& text) {
    return Put(Value::FromNumber(text));
  }
  bool string(std::string& text) { return Put(Value::String(std::move(text))); }
  bool binary(std::vector<std::uint8_t>& /*bytes*/) { return false; }  // JSON has no such value

  bool start_object(std::size_t /*size*/) { return Open(true); }
  bool start_array(std::size_t /*size*/) { return Open(false); }
  bool key(std::string& text) {
    Container& object = open_.back();
    if (!object.keys.insert(text).second) {
      return Stop({ErrorCode::kCorrupt, "JSON", Offset(), "a key occurs twice in its object"});
    }
    object.members.push_back({std::move(text), {}});
    return true;
  }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string& /*token*/, const Exception& error) {
    // A number beyond a double's range is JSON, but the reader takes it for an error.
    if (error.id == 406) {
      return Stop({ErrorCode::kCorrupt, "JSON", Offset(), "a number beyond the range of a double"});
    }
    // position counts the characters that were read, and the last one is the wrong one.
    const std::size_t wrong = std::max<std::size_t>(position, 1) - 1;
    return Stop({ErrorCode::kCorrupt, "JSON", static_cast<std::int64_t>(wrong),
                 "this does not continue a document"});
  }

  Result<Value> Take() {
    if (error_) return std::unexpected(*error_);
    return std::move(document_);
  }

 private:
  struct Container {
    bool object;
    Value::Members members;
    std::set<std::string> keys;
    Value::Items items;
  };

  std::int64_t Offset() const { return static_cast<std::int64_t>(at_); }

  bool Stop(Error error) {
    if (!error_) error_ = error;
    return false;
  }

  bool Open(bool object) {
    if (open_.size() == kMostLevels) {
      return Stop({ErrorCode::kCapacity, "levels of JSON", kMostLevels});
    }
    open_.push_back({object, {}, {}, {}});
    return true;
  }

  bool Close() {
    Container done = std::move(open_.back());
    open_.pop_back();
    return Put(done.object ? Value::Object(std::move(done.members))
                           : Value::Array(std::move(done.items)));
  }

  bool Put(Value value) {
    if (open_.empty()) {
      document_ = std::move(value);
    } else if (open_.back().object) {
      open_.back().members.back().value = std::move(value);
    } else {
      open_.back().items.push_back(std::move(value));
    }
    return true;
  }

  const std::size_t& at_;
  std::vector<Container> open_;  // the innermost last
  Value document_;
  std::optional<Error> error_;
};

// Walks over the text and says how far the walk is.
class Walk {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Walk(const char* at, const char* begin, std::size_t* offset)
      : at_(at), begin_(begin), offset_(offset) {}
  reference operator*() const { return *at_; }
  Walk& operator++() {
    ++at_;
    *offset_ = static_cast<std::size_t>(at_ - begin_);
    return *this;
  }
  Walk operator++(int) {
    Walk before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Walk& a, const Walk& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char* begin_;
  std::size_t* offset_;
};

class Writer {
 public:
  explicit Writer(const Layout& layout) : layout_(layout) {}

  std::string Write(const Value& document) {
    Put(document);
    if (layout_.newline) EndLine();
    return std::move(text_);
  }

 private:
  void Put(const Value& value) {
    if (const Value::Number* number = value.number()) {
      text_ += number->text;
    } else if (const std::string* string = value.string()) {
      PutString(*string);
    } else if (const bool* boolean = value.bool_value()) {
      text_ += *boolean ? "true" : "false";
    } else if (const Value::Items* items = value.items()) {
      const bool apart = std::ranges::any_of(*items, &Value::is_container);
      PutAll('[', ']', *items, apart, [this](const Value& item) { Put(item); });
    } else if (const Value::Members* members = value.members()) {
      PutAll('{', '}', *members, true, [this](const Value::Member& member) {
        PutString(member.key);
        text_ += layout_.lines ? ": " : ":";
        Put(member.value);
      });
    } else {
      text_ += "null";
    }
  }

  template <class All, class PutOne>
  void PutAll(char open, char close, const All& all, bool apart, PutOne&& put) {
    const bool lines = apart && layout_.lines && !all.empty();
    text_ += open;
    ++level_;
    bool first = true;
    for (const auto& one : all) {
      if (!first) text_ += layout_.lines && !lines ? ", " : ",";
      first = false;
      if (lines) NewLine();
      put(one);
    }
    --level_;
    if (lines) NewLine();
    text_ += close;
  }

  void PutString(const std::string& text) { text_ += nlohmann::json(text).dump(); }

  void EndLine() { text_ += layout_.returns ? "\r\n" : "\n"; }

  void NewLine() {
    EndLine();
    for (int i = 0; i < level_; ++i) text_ += layout_.indent;
  }

  const Layout& layout_;
  std::string text_;
  int level_ = 0;
};

}  // namespace

Result<Value> ParseDocument(std::string_view text) {
  return OrNoMemory([&]() -> Result<Value> {
    std::size_t offset = 0;
    Builder builder(offset);
    const char* const begin = text.data();
    const Walk first(begin, begin, &offset), last(begin + text.size(), begin, &offset);
    nlohmann::json::sax_parse(first, last, &builder);
    Result<Value> document = builder.Take();
    // The reader takes a NUL for the end, and what stands behind it would be lost.
    if (const std::size_t nul = text.find('\0'); document && nul != text.npos) {
      return Fail(ErrorCode::kCorrupt, "JSON", static_cast<std::int64_t>(nul),
                  "this does not continue a document");
    }
    return document;
  });
}

Layout LayoutOf(std::string_view text) {
  const bool newline = text.ends_with('\n');
  const std::string_view body = text.substr(0, text.size() - (newline ? 1 : 0));
  const std::size_t first = text.find('\n');
  const bool returns = first != text.npos && first > 0 && text[first - 1] == '\r';
  if (!body.contains('\n')) {
    return {.indent = "", .lines = false, .newline = newline, .returns = returns};
  }
  for (std::size_t line = body.find('\n'); line != body.npos; line = body.find('\n', line + 1)) {
    const std::size_t begin = line + 1;
    const std::size_t end = std::min(body.find_first_not_of(" \t", begin), body.size());
    if (end > begin) {
      return {.indent = std::string(body.substr(begin, end - begin)),
              .newline = newline,
              .returns = returns};
    }
  }
  return {.indent = "", .newline = newline, .returns = returns};
}

std::string WriteDocument(const Value& document, const Layout& layout) {
  return Writer(layout).Write(document);
}

std::string PlaceOf(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  return std::to_string(line) + ":" + std::to_string(1 + before.size() - begin);
}

}  // namespace nowait
