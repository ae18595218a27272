// GuidedReplayPolicy: decides the next event in an execution that follows a recorded one
// (guided_replay.h).
//
// guided_replay_turns.cc chooses the next thread. guided_replay_events.cc chooses what an event
// reads and where it stands in modification order. Both report where the two executions diverge,
// and continue from there.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_POLICY_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_POLICY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/replay/guided_replay.h"
#include "models/kit/exhaustive/replay/guided_replay_steps.h"
#include "models/kit/exhaustive/run/exhaustive_machine.h"
#include "models/kit/program/trace.h"

namespace nowait::model {

class GuidedReplayPolicy final : public ReplayPolicy {
 public:
  explicit GuidedReplayPolicy(const Trace& recorded)
      : recorded_(recorded), steps_(StepsOf(recorded)), slots_(recorded.last() + 1u, kNoSlot) {}

  int Next(const Execution& execution) override;
  void Add(Graph& graph, int thread, const Request& request, LocationIndex location,
           const Site& site) override;

  // Called after the execution.
  std::optional<Divergence> TakeDivergence(const ExhaustiveMachine& machine) {
    if (diverges_ && diverged_at_ != kNoSlot) diverges_->here = machine.EventAt(diverged_at_);
    return std::move(diverges_);
  }

 private:
  static std::size_t Index(int thread) { return static_cast<std::size_t>(thread); }

  int Choose(const Execution& execution);
  int NextRecorded(const Execution& execution);
  int NextAfterDivergence(const Execution& execution);
  int LowestThatCanGo(const Execution& execution);
  bool CanGo(const Execution& execution, int thread) const;
  bool IsWorthALook(int thread) const { return changes_ > changes_seen_[Index(thread)]; }
  void Diverge(EventNumber recorded, std::string words, EventNumber store = kNoEvent);

  bool IsSameObject(EventNumber step, LocationIndex location);
  EventNumber SourceOf(EventNumber step) const;
  int PlaceOf(const Graph& graph, EventNumber step, LocationIndex location) const;
  // The reason why the event cannot stand at this place; empty if it can.
  std::string Objection(const Graph& graph, Slot slot, const GraphEvent& event, int place) const;

  void AddAsRecorded(Graph& graph, Slot slot, EventNumber step);
  bool WriteAsRecorded(Graph& graph, Slot slot, EventNumber step);
  bool ReadAsRecorded(Graph& graph, Slot slot, EventNumber step);
  void AddNewest(Graph& graph, Slot slot, unsigned variant);

  const Trace& recorded_;
  const std::vector<EventNumber> steps_;
  std::size_t at_ = 0;           // the next of these
  EventNumber step_ = kNoEvent;  // the next event to make
  std::vector<Slot> slots_;      // by recorded number: the slot here
  std::vector<EventNumber> as_;  // by slot: the recorded number
  std::map<std::pair<StepObject, std::uint32_t>, LocationIndex> locations_;
  unsigned changes_ = 0;  // of values, so far; a spinning thread may see them when it looks
                          // again
  std::array<unsigned, kMaxThreads> changes_seen_{};
  int last_ = kNobody;
  bool closing_ = false;  // the record is used up
  std::optional<Divergence> diverges_;
  Slot diverged_at_ = kNoSlot;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_POLICY_H_
