#include "models/kit/arm/thread_runs.h"

#include <utility>

#include "models/kit/arm/local_order.h"

namespace nowait::arm {

ThreadRuns::ThreadRuns(const Program& program, const Image& memory, std::size_t thread,
                       const Start& start, Limits limits, Sharing& sharing)
    : program_(program),
      memory_(memory),
      thread_(thread),
      start_(start),
      limits_(limits),
      sharing_(sharing) {
  Run({});
}

std::size_t ThreadRuns::Next(std::size_t run, std::uint64_t answer) {
  const auto found = runs_[run].next.find(answer);
  if (found != runs_[run].next.end()) return found->second;
  Script longer = runs_[run].script;
  longer.push_back(answer);
  const std::size_t number = Run(std::move(longer));
  runs_[run].next[answer] = number;
  return number;
}

std::size_t ThreadRuns::Run(Script script) {
  ThreadRun run;
  run.script = std::move(script);
  Machine machine(program_, memory_, thread_, limits_, sharing_, run.script);
  run.end = machine.Run(start_);
  run.problem = machine.problem();
  run.question = machine.question();
  run.path = machine.TakePath();
  const std::vector<Event>& events = run.path.events;
  run.before = LocalOrder(events);
  run.same.resize(events.size());
  for (std::size_t place = 0; place < run.before.size(); ++place) {
    Places all = run.before[place];
    for (std::size_t earlier = 0; earlier < place; ++earlier) {
      if (Has(run.before[place], earlier)) all |= run.before[earlier];
    }
    run.before[place] = all;
    for (std::size_t earlier = 0; earlier < place; ++earlier) {
      const bool is_same = events[place].Accesses() && events[earlier].Accesses() &&
                           events[place].address == events[earlier].address;
      if (is_same) run.same[place] |= Only(earlier);
    }
  }
  runs_.push_back(std::move(run));
  return runs_.size() - 1;
}

}  // namespace nowait::arm
