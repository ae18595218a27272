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
    if (best_.devices && !Uses(Work::kRequest)) TryChanged([](Program& p) { p.devices = false; });
    if (best_.second_pool) TryChanged([](Program& p) { p.second_pool = false; });
    if (best_.end != End::kFinish) TryChanged([](Program& p) { p.end = End::kFinish; });
    const bool polls = std::ranges::any_of(best_.mains, [](const Script& script) {
      return std::ranges::any_of(script, [](const Step& step) {
        return step.kind == StepKind::kPoll || step.kind == StepKind::kBesideFrames;
      });
    });
    while (best_.workers > (polls ? 1u : 0u) && left_ > 0) {
      Program candidate = best_;
      --candidate.workers;
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

  template <class Which>
  void SimplifyScript(const Which& which) {
    for (std::size_t i = 0; i < which(best_).size(); ++i) {
      const Step& step = which(best_)[i];
      if (step.kind != StepKind::kAdd) continue;
      if (step.parent != kNoTask) {
        TryChanged([&](Program& p) { which(p)[i].parent = kNoTask; });
      }
      if (which(best_)[i].dependency != kNoTask) {
        TryChanged([&](Program& p) { which(p)[i].dependency = kNoTask; });
      }
    }
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
