#include "src/apps/svg/timeline.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "src/profile/profile.h"

namespace nowait {
namespace {

std::size_t Count(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST_CASE(
    "bars are nested, those outside are left out, and waits show the work that they helped with") {
  Profile profile({.lanes = 2});
  Lane& main = **profile.AddLane("main <1>");
  Lane& disk = **profile.AddLane("disk");
  // As they are written: when they end.
  main.AddSpan({"early", 10'000, 20'000});
  main.AddSpan({"render", 2'200'000, 2'900'000});
  main.AddSpan({"task", 2'100'000, 3'000'000});
  main.AddSpan({"task", 3'100'000, 3'200'000});
  main.AddSpan({"wait", 1'900'000, 3'900'000});
  disk.AddSpan({"read file", 2'000'000, 2'500'000});
  disk.AddSpan({"late", 4'000'000, 4'500'000});

  const std::string svg = DrawTimeline(profile, 2'000'000, 4'000'000, "words & more");
  REQUIRE(Count(svg, "words &amp; more") == 1);
  REQUIRE(Count(svg, "main &lt;1&gt;") == 1);
  REQUIRE(Count(svg, ">render<") == 2);  // in its bar, and in the legend
  REQUIRE(Count(svg, ">read file<") == 2);
  REQUIRE(Count(svg, "early") == 0);
  REQUIRE(Count(svg, "late<") == 0);
  // The wait, cut off where the picture begins, is 95% of the width. Of the task with a name in it,
  // that one's bar is drawn: on one level with the other task's.
  REQUIRE(Count(svg, "width='807.50' height='17' ") == 1);
  REQUIRE(Count(svg, "width='807.50' height='36'") == 1);
  REQUIRE(Count(svg, "class='wait'") == 2);     // with the legend's
  REQUIRE(Count(svg, "class='bar'") == 3 + 3);  // likewise
  REQUIRE(Count(svg, "class='helped'") == 1);
}

TEST_CASE("a task is drawn where nothing in it has a name of its own, and only there") {
  Profile profile({.lanes = 1});
  Lane& main = **profile.AddLane("main");
  const auto bars = [&profile] {
    const std::string svg = DrawTimeline(profile, 0, 1'000'000, "");
    return Count(svg, ">task<");
  };
  main.AddSpan({"render", 200'000, 300'000});
  main.AddSpan({"task", 100'000, 400'000});
  CHECK(bars() == 0);  // not even in the legend
  main.AddSpan({"task", 500'000, 600'000});
  CHECK(bars() == 1 + 1);  // in its bar, and in the legend
}

TEST_CASE("the axis goes from zero to the end, and the legend from what took longest") {
  Profile profile({.lanes = 2});
  Lane& main = **profile.AddLane("main");
  Lane& other = **profile.AddLane("other");
  main.AddSpan({"short", 1'000'000, 1'100'000});
  main.AddSpan({"long", 1'200'000, 2'800'000});
  other.AddSpan({"middle", 1'000'000, 1'400'000});
  other.AddSpan({"middle", 2'000'000, 2'400'000});  // both together
  const std::string svg = DrawTimeline(profile, 1'000'000, 3'000'000, "");
  // Two milliseconds.
  for (const char* label : {">0 ms<", ">0.5<", ">1<", ">1.5<", ">2<"}) {
    CAPTURE(label);
    CHECK(Count(svg, label) == 1);
  }
  CHECK(Count(svg, ">2.5<") == 0);
  CHECK(svg.rfind(">long<") < svg.rfind(">middle<"));
  CHECK(svg.rfind(">middle<") < svg.rfind(">short<"));
  // In the order of the lanes.
  CHECK(svg.find(">main<") < svg.find(">other<"));
}

TEST_CASE("the critical path is a line below the lanes that it goes along") {
  Profile profile({.lanes = 2});
  Lane& main = **profile.AddLane("main");
  Lane& other = **profile.AddLane("other");
  main.AddSpan({"first", 0, 200'000});
  main.AddSpan({"second", 200'000, 400'000});
  other.AddSpan({"third", 500'000, 1'000'000});
  const std::string svg = DrawTimeline(profile, 0, 1'000'000, "");
  CHECK(Count(svg, "class='path'") == 2 + 1);           // with the legend's
  CHECK(Count(svg, "d='M130.00 104.00H470.00'") == 1);  // both of main
  CHECK(Count(svg, "d='M555.00 135.00H980.00'") == 1);
  CHECK(Count(svg, ">critical path<") == 1);
}

TEST_CASE("a bar of a few pixels is drawn without its stroke and its name, but drawn") {
  Profile profile({.lanes = 1});
  Lane& main = **profile.AddLane("main");
  main.AddSpan({"tiny", 500'000, 500'001});
  const std::string svg = DrawTimeline(profile, 0, 1'000'000, "");
  CHECK(Count(svg, "class='thin' x='555.00' y='84.00' width='0.40'") == 1);
  CHECK(Count(svg, ">tiny<") == 1);  // in the legend
}

TEST_CASE("a name has one colour in drawings that are looked at together") {
  Profile first({.lanes = 1}), second({.lanes = 1});
  const auto one = first.AddLane("main"), two = second.AddLane("main");
  REQUIRE((one && two));
  (*one)->AddSpan({"seldom", 0, 100'000});
  (*one)->AddSpan({"often", 100'000, 1'000'000});
  (*two)->AddSpan({"new", 0, 600'000});
  (*two)->AddSpan({"seldom", 600'000, 1'000'000});
  TimelineColours colours;
  const std::string drawn = DrawTimeline(first, 0, 1'000'000, "", colours);
  CHECK(drawn == DrawTimeline(first, 0, 1'000'000, ""));
  const TimelineColours before = colours;
  const std::string other = DrawTimeline(second, 0, 1'000'000, "", colours);
  CHECK(colours.at("seldom") == before.at("seldom"));
  CHECK(colours.at("often") == before.at("often"));
  CHECK(colours.at("new") != before.at("seldom"));
  CHECK(colours.at("new") != before.at("often"));
  CHECK(other.find(before.at("seldom")) != std::string::npos);
  CHECK(other.find(before.at("often")) == std::string::npos);
}

}  // namespace
}  // namespace nowait
