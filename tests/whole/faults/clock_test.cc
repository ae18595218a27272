// The clock: each of its readings comes an hour late once, and from each on it stands still once.
// Programs give the same results as ever, no time is negative, and no time is longer than the run.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/apps/demo/run.h"
#include "src/apps/demo/scene.h"
#include "src/apps/frame/run.h"
#include "src/apps/frame/timeline.h"
#include "src/apps/sovereign/run.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/task_pool.h"
#include "src/profile/chrome_trace.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"
#include "src/world/world.h"
#include "tests/whole/faults/temporary_directory.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore.h"
#include "tests/world/scene.h"

namespace nowait::whole {
namespace {

using std::chrono::nanoseconds;

constexpr std::uint64_t kHour = 3'600'000'000'000;
// Longer than anything here takes, a jump included. A negative time is longer still when it is
// taken for an unsigned number.
constexpr std::uint64_t kLong = kHour + kHour / 60;

void RequireTime(std::uint64_t time) { Require(time < kLong, "a time is no longer than the run"); }
void RequireTime(nanoseconds time) {
  Require(time >= nanoseconds(0), "no time is negative");
  RequireTime(static_cast<std::uint64_t>(time.count()));
}

void RequireSpans(const Profile& profile) {
  for (const Lane& lane : profile.lanes()) {
    for (const Span& span : lane.spans) {
      Require(span.begin <= span.end, "no span ends before it begins");
      RequireTime(span.end - span.begin);
    }
  }
  Require(!ChromeTrace(profile).empty(), "a trace is written");
}

// Runs the program with each fault at each of its readings of the clock; strategies take turns.
void ForEachReading(const std::function<void()>& program, std::uint64_t least_readings) {
  constexpr StrategyKind kTurns[] = {StrategyKind::kRandomWalk, StrategyKind::kStickyWalk,
                                     StrategyKind::kPct, StrategyKind::kPos};
  RunOptions options{.fair_after = 2'000'000, .most_steps = 6'000'000};
  const Outcome usual = RunUnder(program, StrategyDef(), options);
  REQUIRE_FALSE(usual.failure);
  REQUIRE(usual.places.clock_readings >= least_readings);
  for (std::uint64_t Faults::*fault : {&Faults::time_jump, &Faults::time_stands}) {
    for (std::uint64_t n = 1; n <= usual.places.clock_readings; ++n) {
      options.faults = {};
      options.faults.*fault = n;
      const Exploration found =
          Explore(program, {.schedules = 1,
                            .seed = n,
                            .strategies = {{.kind = kTurns[n % 4], .length = usual.steps}},
                            .run = options});
      INFO((fault == &Faults::time_jump ? "an hour passes before reading "
                                        : "the clock stands from reading ")
           << n << "\n"
           << found.report);
      REQUIRE_FALSE(found.failure);
    }
  }
}

TEST_CASE("sovereign threads end, and their times are times") {
  const auto program = [] {
    const ApiCall call("RunSovereign");
    const auto result = RunSovereign({.frames = 2, .objects = 20, .workers = 1, .seed = 1});
    Require(result.has_value(), "the threads can be started");
    for (const std::uint64_t time :
         {result->input_age, result->game_time, result->game_waits, result->back_end_time,
          result->back_end_waits, result->latency}) {
      RequireTime(time);
    }
  };
  ForEachReading(program, 20);
}

TEST_CASE("after an hour the sovereign threads make up for a quarter of a second, and no more") {
  constexpr std::uint32_t kFrames = 30;
  for (const std::uint64_t jump : {4u, 12u, 24u}) {
    const auto program = [&] {
      const std::uint64_t begin = SteadyNanoseconds();
      const auto result = RunSovereign({.frames = kFrames, .objects = 2, .workers = 0, .seed = 1});
      Require(result.has_value(), "the threads can be started");
      const std::uint64_t took = SteadyNanoseconds() - begin;
      Require(took >= kHour + (kFrames - 20) * std::uint64_t{16'666'666},
              "frames that are more than a quarter of a second late are not made up for");
      // 250 a second, each of which is taken or lost.
      Require(result->samples <= 64 + took % kHour / 4'000'000 + kFrames,
              "samples that are more than a quarter of a second late are not taken");
    };
    RunOptions options{.fair_after = 2'000'000, .most_steps = 6'000'000};
    options.faults.time_jump = jump;
    const Exploration found = Explore(program, {.schedules = 6, .run = options});
    INFO("an hour passes before reading " << jump << "\n" << found.report);
    REQUIRE_FALSE(found.failure);
  }
}

TEST_CASE("frames that make each other are all run, once each and in their order") {
  const auto program = [] {
    Profile profile({.lanes = 3, .spans_per_lane = 1u << 8});
    {
      auto pool = TaskPool::Create({.workers = 1, .profile = &profile}).value();
      auto here = pool->Register("main").value();
      std::vector<std::uint64_t> frames;
      FrameLoop loop(*pool, [&](const Frame& frame) {
        const ProfileScope scope("a frame");
        frames.push_back(frame.number());
      });
      Require(loop.Start(4).has_value(), "the loop starts");
      Require(loop.Wait().has_value(), "the loop ends without an error");
      Require(frames == std::vector<std::uint64_t>{0, 1, 2, 3}, "each frame is run once");
    }
    RequireSpans(profile);
    Require(FrameTimeline(profile, 1).has_value(), "a frame is drawn");
  };
  ForEachReading(program, 10);
}

TEST_CASE("the frames of the example give the same result, and their times are times") {
  const TemporaryDirectory directory;
  const std::string music = directory / "music";
  REQUIRE(WriteMusic(music));
  std::uint64_t hash = 0;
  const auto program = [&] {
    Profile profile({.lanes = 3, .spans_per_lane = 1u << 10});
    const FrameResult result =
        RunFrames({.frames = 2, .nodes = 10, .workers = 1, .music = music}, profile);
    Require(result.error.empty(), "the frames are run");
    if (hash == 0) hash = result.hash;
    Require(result.hash == hash, "the result depends on no time");
    RequireTime(result.total_time);
    RequireTime(result.longest_time);
    RequireSpans(profile);
  };
  ForEachReading(program, 20);
}

TEST_CASE("an update gives the same state, and its phases are parts of it") {
  std::uint64_t hash = 0;
  const auto program = [&] {
    Profile profile({.lanes = 3, .spans_per_lane = 1u << 10});
    {
      auto pool = TaskPool::Create({.workers = 1, .profile = &profile}).value();
      auto here = pool->Register("main").value();
      WorldDef def;
      def.max_bodies = 8;
      const auto world = MakeWorld(def);
      Add(*world, Floor());
      Add(*world, SphereAt(0.5f, {0.0f, 0.4f, 0.0f}));
      Add(*world, SphereAt(0.5f, {0.3f, 1.2f, 0.0f}));
      Require(world->Update(1.0f / 60.0f, *pool).has_value(), "an update is done");
      if (hash == 0) hash = world->StateHash();
      Require(world->StateHash() == hash, "the state depends on no time");
      const PhaseTimes& times = world->stats().times;
      nanoseconds sum{0};
      for (const nanoseconds time :
           {times.begin, times.collide, times.finalise, times.solve, times.finish}) {
        RequireTime(time);
        sum += time;
      }
      RequireTime(times.total);
      Require(sum <= times.total, "the phases are parts of the update");
      RequireTime(world->stats().body_locks.waited);
    }
    RequireSpans(profile);
  };
  ForEachReading(program, 20);
}

TEST_CASE("the demo's frames end, and their times are times") {
  const auto ground = LoadGround("assets/terrain/jacksboro.elevation");
  REQUIRE(ground);
  const auto program = [&] {
    Profile profile({.lanes = 4, .spans_per_lane = 1u << 10});
    DemoOptions options;
    options.frames = 1;
    options.threads = 1;
    options.game_threads = 1;
    options.bodies = 1;
    const auto record = Run(options, *ground, profile, false,
                            [](std::uint32_t, const FrameRecord&) { return true; });
    Require(record.has_value(), "the demo ends without an error");
    for (const FrameRecord& frame : record->frames) {
      RequireTime(frame.end - frame.begin);
      RequireTime(frame.game);
      RequireTime(frame.times.total);
    }
    for (const GameReport& report : record->game) RequireTime(report.wait.waited);
    RequireTime(record->background->wait.waited);
  };
  ForEachReading(program, 10);
}

}  // namespace
}  // namespace nowait::whole
