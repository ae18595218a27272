// Explore: the exhaustive checker for a unit test of your own.
//
//   TEST_CASE("no increment is lost") {
//     CHECK(nowait::model::Explore<Counting>().passed());
//   }
//
// Counting is a scenario (models/kit/scenario/scenario.h). Its members are atomics and plain data
// of ModelSync (src/sync/policy.h), or structures over that policy. Thread(t) is the code of thread
// t, and After() checks the final state. example_test.cc is a complete example.
//
// A test that is compiled with -fsanitize=thread but linked without it also finds undeclared plain
// memory that threads share (models/kit/watch/watch.h).
//
// Thread safety: a program may run one exploration at a time.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_EXPLORE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_EXPLORE_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "models/kit/engine/omitted.h"
#include "models/kit/program/trace.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {

struct Explored {
  std::uint64_t executions = 0;    // completed ones, each a different graph
  bool complete = false;           // no further execution exists
  Omitted omitted;                 // allowed by C++20 but not executed
  std::optional<Failure> failure;  // of the last execution
  Trace trace;                     // of the failing execution

  // Whether every execution that C++20 allows was examined and no execution failed. If the scenario
  // could show a behaviour that the search never produces, the caller must accept the gap
  // explicitly: passed({Gap::kLoadBuffering}).
  bool passed(Gaps accepted = {}) const {
    return complete && !failure && omitted.gaps.IsPartOf(accepted);
  }
  // "all 22 executions examined", and the omissions; "not finished: ..."; or the failure with its
  // trace.
  std::string Words() const;

  // For Catch2 and other frameworks, which print results this way.
  friend std::ostream& operator<<(std::ostream& out, const Explored& explored) {
    return out << explored.Words();
  }
};

// limits: Graphs(), limited by AtMost and by seconds (models/kit/scenario/search.h). A search that
// reaches a limit has not passed.
Explored Explore(const ScenarioEntry& scenario, const Search& limits = Graphs());

template <class S>
Explored Explore(const Search& limits = Graphs()) {
  return Explore(Scenario<S>::Entry({.name = "", .promise = "", .searches = {}}), limits);
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_EXPLORE_H_
