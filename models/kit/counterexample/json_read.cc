// Reads the record from JSON: first the form of every field, then its meaning (validate.h).
#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/kit/counterexample/json.h"
#include "models/kit/counterexample/json_fields.h"
#include "models/kit/counterexample/validate.h"
#include "models/kit/process/files.h"
#include "models/kit/process/one_line.h"
#include "models/kit/program/failure.h"

namespace nowait::model::counterexample {
namespace {

using Json = nlohmann::json;

// The position of a value in the text, and the first complaint about any value.
class Reader {
 public:
  template <class T>
  void Get(const Json& json, const std::string& path, T& value);

  void Complain(const std::string& path, const std::string& words) {
    if (complaint_.empty()) complaint_ = fmt::format("{}: {}", path, words);
  }
  const std::string& complaint() const { return complaint_; }

 private:
  std::string complaint_;
};

// The fields of an object. On destruction, a field that was not asked for counts as superfluous.
class Fields {
 public:
  Fields(Reader& reader, const Json& json, std::string path)
      : reader_(reader), json_(json), path_(std::move(path)) {
    if (!json_.is_object()) reader_.Complain(path_, "is no object");
  }
  ~Fields() {
    if (!json_.is_object()) return;
    for (const auto& [name, value] : json_.items()) {
      if (!asked_.contains(name)) reader_.Complain(PathOf(name), "is no field of this version");
    }
  }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  template <class T>
  void operator()(const char* name, T& value) {
    if (const Json* field = Find(name)) reader_.Get(*field, PathOf(name), value);
  }
  template <class T>
  void OrNull(const char* name, T& value) {
    const Json* field = Find(name);
    if (field != nullptr && !field->is_null()) reader_.Get(*field, PathOf(name), value);
  }
  template <class T>
  void IfThere(const char* name, T& value) {
    asked_.insert(name);
    if (json_.is_object() && json_.contains(name)) reader_.Get(json_[name], PathOf(name), value);
  }
  void IfWritten(const char* name, std::optional<std::string>& value) {
    asked_.insert(name);
    if (!json_.is_object() || !json_.contains(name)) return;
    Fields written(reader_, json_[name], PathOf(name));
    written("value", value.emplace());
  }

 private:
  std::string PathOf(const std::string& name) const {
    return path_.empty() ? name : fmt::format("{}.{}", path_, name);
  }
  const Json* Find(const char* name) {
    asked_.insert(name);
    if (!json_.is_object()) return nullptr;
    const auto field = json_.find(name);
    if (field == json_.end()) reader_.Complain(PathOf(name), "is missing");
    return field == json_.end() ? nullptr : &*field;
  }

  Reader& reader_;
  const Json& json_;
  const std::string path_;
  std::set<std::string> asked_;
};

template <class T>
void Reader::Get(const Json& json, const std::string& path, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) return Complain(path, "is neither true nor false");
    value = json.get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    const bool fits = json.is_number_unsigned()
                          ? std::in_range<T>(json.get<std::uint64_t>())
                          : json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>());
    if (!fits) return Complain(path, "is no number that fits here");
    value = json.get<T>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) return Complain(path, "is no text");
    value = json.get<std::string>();
  } else if constexpr (IsOptional<T>::value) {
    if (!json.is_null()) Get(json, path, value.emplace());
  } else if constexpr (IsList<T>::value) {
    if (!json.is_array()) return Complain(path, "is no list");
    for (std::size_t i = 0; i < json.size(); ++i) {
      Get(json[i], fmt::format("{}[{}]", path, i), value.emplace_back());
    }
  } else if constexpr (std::is_same_v<T, Recorded::Step>) {
    if (!json.is_array() || json.size() != 2) return Complain(path, "is no pair of numbers");
    Get(json[0], path, value.operation);
    Get(json[1], path, value.from);
  } else {
    Fields fields(*this, json, path);
    EachField(fields, value);
  }
}

// The text as JSON, or the reason why it is not JSON. A name that occurs twice in an object is an
// error, which the library would ignore.
std::expected<Json, std::string> Parse(const std::string& text) {
  std::vector<std::set<std::string>> names;
  std::string twice;
  const auto look = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key && !names.back().insert(parsed).second) {
      twice = parsed.get<std::string>();
    }
    return true;
  };
  Json json = Json::parse(text, look, /*allow_exceptions=*/false);
  if (json.is_discarded()) return std::unexpected("is no JSON, or was cut off");
  if (!twice.empty()) return std::unexpected(OneLine(fmt::format("{}: is there twice", twice)));
  return json;
}

}  // namespace

std::expected<Counterexample, std::string> FromJson(const std::string& text) {
  const auto json = Parse(text);
  if (!json) return std::unexpected(json.error());
  const auto is = [&](const char* name, const Json& value) {
    return json->is_object() && json->contains(name) && (*json)[name] == value;
  };
  if (!is("format", kFormat)) {
    return std::unexpected(fmt::format("format: is not \"{}\"", kFormat));
  }
  if (!is("version", kVersion)) {
    return std::unexpected(
        fmt::format("version: is not {}, the only one that is understood here", kVersion));
  }
  Counterexample record;
  Reader reader;
  {
    Fields fields(reader, *json, "");
    std::string format;
    int version = 0;
    fields("format", format);
    fields("version", version);
    EachField(fields, record);
  }
  if (!reader.complaint().empty()) return std::unexpected(OneLine(reader.complaint()));
  if (const std::string wrong = ValidationError(record); !wrong.empty()) {
    return std::unexpected(OneLine(wrong));
  }
  return record;
}

std::expected<Counterexample, std::string> Load(const std::string& path) {
  const auto text = ReadAll(path);
  if (!text) {
    return std::unexpected(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  }
  auto record = FromJson(*text);
  if (!record) return std::unexpected(fmt::format("{}: {}", path, record.error()));
  return record;
}

}  // namespace nowait::model::counterexample
