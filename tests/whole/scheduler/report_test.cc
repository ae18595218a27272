// The report of a failure as a reader sees it; its last line runs the failure again.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <regex>
#include <string>

#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore.h"
#include "tests/whole/scheduler/lanes.h"
#include "tests/whole/scheduler/small_programs.h"

namespace nowait::whole {
namespace {

using Catch::Contains;
using namespace small;

// Two threads that each take two locks, in another order, in calls.
void TwoLocks() {
  Sync::mutex a, b;
  const auto both = [](const char* name, Sync::mutex& first, Sync::mutex& second) {
    const ApiCall call(name, 7);
    first.lock();
    second.lock();
    second.unlock();
    first.unlock();
  };
  Sync::thread other = *Sync::thread::Start("other", [&] { both("Back", b, a); });
  both("Forth", a, b);
  other.join();
}

// Lines change with each edit of a file above them.
std::string WithoutLines(const std::string& text) {
  return std::regex_replace(text, std::regex("(\\.(?:cc|h)):[0-9]+"), "$1:L");
}

TEST_CASE("a failure in lanes: what each thread waits for, and the last steps, a column a thread") {
  // At its second choice the program's thread gives way, when it has the first lock.
  const Outcome outcome = Replay(&TwoLocks, {{0, 2, 1}});
  REQUIRE(outcome.failure);
  const std::string golden =
      R"(deadlock: no thread can go on
  main: waits, lock at report_test.cc:L for what other has since report_test.cc:L; in Forth(7))"
      R"( since step 2
  other: waits, lock at report_test.cc:L for what main has since report_test.cc:L; in Back(7))"
      R"( since step 4
the last steps
    step  main                              other
       0  begin
       1  start report_test.cc:L
       2  Forth(7) {
       2  lock report_test.cc:L
       3                                    begin
       4                                    Back(7) {
       4                                    lock report_test.cc:L
       5                                    lock report_test.cc:L
       6  lock report_test.cc:L
)";
  CHECK(WithoutLines(Lanes(*outcome.failure)) == golden);
}

TEST_CASE("few of the last steps are shown if so asked, and the calls before them") {
  const Outcome outcome = Replay(&TwoLocks, {{0, 2, 1}});
  REQUIRE(outcome.failure);
  const std::string text = WithoutLines(Lanes(*outcome.failure, 2));
  CHECK_THAT(text, Contains(R"(calls before the last steps
    step  main                              other
       2  Forth(7) {
       4                                    Back(7) {
the last steps
    step  main                              other
       5                                    lock report_test.cc:L
       6  lock report_test.cc:L
)"));
}

// Run by the tests below, in a process of its own, under what the environment says.
TEST_CASE("prints the report of a deadlock", "[.deadlock]") {
  std::fputs(Explore(&TwoLocks, {.schedules = 200}).report.c_str(), stdout);
}
TEST_CASE("prints the report of a thread that is refused", "[.refusal]") {
  const auto program = [] {
    const auto first = Sync::thread::Start("first", [] {});
    const auto second = Sync::thread::Start("second", [] {});
    Require(!first || second, "the second thread is not refused");
  };
  std::fputs(Explore(program, {.schedules = 200, .with_faults = true}).report.c_str(), stdout);
}

// The output of this very program for that test case, with these variables: the report alone.
std::string Printed(const std::string& test_case, const std::string& variables) {
  const std::string command = variables + " '" +
                              std::filesystem::read_symlink("/proc/self/exe").string() + "' '" +
                              test_case + "'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(::popen(command.c_str(), "r"),
                                                               &::pclose);
  REQUIRE(output != nullptr);
  std::string text;
  std::array<char, 4096> piece;
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), output.get())) {
    text.append(piece.data(), size);
  }
  std::smatch report;
  INFO(command << "\n" << text);
  REQUIRE(
      std::regex_search(text, report, std::regex("(deadlock|assertion): [^]*\nagain: [^\n]*\n")));
  return report.str();
}

// The part of a report that the regular expression's group names.
std::string Part(const std::string& report, const std::string& expression) {
  std::smatch part;
  INFO(report);
  REQUIRE(std::regex_search(report, part, std::regex(expression)));
  return part[1];
}

// Of a report: the failure itself, without how it was found.
std::string FailureIn(const std::string& report) {
  return Part(report, "([^]*)after [0-9]+ schedules");
}

TEST_CASE("a report's last line runs the same failure again, at once") {
  const std::string found = Printed("[.deadlock]", "");
  const std::string variables = Part(found, "\nagain: (NOWAIT_SCHEDULE='[^\n]*')\n");
  INFO(found);
  const std::string again = Printed("[.deadlock]", variables);
  INFO(again);
  CHECK(FailureIn(again) == FailureIn(found));
  CHECK_THAT(again, Contains("after 1 schedules"));
  CHECK_THAT(again, Contains("again: " + variables));
}

TEST_CASE("a strategy with its seed runs a failure again, too") {
  const std::string found = Printed("[.deadlock]", "");
  const std::string strategy = Part(found, "schedules, by ([a-z0-9-]+);");
  const std::string again = Printed("[.deadlock]", "NOWAIT_SCHEDULE='" + strategy + "'");
  INFO(found << again);
  CHECK_THAT(again, Contains("deadlock: no thread can go on") &&
                        Contains("after 1 schedules, by " + strategy));
}

TEST_CASE("a failure by a fault is run again with that fault") {
  const std::string found = Printed("[.refusal]", "");
  const std::string variables =
      Part(found, "\nagain: (NOWAIT_FAULT='thread-2' NOWAIT_SCHEDULE='[^\n]*')\n");
  const std::string again = Printed("[.refusal]", variables);
  INFO(found << again);
  CHECK(FailureIn(again) == FailureIn(found));
  CHECK_THAT(again, Contains("after 1 schedules"));
}

}  // namespace
}  // namespace nowait::whole
