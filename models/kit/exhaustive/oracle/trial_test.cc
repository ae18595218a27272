// The parts around the brute force: programs can be repeated, and differences are noticed and
// reduced.
#include "models/kit/exhaustive/oracle/trial.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <utility>

#include "models/kit/exhaustive/oracle/brute_force.h"
#include "models/kit/exhaustive/oracle/shrink.h"

namespace nowait::model::oracle {
namespace {

using Catch::Contains;
using Kind = Statement::Kind;
using Order = std::memory_order;

const Style& StyleNamed(std::string_view name) {
  return *std::ranges::find(Styles(), name, &Style::name);
}

TEST_CASE("the same numbers make the same program, others another one") {
  for (const Style& style : Styles()) {
    INFO(style.name);
    CHECK(Format(Generate(style, 1, 5)) == Format(Generate(style, 1, 5)));
    std::set<std::string> programs;
    for (std::uint64_t number = 0; number < 50; ++number) {
      programs.insert(Format(Generate(style, 1, number)));
      programs.insert(Format(Generate(style, 2, number)));
    }
    // There are few written programs, each with about one order changed.
    CHECK(programs.size() > (style.shape == Style::Shape::kWritten ? 60 : 90));
  }
}

TEST_CASE("programs stay within the limits, and each style has its features") {
  for (const Style& style : Styles()) {
    INFO(style.name);
    std::size_t seen[kStatementKinds] = {};
    for (std::uint64_t number = 0; number < 300; ++number) {
      const StraightLine program = Generate(style, 1, number);
      CHECK(program.threads.size() >= 2);
      CHECK(program.threads.size() <= 4);
      CHECK(program.Size() <= style.max_operations);
      for (const auto& thread : program.threads) {
        for (const Statement& statement : thread) {
          ++seen[static_cast<std::size_t>(statement.kind)];
          CHECK(statement.location < style.max_locations);
          CHECK((HasData(style) || !statement.IsPlain()));
        }
      }
    }
    for (std::size_t kind = 0; kind < kStatementKinds; ++kind) {
      if (style.weights[kind] != 0) CHECK(seen[kind] > 0);
    }
  }
}

TEST_CASE("missing, extra and repeated executions are distinguished") {
  const Findings expected{.executions = {"a", "b", "c"}};
  CHECK_FALSE(Compare(expected, {.executions = {"c", "a", "b"}}).Any());
  CHECK(Compare(expected, {.executions = {"c", "a"}}).missing == std::vector<std::string>{"b"});
  CHECK(Compare(expected, {.executions = {"c", "a", "d", "b"}}).extra ==
        std::vector<std::string>{"d"});
  CHECK(Compare(expected, {.executions = {"c", "a", "c", "b", "c"}}).repeated ==
        std::vector<std::string>{"c"});
  CHECK_THAT(Compare(expected, {.executions = {}, .race = true}).words, Contains("not exist"));
  CHECK_THAT(Compare({.executions = {}, .race = true}, expected).words, Contains("not seen"));
  CHECK_FALSE(Compare({.executions = {"a"}, .race = true}, {.executions = {}, .race = true}).Any());
  CHECK(Compare(expected, {.executions = {"a", "b", "c"}, .complaint = "deadlock"}).Any());
}

TEST_CASE("a difference is reported by the smallest program that shows it") {
  // A checker that ignores every fence.
  const Checker wrong = [](const StraightLine& program) {
    StraightLine without = program;
    for (auto& thread : without.threads) {
      for (Statement& statement : thread) {
        if (statement.IsFence()) statement.order = Order::relaxed;
      }
    }
    return BruteForce(without);
  };
  StraightLineTrial trial(StyleNamed("fenced"), 1, {wrong});
  std::string report;
  std::uint64_t number = 0;
  while (report.empty() && number < 1'000) report = trial.Run(number++);
  INFO(report);
  CHECK_THAT(report, Contains("fenced program") && Contains("not allowed"));
  CHECK(trial.tally().programs == number);
  CHECK(trial.tally().differing == 1);

  const StraightLine program = Generate(StyleNamed("fenced"), 1, number - 1);
  const auto differs = [&](const StraightLine& smaller) {
    return Judge(wrong, smaller, BruteForce(smaller)).Any();
  };
  const StraightLine smallest = Shrink(program, differs);
  CHECK(differs(smallest));
  CHECK(smallest.Size() <= program.Size());
  // Two threads pass a message or buffer their stores: no shorter program has two fences that
  // matter.
  CHECK(smallest.Size() >= 5);
  for (std::size_t t = 0; t < smallest.threads.size(); ++t) {
    for (std::size_t s = 0; s < smallest.threads[t].size(); ++s) {
      StraightLine less = smallest;
      less.threads[t].erase(less.threads[t].begin() + static_cast<std::ptrdiff_t>(s));
      CHECK_FALSE(differs(less));
    }
  }
}

}  // namespace
}  // namespace nowait::model::oracle
