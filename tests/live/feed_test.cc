// The feed of a world's frames, seen by its reader: their numbers, spans, tasks, ray and commands.
#include "src/live/feed.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tests/live/running_scene.h"

namespace nowait {
namespace {

TEST_CASE("frames are numbered as they were offered, and a feed that is full leaves them out") {
  Scene scene;
  for (const std::uint32_t bad : {0u, 65u}) {
    CHECK(LiveFeed::Create(bad, nullptr).error() ==
          Error{ErrorCode::kInvalidArgument, "feed buffers", bad, "1 .. 64"});
  }
  CHECK(LiveFeed::Create(64, nullptr));
  const auto feed = LiveFeed::Create(2, nullptr);
  REQUIRE(feed);
  CHECK((*feed)->lanes().empty());
  LiveFrame* frame = nullptr;
  CHECK(!(*feed)->TryTake(&frame));
  for (int i = 0; i < 5; ++i) {
    CHECK(*(*feed)->Offer(*scene.world, {.step = 10}, WhenFull::kDrop) == (i < 2));
  }
  for (const std::uint64_t number : {1u, 2u}) {
    REQUIRE((*feed)->TryTake(&frame));
    CHECK(frame->number == number);
    CHECK(frame->moment.step == 10);
    (*feed)->Release();
  }
  CHECK(!(*feed)->TryTake(&frame));
  REQUIRE(*(*feed)->Offer(*scene.world, {}, WhenFull::kDrop));
  (*feed)->End();
  REQUIRE((*feed)->TryTake(&frame));
  REQUIRE(frame != nullptr);
  CHECK(frame->number == 6);
  (*feed)->Release();
  REQUIRE((*feed)->TryTake(&frame));
  CHECK(frame == nullptr);
}

TEST_CASE("a feed carries so many commands, in order, and keeps what viewers show to itself") {
  Scene scene;
  const auto feed = LiveFeed::Create(2, nullptr);
  REQUIRE(feed);
  LiveCommand command;
  CHECK(!(*feed)->TakeCommand(&command));
  command.kind = LiveCommand::Kind::kStep;
  for (std::uint32_t round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < LiveFeed::kMostCommands; ++i) {
      command.frames = i;
      REQUIRE((*feed)->Give(command));
    }
    CHECK(!(*feed)->Give(command));
    LiveCommand taken;
    for (std::uint32_t i = 0; i < LiveFeed::kMostCommands; ++i) {
      REQUIRE((*feed)->TakeCommand(&taken));
      CHECK(taken.frames == i);
    }
    CHECK(!(*feed)->TakeCommand(&taken));
  }
  LiveCommand show;
  show.kind = LiveCommand::Kind::kShow;
  LiveFrame* frame = nullptr;
  for (const std::uint32_t parts : {LiveParts::kLinks, LiveParts::kAll, 0u}) {
    show.parts.bits = parts;
    REQUIRE((*feed)->Give(show));
    REQUIRE((*feed)->Give(command));
    LiveCommand taken;
    REQUIRE((*feed)->TakeCommand(&taken));
    CHECK(taken.kind == LiveCommand::Kind::kStep);
    CHECK(!(*feed)->TakeCommand(&taken));
    REQUIRE(*(*feed)->Offer(*scene.world, {}, WhenFull::kDrop));
    REQUIRE((*feed)->TryTake(&frame));
    CHECK(frame->parts == LiveParts{parts});
    (*feed)->Release();
  }
}

TEST_CASE("the feed casts the ray of the last command in each frame, where its way is shown") {
  Scene scene;
  const auto feed = LiveFeed::Create(1, nullptr);
  REQUIRE(feed);
  LiveCommand command;
  const auto give = [&](LiveCommand::Kind kind) {
    command.kind = kind;
    REQUIRE((*feed)->Give(command));
    LiveCommand taken;
    CHECK(!(*feed)->TakeCommand(&taken));  // the program does not see it
  };
  const auto offered = [&] {
    REQUIRE(*(*feed)->Offer(*scene.world, {}, WhenFull::kDrop));
    LiveFrame* frame = nullptr;
    REQUIRE((*feed)->TryTake(&frame));
    const std::optional<RayTrace> ray = frame->ray;
    (*feed)->Release();
    return ray;
  };
  command.position = {10, 5, 10};
  command.translation = {0, -10, 0};
  give(LiveCommand::Kind::kRay);
  CHECK(!offered());
  command.parts = {LiveParts::kRay};
  give(LiveCommand::Kind::kShow);
  const auto ray = offered();
  REQUIRE(ray);
  REQUIRE(ray->hit);
  CHECK(ray->hit->fraction == Approx(0.5f));  // of the floor
  CHECK(!ray->nodes.empty());
  command.translation = {0, 10, 0};
  give(LiveCommand::Kind::kRay);
  CHECK(!offered()->hit);
  command.parts = {0};
  give(LiveCommand::Kind::kShow);
  CHECK(!offered());
}

TEST_CASE("spans reach the frame that they belong to, and those of frames left out do not") {
  Scene scene;
  Lane* const lane = *scene.profile.AddLane("test");
  const auto feed = LiveFeed::Create(1, &scene.profile);
  REQUIRE(feed);
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    lane->AddSpan({"span", begin, end});
  };
  LiveFrame* frame = nullptr;
  add(5, 8);  // before the first frame
  add(12, 14);
  REQUIRE(*(*feed)->Offer(*scene.world, {.begin = 10, .end = 20}, WhenFull::kDrop));
  add(22, 24);
  REQUIRE(!*(*feed)->Offer(*scene.world, {.begin = 20, .end = 30}, WhenFull::kDrop));
  REQUIRE((*feed)->TryTake(&frame));
  REQUIRE(frame->spans.size() == 1);
  CHECK(frame->spans[0].span.begin == 12);
  (*feed)->Release();
  add(32, 34);
  REQUIRE(*(*feed)->Offer(*scene.world, {.begin = 30, .end = 40}, WhenFull::kDrop));
  REQUIRE((*feed)->TryTake(&frame));
  REQUIRE(frame->number == 3);
  REQUIRE(frame->spans.size() == 1);
  CHECK(frame->spans[0].span.begin == 32);
  CHECK(frame->lost_spans == 0);
  (*feed)->Release();
  for (std::uint64_t i = 0; i < 300; ++i) add(50, 51);  // the ring has 256
  REQUIRE(*(*feed)->Offer(*scene.world, {.begin = 40, .end = 60}, WhenFull::kDrop));
  REQUIRE((*feed)->TryTake(&frame));
  CHECK(frame->spans.size() == 256);
  (*feed)->Release();
  add(62, 63);  // brings the count of those that were lost
  REQUIRE(*(*feed)->Offer(*scene.world, {.begin = 60, .end = 70}, WhenFull::kDrop));
  REQUIRE((*feed)->TryTake(&frame));
  CHECK(frame->lost_spans == 44);
}

TEST_CASE("tasks reach the frame of their first span, and those that are lost are counted") {
  Profile profile({.lanes = 2, .spans_per_lane = 0, .live_spans_per_lane = 4});
  Lane* const maker = *profile.AddLane("maker");
  Lane* const runner = *profile.AddLane("runner");
  const auto feed = LiveFeed::Create(1, &profile);
  REQUIRE(feed);
  const std::unique_ptr<World> world = MakePile();
  const auto offer = [&](std::uint64_t begin, std::vector<LaneTask>* tasks) {
    const auto offered = (*feed)->Offer(*world, {.begin = begin}, WhenFull::kDrop);
    if (!offered || !*offered) return ~std::uint64_t{0};
    LiveFrame* const frame = (*feed)->Take();
    *tasks = frame->tasks;
    const std::uint64_t lost = frame->lost_spans;
    (*feed)->Release();
    return lost;
  };
  std::vector<LaneTask> tasks;
  REQUIRE(offer(0, &tasks) == 0);
  maker->AddTask({.time = 11, .task = 1});
  runner->AddSpan({"task", 12, 13, 1});
  runner->AddTask({.time = 12, .task = 2, .parent = 1});
  REQUIRE(offer(10, &tasks) == 0);
  REQUIRE(tasks.size() == 2);
  CHECK((tasks[0].lane == 0 && tasks[0].task.task == 1));
  CHECK((tasks[1].lane == 1 && tasks[1].task.task == 2 && tasks[1].task.parent == 1));
  for (std::uint32_t i = 0; i < 7; ++i) maker->AddTask({.time = 20 + i, .task = 3 + i});
  REQUIRE(offer(20, &tasks) == 0);  // known with the next one that has room
  CHECK(tasks.size() == 4);
  maker->AddTask({.time = 30, .task = 20});
  CHECK(offer(30, &tasks) == 3);
  REQUIRE(tasks.size() == 1);
  CHECK(tasks[0].task.task == 20);
}

}  // namespace
}  // namespace nowait
