// Scenario: a small program over one structure, with its promise.
//
//   struct TwoUnions {
//     static constexpr int kThreads = 2;
//     TwoUnions() { ... }              set-up; its steps come before everything else
//     void Thread(int t) { ... }       the code of thread t, 0 <= t < kThreads; all run at once
//     void After() { ... }             optional; its steps come after everything else
//     UnionFind<ModelSync> sets{4};
//   };
//   const Scenario<TwoUnions> two_unions({
//       .name = "2x1",
//       .promise = "what two threads link ends up in one set",
//       .searches = {Full(), Random(20'000).StaleExchanges()},
//   });
//
// Besides the searches that it names, every execution graph of a scenario is examined (search.h). A
// scenario with too many graphs gives the reason in `bounded`. Interchangeable threads, which do
// not know their numbers, are written `void Thread()`. Of executions that differ only in which
// thread took which part, one is examined.
//
// Each execution creates an object and destroys it at the end, within the execution: memory that
// the object still owns is then freed, and memory that is lost by then is a leak. A scenario must
// do the same whenever the same choices are made: no clocks, no randomness of its own, no statics
// that carry over, no thread_local objects, and no decision based on addresses except on their
// equality. Its threads share data only through ModelSync; <model>_watched looks for plain memory
// that they share otherwise (models/kit/watch/watch.h).
#ifndef NOWAIT_MODELS_KIT_SCENARIO_SCENARIO_H_
#define NOWAIT_MODELS_KIT_SCENARIO_SCENARIO_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/program/threads.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

struct ScenarioText {
  std::string name;
  std::string promise;                // one sentence
  std::vector<Search> searches = {};  // of Relacy's kinds
  Search graphs = Graphs();           // with a different time limit if necessary
  std::string bounded = {};           // why not every execution is examined; empty if every one is
};

// One execution's instance of a scenario, independent of the scenario's type.
class Program {
 public:
  virtual ~Program() = default;
  virtual void Thread(int t) = 0;
  virtual void After() = 0;
};

struct ScenarioEntry {
  ScenarioText text;
  int threads;
  std::unique_ptr<Program> (*create)();
  bool symmetric = false;  // whether its threads are interchangeable
};

// Every scenario of this binary, in the order of declaration.
std::vector<ScenarioEntry>& Scenarios();

template <class S>
class Scenario {
  static_assert(S::kThreads >= kMinThreads, "a scenario has two threads at least");
  static_assert(S::kThreads <= kMaxThreads,
                "a scenario has four threads at most: with more no search comes to its end");

 public:
  explicit Scenario(ScenarioText text) { Scenarios().push_back(Entry(std::move(text))); }

  // The entry of a scenario that is not declared: for tests of the kit.
  static ScenarioEntry Entry(ScenarioText text) {
    return {std::move(text), S::kThreads,
            [] { return std::unique_ptr<Program>(std::make_unique<Adapter>()); }, kAlike};
  }

 private:
  static constexpr bool kAlike = requires(S scenario) { scenario.Thread(); };

  struct Adapter final : Program {
    void Thread(int t) override {
      if constexpr (kAlike) {
        scenario.Thread();
      } else {
        scenario.Thread(t);
      }
    }
    void After() override {
      if constexpr (requires { scenario.After(); }) scenario.After();
    }
    S scenario;
  };
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_SCENARIO_SCENARIO_H_
