#include "src/apps/frame/timeline.h"

#include <catch2/catch.hpp>
#include <string>

#include "src/base/result.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

TEST_CASE("a frame goes from its sample to the next one's, the last to the end") {
  Profile profile({.lanes = 2});
  Lane& main = **profile.AddLane("main");
  Lane& worker = **profile.AddLane("worker 1");
  main.AddSample({"frame", 1'000, 0});
  worker.AddSample({"frame", 2'000'000, 1});
  main.AddSample({"frame", 4'000'000, 2});
  main.AddSample({"tasks", 4'000'000, 3});
  main.AddSpan({"early", 10'000, 20'000});
  main.AddSpan({"render", 2'200'000, 2'900'000});
  worker.AddSpan({"late", 4'000'000, 4'500'000});

  const std::string svg = FrameTimeline(profile, 1).value();
  REQUIRE(svg.find("Frame 1.") != svg.npos);
  REQUIRE(svg.find(">render<") != svg.npos);
  REQUIRE(svg.find("early") == svg.npos);
  REQUIRE(svg.find(">late<") == svg.npos);
  REQUIRE(FrameTimeline(profile, 2).value().find(">late<") != svg.npos);
  REQUIRE(TimeOfFrame(profile, 1)->begin == 2'000'000);
  REQUIRE(TimeOfFrame(profile, 1)->end == 4'000'000);
  REQUIRE(TimeOfFrame(profile, 3).error() == Error{ErrorCode::kNotFound, "frame", 3});
  REQUIRE(FrameTimeline(profile, 3).error() == Error{ErrorCode::kNotFound, "frame", 3});
}

TEST_CASE("a frame of which a lane has lost a part has no time") {
  const bool samples = GENERATE(true, false);
  Profile profile({.lanes = 1,
                   .spans_per_lane = samples ? 1024u : 2u,
                   .samples_per_lane = samples ? 3u : 1024u});
  Lane& main = **profile.AddLane("main");
  for (const std::uint64_t frame : {0, 1, 2, 3, 4}) {
    main.AddSample({"frame", 100 * frame, static_cast<std::int64_t>(frame)});
    main.AddSpan({"work", 100 * frame, 100 * frame + 90});
  }
  REQUIRE(TimeOfFrame(profile, 0)->end == 100);
  REQUIRE(TimeOfFrame(profile, 2).error() == Error{ErrorCode::kNotFound, "frame", 2});
}

}  // namespace
}  // namespace nowait
