// Exploration: the search through all graphs of a scenario, or through parts of them.
//
// A part of the tree is everything below a graph that is not visited yet. Parts are what a search
// begins with, what is dealt out to shards and processes, and what is left of it when it stops: it
// goes on from any list of parts, whoever left them.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_EXPLORATION_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_EXPLORATION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "models/kit/exhaustive/exhaustive_machine.h"
#include "models/kit/exhaustive/work_list.h"
#include "models/kit/machine.h"
#include "models/kit/meter.h"

namespace nowait::model {

class Exploration {
 public:
  struct Part {
    Graph graph;
    TreePath path;
    double share;  // of the tree, an estimate (work_list.h)
  };

  Exploration(const ScenarioEntry& scenario, SiteTable& sites)
      : extension_(work_list_), sites_(&sites), machine_(scenario, graph_, extension_, sites) {
    if (scenario.symmetric) root_.SetSymmetric();
  }

  // What there is to visit: a shard. What is completed while the tree is divided is shard 0's.
  void Begin(Meter& meter, Shard shard);
  // The same: what was left of a search of which this fraction was done.
  void Continue(std::vector<TreePath> left, double fraction);
  // Parts besides.
  void Add(Part part) { parts_.push_back(std::move(part)); }
  void Add(std::vector<TreePath> paths);

  // Visits what there is to visit, until nothing is left, one fails, the meter says stop, or
  // `pauses` does, which is asked after each visit; then it returns true.
  bool Run(Meter& meter, const std::function<bool()>& pauses);
  // Visits all graphs, also those that others lead to which fail: a thread that fails goes no further
  // there, the others do, and what they do may lead to executions that nothing else leads to.
  // `visited` hears of each visit, whose graph, path and failure can be asked for, and says whether to
  // go on. Returns whether nothing is left. Nothing is counted.
  using Visited = std::function<bool(ExhaustiveMachine::Outcome)>;
  bool Survey(const Visited& visited);
  // During a survey: runs what was visited last once more, for its trace. Returns its failure.
  const std::optional<Failure>& Retrace();
  // Walks from the root to a leaf, at each graph to the child that `random` says, and returns what
  // the walk says of the number of complete executions (estimate.h). random: at least 0, below 1.
  double Probe(const std::function<double()>& random);
  // Visits only the graph at `path`, of whatever kind of search.
  void Replay(const TreePath& path);

  ExhaustiveMachine& machine() { return machine_; }
  // Whether the last visit, or the way to it, was a failure.
  const std::optional<Failure>& failure() const { return failure_; }
  // What was visited last.
  const TreePath& path() const { return work_list_.path(); }
  const Graph& graph() const { return graph_; }

  bool IsDone() const { return work_list_.empty() && parts_.empty(); }
  // What is left to visit, in the order in which it would be.
  std::vector<TreePath> Left() const;
  // The same, to be visited by others.
  std::vector<Part> TakeLeft();
  // Whether there is a part to give away and more to go on with; and gives it away.
  bool CanGive() const { return work_list_.size() > 1; }
  TreePath Give();

  // The share of what was visited, of the whole tree.
  double done() const { return done_; }
  // How much is done of what there was to visit, when others have done so much of it.
  double Fraction(double elsewhere = 0) const;

  // Where visits are counted from now on.
  void CountIn(SiteTable& sites) { sites_ = &sites; }

 private:
  ExhaustiveMachine::Outcome Visit();
  ExhaustiveMachine::Outcome VisitPastFailures();
  void Trace();
  bool IsFirstTheSame();
  Part TakeNext();
  std::vector<Part> TakeChildren();
  void Divide(Meter& meter, Shard shard);
  bool Find(const Part& part, std::span<const TreePath> paths);

  WorkList work_list_;
  Extension extension_;
  Graph root_;  // the empty graph
  Graph graph_;
  SiteTable* sites_;
  SiteTable uncounted_;  // what was or is counted elsewhere: in an earlier piece, in another shard
  ExhaustiveMachine machine_;
  std::optional<Graph> first_;  // that was completed; none any more when it has been run again
  bool has_first_ = false;
  std::vector<Part> parts_;  // not begun; the next one is the last
  double begun_at_ = 0;      // the fraction
  double share_ = 1;         // of the tree, when the search began or went on
  double done_ = 0;          // of that
  std::optional<Failure> failure_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_EXPLORATION_H_
