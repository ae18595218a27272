// Random programs of worlds keep what the headers of src/world promise.
//
// The programs run in child processes, some dozens in each, one after the other. When one breaks a
// promise, crashes or hangs, it is made smaller in children of its own, and both are printed with
// the seed and a film of the smaller one.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "tests/whole/fuzz_budget.h"
#include "tests/whole/separate_process.h"
#include "tests/whole/world/generate.h"
#include "tests/whole/world/judge.h"
#include "tests/whole/world/report.h"
#include "tests/whole/world/shrink.h"

namespace nowait::world_programs {
namespace {

using whole::ProcessOutcome;
using whole::Progress;
using whole::RunApart;

constexpr std::chrono::seconds kPatience{60};  // a sanitizer on a busy machine is slow, not hung
constexpr std::size_t kBatch = 64;             // programs in one process

}  // namespace

TEST_CASE("Random programs of worlds keep the promises of the headers") {
  whole::FuzzBudget budget("world", {.programs = 4000, .seconds = 15});
  std::size_t programs = 0;
  while (auto seed = budget.Next()) {
    std::vector<std::uint64_t> seeds;
    for (; seed; seed = seeds.size() < kBatch ? budget.Next() : std::nullopt) {
      seeds.push_back(*seed);
    }
    programs += seeds.size();
    const int runs = budget.replays() ? kAttempts : 1;
    const ProcessOutcome outcome = RunApart(
        [&](Progress& progress) {
          for (const std::uint64_t one : seeds) {
            for (int i = 0; i < runs; ++i) JudgeHere(Generate(one), &Judge);
            progress.fetch_add(1, std::memory_order::relaxed);
          }
        },
        kPatience);
    if (outcome.fine()) continue;
    const std::uint64_t broken = seeds[std::min<std::size_t>(outcome.progress, seeds.size() - 1)];
    const std::string report = Report(Generate(broken), outcome, &Judge, std::cout);
    FAIL(outcome.text << report << budget.HowToReplay(broken));
  }
  CHECK(programs > 0);
}

TEST_CASE("A seed determines its program") {
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    CHECK(Generate(seed) == Generate(seed));
    CHECK_FALSE(Generate(seed) == Generate(seed + 1));
  }
}

TEST_CASE("Shrinking keeps the failing calls and drops the rest") {
  // As if a single call were to blame.
  const auto has_wake = [](const WorldProgram& program) {
    for (const Round& round : program.rounds) {
      for (const Calls& calls : round.game) {
        for (const Call& call : calls) {
          if (call.kind == Kind::kWake) return true;
        }
      }
    }
    return false;
  };
  int tried = 0;
  for (std::uint64_t seed = 1; tried < 20; ++seed) {
    const WorldProgram program = Generate(seed);
    if (!has_wake(program)) continue;
    ++tried;
    const WorldProgram small = Shrink(program, has_wake, [] { return false; });
    REQUIRE(has_wake(small));
    CHECK(small.rounds.size() == 1);
    CHECK(small.background.empty());
    std::size_t calls = 0;
    for (const Calls& list : small.rounds[0].game) calls += list.size();
    CHECK(calls == 1);
    CHECK(small.rounds[0].tasks.empty());
  }
}

}  // namespace nowait::world_programs
