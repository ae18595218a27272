// Random programs of worlds keep what the headers of src/world promise.
//
// The programs run in child processes, some dozens in each, one after the other. When one breaks a
// promise, crashes or hangs, it is made smaller in children of its own, and both are printed with
// the seed.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/whole/fuzz_budget.h"
#include "tests/whole/in_child.h"
#include "tests/whole/world/generate.h"
#include "tests/whole/world/judge.h"
#include "tests/whole/world/shrink.h"

namespace nowait::world_programs {
namespace {

using Clock = std::chrono::steady_clock;
using whole::ChildNotes;
using whole::ChildResult;
using whole::InChild;

constexpr std::chrono::seconds kPatience{60};  // a sanitizer on a busy machine is slow, not hung
constexpr std::chrono::seconds kShortPatience{10};  // where the program is known to fail
constexpr std::chrono::seconds kShrinking{30};
constexpr std::size_t kInAChild = 64;  // programs
constexpr int kAttempts = 30;          // threads meet otherwise in each

// The promise that is broken, without the names of bodies and rounds.
std::string PromiseOf(const std::string& failure) { return failure.substr(0, failure.find(':')); }

// A failure in one of several runs, or an empty text.
std::string Attempt(const WorldProgram& program) {
  return InChild(
             [&](ChildNotes& notes) -> std::string {
               for (int i = 1; i <= kAttempts; ++i) {
                 notes.Note(static_cast<std::uint64_t>(i));
                 if (Failure failure = Judge(program)) return *failure;
               }
               return "";
             },
             kShortPatience)
      .failure;
}

std::string Shortened(const WorldProgram& program, const std::string& failure) {
  const Clock::time_point end = Clock::now() + kShrinking;
  const std::string promise = PromiseOf(failure);
  const WorldProgram small = Shrink(
      program, [&](const WorldProgram& smaller) { return PromiseOf(Attempt(smaller)) == promise; },
      [&] { return Clock::now() > end; });
  return ToString(small);
}

}  // namespace

TEST_CASE("Random programs of worlds keep the promises of the headers") {
  whole::FuzzBudget budget("world", {.programs = 4000, .seconds = 15});
  std::size_t programs = 0;
  while (auto seed = budget.Next()) {
    std::vector<std::uint64_t> seeds;
    for (; seed; seed = seeds.size() < kInAChild ? budget.Next() : std::nullopt) {
      seeds.push_back(*seed);
    }
    programs += seeds.size();
    const ChildResult result = InChild(
        [&](ChildNotes& notes) -> std::string {
          for (const std::uint64_t one : seeds) {
            notes.Note(one);
            if (Failure failure = Judge(Generate(one))) return *failure;
          }
          return "";
        },
        kPatience);
    if (result.failure.empty()) continue;
    const WorldProgram program = Generate(result.last_note);
    FAIL(result.failure << "\n"
                        << ToString(program) << "made smaller:\n"
                        << Shortened(program, result.failure)
                        << budget.HowToReplay(result.last_note));
  }
  CHECK(programs > 0);
}

TEST_CASE("A program is what its seed says") {
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    CHECK(Generate(seed) == Generate(seed));
    CHECK_FALSE(Generate(seed) == Generate(seed + 1));
  }
}

TEST_CASE("Shrinking keeps what fails and drops the rest") {
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
