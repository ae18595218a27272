// Tasks on the wire: what a reader gets is what the threads have recorded, a message without tasks
// costs nothing, and impossible ones are refused.
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <vector>

#include "src/live/encoder.h"
#include "src/live/event_writer.h"
#include "src/live/reader.h"
#include "src/live/wire.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

using Kind = TaskRecord::Kind;

TEST_CASE("a reader has the tasks of the last message, as they were recorded") {
  LiveEncoder encoder({.scene = "tasks"});
  LiveReader reader;
  LiveFrame frame;
  frame.number = 1;
  frame.moment.begin = 5'000'000'000'000;
  frame.tasks = {
      {0, {.time = frame.moment.begin + 7, .task = 0, .kind = Kind::kEmpty}},
      {0,
       {.time = frame.moment.begin - 9,  // before the frame began
        .task = 0xffff'fffe,
        .parent = 0,
        .dependency = 0x8000'0001,
        .kind = Kind::kIdempotent,
        .priority = 2,
        .bound = true}},
      {300, {.time = frame.moment.begin, .task = 5, .dependency = 0, .kind = Kind::kLink}},
      {1, {.time = 0, .task = 6, .parent = 5, .kind = Kind::kExternal, .priority = 1}},
  };
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  REQUIRE(reader.scene().tasks.size() == frame.tasks.size());
  for (std::size_t i = 0; i < frame.tasks.size(); ++i) {
    CAPTURE(i);
    const auto& [lane, task] = reader.scene().tasks[i];
    const TaskRecord& sent = frame.tasks[i].task;
    CHECK(lane == frame.tasks[i].lane);
    CHECK(task.time == sent.time);
    CHECK(task.task == sent.task);
    CHECK(task.parent == sent.parent);
    CHECK(task.dependency == sent.dependency);
    CHECK(task.kind == sent.kind);
    CHECK(task.priority == sent.priority);
    CHECK(task.bound == sent.bound);
  }
  ++frame.number;
  frame.tasks.clear();
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  CHECK(reader.scene().tasks.empty());
}

struct Numbers {
  std::uint64_t lane = 0, word = 3, task = 1, parent = 2, dependency = 3;
};

bool IsRead(const Numbers& numbers, std::size_t cut = 0) {
  LiveEncoder encoder({.scene = "tasks"});
  LiveReader reader;
  LiveFrame frame;
  frame.number = 1;
  REQUIRE(reader.Read(*encoder.Encode(frame)));
  EventWriter writer;
  writer.Begin(kLiveTasks);
  writer.Value(std::uint64_t{1000});
  const std::uint64_t all[] = {numbers.lane, numbers.word, numbers.task, numbers.parent,
                               numbers.dependency};
  for (std::size_t i = 0; i + cut < 5; ++i) writer.Varint(all[i]);
  if (cut == 0) writer.SignedVarint(5);
  writer.End();
  return reader.Read(*EventStream::Open(writer.bytes())).has_value();
}

TEST_CASE("a task with impossible numbers, or that is cut off, is refused") {
  CHECK(IsRead({}));
  CHECK(IsRead({.word = 3 | 4 | 5 << 3 | 2 << 6}));
  CHECK_FALSE(IsRead({.lane = 4096}));
  CHECK_FALSE(IsRead({.lane = std::numeric_limits<std::uint64_t>::max()}));
  CHECK_FALSE(IsRead({.word = 3 | 6 << 3}));  // no such kind
  CHECK_FALSE(IsRead({.word = 3 | 3 << 6}));  // no such priority
  CHECK_FALSE(IsRead({.word = std::numeric_limits<std::uint64_t>::max()}));
  for (const std::uint64_t number : {std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    CHECK_FALSE(IsRead({.task = number}));
    CHECK_FALSE(IsRead({.parent = number}));
    CHECK_FALSE(IsRead({.dependency = number}));
  }
  CHECK_FALSE(IsRead({.task = TaskRecord::kNoTask}));
  for (std::size_t cut = 1; cut < 5; ++cut) CHECK_FALSE(IsRead({}, cut));
}

}  // namespace
}  // namespace nowait
