#include "src/live/frame_paths.h"

#include <fmt/format.h>

#include <algorithm>

#include "src/profile/critical_path.h"
#include "src/profile/profile.h"
#include "src/profile/schedule.h"
#include "src/profile/work_graph.h"

namespace nowait {

void FramePaths::Add(const LiveScene& scene) {
  scene_ = &scene;
  tasks_.push_back(scene.tasks);
  if (tasks_.size() > kFrames) tasks_.pop_front();
}

FramePath FramePaths::Last() const {
  FramePath result;
  if (scene_ == nullptr || !scene_->frame) return result;
  const LiveFrameEvent& frame = *scene_->frame;
  result.step = frame.step;
  if (frame.end <= frame.begin) return result;
  result.length = frame.end - frame.begin;

  std::uint32_t lanes = 0;
  for (const LiveReadSpan& span : scene_->spans) lanes = std::max(lanes, span.lane + 1);
  for (const auto& tasks : tasks_) {
    for (const LaneTask& task : tasks) lanes = std::max(lanes, task.lane + 1);
  }
  // The lanes grow: room for all entries in each would be more than there is.
  Profile profile({.lanes = lanes, .spans_per_lane = 0, .samples_per_lane = 0});
  std::vector<Lane*> lane;
  for (std::uint32_t i = 0; i < lanes; ++i) {
    const auto added = profile.AddLane({});
    if (!added) throw std::bad_alloc();
    lane.push_back(*added);
  }
  for (const LiveReadSpan& span : scene_->spans) {
    const auto name = scene_->names.find(span.name);
    lane[span.lane]->spans.push_back({name == scene_->names.end() ? "span" : name->second.c_str(),
                                      span.begin, span.end, span.about});
  }
  for (const auto& tasks : tasks_) {
    for (const LaneTask& task : tasks) lane[task.lane]->tasks.push_back(task.task);
  }

  const WorkGraph graph = MakeWorkGraph(profile, frame.begin, frame.end);
  const CriticalPath path = FindCriticalPath(graph);
  result.work = path.work;
  result.between = path.between;
  result.pieces = path.pieces.size();
  result.threads = static_cast<std::uint32_t>(std::max<std::size_t>(1, scene_->lanes.size()));
  const auto length = [&](SimulatedPriorities priorities) {
    return Simulate(graph, {result.threads, priorities}).length;
  };
  result.as_set = length(SimulatedPriorities::kAsSet);
  result.by_path = length(SimulatedPriorities::kByPath);
  result.one_priority = length(SimulatedPriorities::kOne);
  result.longest_chain = LongestChain(graph);
  for (const WorkGraph::Node& node : graph.nodes) {
    if (!node.is_step) continue;
    ++result.steps;
    if (!node.by_times) ++result.recorded;
  }
  return result;
}

std::string ToString(const FramePath& path) {
  const auto ms = [](std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; };
  return fmt::format(
      "frame {}, {:.2f} ms: critical path {:.2f} ms of work and {:.2f} ms between its pieces; "
      "simulated on {} thread{}: {:.2f} ms with the priorities as set, {:.2f} ms from the critical "
      "path, {:.2f} ms with one for all, longest chain {:.2f} ms; records say what {} of {} steps "
      "came after",
      path.step, ms(path.length), ms(path.work), ms(path.between), path.threads,
      path.threads == 1 ? "" : "s", ms(path.as_set), ms(path.by_path), ms(path.one_priority),
      ms(path.longest_chain), path.recorded, path.steps);
}

}  // namespace nowait
