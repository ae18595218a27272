// Explore: the exhaustive checker in a unit test of yours.
//
//   TEST_CASE("no increment is lost") {
//     CHECK(nowait::model::Explore<Counting>().passed());
//   }
//
// Counting is a scenario (models/kit/scenario/scenario.h). Its members are atomics and plain data
// of ModelSync (src/sync/policy.h), or structures over that policy; Thread(t) is the code of thread
// t; After() checks the end state. example_test.cc is a whole one.
//
// A test that is compiled with -fsanitize=thread, and linked without it, also finds threads that
// share plain memory which is not declared (models/kit/watch/watch.h).
//
// Thread safety: one exploration at a time in a program.
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
  std::uint64_t executions = 0;    // complete ones, each another graph
  bool complete = false;           // there are no more
  Omitted omitted;                 // what C++20 allows, and was not executed
  std::optional<Failure> failure;  // of the last one
  Trace trace;                     // of the failure

  // Every execution that C++20 allows was examined, and no execution failed. A scenario that could
  // show a behaviour which the search never produces has passed only for a caller that accepts
  // this: passed({Gap::kLoadBuffering}).
  bool passed(Gaps accepted = {}) const {
    return complete && !failure && omitted.gaps.IsPartOf(accepted);
  }
  // "all 22 executions examined", and the omissions; "not finished: ..."; or the failure, with
  // its trace.
  std::string Words() const;

  // For Catch2 and other frameworks, which print results by it.
  friend std::ostream& operator<<(std::ostream& out, const Explored& explored) {
    return out << explored.Words();
  }
};

// limits: Graphs(), with AtMost and seconds as limits (models/kit/scenario/search.h). A search that
// reaches them has not passed.
Explored Explore(const ScenarioEntry& scenario, const Search& limits = Graphs());

template <class S>
Explored Explore(const Search& limits = Graphs()) {
  return Explore(Scenario<S>::Entry({.name = "", .promise = "", .searches = {}}), limits);
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_EXPLORE_H_
