#include "src/apps/sovereign/run.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>

#include "src/apps/sovereign/game.h"
#include "src/apps/sovereign/input.h"
#include "src/apps/sovereign/render_back_end.h"
#include "src/apps/sovereign/render_frame.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

TEST_CASE("in lockstep the images are the same in every run, with any number of workers") {
  const SovereignDef def{.frames = 30, .objects = 3'000, .workers = 0, .lockstep = true};
  const SovereignResult alone = RunSovereign(def).value();
  REQUIRE(alone.commands > 1'000);
  REQUIRE(alone.samples == 4 * 30);
  REQUIRE(alone.lost == 0);
  REQUIRE(alone.least_samples == 4);
  REQUIRE(alone.most_samples == 4);
  for (const std::uint32_t workers : {0u, 1u, 3u, 8u}) {
    SovereignDef helped = def;
    helped.workers = workers;
    const SovereignResult result = RunSovereign(helped).value();
    REQUIRE(result.image_hash == alone.image_hash);
    REQUIRE(result.commands == alone.commands);
  }
  SovereignDef other = def;
  other.seed = 2;
  REQUIRE(RunSovereign(other).value().image_hash != alone.image_hash);
}

RenderFrame FrameOf(DrawCommand command) {
  RenderFrame frame;
  frame.commands.push_back(command);
  return frame;
}

TEST_CASE("the back end draws the part inside the image and leaves out the rest") {
  const auto owned = MakePool({.workers = 1});
  TaskPool& pool = *owned;
  const auto here = pool.Register("main");
  const auto hash_of = [&](const RenderFrame& frame) {
    RenderBackEnd back_end(pool);
    back_end.Draw(frame);
    return back_end.hash();
  };
  const std::uint64_t empty = hash_of(RenderFrame());
  const std::int32_t far = 1 << 30;
  REQUIRE(hash_of(FrameOf({-10, -10, 0, 0, 9})) == empty);
  REQUIRE(hash_of(FrameOf({far, far, far, far, 9})) == empty);
  REQUIRE(hash_of(FrameOf({5, 5, 3, 3, 9})) == empty);
  REQUIRE(hash_of(FrameOf({-far, -far, far, far, 9})) ==
          hash_of(FrameOf({0, 0, RenderBackEnd::kWidth, RenderBackEnd::kHeight, 9})));
  REQUIRE(hash_of(FrameOf({1, 1, 2, 2, 9})) != empty);
  // Over the edges of bands, in the order of the commands.
  RenderFrame halves = FrameOf({0, 0, RenderBackEnd::kWidth, 90, 7});
  halves.commands.push_back({0, 90, RenderBackEnd::kWidth, RenderBackEnd::kHeight, 7});
  REQUIRE(hash_of(halves) ==
          hash_of(FrameOf({0, 0, RenderBackEnd::kWidth, RenderBackEnd::kHeight, 7})));
  RenderFrame covered = FrameOf({3, 5, 90, 177, 8});
  covered.commands.push_back({2, 4, 91, 178, 9});
  REQUIRE(hash_of(covered) == hash_of(FrameOf({2, 4, 91, 178, 9})));
}

TEST_CASE("each frame is drawn on an empty image") {
  const auto owned = MakePool({.workers = 0});
  const auto here = owned->Register("main");
  constexpr std::int32_t kWidth = RenderBackEnd::kWidth, kHeight = RenderBackEnd::kHeight;
  const RenderFrame full = FrameOf({0, 0, kWidth, kHeight, 7});
  RenderFrame cleared = FrameOf({0, 0, kWidth, kHeight, 0});
  cleared.commands.push_back({1, 1, 2, 2, 9});
  RenderBackEnd one(*owned), other(*owned);
  one.Draw(full);
  one.Draw(FrameOf({1, 1, 2, 2, 9}));
  other.Draw(full);
  other.Draw(cleared);
  CHECK(one.hash() == other.hash());
}

TEST_CASE("the front end's commands are in view, and come back when the view does") {
  const auto owned = MakePool({.workers = 0});
  const auto here = owned->Register("main");
  Game game(*owned, 5'000, 3);
  RenderFrame before, moved, after;
  game.MakeCommands(before);
  REQUIRE(before.commands.size() > 100);
  for (const DrawCommand& command : before.commands) {
    CHECK(command.left < RenderBackEnd::kWidth);
    CHECK(command.top < RenderBackEnd::kHeight);
    CHECK(command.right > command.left);
    CHECK(command.right - command.left == command.bottom - command.top);
    CHECK(command.right >= 0);
    CHECK(command.bottom >= 0);
  }
  game.Steer({.time = 0, .x = 100, .y = -70});
  game.MakeCommands(moved);
  game.Steer({.time = 0, .x = -100, .y = 70});
  game.MakeCommands(after);
  const auto same = [](const RenderFrame& a, const RenderFrame& b) {
    return std::ranges::equal(a.commands, b.commands, [](const auto& x, const auto& y) {
      return x.left == y.left && x.top == y.top && x.right == y.right && x.shade == y.shade;
    });
  };
  CHECK_FALSE(same(before, moved));
  CHECK(same(before, after));  // also in their order
  game.Step();
  game.MakeCommands(after);
  CHECK_FALSE(same(before, after));
}

TEST_CASE("a scripted stick stays within its range and goes all the way to its ends") {
  std::int32_t least = 0, most = 0;
  for (std::uint64_t number = 0; number < 1'000; ++number) {
    const InputSample sample = ScriptedSample(number);
    for (const std::int32_t value : {sample.x, sample.y}) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
    if (number % 50 == 0) CHECK(sample.y == 100);
  }
  CHECK(least == -100);
  CHECK(most == 100);
}

}  // namespace
}  // namespace nowait
