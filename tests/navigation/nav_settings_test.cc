// Settings that no mesh can have.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "tests/navigation/nav_scene.h"

namespace nowait {
namespace {

std::string FieldOf(const NavSettings& settings) {
  const auto valid = Validate(settings);
  if (valid) return "valid";
  CHECK(valid.error().code == ErrorCode::kInvalidArgument);
  return valid.error().subject;
}

TEST_CASE("a wrong setting is named") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  CHECK(FieldOf({}) == "valid");
  for (const float bad : {0.0f, -1.0f, 9.0f, nan, infinite}) {
    CHECK(FieldOf({.agent_radius = bad}) == "agent radius");
  }
  for (const float bad : {0.0f, -1.0f, 21.0f, nan}) {
    CHECK(FieldOf({.agent_height = bad}) == "agent height");
  }
  for (const float bad : {0.0f, 1.8f, nan}) CHECK(FieldOf({.max_climb = bad}) == "max climb");
  for (const float bad : {0.0f, 11.0f, nan}) CHECK(FieldOf({.max_slope = bad}) == "max slope");
  // Too fine, too coarse, and cells that are no whole number of voxels.
  for (const float bad : {0.01f, 0.9f, 0.21f, 0.0f, nan}) {
    CHECK(FieldOf({.voxel = bad}) == "voxel");
  }
  CHECK(FieldOf({.agent_radius = 7.0f, .voxel = 0.1f}) == "voxel");
  for (const float bad : {0.01f, 0.5f, nan}) {
    CHECK(FieldOf({.voxel_height = bad}) == "voxel height");
  }
  CHECK(FieldOf({.agent_height = 19.0f, .voxel_height = 0.05f}) == "voxel height");
}

TEST_CASE("every size of agent keeps its radius in whole voxels") {
  for (const float voxel : {0.1f, 0.2f, 0.4f, 0.8f}) {
    for (const float radius : {0.05f, 0.3f, 0.4f, 1.0f, 3.0f}) {
      const NavVoxels voxels = VoxelsOf({.agent_radius = radius, .voxel = voxel});
      CHECK(static_cast<float>(voxels.side) * voxel == Approx(kNavCellSide));
      CHECK(static_cast<float>(voxels.clearance) * voxel > radius);
    }
  }
}

TEST_CASE("a place is in its cell") {
  CHECK(NavCellAt({0, 0, 0}) == NavCellId{0, 0});
  CHECK(NavCellAt({12.9f, 5, -0.1f}) == NavCellId{1, -1});
  CHECK(DistanceTo({0, 0}, {5, 100, 5}) == 0.0f);
  CHECK(DistanceTo({0, 0}, {12.8f + 3, 0, -4}) == Approx(5.0f));
  CHECK(IsInReach({799, -800}));
  CHECK_FALSE(IsInReach({800, 0}));
  CHECK_FALSE(IsInReach({0, -801}));
}

TEST_CASE("settings at their bounds are those of a mesh") {
  for (const NavSettings& good : {NavSettings{.agent_radius = 0.05f},
                                  {.agent_radius = 8.0f, .voxel = 0.8f},
                                  {.agent_height = 0.2f, .max_climb = 0.1f},
                                  {.agent_height = 20.0f},
                                  {.agent_height = 25.0f * 0.2f, .voxel_height = 0.02f},
                                  {.max_climb = 1.79f},
                                  {.max_slope = 1e-3f},
                                  {.max_slope = 10.0f},
                                  {.voxel = 0.05f},
                                  {.voxel = 0.8f},
                                  {.agent_radius = 6.0f, .voxel = 0.1f},
                                  {.voxel_height = 0.4f}}) {
    CAPTURE(good.agent_radius, good.agent_height, good.max_climb, good.max_slope, good.voxel,
            good.voxel_height);
    CHECK(FieldOf(good) == "valid");
  }
  CHECK(FieldOf({.agent_radius = 6.1f, .voxel = 0.1f}) == "voxel");
  CHECK(FieldOf({.agent_height = 5.1f, .voxel_height = 0.02f}) == "voxel height");
  CHECK(FieldOf({.agent_radius = 8.1f, .voxel = 0.8f}) == "agent radius");
}

TEST_CASE(
    "in voxels a height is rounded up, a climb down, and a border is wider than a clearance") {
  const NavVoxels exact =
      VoxelsOf({.agent_height = 2.0f, .max_climb = 0.5f, .voxel_height = 0.25f});
  CHECK(exact.height == 8);
  CHECK(exact.climb == 2);
  const NavVoxels between =
      VoxelsOf({.agent_height = 2.01f, .max_climb = 0.74f, .voxel_height = 0.25f});
  CHECK(between.height == 9);
  CHECK(between.climb == 2);
  CHECK(between.border == between.clearance + 3);
  CHECK(between.side == 64);
}

TEST_CASE("a cell's place is its own and no neighbour's, on either side of the origin") {
  for (const NavCellId cell : {NavCellId{0, 0}, NavCellId{-1, -800}, NavCellId{799, 3}}) {
    CAPTURE(cell.x, cell.z);
    const Bounds<3> box = BoundsOf(cell);
    CHECK(NavCellAt({box.min[0] + 0.01f, 0, box.min[2] + 0.01f}) == cell);
    CHECK(NavCellAt({box.max[0] - 0.01f, 0, box.max[2] - 0.01f}) == cell);
    CHECK(NavCellAt({box.max[0] + 0.01f, 0, box.min[2] + 0.01f}) == NavCellId{cell.x + 1, cell.z});
    CHECK(NavCellAt({box.min[0] + 0.01f, 0, box.min[2] - 0.01f}) == NavCellId{cell.x, cell.z - 1});
    CHECK(DistanceTo(cell, {box.max[0], 9, box.min[2]}) == 0.0f);
  }
  CHECK(IsInReach({-800, 799}));
  CHECK_FALSE(IsInReach({-801, 0}));
  CHECK_FALSE(IsInReach({0, 800}));
}

}  // namespace
}  // namespace nowait
