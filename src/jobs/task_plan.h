// TaskPlan: a graph of tasks that is put together once and run again and again, as in each frame.
//
//   TaskPlan plan(16);
//   auto animate = plan.Add([&world] { world.Animate(); });
//   auto gui = plan.Add([&world] { world.UpdateGui(); });
//   if (!animate || !gui) ...                                    // the plan is full
//   auto render = plan.Add([&world] { world.Render(); }, std::array{*animate, *gui});
//   ...
//   auto frame = plan.AddTo(pool, {.parent = tick});             // in each frame
//
// A node comes after nodes that were added before it: a plan has no cycles. The callables are kept
// in the plan, as src/jobs/captured_work.h says, and run again in each frame with what the last run
// has left in their captures. Outcomes begin anew in each run.
//
// Thread safety: one thread at a time, and always the same pool. The plan outlives its tasks.
// Errors: kCapacity (nodes, links: sizes given at creation), kInvalidArgument (a node that is not
// there yet), kWrongPhase (its tasks of the last run are not complete). Those of TaskPool::Add:
// none of the plan's work is run then.
// Complexity: AddTo takes the time of an Add for each node and link, and allocates nothing.
// Source: Taskflow and oneTBB's flow graph, which also keep a graph between its runs.
#ifndef NOWAIT_SRC_JOBS_TASK_PLAN_H_
#define NOWAIT_SRC_JOBS_TASK_PLAN_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/captured_work.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"

namespace nowait {

class TaskPlan {
 public:
  using Node = std::uint32_t;

  // links: how often nodes can name another one that they come after.
  explicit TaskPlan(std::uint32_t nodes, std::uint32_t links = 64)
      : most_nodes_(nodes), most_links_(links), captures_(nodes + 1) {
    nodes_.reserve(nodes);
    links_.reserve(links);
    tasks_.reserve(nodes);
    several_.reserve(links);
  }
  // Its tasks have pointers to the callables in it.
  TaskPlan(const TaskPlan&) = delete;
  TaskPlan& operator=(const TaskPlan&) = delete;

  // def: kind, priority, affinity and needs_success are each run's; parent and dependency come from
  // the plan. Not a list or an idempotent job: those are made anew for each run.
  Result<Node> Add(const TaskDef& def, std::span<const Node> after = {}) {
    if (def.parent.IsTask() || def.dependency.IsTask()) {
      return Fail(ErrorCode::kInvalidArgument, "task plan", 0, "its nodes name nodes, not tasks");
    }
    if (def.kind != TaskKind::kWork) {
      return Fail(ErrorCode::kInvalidArgument, "task plan", 0, "its nodes are plain work");
    }
    if (nodes_.size() == most_nodes_) {
      return Fail(ErrorCode::kCapacity, "nodes of a task plan", most_nodes_);
    }
    if (after.size() > most_links_ - links_.size()) {
      return Fail(ErrorCode::kCapacity, "links of a task plan", most_links_);
    }
    for (const Node node : after) {
      if (node >= nodes_.size()) {
        return Fail(ErrorCode::kInvalidArgument, "node", node, "it comes later, or not at all");
      }
    }
    nodes_.push_back({def, static_cast<std::uint32_t>(after.size()), nullptr});
    links_.insert(links_.end(), after.begin(), after.end());
    return static_cast<Node>(nodes_.size() - 1);
  }
  template <std::invocable F>
  Result<Node> Add(const F& work, std::span<const Node> after = {}, TaskDef def = {},
                   const TaskNotes& notes = {}) {
    if (def.work.function != nullptr) {
      return Fail(ErrorCode::kInvalidArgument, "task", 0, "the callable is all its work");
    }
    const CapturedWork<F> captured(work, notes);
    static_assert(sizeof(captured) <= sizeof(TaskCapture));
    TaskCapture& place = captures_[nodes_.size()];
    def.work = {&CapturedWork<F>::Run, place.bytes};
    const auto node = Add(def, after);
    if (!node) return node;
    std::memcpy(place.bytes, captured.Bytes().data(), captured.Bytes().size());
    nodes_.back().outcome = notes.outcome;
    return node;
  }

  // The tasks of a run, below an empty one, which is returned: held by the caller, as after Add.
  // def: of that one. Nodes that come after no other one come after its dependency, too; with
  // needs_success they need its success.
  template <class Queues>
  Result<TaskId> AddTo(BasicTaskPool<Queues>& pool, const TaskDef& def = {}) {
    if (last_.IsTask() && !pool.IsComplete(last_)) {
      return Fail(ErrorCode::kWrongPhase, "task plan", 0, "its last run is not complete");
    }
    for (const PlanNode& node : nodes_) {
      if (node.outcome != nullptr) node.outcome->Reset();
    }
    const auto all = pool.Add(def);
    if (!all) return all;
    TaskDef first = def;
    first.parent = *all;
    tasks_.clear();
    std::span<const Node> links(links_);
    for (const PlanNode& node : nodes_) {
      const auto task = AddNode(pool, node, links.first(node.after), first);
      links = links.subspan(node.after);
      if (!task) {
        TakeBack(pool, *all);
        return task;
      }
      tasks_.push_back(*task);
    }
    last_ = *all;
    return all;
  }

 private:
  struct PlanNode {
    TaskDef def;
    std::uint32_t after;   // how many links are its own: the next ones in links_
    TaskOutcome* outcome;  // or null
  };

  // first: parent and dependency of a node that comes after no other one.
  template <class Queues>
  Result<TaskId> AddNode(BasicTaskPool<Queues>& pool, const PlanNode& node,
                         std::span<const Node> after, const TaskDef& first) {
    TaskDef def = node.def;
    def.parent = first.parent;
    if (after.empty()) {
      def.dependency = first.dependency;
      def.needs_success = def.needs_success || first.needs_success;
    }
    if (after.size() == 1) def.dependency = tasks_[after[0]];
    if (after.size() > 1) {
      several_.clear();
      for (const Node one : after) several_.push_back(tasks_[one]);
      const auto both = pool.WhenAll(several_);
      if (!both) return both;
      def.dependency = *both;
    }
    return pool.Add(def);
  }

  // Ends a run that cannot be made whole.
  template <class Queues>
  void TakeBack(BasicTaskPool<Queues>& pool, TaskId all) {
    // Each is held by the caller, and was made above: neither call is refused, unless the pool is
    // being shut down, which cancels them itself.
    for (const TaskId task : tasks_) {
      static_cast<void>(pool.Cancel(task));
      static_cast<void>(pool.Submit(task));
    }
    static_cast<void>(pool.Submit(all));
  }

  const std::uint32_t most_nodes_;
  const std::uint32_t most_links_;
  std::vector<PlanNode> nodes_;
  std::vector<Node> links_;            // of all nodes, in their order
  std::vector<TaskCapture> captures_;  // and one to spare, for a node that is refused
  TaskId last_;                        // the empty task of the last run
  std::vector<TaskId> tasks_;          // of the run that is being made, by node
  std::vector<TaskId> several_;        // that a node comes after
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_PLAN_H_
