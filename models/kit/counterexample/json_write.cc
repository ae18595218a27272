// The record as JSON. Fields stand in the order of docs/counterexample.md.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/counterexample/json.h"
#include "models/kit/program/failure.h"

namespace nowait::model::counterexample {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json Write(const std::vector<T>& values);
template <class T>
Json OrNull(const std::optional<T>& value);

// 0 stands for no event in the record.
Json NumberOrNull(int number) { return number == 0 ? Json(nullptr) : Json(number); }
Json TextOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json Write(int number) { return number; }
Json Write(const std::string& text) { return text; }

Json Write(const Place& place) {
  if (place.line == 0) return nullptr;
  return {{"file", place.file},
          {"line", place.line},
          {"column", place.column},
          {"function", place.function}};
}

Json Write(const Object& object) {
  return {{"id", object.id},
          {"kind", object.kind},
          {"name", object.name},
          {"type", TextOrNull(object.type)},
          {"first", TextOrNull(object.first)}};
}

Json Write(const Call& call) {
  return {{"id", call.id},
          {"thread", call.thread},
          {"name", call.name},
          {"notes", call.notes},
          {"first", call.first},
          {"last", call.last},
          {"returned", call.returned},
          {"outer", OrNull(call.outer)}};
}

Json Write(const Event& event) {
  Json json = {{"number", event.number},         {"thread", event.thread},
               {"call", OrNull(event.call)},     {"kind", event.kind},
               {"object", OrNull(event.object)}, {"order", TextOrNull(event.order)}};
  if (!event.failure_order.empty()) json["failure_order"] = event.failure_order;
  json["site"] = Write(event.site);
  if (event.read) {
    json["read"] = {{"value", event.read->value},
                    {"from", NumberOrNull(event.read->from)},
                    {"stale", event.read->stale}};
  }
  if (event.written) json["written"] = {{"value", *event.written}};
  json["outcome"] = event.outcome;
  return json;
}

Json Write(const ModificationOrder& order) {
  return {{"object", order.object}, {"stores", order.stores}};
}
Json Write(const Edge& edge) { return {{"from", edge.from}, {"to", edge.to}}; }
Json Write(const Step& step) {
  return {{"from", NumberOrNull(step.from)}, {"to", step.to}, {"why", step.why}};
}
Json Write(const Candidate& candidate) {
  return {{"store", NumberOrNull(candidate.store)},
          {"allowed", candidate.allowed},
          {"rule", candidate.rule},
          {"words", candidate.words},
          {"path", Write(candidate.path)}};
}
Json Write(const Choice& choice) {
  return {{"event", choice.event}, {"stores", Write(choice.stores)}};
}

Json Write(const Failure& failure) {
  return {{"kind", failure.kind},
          {"words", failure.words},
          {"details", failure.details},
          {"site", Write(failure.site)},
          {"thread", OrNull(failure.thread)},
          {"events", failure.events}};
}

Json Write(const Execution& execution) {
  return {{"failure", OrNull(execution.failure)},
          {"objects", Write(execution.objects)},
          {"calls", Write(execution.calls)},
          {"events", Write(execution.events)},
          {"modification_orders", Write(execution.modification_orders)},
          {"synchronises_with", Write(execution.synchronises_with)},
          {"candidates", Write(execution.candidates)},
          {"left_out", TextOrNull(execution.left_out)}};
}

Json Write(const Size& size) {
  return {{"scenario", size.scenario},
          {"threads", size.threads},
          {"calls", size.calls},
          {"events", size.events},
          {"switches", size.switches}};
}
Json Write(const Minimised& minimised) {
  return {{"from", Write(minimised.from)}, {"to", Write(minimised.to)}, {"words", minimised.words}};
}
Json Write(const Source& source) { return {{"file", source.file}, {"lines", source.lines}}; }

Json Write(const Repair::Operation& operation) {
  return {{"kind", operation.kind},
          {"site", Write(operation.site)},
          {"order", operation.order},
          {"failure_order", TextOrNull(operation.failure_order)},
          {"repaired", operation.repaired},
          {"repaired_failure", TextOrNull(operation.repaired_failure)}};
}
Json Write(const Repair::Divergence& divergence) {
  return {{"event", divergence.event}, {"other", divergence.other}, {"words", divergence.words}};
}
Json Write(const Repair& repair) {
  return {{"words", repair.words},
          {"operation", OrNull(repair.operation)},
          {"verdict", repair.verdict},
          {"execution", OrNull(repair.execution)},
          {"diverges", OrNull(repair.diverges)}};
}

Json Write(const Recorded::Operation& operation) {
  Json json = {{"thread", operation.thread},
               {"call", TextOrNull(operation.call)},
               {"kind", operation.kind},
               {"object", TextOrNull(operation.object)},
               {"order", TextOrNull(operation.order)}};
  if (!operation.failure_order.empty()) json["failure_order"] = operation.failure_order;
  json["site"] = Write(operation.site);
  json["read"] = OrNull(operation.read);
  json["written"] = OrNull(operation.written);
  json["outcome"] = operation.outcome;
  return json;
}
Json Write(const Recorded::Execution& execution) {
  Json order = Json::array();
  for (const Recorded::Step& step : execution.order) {
    order.push_back(Json::array({step.operation, step.from}));
  }
  return {{"verdict", execution.verdict}, {"words", execution.words}, {"order", order}};
}
Json Write(const Recorded& recorded) {
  return {{"complete", recorded.complete},
          {"words", recorded.words},
          {"operations", Write(recorded.operations)},
          {"executions", Write(recorded.executions)}};
}

template <class T>
Json Write(const std::vector<T>& values) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(Write(value));
  return array;
}
template <class T>
Json OrNull(const std::optional<T>& value) {
  return value ? Write(*value) : Json(nullptr);
}

}  // namespace

std::string ToJson(const Counterexample& record) {
  const Json json = {
      {"format", kFormat},
      {"version", kVersion},
      {"structure", record.structure},
      {"scenario",
       {{"name", record.scenario.name},
        {"promise", record.scenario.promise},
        {"threads", record.scenario.threads}}},
      {"search", {{"words", record.search.words}, {"executions", record.search.executions}}},
      {"again", record.again},
      {"minimised", OrNull(record.minimised)},
      {"sources", Write(record.sources)},
      {"execution", Write(record.execution)},
      {"repair", OrNull(record.repair)},
      {"recorded", OrNull(record.recorded)}};
  // A line for each of these: with one for each number of `recorded` a file is four times as long.
  std::string text;
  for (const auto& [name, value] : json.items()) {
    text += text.empty() ? "{" : ",\n ";
    // Bytes of a source that are not UTF-8 are shown by the replacement character.
    text += Json(name).dump() + ": " + value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "}\n";
}

}  // namespace nowait::model::counterexample
