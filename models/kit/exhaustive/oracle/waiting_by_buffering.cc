#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/buffering/buffering_machine.h"
#include "models/kit/buffering/explore.h"
#include "models/kit/exhaustive/oracle/by_buffering.h"
#include "models/kit/exhaustive/oracle/waiting_program.h"

namespace nowait::model::oracle {
namespace {

using buffering::Event;
using buffering::Location;
using buffering::Standstill;
using buffering::Visited;

constexpr std::size_t kRounds = 9;

class Writer {
 public:
  explicit Writer(const Visited& visited) : visited_(visited) {
    for (std::size_t thread = 0; thread < visited.threads.size(); ++thread) {
      std::size_t index = 0;
      for (const Event& event : *visited.threads[thread]) {
        places_.push_back({static_cast<int>(thread), index});
        if (!event.IsPlain()) ++index;
      }
    }
  }

  std::string Execution() const {
    std::vector<std::vector<Done>> threads(visited_.threads.size());
    std::vector<std::vector<std::pair<std::size_t, Done::Place>>> writes(kObjects);
    std::size_t number = 0;
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
      for (const Event& event : *visited_.threads[thread]) {
        const Done::Place place = places_[number];
        const axioms::Event& judged = JudgedOf(number++);
        if (event.IsPlain()) continue;
        Done& done = threads[thread].emplace_back();
        done.object = event.object - 1;
        done.writes = event.Writes();
        if (event.Reads()) done.from = PlaceOf(judged.from);
        if (event.Writes()) writes[done.object].emplace_back(judged.place, place);
      }
    }
    std::vector<std::vector<Done::Place>> orders;
    for (auto& of_object : writes) {
      std::ranges::sort(of_object, {}, [](const auto& write) { return write.first; });
      auto& order = orders.emplace_back();
      for (const auto& [rank, place] : of_object) order.push_back(place);
    }
    return FormatExecution(threads, orders);
  }

  // machine: of the same scenario.
  std::string End(buffering::BufferingMachine& machine) const {
    std::vector<std::size_t> steps;
    for (std::size_t thread = 0; thread < visited_.threads.size(); ++thread) {
      machine.RunAlone(static_cast<int>(thread), *visited_.scripts[thread]);
      steps.push_back(WaitingProgram::step_of[thread]);
    }
    std::vector<int> values(kFirstCondition);
    for (std::size_t object = 0; object < values.size(); ++object) {
      const auto last = visited_.judged.last.find({false, static_cast<ObjectId>(object + 1)});
      if (last != visited_.judged.last.end()) values[object] = static_cast<int>(last->second);
    }
    return FormatEnd(visited_.standstill == Standstill::kSpins, steps, values);
  }

 private:
  const axioms::Event& JudgedOf(std::size_t number) const {
    return visited_.judged.execution[visited_.judged.initials + number];
  }
  Done::Place PlaceOf(std::size_t from) const {
    return from < visited_.judged.initials ? Done::Place{}
                                           : places_[from - visited_.judged.initials];
  }

  const Visited& visited_;
  std::vector<Done::Place> places_;  // of the events, through all threads
};

}  // namespace

Outcomes WaitByBuffering(const Waiting& program) {
  Outcomes outcomes;
  const ScenarioEntry scenario = ScenarioOf(program);
  buffering::BufferingMachine machine(scenario, {.rounds = kRounds});
  const auto explored =
      buffering::ExploreBuffering(scenario, {.rounds = kRounds}, {}, [&](const Visited& visited) {
        if (visited.judged.buffers) return;
        outcomes.race |= visited.judged.races;
        if (visited.standstill != Standstill::kNone) {
          outcomes.ends.insert(Writer(visited).End(machine));
        } else {
          outcomes.executions.insert(Writer(visited).Execution());
        }
      });
  outcomes.race |= explored.found && explored.found->label == "data race";
  outcomes.complaint = explored.refused;
  return outcomes;
}

}  // namespace nowait::model::oracle
