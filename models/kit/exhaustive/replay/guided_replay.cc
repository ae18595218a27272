#include "models/kit/exhaustive/replay/guided_replay.h"

#include <cstddef>
#include <memory>

#include "models/kit/exhaustive/replay/guided_replay_policy.h"
#include "models/kit/exhaustive/run/exhaustive_machine.h"
#include "models/kit/exhaustive/search/extension.h"
#include "models/kit/exhaustive/search/work_list.h"

namespace nowait::model {

EventNumber CounterpartOf(const Trace& here, const Trace& recorded, EventNumber number) {
  const int thread = recorded[number].thread;
  std::size_t before = 0;
  for (EventNumber i = 1; i < number; ++i) before += recorded[i].thread == thread;
  for (EventNumber i = 1; i <= here.last(); ++i) {
    if (here[i].thread == thread && before-- == 0) return i;
  }
  return kNoEvent;
}

GuidedReplay RunGuidedReplay(const ScenarioEntry& scenario, const Trace& recorded,
                             SiteTable& sites) {
  WorkList unused;
  Extension extension(unused);
  Graph graph;
  // On the heap: the machine is large, and fibers hold pointers into their execution.
  const auto machine = std::make_unique<ExhaustiveMachine>(scenario, graph, extension, sites);
  GuidedReplayPolicy policy(recorded);
  const ExhaustiveMachine::Outcome outcome = machine->Replay(policy);
  SetCurrentMachine(nullptr);
  GuidedReplay followed{.trace = machine->trace(),
                        .failure = machine->failure(),
                        .blocked = outcome == ExhaustiveMachine::Outcome::kBlocked,
                        .diverges = policy.TakeDivergence(*machine)};
  if (!followed.diverges && !followed.failure && recorded.last() != 0) {
    followed.diverges =
        Divergence{recorded.last(), CounterpartOf(followed.trace, recorded, recorded.last()),
                   kNoEvent, "all goes as recorded, and here nothing is wrong with it"};
  }
  return followed;
}

}  // namespace nowait::model
