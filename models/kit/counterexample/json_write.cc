// Writes the record as JSON.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "models/kit/counterexample/json.h"
#include "models/kit/counterexample/json_fields.h"
#include "models/kit/program/failure.h"

namespace nowait::model::counterexample {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json Write(const T& value);

// The values that are written as null.
bool IsNothing(int number) { return number == 0; }
bool IsNothing(const std::string& text) { return text.empty(); }
bool IsNothing(const Place& place) { return place.line == 0; }
template <class T>
bool IsNothing(const std::optional<T>& value) {
  return !value;
}

class Fields {
 public:
  explicit Fields(Json& json) : json_(json) {}

  template <class T>
  void operator()(const char* name, const T& value) {
    json_[name] = Write(value);
  }
  template <class T>
  void OrNull(const char* name, const T& value) {
    json_[name] = IsNothing(value) ? Json(nullptr) : Write(value);
  }
  template <class T>
  void IfThere(const char* name, const T& value) {
    if (!IsNothing(value)) json_[name] = Write(value);
  }
  void IfWritten(const char* name, const std::optional<std::string>& value) {
    if (value) json_[name] = {{"value", *value}};
  }

 private:
  Json& json_;
};

template <class T>
Json Write(const T& value) {
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (IsOptional<T>::value) {
    return value ? Write(*value) : Json(nullptr);
  } else if constexpr (IsList<T>::value) {
    Json array = Json::array();
    for (const auto& one : value) array.push_back(Write(one));
    return array;
  } else if constexpr (std::is_same_v<T, Recorded::Step>) {
    return Json::array({value.operation, value.from});
  } else {
    Json json = Json::object();
    Fields fields(json);
    EachField(fields, value);
    return json;
  }
}

}  // namespace

std::string ToJson(const Counterexample& record) {
  Json json = {{"format", kFormat}, {"version", kVersion}};
  Fields fields(json);
  EachField(fields, record);
  // One line for each of these: one line for each number in `recorded` would make a file four times
  // as long.
  std::string text;
  for (const auto& [name, value] : json.items()) {
    text += text.empty() ? "{" : ",\n ";
    // Bytes of a source that are not UTF-8 are shown by the replacement character.
    text += Json(name).dump() + ": " + value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "}\n";
}

}  // namespace nowait::model::counterexample
