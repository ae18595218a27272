// For Catch2, version 2 or 3, whose header must be included before this one:
//
//   CHECK_EXPLORES([] { ... });                  prints the words of a result that has not passed
//   REQUIRE_EXPLORES(body, {.seconds = 10});
//   CHECK_THAT(check::explore(body), check::passes());   or  !check::passes()
#ifndef NOWAIT_CHECK_CATCH2_H_
#define NOWAIT_CHECK_CATCH2_H_

#include <string>

#include "nowait_check/check.h"

namespace nowait::check {

// A matcher for either version; they differ in the location of the base class.
#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
using ResultMatcher = Catch::Matchers::MatcherBase<Result>;
#else
using ResultMatcher = Catch::MatcherBase<Result>;
#endif

class passes : public ResultMatcher {
 public:
  bool match(const Result& result) const override { return result.passed(); }
  std::string describe() const override { return "passes"; }
};

}  // namespace nowait::check

#define CHECK_EXPLORES(...) \
  CHECK_THAT(::nowait::check::explore(__VA_ARGS__), ::nowait::check::passes())
#define REQUIRE_EXPLORES(...) \
  REQUIRE_THAT(::nowait::check::explore(__VA_ARGS__), ::nowait::check::passes())

#endif  // NOWAIT_CHECK_CATCH2_H_
