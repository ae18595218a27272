// The report for a reader. Above all, it never claims more than was done.
#include "models/kit/command/report.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
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

TEST_CASE("A scenario of which something was given up says so, and not only that it passed") {
  const ScenarioEntry entry = Entry();
  const auto report = [&](const SearchReport& search) { return ScenarioReport{&entry, {search}}; };
  SearchReport whole = Searched(Graphs(), true, 1);
  whole.result.omitted.blocked = 7;
  whole.result.omitted.tries = 1;
  CHECK(report(whole).Verdict() == "passed");
  CHECK(FormatReserves({report(whole)}).empty());
  SearchReport buffering = whole;
  buffering.result.omitted.gaps = {Gap::kLoadBuffering, Gap::kSecondSpuriousFailure};
  CHECK(report(buffering).passed());
  CHECK(report(buffering).Verdict() ==
        "passed but for load buffering and a second spurious failure");
  CHECK(FormatReserves({report(whole), report(buffering)}) ==
        "passed but for load buffering and a second spurious failure: 2x1\n");
  CHECK(report(Searched(Full(), true, 1)).Verdict() == "passed as far as it was searched");
  CHECK(report(Searched(Graphs(), false, 0.5)).Verdict() == "not finished");
  CHECK(report(Failing(Graphs(), FailureKind::kDataRace)).Verdict() == "failed");
  SearchReport part = whole;
  part.shard = {1, 4};
  CHECK(report(part).Verdict() == "passed as far as it was searched");
  CHECK_THAT(FormatReductions({report(whole)}),
             Contains("7 executions that end in a wait (1 failing try)"));
  CHECK(FormatReductions({report(Searched(Graphs(), true, 1))}).empty());
}

TEST_CASE("of the unsupported behaviours those are named that a scenario could show") {
  const ScenarioEntry entry = Entry();
  const auto words = [&](const SearchReport& search) {
    return FormatUnsupportedBehaviours({ScenarioReport{&entry, {search}}});
  };
  SearchReport whole = Searched(Graphs(), true, 1);
  CHECK_THAT(words(whole), !Contains("LB+rlx") && !Contains("CAS+weak+twice") &&
                               !Contains("Yield+same") && !Contains("consume"));
  whole.result.omitted.gaps = {Gap::kLoadBuffering};
  whole.result.omitted.rounds = 1;
  CHECK_THAT(words(whole), Contains("LB+rlx") && Contains("Yield+same") &&
                               !Contains("CAS+weak+twice") && !Contains("consume"));
  // All behaviours are listed where the operations are not known.
  for (const SearchReport& search :
       {Searched(Graphs(), false, 0.5), Failing(Graphs(), FailureKind::kDataRace)}) {
    CHECK_THAT(words(search), Contains("LB+rlx") && Contains("CAS+weak+twice") &&
                                  Contains("Yield+same") && Contains("consume"));
  }
  CHECK_THAT(words(Searched(Full(), true, 1)), Contains("LB+rlx") && Contains("CAS+weak+twice"));
}

TEST_CASE("the verdict and the omissions are in the JSON too") {
  const ScenarioEntry entry = Entry();
  SearchReport whole = Searched(Graphs(), true, 1);
  whole.result.omitted = {.blocked = 5, .rounds = 2, .tries = 3, .gaps = {Gap::kWeakConsume}};
  const auto json = nlohmann::json::parse(ToJson("gate", {{&entry, {whole}}}, {}, {}));
  const auto& scenario = json.at("scenarios").at(0);
  CHECK(scenario.at("passed") == true);
  CHECK(scenario.at("verdict") == "passed but for a consume weaker than an acquire");
  CHECK(scenario.at("searches").at(0).at("omitted") ==
        nlohmann::json({{"blocked", 5},
                        {"rounds", 2},
                        {"tries", 3},
                        {"gaps", {"a consume weaker than an acquire"}}}));
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
