#include "tests/whole/jobs/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nowait::job_programs {
namespace {

constexpr std::array kStepNames = {
    "Add",      "RunLater",     "AddChild",  "DependsOn", "Submit",     "Wait",
    "Cancel",   "Complete",     "Look",      "Poll",      "Loop",       "Batch",
    "Frames",   "BesideFrames", "Signal",    "Await",     "StopDevice", "Fill",
    "Stranger", "Second",       "WaitUntil", "WaitFrom",  "WaitForAll",
};
constexpr std::array kWorkNames = {"empty", "body", "list", "idempotent", "request", "external"};
constexpr std::array kEndNames = {"Close(kFinish)", "Close(kCancel)", "destroyed"};

std::string ToText(const Step& step) {
  std::string text = NameOf(step.kind);
  if (step.task != kNoTask) text += fmt::format(" t{}", step.task);
  if (step.parent != kNoTask) text += fmt::format(" below t{}", step.parent);
  if (step.dependency != kNoTask) text += fmt::format(" after t{}", step.dependency);
  if (step.amount != 0) text += fmt::format(" {}", step.amount);
  if (step.throws) text += ", which throws";
  return text;
}

std::string ToText(const Script& script) {
  std::string text;
  for (const Step& step : script) text += (text.empty() ? "" : "; ") + ToText(step);
  return text;
}

}  // namespace

const char* NameOf(StepKind kind) { return kStepNames[static_cast<std::size_t>(kind)]; }

bool HasExternals(const Program& program) {
  return std::ranges::any_of(program.tasks,
                             [](const Task& task) { return task.work == Work::kExternal; });
}

std::uint32_t NamedWorkers(const Program& program) {
  std::uint32_t most = 0;
  for (const Task& task : program.tasks) most = std::max<std::uint32_t>(most, task.worker);
  return most;
}

bool IsAdded(const Program& program, int task) {
  const auto adds = [task](const Script& script) {
    for (const Step& step : script) {
      const bool makes = step.kind == StepKind::kAdd || step.kind == StepKind::kRunLater;
      if (makes && step.task == task) return true;
    }
    return false;
  };
  for (const Script& script : program.mains) {
    if (adds(script)) return true;
  }
  for (const Task& other : program.tasks) {
    if (adds(other.body)) return true;
  }
  return false;
}

std::size_t SizeOf(const Program& program) {
  std::size_t size = 0;
  for (const Script& script : program.mains) size += script.size();
  for (const Task& task : program.tasks) size += task.body.size();
  return size;
}

std::string ToText(const Program& program) {
  std::string text = fmt::format(
      "program {}: {}, {} workers, {} main threads, {} completers{}{}, capacity {}, {}\n",
      program.seed, program.one_queue ? "OneQueueTaskPool" : "TaskPool", program.workers,
      program.mains.size(), program.completers, program.devices ? ", two devices" : "",
      program.second_pool ? ", a second pool" : "", program.capacity,
      kEndNames[static_cast<std::size_t>(program.end)]);
  for (std::size_t i = 0; i < program.mains.size(); ++i) {
    text += fmt::format("  main {}: {}\n", i, ToText(program.mains[i]));
  }
  for (std::size_t i = 0; i < program.tasks.size(); ++i) {
    if (!IsAdded(program, static_cast<int>(i))) continue;
    const Task& task = program.tasks[i];
    text += fmt::format("  t{}: {}", i, kWorkNames[static_cast<std::size_t>(task.work)]);
    if (task.priority != 0) text += fmt::format(", priority {}", task.priority);
    if (task.name != 0) text += fmt::format(", for main {}", task.name - 1);
    if (task.worker != 0) text += fmt::format(", for worker {}", task.worker - 1);
    if (task.work == Work::kList) {
      text += fmt::format(", {} jobs, a sync point after each {}", task.jobs, task.sync_every);
    }
    if (task.throws) text += ", throws";
    if (!task.body.empty()) text += ": " + ToText(task.body);
    text += '\n';
  }
  return text;
}

}  // namespace nowait::job_programs
