// The apps' inner functions under the scheduler, at small sizes: their results depend on no
// schedule.
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "src/apps/demo/run.h"
#include "src/apps/demo/scene.h"
#include "src/apps/frame/run.h"
#include "src/apps/sovereign/run.h"
#include "src/profile/profile.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore.h"

namespace nowait::whole {
namespace {

const RunOptions kLong = {.fair_after = 2'000'000, .most_steps = 6'000'000};

TEST_CASE("sovereign threads in lockstep draw the same images under every schedule") {
  std::set<std::uint64_t> images;
  const auto program = [&] {
    const auto result =
        RunSovereign({.frames = 3, .objects = 40, .workers = 1, .seed = 1, .lockstep = true});
    Require(result.has_value(), "the threads can be started");
    images.insert(result->image_hash);
  };
  const Exploration found = Explore(program, {.schedules = 30, .run = kLong});
  INFO(found.report);
  REQUIRE_FALSE(found.failure);
  REQUIRE(images.size() == 1);
}

TEST_CASE("sovereign threads at their own pace end, whatever the time does") {
  const auto program = [] {
    const ApiCall call("RunSovereign");
    const auto result = RunSovereign({.frames = 3, .objects = 40, .workers = 1, .seed = 1});
    Require(result.has_value(), "the threads can be started");
  };
  for (const std::uint64_t jump : {0u, 5u, 20u}) {
    RunOptions run = kLong;
    run.faults.time_jump = jump;
    const Exploration found = Explore(program, {.schedules = 10, .run = run});
    INFO(found.report);
    REQUIRE_FALSE(found.failure);
  }
}

TEST_CASE("frames that make each other give the same result under every schedule") {
  const char* const root = std::getenv("TEST_TMPDIR");
  const std::string music = std::string(root == nullptr ? "/tmp" : root) + "/controlled_music";
  REQUIRE(WriteMusic(music));
  std::set<std::uint64_t> hashes;
  for (const bool parked : {false, true}) {
    const auto program = [&] {
      Profile profile({.lanes = 4, .spans_per_lane = 1u << 10});
      const FrameResult result = RunFrames(
          {.frames = 3, .nodes = 60, .workers = 1, .park_worker = parked, .music = music}, profile);
      Require(result.error.empty(), "the frames are run");
      hashes.insert(result.hash);
    };
    const Exploration found = Explore(program, {.schedules = 15, .run = kLong});
    INFO(found.report);
    REQUIRE_FALSE(found.failure);
  }
  REQUIRE(hashes.size() == 1);
  std::filesystem::remove(music);
}

TEST_CASE("the demo runs: game threads and a query across frames beside updates") {
  const auto ground = LoadGround("assets/terrain/jacksboro.elevation");
  REQUIRE(ground);
  const auto program = [&] {
    Profile profile({.lanes = 8, .spans_per_lane = 1u << 10});
    DemoOptions options;
    options.frames = 1;
    options.game_threads = 1;
    options.bodies = 3;
    const ApiCall call("Run");
    const auto record = Run(options, *ground, profile, false,
                            [](std::uint32_t, const FrameRecord&) { return true; });
    Require(record.has_value(), "the demo ends without an error");
  };
  const Exploration found = Explore(program, {.schedules = 3, .run = kLong});
  INFO(found.report);
  REQUIRE_FALSE(found.failure);
}

}  // namespace
}  // namespace nowait::whole
