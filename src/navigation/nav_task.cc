#include "src/navigation/nav_task.h"

#include <algorithm>

#include "src/base/assert.h"
#include "src/jobs/priority.h"
#include "src/profile/profile.h"
#include "src/sync/scoped_lock.h"

namespace nowait {

NavTimes& NavTimes::operator+=(const NavTimes& other) {
  stages += other.stages;
  builds += other.builds;
  all += other.all;
  longest_stage = std::max(longest_stage, other.longest_stage);
  longest_build = std::max(longest_build, other.longest_build);
  for (std::size_t i = 0; i < kNavStages; ++i) of_stage[i] += other.of_stage[i];
  wait += other.wait;
  return *this;
}

NavTask::NavTask(TaskPool& pool, NavPace pace, const World& world, const NavSettings& settings,
                 NavCellId cell, const QueryFilter& filter, const PinShapes& pin)
    : pool_(pool), pace_(pace), build_(world, settings, cell, filter, pin) {}

NavTask::~NavTask() {
  Cancel();
  const Result<void> waited = Wait();
  NOWAIT_ASSERT(waited.has_value(), "a task that runs ends before its data");
}

Result<void> NavTask::Advance() {
  if (!IsIdle() || IsOver()) return {};
  const auto task =
      pool_.Add({.work = {&Run, this}, .priority = static_cast<std::uint8_t>(Priority::kLow)});
  if (!task) return std::unexpected(task.error());
  task_ = *task;
  return pool_.Submit(task_);
}

void NavTask::Cancel() {
  cancel_ = true;
  {
    const ScopedLock lock(mutex_);
    stop_ = true;
  }
  // One that has not begun does not begin. An error says that it is complete by now, and a task
  // that goes on sees the wish.
  if (!IsIdle()) static_cast<void>(pool_.Cancel(task_));
}

Result<void> NavTask::Wait() {
  if (IsIdle()) return {};
  return pool_.Wait(task_);
}

Result<NavCell> NavTask::Take() {
  NOWAIT_ASSERT(IsOver() && !cancel_, "a cell is taken from a build that is over");
  if (!result_) return std::unexpected(result_.error());
  return build_.Take();
}

void NavTask::Run(void* data) { static_cast<NavTask*>(data)->RunStages(); }

void NavTask::RunStages() {
  const ProfileScope scope("navigation cell");
  do {
    if (ShallStop()) return;
    RunStage();
  } while (pace_ == NavPace::kBackground && result_ && !IsBuilt());
  if (IsBuilt()) {
    ++times_.builds;
    times_.longest_build = spent_;
  }
}

void NavTask::RunStage() {
  const auto stage = static_cast<std::size_t>(build_.next());
  const auto begin = EngineSync::clock::now();
  result_ = build_.Step(times_.wait);
  const auto time =
      std::chrono::duration_cast<std::chrono::nanoseconds>(EngineSync::clock::now() - begin);
  spent_ += time;
  ++times_.stages;
  times_.all += time;
  times_.longest_stage = std::max(times_.longest_stage, time);
  times_.of_stage[stage] += time;
}

bool NavTask::ShallStop() {
  const ScopedLock lock(mutex_);
  return stop_;
}

}  // namespace nowait
