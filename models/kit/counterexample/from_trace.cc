#include "models/kit/counterexample/from_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/counterexample/candidates.h"
#include "models/kit/counterexample/causal_past.h"
#include "models/kit/counterexample/kinds.h"
#include "models/kit/counterexample/object_names.h"
#include "models/kit/counterexample/orders.h"
#include "models/kit/counterexample/shown.h"

namespace nowait::model::counterexample {
namespace {

const char* NameOfType(ValueType type) {
  switch (type) {
    case ValueType::kUnsigned:
      return "unsigned";
    case ValueType::kSigned:
      return "signed";
    case ValueType::kFloat:
      return "float";
    case ValueType::kDouble:
      return "double";
    case ValueType::kBool:
      return "bool";
    case ValueType::kPointer:
      return "pointer";
    case ValueType::kOther:
      return "bytes";
  }
  return "";
}

class Builder {
 public:
  // whole: with the construction of the objects; shown: the part to show, in the order of display.
  Builder(const Trace& whole, const Trace& shown, SourceText& text)
      : whole_(whole), trace_(shown), text_(text), orders_(shown) {}

  Execution Build(const std::optional<model::Failure>& failure) {
    AddObjects();
    AddCalls();
    for (EventNumber number = 1; number <= trace_.last(); ++number) AddEvent(number);
    AddModificationOrders();
    execution_.synchronises_with = orders_.synchronises_with();
    execution_.candidates = CandidatesOf(trace_, orders_);
    if (failure) execution_.failure = Describe(*failure);
    return std::move(execution_);
  }

 private:
  // A pointer is shown by the order in which pointers appear: an address means nothing to a reader
  // and differs in the next run.
  std::string ValueOf(Word value, ValueType type) {
    if (type != ValueType::kPointer || value == 0) return NumberOf(value, type);
    const auto [entry, is_new] = pointers_.try_emplace(value, pointers_.size() + 1);
    return fmt::format("pointer {}", entry->second);
  }

  void AddObjects() {
    std::map<std::uint32_t, Word> first;  // the value that set-up left in each atomic
    std::map<std::uint32_t, std::uint32_t> place;
    for (EventNumber number = 1; number <= whole_.last(); ++number) {
      const model::Event& event = whole_[number];
      if (event.thread != kSetUp || event.place == kUnplaced) continue;
      if (first.contains(event.object) && event.place < place[event.object]) continue;
      first[event.object] = event.written;
      place[event.object] = event.place;
    }
    const auto names = NamesOf(trace_, whole_, text_);
    for (EventNumber number = 1; number <= trace_.last(); ++number) {
      const model::Event& event = trace_[number];
      const ObjectKey key = {KindOfObject(event.kind), event.object};
      const auto name = names.find(key);
      if (name == names.end() || ids_.contains(key)) continue;
      Object& object = execution_.objects.emplace_back();
      object.id = static_cast<int>(execution_.objects.size()) - 1;
      object.kind = counterexample::Name(key.first);
      object.name = name->second;
      const bool has_value = key.first == ObjectKind::kAtomic || key.first == ObjectKind::kPlain;
      if (has_value) object.type = NameOfType(event.type);
      if (key.first == ObjectKind::kAtomic && first.contains(event.object)) {
        object.first = ValueOf(first[event.object], event.type);
      }
      ids_[key] = object.id;
    }
  }

  // Calls of which some steps are left out here, and which have therefore not ended.
  std::set<CallNumber> CutCalls() const {
    std::map<CallNumber, int> steps;
    const auto count = [&](const Trace& trace, int by) {
      for (EventNumber number = 1; number <= trace.last(); ++number) {
        if (trace[number].kind != OperationKind::kLateStore) steps[trace[number].call] += by;
      }
    };
    count(whole_, 1);
    count(trace_, -1);
    std::set<CallNumber> cut;
    for (const auto& [number, left_out] : steps) {
      if (left_out == 0) continue;
      for (CallNumber call = number; call != kNoCall; call = trace_.call(call).outer)
        cut.insert(call);
    }
    return cut;
  }

  // Adds the calls that have steps here, in the order in which they begin.
  void AddCalls() {
    const std::set<CallNumber> cut = CutCalls();
    for (EventNumber number = 1; number <= trace_.last(); ++number) {
      for (CallNumber call = trace_[number].call; call != kNoCall; call = trace_.call(call).outer) {
        const auto [entry, is_new] = calls_.try_emplace(call, 0);
        if (is_new) {
          entry->second = static_cast<int>(execution_.calls.size());
          const RecordedCall& recorded = trace_.call(call);
          Call& added = execution_.calls.emplace_back();
          added.id = entry->second;
          added.thread = recorded.thread;
          added.name = recorded.name;
          added.returned = recorded.returned && !cut.contains(call);
          if (added.returned || !recorded.returned) added.notes = recorded.notes;
          added.first = static_cast<int>(number);
        }
        execution_.calls[static_cast<std::size_t>(entry->second)].last = static_cast<int>(number);
      }
    }
    for (const auto& [number, id] : calls_) {
      const CallNumber outer = trace_.call(number).outer;
      if (outer != kNoCall) execution_.calls[static_cast<std::size_t>(id)].outer = calls_[outer];
    }
  }

  void AddEvent(EventNumber number) {
    const model::Event& event = trace_[number];
    Event& added = execution_.events.emplace_back();
    added.number = static_cast<int>(number);
    added.thread = event.thread;
    if (event.call != kNoCall) added.call = calls_[event.call];
    added.kind = model::Name(event.kind);
    added.site = PlaceOf(event.site);
    added.outcome = OutcomeOf(event);
    const auto id = ids_.find({KindOfObject(event.kind), event.object});
    if (id != ids_.end()) added.object = id->second;
    if (event.kind == OperationKind::kCompareExchange) {
      added.order = model::Name(event.success);
      added.failure_order = model::Name(event.failure);
    } else if (IsAtomicAccess(event.kind) || event.kind == OperationKind::kFence) {
      added.order = model::Name(event.order);
    }
    if (event.reads) added.read = ReadOf(event);
    if (event.writes) added.written = ValueOf(event.written, event.type);
    if (event.kind == OperationKind::kPlainWrite) plain_writes_[event.object] = number;
    if (event.place != kUnplaced) stores_[event.object].push_back(number);
  }

  Read ReadOf(const model::Event& event) {
    Read read;
    read.value = ValueOf(event.read, event.type);
    if (event.kind == OperationKind::kPlainRead) {
      read.from = static_cast<int>(plain_writes_[event.object]);
      return read;
    }
    read.from = static_cast<int>(event.from);
    const std::int64_t place = event.from == kNoEvent ? -1 : std::int64_t{trace_[event.from].place};
    read.stale = std::ranges::any_of(stores_[event.object], [&](EventNumber store) {
      const std::uint32_t other = trace_[store].place;
      return std::int64_t{other} > place && (!event.writes || other < event.place);
    });
    return read;
  }

  void AddModificationOrders() {
    for (auto& [object, stores] : stores_) {
      std::ranges::sort(stores, {}, [this](EventNumber store) { return trace_[store].place; });
      ModificationOrder& order = execution_.modification_orders.emplace_back();
      order.object = ids_[{ObjectKind::kAtomic, object}];
      for (const EventNumber store : stores) order.stores.push_back(static_cast<int>(store));
    }
  }

  Failure Describe(const model::Failure& failure) {
    Failure described;
    described.kind = model::Name(failure.kind);
    const std::size_t end = failure.words.find('\n');
    described.words = failure.words.substr(0, end);
    if (described.words.empty()) described.words = described.kind;
    for (std::size_t at = end; at != failure.words.npos;) {
      const std::size_t next = failure.words.find('\n', at + 1);
      described.details.push_back(failure.words.substr(at + 1, next - at - 1));
      at = next;
    }
    if (const std::string advice = Advice(failure.kind); !advice.empty()) {
      described.details.push_back(advice);
    }
    described.site = PlaceOf(failure.site);
    const bool is_of_all =
        failure.kind == FailureKind::kDeadlock || failure.kind == FailureKind::kLivelock;
    if (!is_of_all) described.thread = failure.thread;
    for (const EventNumber number : Blamed(trace_, orders_, failure)) {
      described.events.push_back(static_cast<int>(number));
    }
    std::ranges::sort(described.events);
    return described;
  }

  const Trace& whole_;
  const Trace& trace_;
  SourceText& text_;
  const Orders orders_;
  Execution execution_;
  std::map<ObjectKey, int> ids_;
  std::map<CallNumber, int> calls_;
  std::map<Word, std::size_t> pointers_;
  std::map<std::uint32_t, EventNumber> plain_writes_;         // the latest one so far, by object
  std::map<std::uint32_t, std::vector<EventNumber>> stores_;  // the stores so far, by object
};

}  // namespace

std::string NumberOf(Word value, ValueType type) {
  if (type == ValueType::kOther) return "...";
  constexpr Word kLarge = Word{1} << 31;
  if (type == ValueType::kUnsigned && value >= kLarge) return fmt::format("{:#x}", value);
  return Format(value, type);
}

Place PlaceOf(const Site& site) {
  if (site.line() == 0) return {};
  return {FileOf(site), site.line(), site.column(), site.function_name()};
}

Execution ExecutionOf(const Trace& trace, const std::optional<model::Failure>& failure,
                      SourceText& text) {
  const Shown shown = Show(trace, failure.value_or(model::Failure()));
  Execution execution = Builder(trace, shown.trace, text).Build(failure);
  execution.left_out = shown.left_out;
  return execution;
}

std::string OutcomeOf(const model::Event& event) {
  if (event.blocks) return "blocks";
  if (event.kind == OperationKind::kWakeUp) return event.spurious ? "wakes spuriously" : "";
  if (event.spurious) return "fails spuriously";
  return event.failed ? "fails" : "";
}

Execution ExecutionAsRun(const Trace& trace, bool with_after, SourceText& text) {
  const Trace whole = CausalPast(trace, model::Failure());
  std::vector<EventNumber> shown;
  for (EventNumber number = 1; number <= whole.last(); ++number) {
    if (with_after || whole[number].thread != kAfter) shown.push_back(number);
  }
  Execution execution = Builder(trace, whole.Take(shown), text).Build(std::nullopt);
  if (shown.size() < whole.last()) execution.left_out = "what comes after the threads is left out";
  return execution;
}

int NumberAsRun(const Trace& trace, EventNumber number) {
  int shown = 0;
  for (EventNumber i = 1; i <= number; ++i) shown += trace[i].thread != kSetUp ? 1 : 0;
  return shown;
}

Size SizeOf(const Execution& execution, int threads) {
  Size size;
  size.threads = threads;
  size.calls = static_cast<int>(execution.calls.size());
  size.events = static_cast<int>(execution.events.size());
  for (std::size_t i = 1; i < execution.events.size(); ++i) {
    const int thread = execution.events[i].thread;
    const int before = execution.events[i - 1].thread;
    size.switches += thread >= 0 && before >= 0 && thread != before ? 1 : 0;
  }
  return size;
}

std::vector<Source> SourcesOf(const std::vector<const Execution*>& executions, SourceText& text) {
  std::set<std::string> files;
  for (const Execution* execution : executions) {
    for (const Event& event : execution->events) files.insert(event.site.file);
    if (execution->failure) files.insert(execution->failure->site.file);
  }
  std::vector<Source> sources;
  for (const std::string& file : files) {
    const std::vector<std::string>& lines = text.Lines(file);
    if (!lines.empty()) sources.push_back({file, lines});
  }
  return sources;
}

}  // namespace nowait::model::counterexample
