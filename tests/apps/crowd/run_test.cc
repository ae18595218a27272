#include "src/apps/crowd/run.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "src/profile/profile.h"
#include "tests/animation/made_motion.h"

namespace nowait {
namespace {

std::vector<Motion> Motions() { return {MadeMotion(19, 240, 1), MadeMotion(19, 200, 2, 90)}; }

CrowdResult Run(const CrowdDef& def) {
  Profile profile({.lanes = def.workers + 1, .spans_per_lane = 1u << 14});
  CrowdResult result = RunCrowd(def, Motions(), nullptr, profile);
  INFO(result.error);
  REQUIRE(result.error.empty());
  return result;
}

TEST_CASE("a crowd is the same with any number of workers") {
  // Long enough that characters fade, and that clips begin again.
  const CrowdDef def{.characters = 40, .frames = 150, .workers = 0, .seed = 3, .hash_every = 10};
  const CrowdResult alone = Run(def);
  CHECK(alone.fading > 0);
  for (const std::uint32_t workers : {1u, 3u}) {
    CrowdDef other = def;
    other.workers = workers;
    const CrowdResult result = Run(other);
    CHECK(result.hash == alone.hash);
    CHECK(result.fading == alone.fading);
  }
  CrowdDef other = def;
  other.seed = 4;
  CHECK(Run(other).hash != alone.hash);
}

TEST_CASE("the stages of a frame follow each other") {
  Profile profile({.lanes = 2, .spans_per_lane = 1u << 14});
  const CrowdDef def{.characters = 30, .frames = 5, .workers = 1, .seed = 1, .hash_every = 1};
  REQUIRE(RunCrowd(def, Motions(), nullptr, profile).error.empty());
  std::vector<std::uint64_t> begins, ends;
  for (const char* stage : {"animation", "feet", "scene graph", "matrices", "hash"}) {
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;
    for (const Lane& lane : profile.lanes()) {
      // The spans of the first frame: those before its hash ends.
      std::uint64_t hashed = ~std::uint64_t{0};
      for (const Lane& other : profile.lanes()) {
        for (const Span& span : other.spans) {
          if (std::string_view(span.name) == "hash") hashed = std::min(hashed, span.end);
        }
      }
      for (const Span& span : lane.spans) {
        if (span.name != std::string_view(stage) || span.end > hashed) continue;
        begin = std::min(begin, span.begin);
        end = std::max(end, span.end);
      }
    }
    REQUIRE(end > 0);
    if (!ends.empty()) CHECK(ends.back() <= begin);
    begins.push_back(begin);
    ends.push_back(end);
  }
}

TEST_CASE("motions of two skeletons are refused") {
  Profile profile({.lanes = 1});
  const std::vector<Motion> motions = {MadeMotion(3, 20, 1), MadeMotion(4, 20, 1)};
  const CrowdDef def{.characters = 1, .frames = 1, .workers = 0};
  CHECK(RunCrowd(def, motions, nullptr, profile).error == "invalid clip: of another skeleton");
}

}  // namespace
}  // namespace nowait
