// The report for a person: above all, nothing in it claims more than was done.
#include "models/kit/command/report.h"

#include <catch2/catch.hpp>
#include <string>

#include "models/kit/counterexample/lanes.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Catch::Matchers::Contains;

struct Nothing {
  static constexpr int kThreads = 2;
  void Thread(int) {}
};

ScenarioEntry Entry() { return Scenario<Nothing>::Entry({.name = "2x1", .promise = ""}); }

SearchReport Searched(const Search& search, bool exhausted, double fraction) {
  SearchReport report{search, {}};
  report.result.executions = 12'345;
  report.result.exhausted = exhausted;
  report.result.fraction = fraction;
  return report;
}

SearchReport Failing(const Search& search, FailureKind kind) {
  SearchReport report = Searched(search, false, 0.5);
  report.result.failure = Failure{kind, "some words", Site()};
  return report;
}

TEST_CASE("a search says how much was executed, and how much was not") {
  CHECK_THAT(FormatSearch(Searched(Full(), true, 1)), Contains("12,345 executions, exhausted,"));
  CHECK_THAT(FormatSearch(Searched(Full(), false, 0.41)),
             Contains("12,345 executions, not exhausted (41%),"));
  CHECK_THAT(FormatSearch(Searched(Graphs(), true, 1)),
             Contains("graphs") && Contains("all 12,345 executions examined,"));
  CHECK_THAT(FormatSearch(Searched(Graphs(), false, 0.41)),
             Contains("12,345 executions, NOT FINISHED (about 41%),"));
  CHECK_THAT(FormatSearch(Failing(Graphs(), FailureKind::kDataRace)),
             Contains("12,345 executions, FAILED,"));
  CHECK_THAT(FormatSearch(Failing(Graphs(), FailureKind::kNotFinished)),
             Contains("12,345 executions, NOT FINISHED,"));
  SearchReport part = Searched(Graphs(), true, 1);
  part.shard = {1, 4};
  CHECK_THAT(FormatSearch(part), Contains("all 12,345 executions of shard 2/4 examined,"));
}

TEST_CASE("an unfinished search has not passed") {
  const ScenarioEntry entry = Entry();
  const auto passed = [&](const SearchReport& search) {
    return ScenarioReport{&entry, {search}}.passed();
  };
  CHECK(passed(Searched(Graphs(), true, 1)));
  CHECK_FALSE(passed(Searched(Graphs(), false, 0.999)));
  CHECK(passed(Searched(Full(), false, 0.999)));
  for (const FailureKind kind : {FailureKind::kDataRace, FailureKind::kNotFinished,
                                 FailureKind::kNondeterminism, FailureKind::kUnregisteredMemory}) {
    CHECK_FALSE(passed(Failing(Graphs(), kind)));
    CHECK_FALSE(passed(Failing(Full(), kind)));
  }
}

TEST_CASE("a scenario that cannot be checked is distinguished from a broken one") {
  const ScenarioEntry entry = Entry();
  const auto words = [&](FailureKind kind) {
    counterexample::SourceText text;
    return FormatLanes(RecordOf("gate", entry, Failing(Graphs(), kind), "", text), {});
  };
  CHECK_THAT(words(FailureKind::kInvariant), Contains("  broken invariant: some words\n"));
  CHECK_THAT(words(FailureKind::kDataRace),
             Contains("  broken data race: some words\n") &&
                 Contains("again: ./nowait check gate --scenario 2x1 --search graphs --state"));
  CHECK_THAT(words(FailureKind::kNondeterminism),
             Contains("  cannot be checked: nondeterminism: some words\n") &&
                 Contains("does something else when it is run again with the same choices"));
  CHECK_THAT(words(FailureKind::kUnregisteredMemory),
             Contains("unregistered memory: some words\n") && Contains("ModelSync::plain"));
  CHECK_THAT(words(FailureKind::kNotFinished),
             Contains("not finished: some words\n") && Contains("Yield"));
}

}  // namespace
}  // namespace nowait::model
