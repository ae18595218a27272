#include "src/animation/leg.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "src/animation/footfalls.h"
#include "src/animation/local_to_global.h"
#include "src/math/random.h"
#include "tests/animation/made_motion.h"

namespace nowait {
namespace {

Skeleton Walker() { return MadeWalk(2, 0.5f).skeleton; }

TEST_CASE("a leg is three bones of which each is the parent of the next") {
  const Skeleton skeleton = Walker();
  const auto leg = FindLeg(skeleton, "LeftUpLeg", "LeftLeg", "LeftFoot");
  REQUIRE(leg);
  CHECK(skeleton[leg->foot].name == "LeftFoot");
  CHECK(skeleton[leg->foot].parent == leg->shin);
  CHECK(skeleton[leg->shin].parent == leg->thigh);
  for (const char* shin : {"RightLeg", "LeftUpLeg", "no bone"}) {
    const auto none = FindLeg(skeleton, "LeftUpLeg", shin, "LeftFoot");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::kNotFound);
  }
  // The hips have no parent, and their children no second one.
  CHECK_FALSE(FindLeg(skeleton, "LeftUpLeg", "LeftLeg", "Hips"));
  CHECK_FALSE(FindLeg(skeleton, "LeftUpLeg", "Hips", "LeftUpLeg"));
}

TEST_CASE("a moved foot is at its place, points to where it pointed, and moves no other bone") {
  const std::uint64_t seed = 3;
  CAPTURE(seed);
  Random random(seed);
  const Skeleton skeleton = Walker();
  const auto leg = FindLeg(skeleton, "LeftUpLeg", "LeftLeg", "LeftFoot");
  REQUIRE(leg);
  Pose global(skeleton), moved(skeleton);
  int in_reach = 0;
  for (int round = 0; round < 2'000; ++round) {
    CAPTURE(round);
    Pose local(skeleton);
    for (std::uint32_t i = 0; i < skeleton.size(); ++i) local.SetRotation(i, random.Rotation());
    local.SetPosition(0, random.InBox({-1, 0, -1}, {1, 1, 1}));
    LocalToGlobal(skeleton, local, global);
    REQUIRE(Length(PlaceOf(skeleton, local, leg->foot) - global.position(leg->foot)) < 1e-6f);
    const Vec3 place = global.position(leg->foot) + random.Between(0, 0.3f) * random.Direction();
    const bool reached = MoveFoot(skeleton, *leg, place, local);
    LocalToGlobal(skeleton, local, moved);
    for (std::uint32_t i = 0; i < skeleton.size(); ++i) {
      const bool in_leg = i == leg->thigh || i == leg->shin;
      const Quat a = global.rotation(i), b = moved.rotation(i);
      const float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
      if (!in_leg) REQUIRE(std::abs(dot) == Approx(1).margin(1e-5));
      if (!in_leg && i != leg->foot && skeleton[i].parent != leg->foot) {
        REQUIRE(Length(global.position(i) - moved.position(i)) < 1e-5f);
      }
    }
    if (!reached) continue;
    ++in_reach;
    REQUIRE(Length(moved.position(leg->foot) - place) < 1e-3f);
  }
  CHECK(in_reach > 1'000);
}

TEST_CASE("a straight leg bends its knee forward") {
  const Skeleton skeleton = Walker();
  const auto leg = FindLeg(skeleton, "LeftUpLeg", "LeftLeg", "LeftFoot");
  REQUIRE(leg);
  Pose local(skeleton);
  const Vec3 foot = PlaceOf(skeleton, local, leg->foot);
  const Vec3 knee = PlaceOf(skeleton, local, leg->shin);
  REQUIRE(MoveFoot(skeleton, *leg, foot + Vec3{0, 0.2f, 0}, local));
  CHECK(PlaceOf(skeleton, local, leg->shin).z > knee.z + 0.1f);
}

TEST_CASE("the feet of a walk come down once in each stride, by turns") {
  // 2 seconds of 120 frames, a stride in half a second: the left foot comes down at its end.
  const Motion motion = MadeWalk(240, 0.5f);
  const auto left = FindLeg(motion.skeleton, "LeftUpLeg", "LeftLeg", "LeftFoot");
  const auto right = FindLeg(motion.skeleton, "RightUpLeg", "RightLeg", "RightFoot");
  REQUIRE((left && right));
  const auto of_left = FindFootfalls(motion, left->foot);
  const auto of_right = FindFootfalls(motion, right->foot);
  REQUIRE(of_left.size() == 4);
  for (std::size_t i = 0; i < of_left.size(); ++i) {
    CHECK(std::abs(of_left[i] - static_cast<int>(60 * i + 30)) <= 6);
  }
  REQUIRE(of_right.size() == 3);
  for (std::size_t i = 0; i < of_right.size(); ++i) {
    CHECK(std::abs(of_right[i] - static_cast<int>(60 * i + 60)) <= 6);
  }
}

TEST_CASE("a foot that rests, and one that never rests, come down at no time") {
  Motion rests = MadeWalk(100, 0.5f);
  for (auto& track : rests.rotations) track.assign(track.size(), {0, 0, 0, 1});
  const auto foot = FindLeg(rests.skeleton, "LeftUpLeg", "LeftLeg", "LeftFoot")->foot;
  CHECK(FindFootfalls(rests, foot).empty());
  Motion slides = rests;
  for (std::uint32_t f = 0; f < slides.frames; ++f) {
    slides.positions[0][f] = {0.02f * static_cast<float>(f), 1, 0};
  }
  CHECK(FindFootfalls(slides, foot).empty());
}

TEST_CASE("a contact for a moment is no step, and a gap for a moment parts none") {
  const Motion walk = MadeWalk(240, 0.5f);
  const auto foot = FindLeg(walk.skeleton, "LeftUpLeg", "LeftLeg", "LeftFoot")->foot;
  const auto falls = FindFootfalls(walk, foot);
  Motion noisy = walk;
  // Off the ground for 5 frames in the middle of each contact.
  for (const std::uint16_t fall : falls) {
    for (std::uint32_t f = fall + 12u; f < fall + 17u && f < noisy.frames; ++f) {
      noisy.positions[0][f][1] += 0.5f;
    }
  }
  CHECK(FindFootfalls(noisy, foot) == falls);
}

TEST_CASE("the shortest contact is a time, also where it is no whole number of frames") {
  Motion hops = MadeWalk(100, 0.5f);
  hops.frame_rate = 24.0f;  // 0.1 s are 2.4 frames
  for (auto& track : hops.rotations) track.assign(track.size(), {0, 0, 0, 1});
  const auto foot = FindLeg(hops.skeleton, "LeftUpLeg", "LeftLeg", "LeftFoot")->foot;
  const auto down_for = [&](std::uint32_t frames) {
    for (std::uint32_t f = 0; f < hops.frames; ++f) {
      // The frame before a leap is fast.
      const bool down = f >= 30 && f <= 30 + frames;
      hops.positions[0][f] = {0, down ? 1.0f : 2.0f, 0};
    }
    return FindFootfalls(hops, foot);
  };
  CHECK(down_for(2).empty());
  CHECK(down_for(3) == std::vector<std::uint16_t>{30});
  CHECK(FindFootfalls(hops, foot, {.shortest = -1.0f}) == std::vector<std::uint16_t>{30});
}

}  // namespace
}  // namespace nowait
