#include "models/kit/buffering/explore.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "models/kit/buffering/buffering_machine.h"
#include "models/kit/buffering/format_events.h"
#include "models/kit/buffering/ways.h"

namespace nowait::model::buffering {
namespace {

using End = ThreadRun::End;

class Exploration {
 public:
  Exploration(const ScenarioEntry& scenario, const Limits& limits, const Rules& rules,
              const Visitor& visit)
      : machine_(scenario, limits),
        ways_(machine_, scenario.threads, limits, rules),
        rules_(rules),
        visit_(visit) {}

  Explored All() {
    explored_.refused = ways_.Find();
    if (explored_.refused.empty()) RequireFit();
    if (!explored_.refused.empty()) return std::move(explored_);
    for (const Way& way : ways_.found()) {
      if (explored_.refused.empty()) JudgeWay(way);
    }
    explored_.failing = ways_.failing();
    // A promise that is kept up to the cut says little.
    if (explored_.refused.empty() && !HasResult()) {
      explored_.refused = "no execution ends within the limits";
    }
    return std::move(explored_);
  }

 private:
  const RunNode& At(const Way& way, std::size_t thread) const { return ways_.At(way, thread); }
  bool HasResult() const {
    return explored_.executions != 0 || explored_.stuck != 0 || explored_.found ||
           explored_.doubtful;
  }
  std::vector<const Events*> EventsOf(const Way& way) const;
  void RequireFit();
  void Stand(const Visited& visited);
  void JudgeWay(const Way& way);
  void Note(const Judged& execution, const std::vector<const Events*>& threads,
            const std::string& label);
  std::optional<Failure> RunWhole(const Way& way, const Judged& execution, bool ends);

  BufferingMachine machine_;
  Ways ways_;
  const Rules rules_;
  const Visitor& visit_;
  Explored explored_;
};

std::vector<std::array<std::uint32_t, kMaxThreads>> KnownTo(const Judged& execution, int thread) {
  std::vector<std::array<std::uint32_t, kMaxThreads>> known = {{}};
  const axioms::Execution& events = execution.execution;
  for (std::size_t event = execution.initials; event < events.size(); ++event) {
    if (events[event].thread != thread) continue;
    std::array<std::uint32_t, kMaxThreads> counts{};
    for (std::size_t other = execution.initials; other < events.size(); ++other) {
      if (execution.orders.happens_before.Has(other, event)) {
        ++counts[static_cast<std::size_t>(events[other].thread)];
      }
    }
    known.push_back(counts);
  }
  return known;
}

// The threads of the events in an order that follows happens-before.
std::vector<std::size_t> TurnsOf(const Judged& execution) {
  const axioms::Execution& events = execution.execution;
  std::vector<std::size_t> turns;
  std::vector<bool> done(events.size());
  for (std::size_t left = events.size() - execution.initials; left > 0; --left) {
    for (std::size_t event = execution.initials; event < events.size(); ++event) {
      if (done[event]) continue;
      bool is_next = true;
      for (std::size_t other = execution.initials; other < events.size(); ++other) {
        is_next = is_next && (done[other] || !execution.orders.happens_before.Has(other, event));
      }
      if (!is_next) continue;
      done[event] = true;
      turns.push_back(static_cast<std::size_t>(events[event].thread));
      break;
    }
  }
  return turns;
}

std::optional<Failure> Exploration::RunWhole(const Way& way, const Judged& execution, bool ends) {
  Whole whole;
  Runs runs;
  for (std::size_t thread = 0; thread < way.size(); ++thread) {
    whole.scripts.push_back(At(way, thread).script);
    runs.push_back(&At(way, thread).run);
    whole.known.push_back(KnownTo(execution, static_cast<int>(thread)));
  }
  whole.turns = TurnsOf(execution);
  whole.last = execution.last;
  whole.ends = ends;
  auto failure = machine_.RunWhole(whole);
  if (!machine_.HaveFollowed(runs)) {
    explored_.refused = "threads share memory that is not declared";
    return std::nullopt;
  }
  if (failure && failure->kind == FailureKind::kNotFinished) {
    explored_.refused = failure->words;
    return std::nullopt;
  }
  return failure;
}

void Exploration::Note(const Judged& execution, const std::vector<const Events*>& threads,
                       const std::string& label) {
  auto& failed = execution.certain ? explored_.found : explored_.doubtful;
  if (!failed) failed = Explored::Failed{label, FormatEvents(threads, execution)};
}

std::vector<const Events*> Exploration::EventsOf(const Way& way) const {
  std::vector<const Events*> threads;
  for (std::size_t thread = 0; thread < way.size(); ++thread) {
    threads.push_back(&At(way, thread).run.events);
  }
  return threads;
}

void Exploration::RequireFit() {
  for (const Way& way : ways_.found()) {
    if (FitsExecution(EventsOf(way))) continue;
    explored_.refused = "more than " + std::to_string(axioms::kMaxEvents) + " events";
    return;
  }
}

// The threads have come to a standstill, or go on in another execution.
void Exploration::Stand(const Visited& visited) {
  if (visited.standstill == Standstill::kNone) return;
  if (visit_) visit_(visited);
  if (visited.standstill == Standstill::kSpins) {
    ++explored_.stuck;
  } else {
    Note(visited.judged, visited.threads, Name(FailureKind::kDeadlock));
  }
}

void Exploration::JudgeWay(const Way& way) {
  const std::vector<const Events*> threads = EventsOf(way);
  std::vector<const Script*> scripts;
  Runs runs;
  std::map<Location, Word> initial;
  const Failure* failure = nullptr;
  bool is_cut = false;
  bool ends = true;
  for (std::size_t thread = 0; thread < way.size(); ++thread) {
    const ThreadRun& run = At(way, thread).run;
    scripts.push_back(&At(way, thread).script);
    runs.push_back(&run);
    is_cut |= run.end == End::kCut;
    ends &= run.end == End::kReturned || run.end == End::kFailed;
    if (run.failure) failure = &*run.failure;
    for (const Event& event : run.events) {
      if (!event.IsFence()) initial[event.At()] = machine_.Initial(event.At());
    }
  }
  ForEachExecution(threads, initial, rules_, [&](const Judged& execution) {
    if (!WakingsHaveCauses(runs, execution)) return;
    if (ends) {
      ++explored_.executions;
      if (execution.buffers) ++explored_.buffering;
      if (!execution.certain) ++explored_.possible;
      if (visit_) visit_({threads, scripts, execution, Standstill::kNone});
    }
    // Both fail an execution already as far as it goes.
    if (execution.races) return Note(execution, threads, Name(FailureKind::kDataRace));
    if (failure != nullptr) {
      RunWhole(way, execution, false);
      if (explored_.refused.empty()) Note(execution, threads, failure->Label());
      return;
    }
    if (!ends) {
      if (is_cut) ++explored_.cut;
      return Stand({threads, scripts, execution, StandstillOf(runs, execution)});
    }
    if (const auto wrong = RunWhole(way, execution, true)) Note(execution, threads, wrong->Label());
  });
}

}  // namespace

Explored ExploreBuffering(const ScenarioEntry& scenario, const Limits& limits, const Rules& rules,
                          const Visitor& visit) {
  return Exploration(scenario, limits, rules, visit).All();
}

}  // namespace nowait::model::buffering
