#include "models/kit/counterexample/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "models/kit/program/failure.h"
#include "models/kit/program/operation.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::counterexample {
namespace {

bool IsKind(const std::string& name) {
  for (int kind = 0; kind <= static_cast<int>(OperationKind::kEndCondition); ++kind) {
    if (name == Name(static_cast<OperationKind>(kind))) return true;
  }
  return false;
}

bool IsOrder(const std::string& name) {
  constexpr std::array kOrders = {std::memory_order::relaxed, std::memory_order::consume,
                                  std::memory_order::acquire, std::memory_order::release,
                                  std::memory_order::acq_rel, std::memory_order::seq_cst};
  return std::ranges::any_of(kOrders, [&](std::memory_order order) { return name == Name(order); });
}

bool IsObjectKind(const std::string& name) {
  constexpr std::array<std::string_view, 5> kKinds = {"atomic", "plain", "mutex", "condition",
                                                      "block"};
  return std::ranges::find(kKinds, name) != kKinds.end();
}

bool IsOutcome(const std::string& name) {
  constexpr std::array<std::string_view, 5> kOutcomes = {"", "fails", "fails spuriously",
                                                         "wakes spuriously", "blocks"};
  return std::ranges::find(kOutcomes, name) != kOutcomes.end();
}

// The phase of an execution to which a thread's events belong.
int PhaseOf(int thread) { return thread == kSetUp ? 0 : thread == kAfter ? 2 : 1; }

class Judge {
 public:
  explicit Judge(int threads) : threads_(threads) {}

  void JudgeExecution(const Execution& execution, const std::string& path) {
    execution_ = &execution;
    path_ = path;
    JudgeObjects();
    JudgeCalls();
    JudgeEvents();
    JudgeStores();
    JudgeEdges();
    JudgeCandidates();
    if (execution.failure) JudgeFailure(*execution.failure);
  }

  void JudgeRecorded(const Recorded& recorded) {
    path_ = "recorded";
    for (std::size_t i = 0; i < recorded.operations.size(); ++i) {
      const Recorded::Operation& operation = recorded.operations[i];
      Demand(IsThread(operation.thread), "operations", i, "thread", operation.thread, "no thread");
      Demand(IsKind(operation.kind), "operations", i, "kind", operation.kind, "no kind of step");
    }
    const auto operations = static_cast<int>(recorded.operations.size());
    for (std::size_t i = 0; i < recorded.executions.size(); ++i) {
      const auto& order = recorded.executions[i].order;
      for (std::size_t k = 0; k < order.size(); ++k) {
        Demand(order[k].operation >= 0 && order[k].operation < operations, "executions", i, "order",
               order[k].operation, "no operation");
        Demand(order[k].from >= -1 && order[k].from < static_cast<int>(k), "executions", i, "order",
               order[k].from, "no earlier step");
      }
    }
  }

  void Complain(const std::string& words) {
    if (wrong_.empty()) wrong_ = words;
  }
  std::string wrong() const { return wrong_; }

 private:
  template <class T>
  void Demand(bool holds, const char* list, std::size_t index, const char* field, const T& value,
              const char* what) {
    if (!holds) {
      Complain(fmt::format("{}.{}[{}].{}: {} is {}", path_, list, index, field, value, what));
    }
  }

  bool IsThread(int thread) const { return kAfter <= thread && thread < threads_; }
  int CountEvents() const { return static_cast<int>(execution_->events.size()); }
  bool IsEvent(int number) const { return 1 <= number && number <= CountEvents(); }
  bool IsObject(int id) const {
    return 0 <= id && id < static_cast<int>(execution_->objects.size());
  }
  const Event& At(int number) const {
    return execution_->events[static_cast<std::size_t>(number) - 1];
  }
  bool IsStoreOf(int number, std::optional<int> object) const {
    return IsEvent(number) && At(number).written && At(number).object == object;
  }

  void JudgeObjects() {
    for (std::size_t i = 0; i < execution_->objects.size(); ++i) {
      const Object& object = execution_->objects[i];
      Demand(object.id == static_cast<int>(i), "objects", i, "id", object.id, "not its index");
      Demand(IsObjectKind(object.kind), "objects", i, "kind", object.kind, "no kind of object");
    }
  }

  void JudgeCalls() {
    const auto count = static_cast<int>(execution_->calls.size());
    for (std::size_t i = 0; i < execution_->calls.size(); ++i) {
      const Call& call = execution_->calls[i];
      Demand(call.id == static_cast<int>(i), "calls", i, "id", call.id, "not its index");
      Demand(IsThread(call.thread), "calls", i, "thread", call.thread, "no thread");
      Demand(IsEvent(call.first), "calls", i, "first", call.first, "no event");
      Demand(IsEvent(call.last) && call.first <= call.last, "calls", i, "last", call.last,
             "no event behind the first");
      if (!call.outer) continue;
      const bool is_call = 0 <= *call.outer && *call.outer < count && *call.outer != call.id;
      Demand(is_call, "calls", i, "outer", *call.outer, "no other call");
      if (!is_call) return;
      const Call& outer = execution_->calls[static_cast<std::size_t>(*call.outer)];
      Demand(outer.thread == call.thread && outer.first <= call.first && call.last <= outer.last,
             "calls", i, "outer", *call.outer, "no call around it");
    }
  }

  void JudgeEvents() {
    const auto calls = static_cast<int>(execution_->calls.size());
    for (std::size_t i = 0; i < execution_->events.size(); ++i) {
      const Event& event = execution_->events[i];
      Demand(event.number == static_cast<int>(i) + 1, "events", i, "number", event.number,
             "not its place in the list");
      Demand(IsThread(event.thread), "events", i, "thread", event.thread, "no thread");
      Demand(i == 0 || PhaseOf(execution_->events[i - 1].thread) <= PhaseOf(event.thread), "events",
             i, "thread", event.thread, "out of order: set-up, threads, after");
      Demand(IsKind(event.kind), "events", i, "kind", event.kind, "no kind of step");
      Demand(event.order.empty() || IsOrder(event.order), "events", i, "order", event.order,
             "no memory order");
      Demand(event.failure_order.empty() || IsOrder(event.failure_order), "events", i,
             "failure_order", event.failure_order, "no memory order");
      Demand(IsOutcome(event.outcome), "events", i, "outcome", event.outcome, "no outcome");
      if (event.object) {
        Demand(IsObject(*event.object), "events", i, "object", *event.object, "no object");
      }
      if (event.call) {
        const bool is_call = 0 <= *event.call && *event.call < calls;
        Demand(is_call, "events", i, "call", *event.call, "no call");
        if (!is_call) return;
        const Call& call = execution_->calls[static_cast<std::size_t>(*event.call)];
        Demand(
            call.thread == event.thread && call.first <= event.number && event.number <= call.last,
            "events", i, "call", *event.call, "no call that is made there");
      }
      if (!event.read || event.read->from == 0) continue;
      Demand(IsStoreOf(event.read->from, event.object) && event.read->from < event.number, "events",
             i, "read.from", event.read->from, "no earlier store to its object");
    }
  }

  // Every store to an atomic appears in the order of its object exactly once, and each thread's
  // stores in program order.
  void JudgeStores() {
    std::set<int> objects;
    std::set<int> placed;
    for (std::size_t i = 0; i < execution_->modification_orders.size(); ++i) {
      const ModificationOrder& order = execution_->modification_orders[i];
      Demand(IsObject(order.object), "modification_orders", i, "object", order.object, "no object");
      Demand(objects.insert(order.object).second, "modification_orders", i, "object", order.object,
             "there twice");
      std::vector<int> last(static_cast<std::size_t>(threads_ - kAfter), 0);
      for (const int store : order.stores) {
        const bool is_store = IsStoreOf(store, order.object);
        Demand(is_store, "modification_orders", i, "stores", store, "no store to the object");
        if (!is_store || !IsThread(At(store).thread)) return;
        Demand(placed.insert(store).second, "modification_orders", i, "stores", store,
               "there twice");
        int& before = last[static_cast<std::size_t>(At(store).thread - kAfter)];
        Demand(before < store, "modification_orders", i, "stores", store,
               "behind a later one of its thread");
        before = store;
      }
    }
    for (std::size_t i = 0; i < execution_->events.size(); ++i) {
      const Event& event = execution_->events[i];
      if (!event.written || !event.object || !IsObject(*event.object)) continue;
      const Object& object = execution_->objects[static_cast<std::size_t>(*event.object)];
      Demand(object.kind != "atomic" || placed.contains(event.number), "events", i, "number",
             event.number, "in no modification order");
    }
  }

  void JudgeEdges() {
    for (std::size_t i = 0; i < execution_->synchronises_with.size(); ++i) {
      const Edge& edge = execution_->synchronises_with[i];
      Demand(IsEvent(edge.from), "synchronises_with", i, "from", edge.from, "no event");
      Demand(IsEvent(edge.to), "synchronises_with", i, "to", edge.to, "no event");
      Demand(edge.from < edge.to, "synchronises_with", i, "to", edge.to, "no later event");
    }
  }

  void JudgeCandidates() {
    std::set<int> events;
    for (std::size_t i = 0; i < execution_->candidates.size(); ++i) {
      const Choice& choice = execution_->candidates[i];
      const bool reads = IsEvent(choice.event) && At(choice.event).read;
      Demand(reads, "candidates", i, "event", choice.event, "no event that reads");
      Demand(events.insert(choice.event).second, "candidates", i, "event", choice.event,
             "there twice");
      if (!reads) return;
      std::set<int> stores;
      for (const Candidate& candidate : choice.stores) {
        Demand(candidate.store == 0 || IsStoreOf(candidate.store, At(choice.event).object),
               "candidates", i, "stores", candidate.store, "no store to its object");
        Demand(stores.insert(candidate.store).second, "candidates", i, "stores", candidate.store,
               "there twice");
        for (const Step& step : candidate.path) {
          Demand(step.from == 0 || IsEvent(step.from), "candidates", i, "path", step.from,
                 "no event");
          Demand(IsEvent(step.to), "candidates", i, "path", step.to, "no event");
        }
      }
      Demand(stores.contains(At(choice.event).read->from), "candidates", i, "event", choice.event,
             "without the store that it reads");
    }
  }

  void JudgeFailure(const Failure& failure) {
    for (const int event : failure.events) {
      if (!IsEvent(event)) Complain(fmt::format("{}.failure.events: {} is no event", path_, event));
    }
    if (failure.thread && !IsThread(*failure.thread)) {
      Complain(fmt::format("{}.failure.thread: {} is no thread", path_, *failure.thread));
    }
  }

  const int threads_;
  const Execution* execution_ = nullptr;
  std::string path_;
  std::string wrong_;
};

}  // namespace

std::string ValidationError(const Counterexample& record) {
  const int threads = record.scenario.threads;
  if (threads < kMinThreads || threads > kMaxThreads) {
    return fmt::format("scenario.threads: {} is not from {} to {}", threads, kMinThreads,
                       kMaxThreads);
  }
  Judge judge(threads);
  std::set<std::string> files;
  for (std::size_t i = 0; i < record.sources.size(); ++i) {
    if (files.insert(record.sources[i].file).second) continue;
    judge.Complain(fmt::format("sources[{}].file: {} is there twice", i, record.sources[i].file));
  }
  judge.JudgeExecution(record.execution, "execution");
  if (record.repair) {
    const Repair& repair = *record.repair;
    if (repair.execution) judge.JudgeExecution(*repair.execution, "repair.execution");
    if (repair.diverges) {
      const auto events = static_cast<int>(record.execution.events.size());
      const auto others = repair.execution ? static_cast<int>(repair.execution->events.size()) : 0;
      const auto demand = [&](const char* field, int number, int count) {
        if (1 <= number && number <= count) return;
        judge.Complain(fmt::format("repair.diverges.{}: {} is no event", field, number));
      };
      demand("event", repair.diverges->event, events);
      demand("other", repair.diverges->other, others);
    }
  }
  if (record.recorded) judge.JudgeRecorded(*record.recorded);
  return judge.wrong();
}

}  // namespace nowait::model::counterexample
