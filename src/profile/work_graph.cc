#include "src/profile/work_graph.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace nowait {
namespace {

using Node = WorkGraph::Node;
using Cause = WorkGraph::Cause;

constexpr std::uint32_t kNone = WorkGraph::kNone;
constexpr std::uint32_t kNoTask = TaskRecord::kNoTask;
// Of tasks that are complete only with each other; deeper ones are known by times.
constexpr int kMostDepth = 1000;

bool IsWait(std::string_view name) {
  constexpr std::string_view kWait = "wait";
  if (!name.starts_with(kWait)) return false;
  const std::string_view rest = name.substr(kWait.size());
  const char next = rest.empty() ? ' ' : rest[0];
  return !((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
           (next >= '0' && next <= '9') || next == '_');
}

// Of a task, or a visit to a list.
bool IsRun(const Span& span) {
  const std::string_view name = span.name;
  return span.about != Span::kAboutNothing && (name == "task" || name == "jobs");
}

// One run of a task, one visit to a list, or all that a thread does outside of both.
struct Run {
  std::uint32_t task = kNoTask;  // its number; none: outside
  std::uint64_t begin = 0;
  std::vector<std::uint32_t> steps = {};
  // Since its last piece:
  bool cut = true;
  bool unknown = true;  // something that no record is about
  std::vector<std::uint32_t> awaited = {};
};

// The causes of a step, as far as its run has them.
struct Begin {
  std::uint32_t run;
  std::uint32_t before;  // the step before it in the run, or kNone
  bool unknown;
  std::vector<std::uint32_t> awaited;  // numbers of tasks
};

// The pieces and steps of the lanes' spans. Of one lane the pieces are disjoint, even where its
// spans neither nest nor are disjoint: no time is in two of them.
class Steps {
 public:
  Steps(std::uint64_t begin, std::uint64_t end, WorkGraph& graph)
      : begin_(begin), end_(end), graph_(graph) {}

  void AddLane(const Lane& lane, std::size_t index) {
    lane_ = index;
    at_ = begin_;
    outside_ = AddRun(kNoTask, begin_);
    std::vector<Ordered> spans;  // as they were written: a span after those inside
    for (std::size_t i = 0; i < lane.spans.size(); ++i) {
      const Span& span = lane.spans[i];
      const bool lasts = span.begin < span.end;
      if (lasts && span.end > begin_ && span.begin < end_) spans.push_back({span, i});
    }
    std::ranges::sort(spans, [](const Ordered& a, const Ordered& b) {
      if (a.span.begin != b.span.begin) return a.span.begin < b.span.begin;
      return a.span.end != b.span.end ? a.span.end > b.span.end : a.written > b.written;
    });
    for (const Ordered& next : spans) {
      CloseUntil(next.span.begin);
      WorkUntil(next.span.begin);
      Enter(next.span);
    }
    CloseUntil(~std::uint64_t{0});
  }

  const std::vector<Run>& runs() const { return runs_; }
  const std::vector<Begin>& begins() const { return begins_; }  // by step

 private:
  struct Ordered {
    Span span;
    std::size_t written;
  };
  struct Open {
    Span span;
    std::uint32_t run;
    bool waits;
  };

  std::uint32_t AddRun(std::uint32_t task, std::uint64_t begin) {
    runs_.push_back({.task = task, .begin = begin});
    return static_cast<std::uint32_t>(runs_.size() - 1);
  }
  void Enter(const Span& span) {
    std::uint32_t run = open_.empty() ? outside_ : open_.back().run;
    const bool waits = IsWait(span.name);
    if (waits) runs_[run].cut = true;
    if (IsRun(span)) {
      // A run that begins within another one without a wait: no record says what ends the wait.
      if (open_.empty() || !open_.back().waits) runs_[run].cut = runs_[run].unknown = true;
      run = AddRun(span.about, span.begin);
    }
    open_.push_back({span, run, waits});
  }
  void CloseUntil(std::uint64_t time) {
    while (!open_.empty() && open_.back().span.end <= time) {
      const auto [span, run, waits] = open_.back();
      WorkUntil(span.end);
      open_.pop_back();
      if (!waits) continue;
      runs_[run].cut = true;
      const bool known = std::string_view(span.name) == "wait" && span.about != kNoTask;
      if (known) {
        runs_[run].awaited.push_back(span.about);
      } else {
        runs_[run].unknown = true;
      }
    }
  }
  // The time up to here is the innermost span's.
  void WorkUntil(std::uint64_t time) {
    const std::uint64_t to = std::min(time, end_);
    if (to <= at_) return;
    if (!open_.empty() && !open_.back().waits) AddPiece(to);
    at_ = to;
  }
  void AddPiece(std::uint64_t to) {
    const std::uint32_t of = open_.back().run;
    Run& run = runs_[of];
    const bool is_first = run.steps.empty();
    const bool gap = !is_first && graph_.nodes[run.steps.back()].end != at_;
    if (is_first || run.cut || gap) {
      const bool unknown = run.unknown || !run.cut || run.awaited.empty();
      const std::uint32_t before = is_first ? kNone : run.steps.back();
      begins_.push_back({of, before, unknown, std::exchange(run.awaited, {})});
      run.steps.push_back(static_cast<std::uint32_t>(graph_.nodes.size()));
      graph_.nodes.push_back({.lane = lane_, .begin = at_, .made = at_});
      run.cut = run.unknown = false;
    }
    Node& step = graph_.nodes[run.steps.back()];
    step.pieces.push_back(static_cast<std::uint32_t>(graph_.pieces.size()));
    graph_.pieces.push_back(
        {lane_, {open_.back().span.name, at_, to}, run.steps.back(), step.work});
    step.work += to - at_;
    step.end = to;
  }

  const std::uint64_t begin_, end_;
  WorkGraph& graph_;
  std::size_t lane_ = 0;
  std::uint32_t outside_ = 0;  // the lane's run outside of tasks
  std::uint64_t at_ = 0;       // up to here the lane's time is in pieces, or in none
  std::vector<Open> open_;
  std::vector<Run> runs_;
  std::vector<Begin> begins_;
};

// The tasks of the lanes' records, and the joins of those that are asked for.
class Tasks {
 public:
  Tasks(const Profile& profile, std::uint64_t begin, std::uint64_t end, WorkGraph& graph)
      : begin_(begin), graph_(graph) {
    std::size_t lane = 0;
    for (const Lane& of : profile.lanes()) {
      for (const TaskRecord& record : of.tasks) {
        if (record.time >= end) continue;
        if (record.kind == TaskRecord::Kind::kLink) {
          links_.push_back(record);
        } else {
          tasks_.push_back({.record = record, .lane = lane});
        }
      }
      ++lane;
    }
    const auto time = [](const auto& task) { return task.record.time; };
    std::ranges::stable_sort(tasks_, {}, time);
    for (std::uint32_t i = 0; i < tasks_.size(); ++i) tasks_[i].number_in_time = i;
    std::ranges::stable_sort(links_, {}, &TaskRecord::time);
    std::ranges::stable_sort(tasks_, {}, [](const Task& task) { return task.record.task; });
    std::vector<std::uint32_t> in_time(tasks_.size());
    for (std::uint32_t i = 0; i < tasks_.size(); ++i) in_time[tasks_[i].number_in_time] = i;
    for (const std::uint32_t task : in_time) Link(task, tasks_[task].record);
    for (const TaskRecord& link : links_) {
      if (const std::uint32_t task = Find(link.task, link.time); task != kNone) Link(task, link);
    }
    first_pieces_.assign(lane + 1, static_cast<std::uint32_t>(graph.pieces.size()));
    for (std::uint32_t i = static_cast<std::uint32_t>(graph.pieces.size()); i-- > 0;) {
      first_pieces_[graph.pieces[i].lane] = i;
    }
    for (std::size_t i = lane; i-- > 0;) {
      first_pieces_[i] = std::min(first_pieces_[i], first_pieces_[i + 1]);
    }
  }

  // The task that had the number at a time, or kNone.
  std::uint32_t Find(std::uint32_t number, std::uint64_t time) const {
    const auto behind = std::ranges::upper_bound(
        tasks_, std::pair(number, time), {},
        [](const Task& task) { return std::pair(task.record.task, task.record.time); });
    if (behind == tasks_.begin() || (behind - 1)->record.task != number) return kNone;
    return static_cast<std::uint32_t>(behind - tasks_.begin() - 1);
  }

  void AddRun(const Run& run) {
    const std::uint32_t task = Find(run.task, run.begin);
    if (task != kNone && !run.steps.empty()) tasks_[task].last_steps.push_back(run.steps.back());
  }

  const TaskRecord& RecordOf(std::uint32_t task) const { return tasks_[task].record; }
  const std::vector<std::uint32_t>& DependenciesOf(std::uint32_t task) const {
    return tasks_[task].dependencies;
  }

  // Where in the work of another step the task was made, for a step that began at `time`.
  bool MadeBy(std::uint32_t task, std::uint64_t time, Cause* cause) const {
    const std::uint64_t made = tasks_[task].record.time;
    const std::uint32_t first = first_pieces_[tasks_[task].lane];
    const std::uint32_t end = first_pieces_[tasks_[task].lane + 1];
    const auto begin = graph_.pieces.begin();
    const auto behind =
        std::ranges::upper_bound(begin + first, begin + end, made, {},
                                 [](const WorkGraph::Piece& piece) { return piece.span.begin; });
    if (made < begin_ || behind == begin + first) return false;
    const WorkGraph::Piece& piece = *(behind - 1);
    const Node& step = graph_.nodes[piece.step];
    if (step.begin >= time) return false;
    const bool held = step.end <= time;
    *cause = {piece.step,
              held ? step.work : piece.before + std::min(made, piece.span.end) - piece.span.begin};
    return true;
  }

  // The node that stands for the end of the task with its children. kNone: not known.
  std::uint32_t JoinOf(std::uint32_t task, int depth = 0) {
    Task& of = tasks_[task];
    if (of.state != State::kNotAsked || depth == kMostDepth) return of.join;
    of.state = State::kAsked;
    std::vector<Cause> causes;
    bool known = of.record.kind != TaskRecord::Kind::kExternal;
    const auto add = [&](std::uint32_t other) {
      const std::uint32_t join = other == kNone ? kNone : JoinOf(other, depth + 1);
      known = known && join != kNone;
      if (known) causes.push_back({join, 0});
    };
    if (of.record.kind == TaskRecord::Kind::kEmpty) {
      // Before any work of its maker it came after nothing of it. A cause without work might lead
      // back to this group, which the maker may have come after.
      Cause made{};
      if (MadeBy(task, of.record.time + 1, &made) && made.work > 0) causes.push_back(made);
      for (const std::uint32_t number : of.dependencies) add(Find(number, of.record.time));
    } else {
      // One made earlier whose work is not in this stretch of time had ended before it.
      known = known && (!of.last_steps.empty() || of.record.time < begin_);
      if (of.record.kind == TaskRecord::Kind::kIdempotent) KeepFirstEnd(of.last_steps);
      for (const std::uint32_t step : of.last_steps)
        causes.push_back({step, graph_.nodes[step].work});
    }
    for (const std::uint32_t child : of.children) add(child);
    if (!known) return kNone;
    Node join{.is_step = false};
    for (const Cause& cause : causes) join.end = std::max(join.end, graph_.TimeOf(cause));
    join.begin = join.end;
    join.causes = std::move(causes);
    graph_.nodes.push_back(std::move(join));
    return of.join = static_cast<std::uint32_t>(graph_.nodes.size() - 1);
  }

 private:
  enum class State : std::uint8_t { kNotAsked, kAsked };
  struct Task {
    TaskRecord record;
    std::size_t lane;
    std::uint32_t number_in_time = 0;              // among all tasks
    std::vector<std::uint32_t> dependencies = {};  // numbers
    std::vector<std::uint32_t> children = {};      // indices
    std::vector<std::uint32_t> last_steps = {};    // of its runs
    State state = State::kNotAsked;
    std::uint32_t join = kNone;
  };

  void Link(std::uint32_t task, const TaskRecord& record) {
    if (record.dependency != kNoTask) tasks_[task].dependencies.push_back(record.dependency);
    if (record.parent == kNoTask) return;
    const std::uint32_t parent = Find(record.parent, record.time);
    if (parent != kNone) tasks_[parent].children.push_back(task);
  }
  // Of two runs of an idempotent task the first one to end completes it.
  void KeepFirstEnd(std::vector<std::uint32_t>& steps) const {
    if (steps.empty()) return;
    const auto end = [this](std::uint32_t step) { return graph_.nodes[step].end; };
    steps = {*std::ranges::min_element(steps, {}, end)};
  }

  const std::uint64_t begin_;
  WorkGraph& graph_;
  std::vector<Task> tasks_;  // by number and time
  std::vector<TaskRecord> links_;
  std::vector<std::uint32_t> first_pieces_;  // by lane, and the end
};

// Adds the causes of all steps.
class Causes {
 public:
  Causes(const Steps& steps, Tasks& tasks, WorkGraph& graph)
      : steps_(steps), tasks_(tasks), graph_(graph) {
    for (const Run& run : steps.runs()) {
      if (run.task == kNoTask) continue;
      tasks.AddRun(run);
      const std::uint32_t task = tasks.Find(run.task, run.begin);
      if (task != kNone && !run.steps.empty() && IsList(task)) {
        const Node& last = graph.nodes[run.steps.back()];
        visits_[task].push_back({last.end, run.steps.back()});
      }
    }
    for (auto& [task, visits] : visits_) std::ranges::sort(visits);
  }

  void AddAll() {
    const auto count = static_cast<std::uint32_t>(steps_.begins().size());
    for (std::uint32_t step = 0; step < count; ++step) AddTo(step);
  }

 private:
  bool IsList(std::uint32_t task) const {
    return tasks_.RecordOf(task).kind == TaskRecord::Kind::kList;
  }

  void AddTo(std::uint32_t number) {
    const Begin& begin = steps_.begins()[number];
    const Run& run = steps_.runs()[begin.run];
    const std::uint32_t task = run.task == kNoTask ? kNone : tasks_.Find(run.task, run.begin);
    const std::uint64_t time = graph_.nodes[number].begin;
    bool unknown = begin.unknown;
    std::vector<Cause> causes;
    if (begin.before != kNone) {
      causes.push_back({begin.before, graph_.nodes[begin.before].work});
      if (run.task != kNoTask) graph_.nodes[number].follows = begin.before;
      for (const std::uint32_t awaited : begin.awaited) AddJoin(awaited, time, causes, &unknown);
    } else {
      unknown = task == kNone;
      if (task != kNone) AddFirst(task, time, causes, &unknown);
    }
    Node& step = graph_.nodes[number];
    const std::uint32_t last = unknown ? graph_.LastBefore(time, step.lane) : kNone;
    if (last != kNone) {
      const WorkGraph::Piece& piece = graph_.pieces[last];
      causes.push_back({piece.step, piece.before + piece.span.end - piece.span.begin});
    }
    step.by_times = unknown;
    step.causes = std::move(causes);
    step.bound = run.task == kNoTask;
    if (task == kNone) return;
    const TaskRecord& record = tasks_.RecordOf(task);
    step.bound = record.bound;
    step.priority = record.priority;
    if (begin.before == kNone) step.made = record.time;
  }

  void AddFirst(std::uint32_t task, std::uint64_t time, std::vector<Cause>& causes, bool* unknown) {
    Cause made{};
    if (tasks_.MadeBy(task, time, &made)) causes.push_back(made);
    for (const std::uint32_t number : tasks_.DependenciesOf(task)) {
      AddJoin(number, time, causes, unknown);
    }
    const auto visits = visits_.find(task);
    if (visits == visits_.end()) return;
    const auto behind = std::ranges::upper_bound(visits->second, time, {},
                                                 [](const auto& visit) { return visit.first; });
    if (behind == visits->second.begin()) return;
    const std::uint32_t visit = (behind - 1)->second;
    causes.push_back({visit, graph_.nodes[visit].work});
  }

  void AddJoin(std::uint32_t number, std::uint64_t time, std::vector<Cause>& causes,
               bool* unknown) {
    const std::uint32_t task = tasks_.Find(number, time);
    const std::uint32_t join = task == kNone ? kNone : tasks_.JoinOf(task);
    if (join == kNone || graph_.nodes[join].end > time) {
      *unknown = true;
    } else {
      causes.push_back({join, 0});
    }
  }

  const Steps& steps_;
  Tasks& tasks_;
  WorkGraph& graph_;
  // By task, of lists: the ends of the visits, and their last steps.
  std::map<std::uint32_t, std::vector<std::pair<std::uint64_t, std::uint32_t>>> visits_;
};

}  // namespace

std::uint64_t WorkGraph::TimeOf(const Cause& cause) const {
  const Node& node = nodes[cause.node];
  if (!node.is_step) return node.end;
  const auto behind = std::ranges::lower_bound(
      node.pieces, cause.work, {}, [this](std::uint32_t piece) { return pieces[piece].before; });
  const Piece& piece = pieces[behind == node.pieces.begin() ? *behind : *(behind - 1)];
  return piece.span.begin + (cause.work - piece.before);
}

std::uint32_t WorkGraph::LastBefore(std::uint64_t time, std::size_t lane) const {
  const auto end = [this](std::uint32_t piece) { return pieces[piece].span.end; };
  const auto behind = std::ranges::upper_bound(by_end, time, {}, end);
  if (behind == by_end.begin()) return kNone;
  std::uint32_t last = *(behind - 1);
  for (auto at = behind; at != by_end.begin() && end(*(at - 1)) == time; --at) {
    if (pieces[*(at - 1)].lane == lane) last = *(at - 1);
  }
  return last;
}

WorkGraph MakeWorkGraph(const Profile& profile, std::uint64_t begin, std::uint64_t end) {
  WorkGraph graph;
  Steps steps(begin, end, graph);
  std::size_t index = 0;
  for (const Lane& lane : profile.lanes()) steps.AddLane(lane, index++);
  for (std::uint32_t i = 0; i < graph.pieces.size(); ++i) graph.by_end.push_back(i);
  std::ranges::stable_sort(graph.by_end, {}, [&graph](std::uint32_t piece) {
    const Span& span = graph.pieces[piece].span;
    return std::pair(span.end, span.begin);
  });
  Tasks tasks(profile, begin, end, graph);
  Causes(steps, tasks, graph).AddAll();
  return graph;
}

}  // namespace nowait
