// The runs of one thread as a tree: a run, and its continuations by each answer to its question.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_THREAD_RUNS_H_
#define NOWAIT_MODELS_KIT_BUFFERING_THREAD_RUNS_H_

#include <cstddef>
#include <map>
#include <vector>

#include "models/kit/buffering/buffering_machine.h"
#include "models/kit/buffering/preserved.h"
#include "models/kit/buffering/thread_run.h"

namespace nowait::model::buffering {

struct RunNode {
  Script script;
  ThreadRun run = {};
  // Of each write: the reads of its thread that certainly come before it.
  std::vector<Places> before = {};
  // Of each access: the earlier accesses of its location.
  std::vector<Places> same = {};
  std::map<Word, std::size_t> next = {};  // by answer: the number of the longer run
};

class ThreadRuns {
 public:
  // machine: outlives this object.
  ThreadRuns(BufferingMachine& machine, int thread, const Rules& rules);

  const RunNode& operator[](std::size_t number) const { return nodes_[number]; }
  std::size_t size() const { return nodes_.size(); }

  // The number of the run that answers the question of `run` in this way.
  std::size_t Next(std::size_t run, Word answer);

 private:
  std::size_t Run(Script script);

  BufferingMachine& machine_;
  const int thread_;
  const Rules rules_;
  std::vector<RunNode> nodes_;  // number 0: the empty script
};

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_THREAD_RUNS_H_
