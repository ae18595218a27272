// For GoogleTest, whose header must be included before this one:
//
//   EXPECT_EXPLORES([] { ... });                 prints the words of a result that has not passed
//   ASSERT_EXPLORES(body, {.seconds = 10});
#ifndef NOWAIT_CHECK_GTEST_H_
#define NOWAIT_CHECK_GTEST_H_

#include "nowait_check/check.h"

namespace nowait::check {

inline testing::AssertionResult Passes(const Result& result) {
  return (result.passed() ? testing::AssertionSuccess() : testing::AssertionFailure())
         << result.words();
}

}  // namespace nowait::check

#define EXPECT_EXPLORES(...) \
  EXPECT_TRUE(::nowait::check::Passes(::nowait::check::explore(__VA_ARGS__)))
#define ASSERT_EXPLORES(...) \
  ASSERT_TRUE(::nowait::check::Passes(::nowait::check::explore(__VA_ARGS__)))

#endif  // NOWAIT_CHECK_GTEST_H_
