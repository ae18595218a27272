// NOWAIT_ASSERT as a debug build sees it.
#undef NDEBUG
#include "src/base/assert.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <string>

namespace nowait {

int EvaluationsInRelease();

namespace {

TEST_CASE("a condition that holds is evaluated once and has no effect") {
  int evaluations = 0;
  NOWAIT_ASSERT(++evaluations == 1, "counted");
  REQUIRE(evaluations == 1);
}

// The output of a child process that fails an assertion, which ends it.
std::string PrintedByFailure() {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);
    const bool phase_is_right = false;
    NOWAIT_ASSERT(phase_is_right, "no body moves now");
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[256];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(WTERMSIG(status) == SIGABRT);
  return text;
}

TEST_CASE("a condition that fails says where and what, and aborts") {
  const std::string text = PrintedByFailure();
  REQUIRE_THAT(text, Catch::Contains("tests/base/assert_test.cc"));
  REQUIRE_THAT(text, Catch::Contains("no body moves now (phase_is_right)"));
}

TEST_CASE("after a handler that returns, a failure is printed and aborts as without one") {
  assertion_handler = [](const FailedAssertion&) {
    static_cast<void>(!::write(STDERR_FILENO, "handled ", 8));
  };
  const std::string text = PrintedByFailure();
  assertion_handler = nullptr;
  REQUIRE_THAT(text, Catch::StartsWith("handled tests/base/assert_test.cc"));
  REQUIRE_THAT(text, Catch::Contains("no body moves now (phase_is_right)"));
}

// Leaves a failing assertion as a handler may: by a jump.
struct Caught {
  std::string condition;
  std::string what;
  std::string file;
};
[[noreturn]] void ThrowIt(const FailedAssertion& failed) {
  throw Caught{failed.condition, failed.what, failed.site.file_name()};
}

TEST_CASE("a handler receives the assertion that failed, and may go on elsewhere") {
  assertion_handler = ThrowIt;
  bool caught = false;
  try {
    const bool phase_is_right = false;
    NOWAIT_ASSERT(phase_is_right, "no body moves now");
  } catch (const Caught& failed) {
    caught = true;
    CHECK(failed.condition == "phase_is_right");
    CHECK(failed.what == "no body moves now");
    CHECK_THAT(failed.file, Catch::Contains("tests/base/assert_test.cc"));
  }
  assertion_handler = nullptr;
  REQUIRE(caught);
}

TEST_CASE("release builds do not evaluate the condition") { REQUIRE(EvaluationsInRelease() == 0); }

}  // namespace
}  // namespace nowait
