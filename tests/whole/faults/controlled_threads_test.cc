// Each thread that a call starts is refused once, under schedules of every strategy. A hang is a
// deadlock here, and a thread that is left is a failure.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "src/apps/demo/scene.h"
#include "src/apps/frame/run.h"
#include "tests/whole/faults/temporary_directory.h"
#include "tests/whole/faults/threaded_calls.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore.h"

namespace nowait::whole {
namespace {

constexpr std::uint64_t kSchedules = 6;  // for each thread that is refused: each strategy's turn

std::uint64_t StartsOf(const ThreadedCall& call, const RunOptions& options) {
  const Outcome outcome =
      RunUnder([&] { Require(call.run().empty(), "nothing fails"); }, StrategyDef(), options);
  REQUIRE_FALSE(outcome.failure);
  return outcome.places.starts;
}

TEST_CASE(
    "a thread that is refused is the call's error under every schedule, and a later call works") {
  const auto ground = LoadGround("assets/terrain/jacksboro.elevation");
  REQUIRE(ground);
  const TemporaryDirectory directory;
  REQUIRE(WriteMusic(directory / "music"));
  RunOptions options{.fair_after = 2'000'000, .most_steps = 6'000'000};
  for (const ThreadedCall& call : ThreadedCalls(*ground, directory / "music")) {
    options.faults = {};
    const std::uint64_t starts = StartsOf(call, options);
    INFO(call.name);
    REQUIRE(starts >= 2);
    for (std::uint64_t n = 1; n <= starts; ++n) {
      INFO("thread " << n << " of " << starts << " is refused");
      options.faults.refused_thread = n;
      const auto program = [&] {
        {
          const ApiCall refused("the call whose thread is refused");
          Require(call.run() == kRefused, "the error names the refused thread");
        }
        const ApiCall later("a later call");
        Require(call.run().empty(), "a later call works");
      };
      const Exploration found =
          Explore(program, {.schedules = kSchedules, .seed = n, .run = options});
      INFO(found.report);
      REQUIRE_FALSE(found.failure);
    }
  }
}

}  // namespace
}  // namespace nowait::whole
