#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "models/kit/exhaustive/oracle/waiting.h"
#include "models/kit/exhaustive/run/exhaustive_machine.h"
#include "models/kit/exhaustive/search/extension.h"
#include "models/kit/exhaustive/search/work_list.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::oracle {
namespace {

// The program being executed, and its progress. They are globals because a plain function makes the
// scenario, and because threads that wait for ever report nothing more.
const Waiting* running_program = nullptr;
std::array<std::size_t, kMaxThreads> step_of{};

class WaitingInterpreter final : public Program {
 public:
  void Thread(int t) override {
    const auto thread = static_cast<std::size_t>(t);
    const std::vector<Step>& steps = running_program->threads[thread];
    int found = 0;
    std::array<bool, kOfEach> holds{};  // mutexes
    for (std::size_t& at = step_of[thread] = 0; at < steps.size(); ++at) {
      const Step step = StepIn(thread, steps[at]);
      const bool runs = step.only_if == kNotOwn ? found != ValueIn(thread, kOwn)
                                                : !step.only_if || *step.only_if == found;
      if (runs) Run(step, found, holds);
    }
  }
  void After() override {}

 private:
  using Kind = Step::Kind;

  // The step with the thread's own address filled in.
  static Step StepIn(std::size_t thread, Step step) {
    step.value = ValueIn(thread, step.value);
    step.expected = ValueIn(thread, step.expected);
    if (step.only_if) step.only_if = ValueIn(thread, *step.only_if);
    return step;
  }

  void Run(const Step& step, int& found, std::array<bool, kOfEach>& holds) {
    const std::size_t n = step.object % kOfEach;
    ModelSync::atomic<int>& atomic = atomics_[n];
    int expected = step.expected;
    switch (step.kind) {
      case Kind::kLoad:
        found = atomic.load(step.order);
        break;
      case Kind::kStore:
        atomic.store(step.value, step.order);
        break;
      case Kind::kAdd:
        found = atomic.fetch_add(step.value, step.order);
        break;
      case Kind::kSwap:
        found = atomic.exchange(step.value, step.order);
        break;
      case Kind::kExchange:
        atomic.compare_exchange_strong(expected, step.value, step.order, step.failure);
        found = expected;
        break;
      case Kind::kAwait:
        while (atomic.load(step.order) != step.value) ModelSync::Yield();
        break;
      case Kind::kAwaitEither:
        while (atomics_[0].load(step.order) != step.value &&
               atomics_[1].load(step.order) != step.value)
          ModelSync::Yield();
        break;
      case Kind::kAwaitExchange:
        while (atomic.exchange(step.value, step.order) == step.expected) ModelSync::Yield();
        break;
      case Kind::kAwaitStrong:
        while (!atomic.compare_exchange_strong(expected, step.value, step.order, step.failure)) {
          expected = step.expected;
          ModelSync::Yield();
        }
        break;
      case Kind::kAwaitBounded:
        for (int i = 0; i < step.expected; ++i) {
          if (atomic.load(step.order) == step.value) break;
          ModelSync::Yield();
        }
        break;
      case Kind::kWait:
        atomic.wait(step.value, step.order);
        break;
      case Kind::kWakeOne:
        atomic.notify_one();
        break;
      case Kind::kWakeAll:
        atomic.notify_all();
        break;
      case Kind::kLock:
        mutexes_[n].lock();
        holds[n] = true;
        break;
      case Kind::kTryLock:
        holds[n] = mutexes_[n].try_lock();
        break;
      case Kind::kAwaitLock:
        while (!mutexes_[n].try_lock()) ModelSync::Yield();
        holds[n] = true;
        break;
      case Kind::kUnlock:
        if (holds[n]) mutexes_[n].unlock();
        break;
      case Kind::kSleep:
        conditions_[n].wait(mutexes_[0]);
        break;
      case Kind::kSleepWhile:
        while (atomics_[step.other].load(step.order) == step.value)
          conditions_[n].wait(mutexes_[0]);
        break;
      case Kind::kNotifyOne:
        conditions_[n].notify_one();
        break;
      case Kind::kNotifyAll:
        conditions_[n].notify_all();
        break;
      case Kind::kRead:
        data_.get();
        break;
      case Kind::kWrite:
        data_.set(1);
        break;
      case Kind::kReadUndeclared:
        found = undeclared_;
        break;
      case Kind::kWriteUndeclared:
        undeclared_ = step.value;
        break;
      case Kind::kYield:
        if (step.value == 0) {
          ModelSync::Yield();
        } else {
          ModelSync::Yield();
        }
        break;
      case Kind::kChoose:
        found = static_cast<int>(CurrentMachine()->Choose(static_cast<unsigned>(step.value)));
        break;
    }
  }

  // In numerical order.
  std::array<ModelSync::atomic<int>, kOfEach> atomics_;
  std::array<ModelSync::mutex, kOfEach> mutexes_;
  std::array<ModelSync::condition_variable, kOfEach> conditions_;
  ModelSync::plain<int> data_;
  int undeclared_ = 0;
};

// No program has this many graphs, including those in which a thread waits.
constexpr std::size_t kMaxVisits = 1'000'000;

// An object's name contains the thread that made it and, in these bits, its number in that thread.
std::size_t ObjectOf(const Location& location) { return location.name & 0xffffff; }

Done::Place PlaceOf(const Graph& graph, Slot slot) {
  if (slot == kInitial) return {};
  return {graph[slot].thread, graph[slot].index};
}

std::string FormatGraph(const Graph& graph, std::size_t threads) {
  std::vector<std::vector<Done>> all(threads);
  for (std::size_t t = 0; t < threads; ++t) {
    for (unsigned i = 0; i < graph.Length(static_cast<int>(t)); ++i) {
      const GraphEvent& event = graph[graph.At(static_cast<int>(t), i)];
      Done& done = all[t].emplace_back();
      if (event.location != kNoLocation) done.object = ObjectOf(graph.location(event.location));
      if (event.reads) done.from = PlaceOf(graph, event.source);
      done.writes = event.writes;
      done.variant = event.variant;
    }
  }
  std::vector<std::vector<Done::Place>> writes(kObjects);
  for (int l = 0; l < graph.locations(); ++l) {
    const Location& location = graph.location(static_cast<LocationIndex>(l));
    auto& order = writes[ObjectOf(location)];
    for (Slot slot = location.newest; slot != kNoSlot; slot = graph[slot].older) {
      order.insert(order.begin(), PlaceOf(graph, slot));
    }
  }
  return FormatExecution(all, writes);
}

std::string FormatStuck(const Graph& graph, std::size_t threads, FailureKind kind) {
  std::vector<int> values(kFirstCondition);
  for (int l = 0; l < graph.locations(); ++l) {
    const auto index = static_cast<LocationIndex>(l);
    const Location& location = graph.location(index);
    if (ObjectOf(location) >= kFirstCondition) continue;
    values[ObjectOf(location)] = static_cast<int>(graph.ValueOf(index, location.newest));
  }
  return FormatEnd(kind == FailureKind::kLivelock,
                   {step_of.begin(), step_of.begin() + static_cast<std::ptrdiff_t>(threads)},
                   values);
}

}  // namespace

Outcomes WaitByMachine(const Waiting& program) {
  using Outcome = ExhaustiveMachine::Outcome;
  running_program = &program;
  const std::size_t threads = program.threads.size();
  const ScenarioEntry scenario{{.name = "random", .promise = "", .searches = {}},
                               static_cast<int>(threads),
                               [] { return std::unique_ptr<Program>(new WaitingInterpreter); },
                               program.alike};
  Outcomes outcomes;
  SiteTable sites;
  WorkList work_list;
  Extension extension(work_list);
  Graph graph;
  // On the heap: the machine is large, and fibers hold pointers into their execution.
  const auto machine = std::make_unique<ExhaustiveMachine>(scenario, graph, extension, sites);
  SetCurrentMachine(machine.get());
  Graph root;
  if (program.alike) root.SetSymmetric();
  work_list.Begin(root, TreePath(), 1);
  for (std::size_t visits = 0; !work_list.empty(); ++visits) {
    if (visits == kMaxVisits) {
      outcomes.complaint = "the search does not end";
      break;
    }
    work_list.Pop(graph);
    const Outcome outcome = machine->Execute();
    work_list.EndVisit();
    if (outcome == Outcome::kCompleted) outcomes.executions.insert(FormatGraph(graph, threads));
    if (outcome != Outcome::kFailed) continue;
    const Failure& failure = *machine->failure();
    if (failure.kind == FailureKind::kDeadlock || failure.kind == FailureKind::kLivelock) {
      outcomes.ends.insert(FormatStuck(graph, threads, failure.kind));
      continue;
    }
    outcomes.race = failure.kind == FailureKind::kDataRace;
    outcomes.gives_up = failure.words.starts_with("a loop gives up");
    if (!outcomes.race && !outcomes.gives_up) outcomes.complaint = failure.words;
    break;
  }
  SetCurrentMachine(nullptr);
  return outcomes;
}

}  // namespace nowait::model::oracle
