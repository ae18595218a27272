#include "src/profile/critical_path.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "src/math/random.h"
#include "src/profile/profile.h"
#include "src/profile/schedule.h"
#include "src/profile/work_graph.h"
#include "tests/profile/hand_made.h"

namespace nowait {
namespace {

// As "lane:name begin-end", one behind the other.
std::string Text(const CriticalPath& path) {
  std::string text;
  for (const auto& [lane, span] : path.pieces) {
    text += std::to_string(lane) + ":" + span.name + " " + std::to_string(span.begin) + "-" +
            std::to_string(span.end) + " ";
  }
  return text;
}

CriticalPath PathOf(const Profile& profile, std::uint64_t begin, std::uint64_t end) {
  return FindCriticalPath(MakeWorkGraph(profile, begin, end));
}

TEST_CASE("the path goes from the end back, over the threads that were awaited") {
  Profile profile({.lanes = 2});
  Lane& main = **profile.AddLane("main");
  Lane& worker = **profile.AddLane("worker");
  // The main thread begins, waits for both pieces, and ends; the worker's piece is the longer one.
  main.AddSpan({"begin", 0, 10});
  main.AddSpan({"short", 12, 20});
  main.AddSpan({"wait", 11, 42});
  main.AddSpan({"end", 43, 50});
  worker.AddSpan({"wait", 0, 12});
  worker.AddSpan({"long", 13, 40});
  const CriticalPath path = PathOf(profile, 0, 100);
  CHECK(Text(path) == "0:begin 0-10 1:long 13-40 0:end 43-50 ");
  CHECK(path.work == 10 + 27 + 7);
  CHECK(path.between == 3 + 3);
}

TEST_CASE("a piece belongs to the innermost span, and what lies outside of the time is cut off") {
  Profile profile({.lanes = 1});
  Lane& main = **profile.AddLane("main");
  main.AddSpan({"inner", 30, 40});
  main.AddSpan({"inner", 40, 50});
  main.AddSpan({"outer", 10, 60});
  main.AddSpan({"late", 60, 90});
  CHECK(Text(PathOf(profile, 20, 70)) ==
        "0:outer 20-30 0:inner 30-40 0:inner 40-50 0:outer 50-60 0:late 60-70 ");
  CHECK(PathOf(profile, 90, 100).pieces.empty());
  CHECK(PathOf(Profile({.lanes = 1}), 0, 100).pieces.empty());
}

TEST_CASE("a wait for anything is no work, a word that begins as it does is") {
  Profile profile({.lanes = 1});
  Lane& main = **profile.AddLane("main");
  main.AddSpan({"wait", 0, 10});
  main.AddSpan({"wait: tree lock", 10, 20});
  main.AddSpan({"waiter", 20, 30});
  CHECK(Text(PathOf(profile, 0, 30)) == "0:waiter 20-30 ");
}

TEST_CASE("of pieces that end where the next one begins, the own thread's comes before it") {
  Profile profile({.lanes = 3});
  for (const char* name : {"a", "b", "c"}) {
    Lane& lane = **profile.AddLane(name);
    lane.AddSpan({name, 5, 10});
    if (*name == 'b') lane.AddSpan({"next", 10, 20});
  }
  CHECK(Text(PathOf(profile, 0, 30)) == "1:b 5-10 1:next 10-20 ");
}

TEST_CASE("a span without length divides no piece, and no time is in two pieces of a lane") {
  Profile profile({.lanes = 3});
  Lane& marked = **profile.AddLane("marked");
  for (const std::uint64_t at : {10, 20, 60}) marked.AddSpan({"mark", at, at});
  marked.AddSpan({"outer", 10, 60});
  CHECK(Text(PathOf(profile, 0, 100)) == "0:outer 10-60 ");
  Lane& backward = **profile.AddLane("backward");  // a clock that was set back
  backward.AddSpan({"back", 150, 140});
  backward.AddSpan({"whole", 100, 200});
  CHECK(Text(PathOf(profile, 100, 200)) == "1:whole 100-200 ");
  Lane& crossed = **profile.AddLane("crossed");
  crossed.AddSpan({"a", 200, 210});
  crossed.AddSpan({"b", 205, 230});
  crossed.AddSpan({"c", 200, 300});
  CHECK(Text(PathOf(profile, 200, 300)) == "2:a 200-205 2:b 205-230 2:c 230-300 ");
}

TEST_CASE("any profile: pieces in order, and no piece ends in the time between two of them") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Profile profile({.lanes = 4});
    std::vector<Span> all;
    for (int lane = 0; lane < 4; ++lane) {
      Lane& own = **profile.AddLane("lane");
      std::uint64_t time = 0;
      for (int i = 0; i < 12; ++i) {
        const std::uint64_t begin = time + random.Below(6);
        time = begin + 1 + random.Below(9);
        const Span span{random.Below(4) == 0 ? "wait" : "work", begin, time};
        own.AddSpan(span);
        if (span.name == std::string("work")) all.push_back(span);
      }
    }
    const CriticalPath path = PathOf(profile, 0, 1'000);
    std::uint64_t last = 0, work = 0;
    for (const Span& span : all) last = std::max(last, span.end);
    REQUIRE(path.pieces.back().span.end == last);
    for (std::size_t i = 0; i < path.pieces.size(); ++i) {
      const Span& span = path.pieces[i].span;
      work += span.end - span.begin;
      const std::uint64_t before = i == 0 ? 0 : path.pieces[i - 1].span.end;
      REQUIRE(before <= span.begin);
      for (const Span& other : all) {
        CHECK_FALSE((other.end > before && other.end <= span.begin));
      }
    }
    REQUIRE(path.work == work);
    REQUIRE(path.work + path.between == last - path.pieces.front().span.begin);
  }
}

TEST_CASE("the path goes through a dependency, and not through what ended by chance before it") {
  HandMade frame(3);
  frame.Make({.time = 1, .task = 1});                   // animation
  frame.Make({.time = 2, .task = 2, .dependency = 1});  // skinning
  frame.Make({.time = 3, .task = 3});                   // sound, which nothing waits for
  frame.Task(1, 1, 11, 40);
  frame.Task(2, 3, 11, 48);
  frame.Task(1, 2, 50, 90);
  frame.Wait(0, 2, 10, 91);
  frame.Work(0, "update", 0, 10);
  frame.Work(0, "render", 91, 99);
  const CriticalPath path = PathOf(frame.profile, 0, 100);
  // Sound ended last before skinning began: a path of times alone would go there.
  CHECK(Text(path) == "0:update 0-10 1:task 11-40 1:task 50-90 0:render 91-99 ");
  CHECK(path.work == 10 + 29 + 40 + 8);
  CHECK(path.between == 1 + 10 + 1);  // skinning was ready, and was begun late
  // Without the records it is made of times.
  for (Lane* const lane : frame.own) lane->tasks.clear();
  CHECK(Text(PathOf(frame.profile, 0, 100)) ==
        "0:update 0-10 2:task 11-48 1:task 50-90 0:render 91-99 ");
}

TEST_CASE("a wait for a group ends with its last child, which waited for its thread") {
  HandMade frame(3);
  frame.Make({.time = 1, .task = 10, .kind = TaskRecord::Kind::kEmpty});
  frame.Make({.time = 2, .task = 1, .parent = 10});
  frame.Make({.time = 3, .task = 2, .parent = 10});
  frame.Make({.time = 4, .task = 3});
  frame.Task(1, 1, 11, 30);
  frame.Task(1, 2, 31, 50);
  frame.Task(2, 3, 11, 50);
  frame.Wait(0, 10, 10, 51);
  frame.Work(0, "update", 0, 10);
  frame.Work(0, "render", 51, 60);
  const CriticalPath path = PathOf(frame.profile, 0, 100);
  CHECK(Text(path) == "0:update 0-10 1:task 11-30 1:task 31-50 0:render 51-60 ");
  CHECK(path.between == 1 + 1 + 1);
}

TEST_CASE("the part of a step behind the making of a task is not on the task's path") {
  HandMade frame(2);
  frame.Make({.time = 4, .task = 1});
  frame.Task(1, 1, 6, 30);
  frame.Work(0, "update", 0, 20);
  const CriticalPath path = PathOf(frame.profile, 0, 40);
  CHECK(Text(path) == "0:update 0-4 1:task 6-30 ");
  CHECK(path.work == 4 + 24);
  CHECK(path.between == 2);
}

TEST_CASE("what a device or a lock has held up is known by times, beside known dependencies") {
  using Kind = TaskRecord::Kind;
  HandMade frame(3);
  frame.Make({.time = 1, .task = 1, .kind = Kind::kExternal});
  frame.Make({.time = 2, .task = 2, .dependency = 1});
  frame.Work(2, "read", 3, 30);  // the device's thread
  frame.Task(1, 2, 35, 50);
  frame.Wait(0, 2, 10, 51);
  frame.Work(0, "update", 0, 10);
  frame.own[0]->AddSpan({"wait for body lock", 60, 80, 2});  // about the lock 2, not the task
  frame.Work(1, "holds it", 55, 79);
  frame.Work(0, "render", 51, 90);
  CHECK(Text(PathOf(frame.profile, 0, 100)) ==
        "2:read 3-30 1:task 35-50 1:holds it 55-79 0:render 80-90 ");
}

TEST_CASE("a number that is used again is the later task's, and a lost record leaves the times") {
  HandMade frame(2);
  frame.Make({.time = 1, .task = 7});
  frame.Make({.time = 21, .task = 7, .dependency = 8});  // 8: no record
  frame.Task(1, 7, 11, 20);
  frame.Work(0, "update", 0, 10);
  frame.Work(0, "more", 20, 25);
  frame.Task(1, 7, 30, 40);
  const WorkGraph graph = MakeWorkGraph(frame.profile, 0, 50);
  CHECK(Text(FindCriticalPath(graph)) == "0:update 0-10 1:task 11-20 0:more 20-25 1:task 30-40 ");
  std::vector<bool> by_times;
  for (const auto& node : graph.nodes) by_times.push_back(node.by_times);
  CHECK(by_times == std::vector<bool>{true, true, false, true});
}

TEST_CASE("records that contradict the times, or each other, leave the times") {
  HandMade frame(2);
  // Each below and behind the other one, as no pool would have it.
  frame.Make(
      {.time = 1, .task = 1, .parent = 2, .dependency = 2, .kind = TaskRecord::Kind::kEmpty});
  frame.Make(
      {.time = 2, .task = 2, .parent = 1, .dependency = 1, .kind = TaskRecord::Kind::kEmpty});
  frame.Make({.time = 3, .task = 3, .parent = 3, .dependency = 1});
  frame.Make({.time = 90, .task = 4, .dependency = 3});  // after its run
  frame.Task(1, 3, 20, 30);
  frame.Task(1, 4, 31, 40);
  frame.Wait(0, 3, 10, 15);  // over before its end
  frame.Work(0, "update", 0, 10);
  frame.Work(0, "render", 15, 19);
  CHECK(Text(PathOf(frame.profile, 0, 100)) ==
        "0:update 0-10 0:render 15-19 1:task 20-30 1:task 31-40 ");
}

TEST_CASE("a group made when the step that waits for it begins, on the same lane, is no circle") {
  HandMade frame(2);
  frame.Make({.time = 20, .task = 1, .kind = TaskRecord::Kind::kEmpty});
  frame.Make({.time = 20, .task = 2, .dependency = 1});
  frame.Work(0, "update", 0, 10);
  frame.Task(0, 2, 20, 30);
  const WorkGraph graph = MakeWorkGraph(frame.profile, 0, 40);
  CHECK(Text(FindCriticalPath(graph)) == "0:update 0-10 0:task 20-30 ");
  CHECK(LongestChain(graph) == 10);
}

// So many groups, each below the one before it, and a task that comes after each of them.
TEST_CASE("a long chain of groups is walked once, and without a stack of its length") {
  constexpr std::uint32_t kGroups = 30'000;
  HandMade frame(2);
  frame.Work(0, "update", 0, 10);
  for (std::uint32_t i = 1; i <= kGroups; ++i) {
    frame.Make({.time = 5,
                .task = 2 * i,
                .dependency = i > 1 ? 2 * i - 2 : TaskRecord::kNoTask,
                .kind = TaskRecord::Kind::kEmpty});
    frame.Make({.time = 6, .task = 2 * i + 1, .dependency = 2 * i});
    frame.Task(1, 2 * i + 1, 20 + i, 21 + i);
  }
  const WorkGraph graph = MakeWorkGraph(frame.profile, 0, 100'000);
  CHECK(FindCriticalPath(graph).pieces.size() == kGroups + 1);
  for (const std::uint32_t threads : {1u, 4u}) {
    CHECK(Simulate(graph, {.threads = threads}).length >= 10);
  }
}

}  // namespace
}  // namespace nowait
