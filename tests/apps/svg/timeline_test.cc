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

}  // namespace
}  // namespace nowait
