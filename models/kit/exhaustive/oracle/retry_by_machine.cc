#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "models/kit/exhaustive/oracle/retries.h"
#include "models/kit/exhaustive/oracle/waiting.h"
#include "models/kit/exhaustive/run/exhaustive_machine.h"
#include "models/kit/exhaustive/search/extension.h"
#include "models/kit/exhaustive/search/work_list.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::oracle {
namespace {

// The program being executed, as a global, because a plain function makes the scenario.
const Retries* running_retries = nullptr;
// Whether a try of a loop that gives up has found another value than expected.
bool has_failed_for_good = false;

class RetryInterpreter final : public Program {
 public:
  void Thread(int t) override {
    int found = 0;
    for (const RetryStep& step : running_retries->threads[static_cast<std::size_t>(t)]) {
      if (!step.only_if || *step.only_if == found) Run(step, found);
    }
  }
  void After() override {}

 private:
  using Kind = RetryStep::Kind;

  static bool IsOver(const RetryStep& loop, int tries) {
    return loop.tries > 0 && tries == loop.tries;
  }

  void Run(const RetryStep& step, int& found) {
    ModelSync::atomic<int>& atomic = atomics_[step.object];
    switch (step.kind) {
      case Kind::kLoad:
        found = atomic.load(step.order);
        break;
      case Kind::kStore:
        atomic.store(step.value, step.order);
        break;
      case Kind::kAdd:
        atomic.fetch_add(step.value, step.order);
        break;
      case Kind::kRead:
        data_.get();
        break;
      case Kind::kWrite:
        data_.set(1);
        break;
      case Kind::kLoop:
        found = atomic.load(step.order);
        for (int tries = 0; found != step.leave_at && !IsOver(step, tries); ++tries) {
          if (step.writes_data) data_.set(1);
          const int expected = found;
          if (atomic.compare_exchange_retry(found, found + step.value, step.success,
                                            step.failure)) {
            break;
          }
          // The look of a later try is the failed one before it, which has the order of failure.
          const bool is_left_out = tries > 0 || FailsAlike(step);
          if (step.tries > 0 && is_left_out && found != expected) has_failed_for_good = true;
        }
        break;
    }
  }

  std::array<ModelSync::atomic<int>, 2> atomics_;
  ModelSync::plain<int> data_;
};

// No program has this many graphs, including those in which a thread waits.
constexpr std::size_t kMaxRetryVisits = 1'000'000;

bool IsFailedTry(const GraphEvent& event) {
  return event.request.kind == OperationKind::kCompareExchange && !event.writes;
}

// An event's index among those events of its thread that are not failed tries.
Done::Place PlaceWithoutTries(const Graph& graph, Slot slot) {
  if (slot == kInitial) return {};
  const int thread = graph[slot].thread;
  std::size_t index = 0;
  for (unsigned i = 0; i < graph[slot].index; ++i) {
    if (!IsFailedTry(graph[graph.At(thread, i)])) ++index;
  }
  return {thread, index};
}

// The look before a failed try finds what the last of the failed tries found.
std::string FormatWithoutTries(const Graph& graph, std::size_t threads) {
  std::vector<std::vector<Done>> all(threads);
  for (std::size_t t = 0; t < threads; ++t) {
    for (unsigned i = 0; i < graph.Length(static_cast<int>(t)); ++i) {
      const GraphEvent& event = graph[graph.At(static_cast<int>(t), i)];
      if (IsFailedTry(event)) {
        all[t].back().from = PlaceWithoutTries(graph, event.source);
        continue;
      }
      Done& done = all[t].emplace_back();
      done.object = graph.location(event.location).name & 0xffffff;
      if (event.reads) done.from = PlaceWithoutTries(graph, event.source);
      done.writes = event.writes;
    }
  }
  std::vector<std::vector<Done::Place>> writes(kObjects);
  for (int l = 0; l < graph.locations(); ++l) {
    const Location& location = graph.location(static_cast<LocationIndex>(l));
    auto& order = writes[location.name & 0xffffff];
    for (Slot slot = location.newest; slot != kNoSlot; slot = graph[slot].older) {
      order.insert(order.begin(), PlaceWithoutTries(graph, slot));
    }
  }
  return FormatExecution(all, writes);
}

}  // namespace

Retried RetryByMachine(const Retries& program, Tries tries) {
  using Outcome = ExhaustiveMachine::Outcome;
  running_retries = &program;
  has_failed_for_good = false;
  const std::size_t threads = program.threads.size();
  const ScenarioEntry scenario{{.name = "random", .promise = "", .searches = {}},
                               static_cast<int>(threads),
                               [] { return std::unique_ptr<Program>(new RetryInterpreter); }};
  Retried retried;
  SiteTable sites;
  WorkList work_list;
  Extension extension(work_list);
  Graph graph;
  // On the heap: the machine is large, and fibers hold pointers into their execution.
  const auto machine = std::make_unique<ExhaustiveMachine>(scenario, graph, extension, sites,
                                                           tries != Tries::kEvery);
  SetCurrentMachine(machine.get());
  work_list.Begin(Graph(), TreePath(), 1);
  for (std::size_t visits = 0; !work_list.empty(); ++visits) {
    if (visits == kMaxRetryVisits) {
      retried.complaint = "the search does not end";
      break;
    }
    work_list.Pop(graph);
    const Outcome outcome = machine->Execute();
    work_list.EndVisit();
    if (outcome == Outcome::kCompleted)
      retried.executions.insert(FormatWithoutTries(graph, threads));
    if (outcome != Outcome::kFailed) continue;
    retried.race = machine->failure()->kind == FailureKind::kDataRace;
    retried.gives_up = machine->failure()->kind == FailureKind::kNotFinished;
    if (!retried.race && !retried.gives_up) retried.complaint = machine->failure()->Label();
    break;
  }
  if (tries == Tries::kEvery) retried.gives_up = has_failed_for_good;
  SetCurrentMachine(nullptr);
  return retried;
}

}  // namespace nowait::model::oracle
