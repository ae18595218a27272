// Exploration: the search through all graphs of a scenario, or through a shard of them.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_EXPLORATION_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_EXPLORATION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/kit/back_end.h"
#include "models/kit/exhaustive/machine.h"
#include "models/kit/exhaustive/pending.h"
#include "models/kit/meter.h"

namespace nowait::model {

// ".", the root; ".3.0.12", the thirteenth child of the first child of the root's fourth.
std::string Format(const TreePath& path);
std::optional<TreePath> ParseTreePath(std::string_view text);

class Exploration {
 public:
  Exploration(const ScenarioEntry& scenario, SiteTable& sites)
      : extension_(pending_), sites_(sites), machine_(scenario, graph_, extension_, sites) {
    if (scenario.alike) root_.SetAlike();
  }

  // Visits what the shard has to visit, from `from` on, until the meter says stop.
  void Run(Meter& meter, Shard shard, const std::optional<TreePath>& from);
  // Walks from the root to a leaf by the children that `choose` names, of so many, and returns what
  // the walk says of the number of complete executions (estimate.h).
  double Probe(const std::function<std::uint32_t(std::uint32_t children)>& choose);
  // Visits only the graph at `path`.
  void Replay(const TreePath& path);

  ExhaustiveMachine& machine() { return machine_; }
  // Whether the last visit, or the way to it, was a failure.
  const std::optional<Failure>& failure() const { return failure_; }
  // What was visited last.
  const TreePath& path() const { return pending_.path(); }
  // What comes next; of a search that was stopped.
  TreePath Next() const;

 private:
  // A part of the tree: everything below a graph that is not visited yet.
  struct Part {
    Graph graph;
    TreePath path;
    double share;
  };

  ExhaustiveMachine::Outcome Visit();
  void Trace();
  void Divide(Meter& meter, Shard shard, bool counts);
  bool Descend(const TreePath& path);

  Pending pending_;
  Extension extension_;
  Graph root_;  // the empty graph
  Graph graph_;
  SiteTable& sites_;
  SiteTable uncounted_;  // what was or is counted elsewhere: in an earlier piece, in another shard
  ExhaustiveMachine machine_;
  std::vector<Part> parts_;  // of this shard
  std::size_t part_ = 0;     // the one being visited
  double done_ = 0;          // the share of what was visited
  std::optional<Failure> failure_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_EXPLORATION_H_
