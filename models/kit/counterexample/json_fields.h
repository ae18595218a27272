// The fields of a record's objects, once for both directions, in the order of
// docs/counterexample.md.
//
//   EachField(fields, place);    `fields` writes a const place or reads into another one, and is
//                                called in one of these ways for each field:
//   fields("line", place.line)              always present; an empty std::optional is null
//   fields.OrNull("from", read.from)        always present; 0, empty text and no location are null
//   fields.IfThere("read", event.read)      left out instead of null
//   fields.IfWritten("written", value)      the same, with the value in an object of its own
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_JSON_FIELDS_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_JSON_FIELDS_H_

#include <concepts>
#include <optional>
#include <type_traits>
#include <vector>

#include "models/kit/counterexample/counterexample.h"

namespace nowait::model::counterexample {

// A Record, or a const Record.
template <class T, class Record>
concept Any = std::same_as<std::remove_const_t<T>, Record>;

void EachField(auto& fields, Any<Place> auto& place) {
  fields("file", place.file);
  fields("line", place.line);
  fields("column", place.column);
  fields("function", place.function);
}

void EachField(auto& fields, Any<Object> auto& object) {
  fields("id", object.id);
  fields("kind", object.kind);
  fields("name", object.name);
  fields.OrNull("type", object.type);
  fields.OrNull("first", object.first);
}

void EachField(auto& fields, Any<Call> auto& call) {
  fields("id", call.id);
  fields("thread", call.thread);
  fields("name", call.name);
  fields("notes", call.notes);
  fields("first", call.first);
  fields("last", call.last);
  fields("returned", call.returned);
  fields("outer", call.outer);
}

void EachField(auto& fields, Any<Read> auto& read) {
  fields("value", read.value);
  fields.OrNull("from", read.from);
  fields("stale", read.stale);
}

void EachField(auto& fields, Any<Event> auto& event) {
  fields("number", event.number);
  fields("thread", event.thread);
  fields("call", event.call);
  fields("kind", event.kind);
  fields("object", event.object);
  fields.OrNull("order", event.order);
  fields.IfThere("failure_order", event.failure_order);
  fields.OrNull("site", event.site);
  fields.IfThere("read", event.read);
  fields.IfWritten("written", event.written);
  fields("outcome", event.outcome);
}

void EachField(auto& fields, Any<ModificationOrder> auto& order) {
  fields("object", order.object);
  fields("stores", order.stores);
}

void EachField(auto& fields, Any<Edge> auto& edge) {
  fields("from", edge.from);
  fields("to", edge.to);
}

void EachField(auto& fields, Any<Step> auto& step) {
  fields.OrNull("from", step.from);
  fields("to", step.to);
  fields("why", step.why);
}

void EachField(auto& fields, Any<Candidate> auto& candidate) {
  fields.OrNull("store", candidate.store);
  fields("allowed", candidate.allowed);
  fields("rule", candidate.rule);
  fields("words", candidate.words);
  fields("path", candidate.path);
}

void EachField(auto& fields, Any<Choice> auto& choice) {
  fields("event", choice.event);
  fields("stores", choice.stores);
}

void EachField(auto& fields, Any<Failure> auto& failure) {
  fields("kind", failure.kind);
  fields("words", failure.words);
  fields("details", failure.details);
  fields.OrNull("site", failure.site);
  fields("thread", failure.thread);
  fields("events", failure.events);
}

void EachField(auto& fields, Any<Execution> auto& execution) {
  fields("failure", execution.failure);
  fields("objects", execution.objects);
  fields("calls", execution.calls);
  fields("events", execution.events);
  fields("modification_orders", execution.modification_orders);
  fields("synchronises_with", execution.synchronises_with);
  fields("candidates", execution.candidates);
  fields.OrNull("left_out", execution.left_out);
}

void EachField(auto& fields, Any<Scenario> auto& scenario) {
  fields("name", scenario.name);
  fields("promise", scenario.promise);
  fields("threads", scenario.threads);
}

void EachField(auto& fields, Any<SearchDone> auto& search) {
  fields("words", search.words);
  fields("executions", search.executions);
}

void EachField(auto& fields, Any<Size> auto& size) {
  fields("scenario", size.scenario);
  fields("threads", size.threads);
  fields("calls", size.calls);
  fields("events", size.events);
  fields("switches", size.switches);
}

void EachField(auto& fields, Any<Minimised> auto& minimised) {
  fields("from", minimised.from);
  fields("to", minimised.to);
  fields("words", minimised.words);
}

void EachField(auto& fields, Any<Source> auto& source) {
  fields("file", source.file);
  fields("lines", source.lines);
}

void EachField(auto& fields, Any<Repair::Operation> auto& operation) {
  fields("kind", operation.kind);
  fields.OrNull("site", operation.site);
  fields("order", operation.order);
  fields.OrNull("failure_order", operation.failure_order);
  fields("repaired", operation.repaired);
  fields.OrNull("repaired_failure", operation.repaired_failure);
}

void EachField(auto& fields, Any<Repair::Divergence> auto& divergence) {
  fields("event", divergence.event);
  fields("other", divergence.other);
  fields("words", divergence.words);
}

void EachField(auto& fields, Any<Repair> auto& repair) {
  fields("words", repair.words);
  fields("operation", repair.operation);
  fields("verdict", repair.verdict);
  fields("execution", repair.execution);
  fields("diverges", repair.diverges);
}

void EachField(auto& fields, Any<Recorded::Operation> auto& operation) {
  fields("thread", operation.thread);
  fields.OrNull("call", operation.call);
  fields("kind", operation.kind);
  fields.OrNull("object", operation.object);
  fields.OrNull("order", operation.order);
  fields.IfThere("failure_order", operation.failure_order);
  fields.OrNull("site", operation.site);
  fields("read", operation.read);
  fields("written", operation.written);
  fields("outcome", operation.outcome);
}

void EachField(auto& fields, Any<Recorded::Execution> auto& execution) {
  fields("verdict", execution.verdict);
  fields("words", execution.words);
  fields("order", execution.order);
}

void EachField(auto& fields, Any<Recorded> auto& recorded) {
  fields("complete", recorded.complete);
  fields("words", recorded.words);
  fields("operations", recorded.operations);
  fields("executions", recorded.executions);
}

// Without the format and the version, which precede these fields.
void EachField(auto& fields, Any<Counterexample> auto& record) {
  fields("structure", record.structure);
  fields("scenario", record.scenario);
  fields("search", record.search);
  fields("again", record.again);
  fields("minimised", record.minimised);
  fields("sources", record.sources);
  fields("execution", record.execution);
  fields("repair", record.repair);
  fields("recorded", record.recorded);
}

// A list, and an element that may be missing.
template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_JSON_FIELDS_H_
