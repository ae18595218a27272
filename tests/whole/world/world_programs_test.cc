// Random programs of worlds keep what the headers of src/world promise.
//
// The programs run in child processes, some dozens in each, one after the other. When one breaks a
// promise, crashes or hangs, it is made smaller in children of its own, and both are printed with
// the seed.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/whole/fuzz_budget.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/separate_process.h"
#include "tests/whole/world/generate.h"
#include "tests/whole/world/judge.h"
#include "tests/whole/world/shrink.h"

namespace nowait::world_programs {
namespace {

using Clock = std::chrono::steady_clock;
using whole::ProcessOutcome;
using whole::Progress;
using whole::RunApart;

constexpr std::chrono::seconds kPatience{60};  // a sanitizer on a busy machine is slow, not hung
constexpr std::chrono::seconds kShortPatience{10};  // where the program is known to fail
constexpr std::chrono::seconds kShrinking{30};
constexpr std::size_t kBatch = 64;  // programs in one process
constexpr int kAttempts = 30;       // threads meet otherwise in each

// Ends the process when a promise is broken.
void JudgeHere(const WorldProgram& program) {
  const Failure failure = Judge(program);
  whole::Require(!failure, failure.value_or(""));
}

// The promise that is broken, without the names of bodies and rounds.
std::string PromiseOf(const ProcessOutcome& outcome) {
  return outcome.text.substr(0, outcome.text.find(':', outcome.text.find(':') + 1));
}

ProcessOutcome Attempt(const WorldProgram& program) {
  return RunApart(
      [&](Progress& progress) {
        for (int i = 0; i < kAttempts; ++i) {
          JudgeHere(program);
          progress.fetch_add(1, std::memory_order::relaxed);
        }
      },
      kShortPatience);
}

std::string Shortened(const WorldProgram& program, const ProcessOutcome& outcome) {
  const Clock::time_point end = Clock::now() + kShrinking;
  const std::string promise = PromiseOf(outcome);
  const WorldProgram small = Shrink(
      program,
      [&](const WorldProgram& smaller) {
        const ProcessOutcome again = Attempt(smaller);
        return !again.fine() && PromiseOf(again) == promise;
      },
      [&] { return Clock::now() > end; });
  return ToString(small);
}

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
            for (int i = 0; i < runs; ++i) JudgeHere(Generate(one));
            progress.fetch_add(1, std::memory_order::relaxed);
          }
        },
        kPatience);
    if (outcome.fine()) continue;
    const std::uint64_t broken = seeds[std::min<std::size_t>(outcome.progress, seeds.size() - 1)];
    const WorldProgram program = Generate(broken);
    FAIL(outcome.text << ToString(program) << "made smaller:\n"
                      << Shortened(program, outcome) << budget.HowToReplay(broken));
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
