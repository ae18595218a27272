#include <cstddef>
#include <memory>
#include <vector>

#include "models/kit/exhaustive/oracle/waiting.h"
#include "models/kit/exhaustive/oracle/waiting_program.h"
#include "models/kit/exhaustive/run/exhaustive_machine.h"
#include "models/kit/exhaustive/search/extension.h"
#include "models/kit/exhaustive/search/work_list.h"
#include "models/kit/program/site_table.h"

namespace nowait::model::oracle {
namespace {

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
                   {WaitingProgram::step_of.begin(),
                    WaitingProgram::step_of.begin() + static_cast<std::ptrdiff_t>(threads)},
                   values);
}

}  // namespace

Outcomes WaitByMachine(const Waiting& program) {
  using Outcome = ExhaustiveMachine::Outcome;
  const std::size_t threads = program.threads.size();
  const ScenarioEntry scenario = ScenarioOf(program);
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
