// Exploration: the search through all graphs of a scenario, or through parts of them.
//
// A part of the tree is everything below a graph that has not been visited. A search begins with
// parts, distributes them to shards and processes, and leaves parts when it stops. It can continue
// from any list of parts, wherever they come from.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXPLORATION_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXPLORATION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "models/kit/engine/meter.h"
#include "models/kit/exhaustive/run/exhaustive_machine.h"
#include "models/kit/exhaustive/run/omissions.h"
#include "models/kit/exhaustive/search/work_list.h"
#include "models/kit/program/machine.h"

namespace nowait::model {

class Exploration {
 public:
  struct Part {
    Graph graph;
    TreePath path;
    double share;  // of the tree, as an estimate (work_list.h)
  };

  Exploration(const ScenarioEntry& scenario, SiteTable& sites, const Reductions& reductions = {})
      : extension_(work_list_, {.leaves_out_vain_tries = reductions.vain_looks}),
        sites_(&sites),
        machine_(scenario, graph_, extension_, sites, reductions.failed_tries) {
    if (scenario.symmetric && reductions.names) root_.SetSymmetric();
  }

  // Begins with the graphs of a shard. Graphs completed while the tree is divided belong to shard
  // 0.
  void Begin(Meter& meter, Shard shard);
  // Begins with the rest of a search of which this fraction was done.
  void Continue(std::vector<TreePath> left, double fraction);
  // Adds another part.
  void Add(Part part) { parts_.push_back(std::move(part)); }
  void Add(std::vector<TreePath> paths);

  // Visits the remaining graphs until all are visited, one fails, the meter says stop, or `pauses`
  // returns true. `pauses` is called after each visit. Returns true if `pauses` stopped the search.
  bool Run(Meter& meter, const std::function<bool()>& pauses);
  // Visits all graphs, even those behind a failure: a failing thread stops there and the others
  // continue, and their steps may lead to executions that nothing else leads to. `visited` is
  // called after each visit, when graph, path and failure are available, and returns whether to
  // continue. Returns whether all graphs were visited. Nothing is counted.
  using Visited = std::function<bool(ExhaustiveMachine::Outcome)>;
  bool Survey(const Visited& visited);
  // During a survey: repeats the last visited graph to obtain its trace. Returns its failure.
  const std::optional<Failure>& Retrace();
  // Walks from the root to a leaf, at each graph to the child that `random` selects. Returns the
  // walk's estimate of the number of complete executions (estimate.h). random: at least 0, below
  // 1.
  double Probe(const std::function<double()>& random);
  // Visits only the graph at `path`, for any kind of search.
  void Replay(const TreePath& path);

  ExhaustiveMachine& machine() { return machine_; }
  // The omissions of the graphs visited so far, and those that other processes add. A survey or a
  // replay gathers none.
  Omissions& omissions() { return omissions_; }
  // The failure of the last visit, or of the way to it.
  const std::optional<Failure>& failure() const { return failure_; }
  // The path of the last visited graph.
  const TreePath& path() const { return work_list_.path(); }
  const Graph& graph() const { return graph_; }

  bool IsDone() const { return work_list_.empty() && parts_.empty(); }
  // The graphs left to visit, in the order of visiting.
  std::vector<TreePath> Left() const;
  // The same, handed over to other processes.
  std::vector<Part> TakeLeft();
  // Whether there is a part to give away and at least one more to continue with; and gives it away.
  bool CanGive() const { return work_list_.size() > 1; }
  TreePath Give();

  // The share of the visited part in the whole tree.
  double done() const { return done_; }
  // The fraction done, when other processes have done this much of the graphs to visit.
  double Fraction(double elsewhere = 0) const;

  // From this call on, counts visits in `sites`.
  void CountIn(SiteTable& sites) { sites_ = &sites; }

 private:
  ExhaustiveMachine::Outcome Visit();
  void LookAtVisit(ExhaustiveMachine::Outcome outcome, bool counts);
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
  SiteTable uncounted_;  // counted elsewhere: in an earlier piece or in another shard
  ExhaustiveMachine machine_;
  std::optional<Graph> first_;  // the first completed graph; empty once it has run again
  bool has_first_ = false;
  Omissions omissions_;
  Omissions::Lengths begun_with_{};  // the numbers of events at the beginning of the last visit
  std::vector<Part> parts_;          // not yet begun; the next one is the last
  double begun_at_ = 0;              // the fraction
  double share_ = 1;                 // of the tree, when the search began or continued
  double done_ = 0;                  // done of that share
  std::optional<Failure> failure_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_EXPLORATION_H_
