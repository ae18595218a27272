// The runs of one thread as a tree: a run, and its continuations by each answer to its question.
#ifndef NOWAIT_MODELS_KIT_ARM_THREAD_RUNS_H_
#define NOWAIT_MODELS_KIT_ARM_THREAD_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/kit/arm/event.h"
#include "models/kit/arm/machine.h"

namespace nowait::arm {

struct ThreadRun {
  Script script;
  Machine::End end = Machine::End::kReturned;
  std::string problem = {};  // kProblem
  Question question = {};    // kAsks
  Path path = {};
  // Of each event: the events that come before it in local order, transitively.
  std::vector<Places> before = {};
  // Of each access: the earlier accesses of its location.
  std::vector<Places> same = {};
  std::map<std::uint64_t, std::size_t> next = {};  // by answer: the number of the longer run
};

class ThreadRuns {
 public:
  ThreadRuns(const Program& program, const Image& memory, std::size_t thread, const Start& start,
             Limits limits, Sharing& sharing);

  const ThreadRun& operator[](std::size_t number) const { return runs_[number]; }
  std::size_t size() const { return runs_.size(); }

  // The number of the run that answers the question of `run` in this way.
  std::size_t Next(std::size_t run, std::uint64_t answer);

 private:
  std::size_t Run(Script script);

  const Program& program_;
  const Image& memory_;
  const std::size_t thread_;
  const Start& start_;
  const Limits limits_;
  Sharing& sharing_;
  std::vector<ThreadRun> runs_;  // number 0: the empty script
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_THREAD_RUNS_H_
