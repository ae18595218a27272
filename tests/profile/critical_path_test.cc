#include "src/profile/critical_path.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "src/math/random.h"
#include "src/profile/profile.h"

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
  const CriticalPath path = FindCriticalPath(profile, 0, 100);
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
  CHECK(Text(FindCriticalPath(profile, 20, 70)) ==
        "0:outer 20-30 0:inner 30-40 0:inner 40-50 0:outer 50-60 0:late 60-70 ");
  CHECK(FindCriticalPath(profile, 90, 100).pieces.empty());
  CHECK(FindCriticalPath(Profile({.lanes = 1}), 0, 100).pieces.empty());
}

TEST_CASE("a wait for anything is no work, a word that begins as it does is") {
  Profile profile({.lanes = 1});
  Lane& main = **profile.AddLane("main");
  main.AddSpan({"wait", 0, 10});
  main.AddSpan({"wait: tree lock", 10, 20});
  main.AddSpan({"waiter", 20, 30});
  CHECK(Text(FindCriticalPath(profile, 0, 30)) == "0:waiter 20-30 ");
}

TEST_CASE("of pieces that end where the next one begins, the own thread's comes before it") {
  Profile profile({.lanes = 3});
  for (const char* name : {"a", "b", "c"}) {
    Lane& lane = **profile.AddLane(name);
    lane.AddSpan({name, 5, 10});
    if (*name == 'b') lane.AddSpan({"next", 10, 20});
  }
  CHECK(Text(FindCriticalPath(profile, 0, 30)) == "1:b 5-10 1:next 10-20 ");
}

TEST_CASE("a span without length divides no piece, and no time is in two pieces of a lane") {
  Profile profile({.lanes = 3});
  Lane& marked = **profile.AddLane("marked");
  for (const std::uint64_t at : {10, 20, 60}) marked.AddSpan({"mark", at, at});
  marked.AddSpan({"outer", 10, 60});
  CHECK(Text(FindCriticalPath(profile, 0, 100)) == "0:outer 10-60 ");
  Lane& backward = **profile.AddLane("backward");  // a clock that was set back
  backward.AddSpan({"back", 150, 140});
  backward.AddSpan({"whole", 100, 200});
  CHECK(Text(FindCriticalPath(profile, 100, 200)) == "1:whole 100-200 ");
  Lane& crossed = **profile.AddLane("crossed");
  crossed.AddSpan({"a", 200, 210});
  crossed.AddSpan({"b", 205, 230});
  crossed.AddSpan({"c", 200, 300});
  CHECK(Text(FindCriticalPath(profile, 200, 300)) == "2:a 200-205 2:b 205-230 2:c 230-300 ");
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
    const CriticalPath path = FindCriticalPath(profile, 0, 1'000);
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

}  // namespace
}  // namespace nowait
