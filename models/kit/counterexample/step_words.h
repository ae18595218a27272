// StepWords: what a step of an execution does, in few words, and how it stands to the others.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_STEP_WORDS_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_STEP_WORDS_H_

#include <map>
#include <string>
#include <vector>

#include "models/kit/counterexample/counterexample.h"

namespace nowait::model::counterexample {

class StepWords {
 public:
  // The execution must outlive it.
  StepWords(const Execution& execution, int threads);

  // "links_[2] compare-exchange (acq_rel, relaxed)"
  std::string DescribeOperation(const Event& event) const;
  // " fails: reads 3 from [7]", ", writes 4"
  std::string DescribeOutcome(const Event& event) const;
  const std::string& NameOf(int object) const;

  // The newest store to the object of a read before it; 0: none.
  int NewestFor(const Event& event) const;
  // Of a store: one that comes behind it in modification order and before it here; 0: none.
  int OvertakenBy(const Event& event) const;
  // The releases that it synchronises with.
  const std::vector<int>& SynchronisedWith(const Event& event) const;
  // The last event of the thread that happens before `number`; 0: none.
  int LastKnown(int thread, int number) const;

 private:
  const Object* ObjectOf(const Event& event) const;

  const Execution& execution_;
  const int threads_;
  std::map<int, std::vector<int>> synchronised_;  // by acquire
};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_STEP_WORDS_H_
