#include "models/kit/exhaustive/guide.h"

#include <cstddef>
#include <memory>

#include "models/kit/exhaustive/extension.h"
#include "models/kit/exhaustive/follower.h"
#include "models/kit/exhaustive/machine.h"
#include "models/kit/exhaustive/pending.h"

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

Followed Follow(const ScenarioEntry& scenario, const Trace& recorded, SiteTable& sites) {
  Pending unused;
  Extension extension(unused);
  Graph graph;
  // Behind a pointer: fibers know where their execution is, and it is large.
  const auto machine = std::make_unique<ExhaustiveMachine>(scenario, graph, extension, sites);
  Follower follower(recorded);
  const ExhaustiveMachine::Outcome outcome = machine->Follow(follower);
  SetCurrentMachine(nullptr);
  Followed followed{.trace = machine->trace(),
                    .failure = machine->failure(),
                    .blocked = outcome == ExhaustiveMachine::Outcome::kBlocked,
                    .diverges = follower.TakeDivergence(*machine)};
  if (!followed.diverges && !followed.failure && recorded.last() != 0) {
    followed.diverges =
        Divergence{recorded.last(), CounterpartOf(followed.trace, recorded, recorded.last()),
                   kNoEvent, "all goes as recorded, and here nothing is wrong with it"};
  }
  return followed;
}

}  // namespace nowait::model
