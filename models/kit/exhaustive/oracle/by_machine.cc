#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include "models/kit/exhaustive/oracle/checker.h"
#include "models/kit/exhaustive/oracle/graph_signature.h"
#include "models/kit/exhaustive/run/exhaustive_machine.h"
#include "models/kit/exhaustive/search/extension.h"
#include "models/kit/exhaustive/search/work_list.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::oracle {
namespace {

// The program being executed, as a global, because a plain function makes the scenario.
const StraightLine* running = nullptr;

class Interpreter final : public Program {
 public:
  void Thread(int t) override {
    int found = 0;
    for (const Statement& statement : running->threads[static_cast<std::size_t>(t)]) {
      Run(statement, found);
    }
  }
  void After() override {}

 private:
  // found: the value that the last read of an atomic returned.
  void Run(const Statement& statement, int& found) {
    using enum Statement::Kind;
    ModelSync::atomic<int>& atomic = atomics_[statement.location];
    const bool skipped = statement.only_if && *statement.only_if != found;
    int expected = statement.expected;
    switch (statement.kind) {
      case kLoad:
        found = atomic.load(statement.order);
        break;
      case kStore:
        atomic.store(statement.value, statement.order);
        break;
      case kAdd:
        found = atomic.fetch_add(statement.value, statement.order);
        break;
      case kExchange:
        found = atomic.exchange(statement.value, statement.order);
        break;
      case kStrong:
        atomic.compare_exchange_strong(expected, statement.value, statement.order,
                                       statement.failure);
        found = expected;
        break;
      case kWeak:
        atomic.compare_exchange_weak(expected, statement.value, statement.order, statement.failure);
        found = expected;
        break;
      case kFence:
        Fence(statement.order);
        break;
      case kRead:
        if (!skipped) data_.get();
        break;
      case kWrite:
        if (!skipped) data_.set(1);
        break;
    }
  }

  std::array<ModelSync::atomic<int>, kMaxLocations> atomics_;
  ModelSync::plain<int> data_;
};

}  // namespace

Findings FindByMachine(const StraightLine& program) {
  using Outcome = ExhaustiveMachine::Outcome;
  running = &program;
  const ScenarioEntry scenario{{.name = "random", .promise = "", .searches = {}},
                               static_cast<int>(program.threads.size()),
                               [] { return std::unique_ptr<Program>(new Interpreter); }};
  Findings findings;
  SiteTable sites;
  WorkList work_list;
  Extension extension(work_list);
  Graph graph;
  // On the heap: the machine is large, and fibers hold pointers into their execution.
  const auto machine = std::make_unique<ExhaustiveMachine>(scenario, graph, extension, sites);
  SetCurrentMachine(machine.get());
  work_list.Begin(Graph(), TreePath(), 1);
  while (!work_list.empty()) {
    if (findings.executions.size() == kMaxExecutions) {
      findings.complaint = "the search does not end";
      break;
    }
    work_list.Pop(graph);
    const Outcome outcome = machine->Execute();
    work_list.EndVisit();
    if (outcome == Outcome::kCompleted) {
      findings.executions.push_back(SignatureOf(graph, program));
      continue;
    }
    const std::optional<Failure>& failure = machine->failure();
    if (failure && failure->kind == FailureKind::kDataRace) {
      findings.race = true;
    } else {
      findings.complaint = failure ? failure->words : "a thread is blocked";
    }
    break;
  }
  SetCurrentMachine(nullptr);
  return findings;
}

}  // namespace nowait::model::oracle
