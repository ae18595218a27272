// StepWords: the action of a step of an execution in few words, and its relation to other steps.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_STEP_WORDS_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_STEP_WORDS_H_

#include <map>
#include <string>
#include <vector>

#include "models/kit/counterexample/counterexample.h"

namespace nowait::model::counterexample {

class StepWords {
 public:
  // execution: must outlive this object.
  StepWords(const Execution& execution, int threads);

  // "links_[2] compare-exchange (acq_rel, relaxed)"
  std::string DescribeOperation(const Event& event) const;
  // " fails: reads 3 from [7]", ", writes 4"
  std::string DescribeOutcome(const Event& event) const;
  const std::string& NameOf(int object) const;

  // The newest store to the object before this read; 0: there is no store.
  int NewestFor(const Event& event) const;
  // For a store: one that follows it in modification order but precedes it here; 0: there is no
  // such store.
  int OvertakenBy(const Event& event) const;
  // The releases that the event synchronises with.
  const std::vector<int>& SynchronisedWith(const Event& event) const;
  // The last event of the thread that happens before `number`; 0: no event does.
  int LastKnown(int thread, int number) const;

 private:
  const Object* ObjectOf(const Event& event) const;

  const Execution& execution_;
  const int threads_;
  std::map<int, std::vector<int>> synchronised_;  // by acquire
};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_STEP_WORDS_H_
