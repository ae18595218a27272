#include "tests/whole/jobs/shorten.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace nowait::job_programs {
namespace {

class Shortener {
 public:
  Shortener(Program program, const std::function<bool(const Program&)>& fails, std::uint32_t most)
      : best_(std::move(program)), fails_(fails), left_(most) {}

  Program Run() {
    std::size_t before = 0;
    do {
      before = SizeOf(best_);
      LeaveOutSteps();
      Simplify();
    } while (SizeOf(best_) < before && left_ > 0);
    return std::move(best_);
  }

 private:
  bool Try(const Program& candidate) {
    if (left_ == 0) return false;
    --left_;
    if (!fails_(candidate)) return false;
    best_ = candidate;
    return true;
  }

  // Ever smaller runs of steps, counted through all scripts.
  void LeaveOutSteps() {
    for (std::size_t run = std::max<std::size_t>(SizeOf(best_) / 2, 1); run > 0; run /= 2) {
      for (std::size_t begin = 0; begin < SizeOf(best_) && left_ > 0;) {
        Program candidate = best_;
        Erase(candidate, begin, begin + run);
        if (!Try(candidate)) begin += run;
      }
    }
  }

  static void Erase(Program& program, std::size_t begin, std::size_t end) {
    std::size_t at = 0;
    const auto from = [&](Script& script) {
      std::erase_if(script, [&](const Step&) {
        const bool out = at >= begin && at < end;
        ++at;
        return out;
      });
    };
    for (Script& script : program.mains) from(script);
    for (Task& task : program.tasks) from(task.body);
  }

  template <class Change>
  void TryChanged(const Change& change) {
    Program candidate = best_;
    change(candidate);
    Try(candidate);
  }

  // Fewer features, and links of steps that need not be there.
  void Simplify() {
    ForgetTasks();
    if (best_.devices && !Uses(Work::kRequest) && !Does(StepKind::kStopDevice)) {
      TryChanged([](Program& p) { p.devices = false; });
    }
    if (best_.second_pool) TryChanged([](Program& p) { p.second_pool = false; });
    if (best_.one_queue) TryChanged([](Program& p) { p.one_queue = false; });
    if (best_.completers > 1) TryChanged([](Program& p) { p.completers = 1; });
    if (best_.capacity != kAmple && !Does(StepKind::kFill)) {
      TryChanged([](Program& p) { p.capacity = kAmple; });
    }
    if (best_.end != End::kFinish) TryChanged([](Program& p) { p.end = End::kFinish; });
    const bool polls = Does(StepKind::kPoll) || Does(StepKind::kBesideFrames);
    while (best_.workers > std::max(NamedWorkers(best_), polls ? 1u : 0u) && left_ > 0) {
      Program candidate = best_;
      --candidate.workers;
      if (!Try(candidate)) break;
    }
    while (LastMainIsIdle() && left_ > 0) {
      Program candidate = best_;
      candidate.mains.pop_back();
      if (!Try(candidate)) break;
    }
    for (std::size_t i = 0; i < best_.tasks.size(); ++i) {
      if (best_.tasks[i].throws) TryChanged([i](Program& p) { p.tasks[i].throws = false; });
      if (best_.tasks[i].priority != 0) TryChanged([i](Program& p) { p.tasks[i].priority = 0; });
    }
    for (std::size_t i = 0; i < best_.mains.size(); ++i) {
      SimplifyScript([i](Program& p) -> Script& { return p.mains[i]; });
    }
    for (std::size_t i = 0; i < best_.tasks.size(); ++i) {
      SimplifyScript([i](Program& p) -> Script& { return p.tasks[i].body; });
    }
  }

  // Tasks that no step adds any more keep their places, and nothing else.
  void ForgetTasks() {
    TryChanged([](Program& p) {
      for (std::size_t i = 0; i < p.tasks.size(); ++i) {
        if (!IsAdded(p, static_cast<int>(i))) p.tasks[i] = {};
      }
    });
  }

  template <class Which>
  void SimplifyScript(const Which& which) {
    for (std::size_t i = 0; i < which(best_).size(); ++i) {
      if (which(best_)[i].throws) {
        TryChanged([&](Program& p) { which(p)[i].throws = false; });
      }
      const Step step = which(best_)[i];
      if (step.kind != StepKind::kAdd) continue;
      if (step.parent != kNoTask) {
        TryChanged([&](Program& p) { which(p)[i].parent = kNoTask; });
      }
      if (step.dependency != kNoTask) {
        TryChanged([&](Program& p) { which(p)[i].dependency = kNoTask; });
      }
    }
  }

  bool Does(StepKind kind) const {
    const auto does = [kind](const Script& script) {
      return std::ranges::any_of(script, [kind](const Step& step) { return step.kind == kind; });
    };
    return std::ranges::any_of(best_.mains, does) ||
           std::ranges::any_of(best_.tasks, [&](const Task& task) { return does(task.body); });
  }
  // A second main thread or a later one, without a step of its own or a task that bears its name.
  bool LastMainIsIdle() const {
    const std::size_t mains = best_.mains.size();
    return mains > 1 && best_.mains.back().empty() &&
           std::ranges::none_of(best_.tasks,
                                [mains](const Task& task) { return task.name == mains; });
  }
  bool Uses(Work work) const {
    return std::ranges::any_of(best_.tasks, [work](const Task& task) { return task.work == work; });
  }

  Program best_;
  const std::function<bool(const Program&)>& fails_;
  std::uint32_t left_;
};

}  // namespace

Program Shorten(Program program, const std::function<bool(const Program&)>& fails,
                std::uint32_t most_asked) {
  return Shortener(std::move(program), fails, most_asked).Run();
}

}  // namespace nowait::job_programs
