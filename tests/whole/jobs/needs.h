// Needs: which task of a program may come to need which, whatever the threads do.
//
// A needs B if some step of the program makes B its child or its dependency, or if A's body waits
// for B; and if a chain of such steps leads there. A call may be refused with kCycle only if its
// second task may need its first.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_NEEDS_H_
#define NOWAIT_TESTS_WHOLE_JOBS_NEEDS_H_

#include <vector>

#include "tests/whole/jobs/program.h"

namespace nowait::job_programs {

class Needs {
 public:
  explicit Needs(const Program& program) : needs_(program.tasks.size()) {
    for (const Script& script : program.mains) Read(script, kNoTask);
    for (std::size_t i = 0; i < program.tasks.size(); ++i) {
      Read(program.tasks[i].body, static_cast<int>(i));
    }
  }

  // Whether `task` may need `other`; true if they are the same.
  bool May(int task, int other) const {
    std::vector<bool> met(needs_.size());
    std::vector<int> stack{task};
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      if (at == other) return true;
      if (met[static_cast<std::size_t>(at)]) continue;
      met[static_cast<std::size_t>(at)] = true;
      for (const int next : needs_[static_cast<std::size_t>(at)]) stack.push_back(next);
    }
    return false;
  }

 private:
  void Read(const Script& script, int in) {
    for (const Step& step : script) {
      Link(step.task, step.dependency);
      Link(step.parent, step.task);
      if (IsWait(step.kind)) Link(in, step.task);
      if (step.kind == StepKind::kRunLater) Link(in, step.task);
    }
  }
  static bool IsWait(StepKind kind) {
    return kind == StepKind::kWait || kind == StepKind::kWaitUntil || kind == StepKind::kWaitFrom;
  }
  void Link(int task, int needed) {
    if (task == kNoTask || needed == kNoTask) return;
    needs_[static_cast<std::size_t>(task)].push_back(needed);
  }

  std::vector<std::vector<int>> needs_;
};

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_NEEDS_H_
