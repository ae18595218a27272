#include "tests/whole/jobs/make_program.h"

#include <utility>
#include <vector>

#include "src/math/random.h"

namespace nowait::job_programs {
namespace {

// Which of the features a program has.
struct Features {
  explicit Features(Random& random) {
    const auto one_in = [&random](std::uint32_t n) { return random.Below(n) == 0; };
    polls = one_in(3);
    names = !polls && one_in(2);
    externals = !polls && one_in(3);
    foreign = one_in(2);
    waits = !one_in(4);
    links = !one_in(4);
    cancels = one_in(4);
    lists = one_in(2);
    loops = one_in(3);
    idempotent = one_in(4);
    devices = one_in(4);
    throws = one_in(5);
    frames = one_in(8);
    priorities = one_in(2);
    fills = one_in(2);
    strangers = one_in(3);
  }

  bool polls, names, externals, foreign, waits, links, cancels, lists, loops, idempotent, devices,
      throws, frames, priorities, fills, strangers;
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed), has_(random_) { program_.seed = seed; }

  Program Make() {
    program_.one_queue = OneIn(3);
    program_.workers = random_.Below(4);
    if (has_.polls && program_.workers == 0) program_.workers = 1;
    program_.devices = has_.devices;
    program_.second_pool = OneIn(6);
    program_.completers = OneIn(2) ? 2 : 1;
    program_.end = OneIn(3) ? End::kCancel : OneIn(4) ? End::kDestroy : End::kFinish;
    program_.mains.resize(OneIn(2) ? 1 : 1 + random_.Below(3));
    // Small ones mostly: many more of them can be run.
    const std::uint32_t sizes[] = {3, 4, 6, 8, 8, 12, 20, 40};
    most_tasks_ = OneIn(12) ? 120 : sizes[random_.Below(8)];
    if (OneIn(10)) program_.capacity = 1 + random_.Below(8);

    const auto mains = static_cast<std::uint32_t>(program_.mains.size());
    // Outside, in turns, so that scripts know tasks of each other; then the bodies of these.
    for (std::uint32_t i = 0; i < mains * 2; ++i) Extend(static_cast<int>(i % mains), kNoTask);
    for (std::size_t i = 0; i < program_.tasks.size(); ++i) {
      if (program_.tasks[i].work == Work::kBody && !OneIn(3)) Extend(-1, static_cast<int>(i));
    }
    return std::move(program_);
  }

 private:
  bool OneIn(std::uint32_t n) { return random_.Below(n) == 0; }

  Script& ScriptOf(int main, int task) {
    return task == kNoTask ? program_.mains[static_cast<std::size_t>(main)]
                           : program_.tasks[static_cast<std::size_t>(task)].body;
  }

  // Some steps more for a main thread, or for a task.
  void Extend(int main, int task) {
    std::vector<int> own;  // what this script has added
    const std::uint32_t steps = 2 + random_.Below(OneIn(4) ? 24 : 8);
    for (std::uint32_t i = 0; i < steps; ++i) {
      const Step step = MakeStep(main, task, own);
      if (step.kind == StepKind::kAdd || step.kind == StepKind::kRunLater) own.push_back(step.task);
      if (step.kind == StepKind::kAdd && step.task == kNoTask) continue;
      Script& script = ScriptOf(main, task);
      if (FillsBefore(step)) script.push_back({.kind = StepKind::kFill});
      script.push_back(step);
    }
  }

  // Where a pool is full a loop and a batch go other ways.
  bool FillsBefore(const Step& step) {
    const bool loops = step.kind == StepKind::kLoop || step.kind == StepKind::kBatch;
    return has_.fills && program_.capacity < kAmple && loops && OneIn(2);
  }

  // A task that the script knows, or one of another script.
  int Some(const std::vector<int>& own) {
    const auto all = static_cast<std::uint32_t>(program_.tasks.size());
    if (has_.foreign && all != 0 && OneIn(4)) return static_cast<int>(random_.Below(all));
    if (own.empty()) return kNoTask;
    // The task added last is more likely to be open.
    const auto count = static_cast<std::uint32_t>(own.size());
    const std::uint32_t back = random_.Below(OneIn(2) ? count : std::min(count, 4u));
    return own[count - 1 - back];
  }

  Step MakeAdd(int current, const std::vector<int>& own) {
    if (program_.tasks.size() >= most_tasks_) return {};
    Step step{.kind = StepKind::kAdd};
    if (!OneIn(3)) step.parent = current != kNoTask && !OneIn(3) ? current : Some(own);
    if (OneIn(2)) step.dependency = Some(own);
    if (current != kNoTask && OneIn(8)) step.kind = StepKind::kRunLater;
    Task task = MakeTask();
    if (step.kind == StepKind::kRunLater) {
      task.work = Work::kBody;
      task.name = 0;
      task.worker = 0;
      task.priority = 0;
    }
    step.task = static_cast<int>(program_.tasks.size());
    program_.tasks.push_back(std::move(task));
    return step;
  }

  Task MakeTask() {
    Task task;
    if (OneIn(5)) task.work = Work::kEmpty;
    if (has_.lists && OneIn(4)) {
      task.work = Work::kList;
      task.jobs = static_cast<std::uint8_t>(OneIn(3) ? random_.Below(2) : random_.Below(12));
      task.sync_every = static_cast<std::uint8_t>(OneIn(2) ? 0 : 1 + random_.Below(4));
    }
    if (has_.idempotent && OneIn(4)) task.work = Work::kIdempotent;
    if (has_.externals && OneIn(5)) task.work = Work::kExternal;
    if (has_.devices && OneIn(5)) task.work = Work::kRequest;
    if (has_.priorities && task.work != Work::kRequest) {
      task.priority = static_cast<std::uint8_t>(random_.Below(3));
    }
    if (has_.names && task.work == Work::kBody && OneIn(4)) {
      task.name = static_cast<std::uint8_t>(
          1 + random_.Below(static_cast<std::uint32_t>(program_.mains.size())));
    }
    // As in MakeStep.
    if (task.name != 0 && program_.seed % 4 == 1 && program_.workers != 0 && !OneIn(3)) {
      task.name = 0;
      task.worker = static_cast<std::uint8_t>(1 + random_.Below(program_.workers));
    }
    task.throws = has_.throws && OneIn(task.work == Work::kExternal ? 2 : 5);
    return task;
  }

  Step MakeStep(int main, int current, const std::vector<int>& own) {
    const bool outside = current == kNoTask;
    const std::uint32_t roll = random_.Below(24);
    if (roll < 3 && has_.waits) return {.kind = StepKind::kWait, .task = Some(own)};
    if (roll < 5 && has_.links) {
      return {.kind = StepKind::kAddChild, .task = Some(own), .parent = Some(own)};
    }
    if (roll < 7 && has_.links) {
      return {.kind = StepKind::kDependsOn, .task = Some(own), .dependency = Some(own)};
    }
    if (roll == 7) return {.kind = StepKind::kSubmit, .task = Some(own)};
    if (roll == 8 && has_.cancels) return {.kind = StepKind::kCancel, .task = Some(own)};
    if (roll == 9) return {.kind = StepKind::kLook, .task = Some(own)};
    if (roll == 10 && has_.externals) return {.kind = StepKind::kComplete, .task = Some(own)};
    // A thread that polls helps with nothing: its submitted tasks must have come to another thread.
    if ((roll == 10 || roll > 21) && has_.polls && outside) {
      return {.kind = StepKind::kPoll, .task = Some(own)};
    }
    if (roll == 11 && has_.loops) {
      const auto kind = OneIn(2) ? StepKind::kLoop : StepKind::kBatch;
      return {.kind = kind, .amount = OneIn(2) ? 1 : 1 + random_.Below(40), .throws = Throws()};
    }
    if (roll == 12 && has_.frames && outside) {
      // Endless frames starve what has to be run beside them, unless a worker runs one of the two.
      const bool beside = has_.polls && program_.mains.size() == 1 && OneIn(2);
      return {.kind = beside ? StepKind::kBesideFrames : StepKind::kFrames,
              .amount = 1 + random_.Below(4),
              .throws = Throws()};
    }
    if (roll == 13 && outside) return {.kind = StepKind::kSignal};
    if (roll == 14 && outside && main > 0) {
      return {.kind = StepKind::kAwait,
              .amount = random_.Below(static_cast<std::uint32_t>(main)),
              .throws = Throws()};
    }
    if (roll == 15 && has_.devices && OneIn(8)) return {.kind = StepKind::kStopDevice};
    if (roll == 16 && program_.second_pool) {
      return {.kind = StepKind::kSecond, .amount = 1 + random_.Below(6)};
    }
    if (roll == 17 && program_.second_pool && has_.strangers) {
      return {
          .kind = StepKind::kStranger, .task = Some(own), .amount = random_.Below(kStrangerCalls)};
    }
    // In some programs alone, so that those of the other seeds stay as they are.
    if (roll == 18 && outside && has_.waits && program_.seed % 4 == 3) {
      return {.kind = StepKind::kWaitForAll,
              .task = Some(own),
              .parent = Some(own),
              .dependency = Some(own)};
    }
    // As above.
    if (roll == 19 && has_.waits && program_.seed % 4 == 2) {
      const bool until = OneIn(2);
      return {.kind = until ? StepKind::kWaitUntil : StepKind::kWaitFrom,
              .task = Some(own),
              .amount = random_.Below(until ? 8 : 3)};
    }
    return MakeAdd(current, own);
  }
  bool Throws() { return has_.throws && OneIn(2); }

  Random random_;
  const Features has_;
  Program program_;
  std::uint32_t most_tasks_ = 0;
};

}  // namespace

Program MakeProgram(std::uint64_t seed) { return Maker(seed).Make(); }

}  // namespace nowait::job_programs
