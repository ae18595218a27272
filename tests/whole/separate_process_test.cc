#include "tests/whole/separate_process.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace nowait::whole {
namespace {

using std::chrono::seconds;

TEST_CASE("Work that returns is fine, however much it has printed") {
  const auto outcome = RunApart(
      [](Progress& progress) {
        for (int i = 0; i < 100'000; ++i) std::fprintf(stderr, "line %d\n", i);
        progress = 7;
      },
      seconds(600));
  CHECK(outcome.fine());
  CHECK(outcome.progress == 7);
  CHECK(outcome.text.size() < 100'000);
}

TEST_CASE("A crash, a status and an exception are failures with the output before them") {
  const auto crash = RunApart(
      [](Progress& progress) {
        progress = 3;
        std::fprintf(stderr, "before the crash\n");
        std::abort();
      },
      seconds(600));
  CHECK(crash.kind == ProcessOutcome::Kind::kFailed);
  CHECK(crash.progress == 3);
  CHECK(crash.text.find("before the crash") != std::string::npos);
  CHECK(RunApart([](Progress&) { _exit(3); }, seconds(600)).text.find("status 3") !=
        std::string::npos);
  const auto thrown =
      RunApart([](Progress&) { throw std::runtime_error("out of luck"); }, seconds(600));
  CHECK(thrown.text.find("out of luck") != std::string::npos);
}

TEST_CASE("A program without progress hangs, and is ended") {
  const auto outcome = RunApart([](Progress&) { pause(); }, seconds(0));
  CHECK(outcome.kind == ProcessOutcome::Kind::kHung);
  CHECK(outcome.text.find("hangs") != std::string::npos);
}

}  // namespace
}  // namespace nowait::whole
