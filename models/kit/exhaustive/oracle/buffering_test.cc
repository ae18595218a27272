// Random straight-line programs: the checker that has load buffering finds the executions that
// brute force finds, each once, and without load buffering those of the other checker.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/oracle/brute_force.h"
#include "models/kit/exhaustive/oracle/by_buffering.h"
#include "models/kit/exhaustive/oracle/findings.h"
#include "models/kit/exhaustive/oracle/generator.h"
#include "models/kit/exhaustive/oracle/waiting.h"
#include "src/math/random.h"

namespace nowait::model::oracle {
namespace {

constexpr std::uint64_t kSeed = 1;

// The same with most orders relaxed, and with loads before stores: more of its executions have load
// buffering.
StraightLine Relaxed(StraightLine program, std::uint64_t number) {
  Random random(number);
  for (auto& thread : program.threads) {
    for (Statement& statement : thread) {
      if (statement.IsFence() || random.Below(4) == 0) continue;
      statement.order = statement.failure = std::memory_order::relaxed;
    }
    std::vector<Statement> ordered;
    for (const bool loads : {true, false}) {
      for (const Statement& statement : thread) {
        if ((statement.kind == Statement::Kind::kLoad) == loads) ordered.push_back(statement);
      }
    }
    thread = std::move(ordered);
  }
  return program;
}

// Returns the number of executions with load buffering.
std::uint64_t Compare(const Style& style, std::uint64_t number, const StraightLine& program) {
  const Buffered found = FindByBuffering(program);
  INFO(style.name << " program " << number << " of seed " << kSeed << "\n" << Format(program));
  const Difference all = Compare(BruteForce(program, LoadBuffering::kAllowed), found.all);
  INFO("with load buffering: " << Format(all));
  REQUIRE_FALSE(all.Any());
  const Difference without = Compare(BruteForce(program), found.without);
  INFO("without: " << Format(without));
  REQUIRE_FALSE(without.Any());
  return found.all.race ? 0 : found.all.executions.size() - found.without.executions.size();
}

TEST_CASE("its executions are those of brute force, with load buffering and without") {
  std::uint64_t buffering = 0;
  for (const Style& style : Styles()) {
    for (std::uint64_t number = 1; number <= 20; ++number) {
      buffering += Compare(style, number, Generate(style, kSeed, number));
    }
    for (std::uint64_t number = 1; number <= 80; ++number) {
      buffering += Compare(style, number, Relaxed(Generate(style, kSeed, number), number));
    }
  }
  CHECK(buffering > 500);
}

// Mutexes and sleeping threads. notify_one may have woken more of the sleepers here than S allows,
// and leaves others asleep (models/kit/buffering/waiting.h): there are more ends.
TEST_CASE("threads that wait have the executions and the ends of all interleavings") {
  using Shape = WaitingStyle::Shape;
  std::size_t executions = 0;
  std::size_t ends = 0;
  for (const WaitingStyle& style : WaitingStyles()) {
    const bool sleeps = style.shape == Shape::kWaits || style.shape == Shape::kWoken;
    if (style.shape != Shape::kLocks && !sleeps) continue;
    for (std::uint64_t number = 1; number <= 60; ++number) {
      const Waiting program = Generate(style, kSeed, number);
      INFO(style.name << " program " << number << " of seed " << kSeed << "\n" << Format(program));
      const Outcomes expected = Interleave(program);
      const std::string difference = Compare(expected, WaitByBuffering(program), {.ends = !sleeps});
      INFO(difference);
      REQUIRE(difference.empty());
      executions += expected.executions.size();
      ends += expected.ends.size();
    }
  }
  CHECK(executions > 500);
  CHECK(ends > 100);
}

}  // namespace
}  // namespace nowait::model::oracle
