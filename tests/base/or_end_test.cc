// OrEnd gives the value, and ends the program with one line that has the place of the call.
#include "src/base/or_end.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <string>

#include "src/base/result.h"

namespace nowait {
namespace {

// The output of a child process that asks for the value of an error.
std::string PrintedByError(int* status) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);
    static_cast<void>(OrEnd(Result<int>(Fail(ErrorCode::kCapacity, "open tasks", 4))));
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[256];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  REQUIRE(::waitpid(child, status, 0) == child);
  return text;
}

TEST_CASE("a value is given on") {
  CHECK(OrEnd(Result<int>(7)) == 7);
  OrEnd(Result<void>());
}

TEST_CASE("an error is one line with its place, and ends the program") {
  int status = 0;
  const std::string text = PrintedByError(&status);
  CHECK(WIFSIGNALED(status));
  CHECK(text.starts_with("tests/base/or_end_test.cc:"));
  CHECK(text.ends_with(": capacity of open tasks reached (4)\n"));
}

}  // namespace
}  // namespace nowait
