#include "src/apps/crowd/clips.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "src/apps/crowd/import_motion.h"
#include "src/apps/crowd/variants.h"
#include "tests/animation/made_motion.h"

namespace nowait {
namespace {

class File {
 public:
  explicit File(const std::string& text) {
    const char* const root = std::getenv("TEST_TMPDIR");
    path_ = std::string(root == nullptr ? "/tmp" : root) + "/clips_test.bvh";
    std::ofstream(path_) << text;
  }
  ~File() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Three joints, three frames at 50 Hz; the first frame is a calibration.
const char* const kBvh = R"(HIERARCHY
ROOT Hips
{
	OFFSET 0 0 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
	JOINT LeftArm
	{
		OFFSET 2 0 0
		CHANNELS 3 Zrotation Yrotation Xrotation
		End Site
		{
			OFFSET 1 0 0
		}
	}
	JOINT RightArm
	{
		OFFSET -2 0 0
		CHANNELS 3 Zrotation Yrotation Xrotation
		End Site
		{
			OFFSET -1 0 0
		}
	}
}
MOTION
Frames: 3
Frame Time: 0.02
0 0 0 0 0 0 0 0 0 0 0 0
1 2 3 90 0 0 0 0 30 0 0 0
2 2 3 90 0 0 0 0 60 0 0 0
)";

TEST_CASE("a BVH file is a motion in metres and quaternions") {
  const File file(kBvh);
  const auto motion = ReadMotion(file.path(), {.metres_per_unit = 0.1f, .first_frame = 1});
  REQUIRE(motion);
  CHECK(motion->skeleton.size() == 3);
  CHECK(motion->skeleton[0].name == "Hips");
  CHECK(motion->skeleton[1].name == "LeftArm");
  CHECK(motion->skeleton[1].rest.x == Approx(0.2f));
  CHECK(motion->frames == 2);
  CHECK(motion->frame_rate == Approx(50.0f));
  CHECK(motion->positions[0][1][0] == Approx(0.2f));
  CHECK(motion->positions[1].empty());
  const float half = std::sqrt(0.5f);  // of a quarter turn about z
  CHECK(std::abs(motion->rotations[0][0][2]) == Approx(half));
  CHECK(std::abs(motion->rotations[0][0][3]) == Approx(half));
  const float thirty = 3.14159265f / 12;  // half of 30 degrees about x
  CHECK(std::abs(motion->rotations[1][0][0]) == Approx(std::sin(thirty)));
  CHECK(std::abs(motion->rotations[2][1][3]) == Approx(1.0f));
}

TEST_CASE("files that are no motion are refused") {
  const auto error = [](const std::string& text, const ImportDef& def = {}) {
    const File file(text);
    const auto motion = ReadMotion(file.path(), def);
    REQUIRE(!motion);
    return motion.error();
  };
  CHECK(ReadMotion("/nowhere.bvh", {}).error().code == ErrorCode::kNotFound);
  CHECK(ReadMotion("/tmp", {}).error().code == ErrorCode::kNotFound);
  CHECK(error("").code == ErrorCode::kCorrupt);
  CHECK(error("HIERARCHY\nROOT Hips\n{\n").code == ErrorCode::kCorrupt);
  std::string alike = kBvh;
  alike.replace(alike.find("RightArm"), 5, "Left");
  CHECK(error(alike).detail == std::string_view("two joints have one name"));
  // Joints in joints, which would use up the stack.
  std::string deep = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n";
  for (int i = 0; i < 200'000; ++i) deep += "JOINT b\n{\nOFFSET 0 0 0\nCHANNELS 0\n";
  CHECK(error(deep).code == ErrorCode::kCorrupt);
  CHECK(error(kBvh, {.metres_per_unit = 1.0f, .first_frame = 3}).code == ErrorCode::kCorrupt);
  CHECK(error(kBvh, {.metres_per_unit = 1.0f, .first_frame = 2}).subject ==
        std::string_view("frames"));
  CHECK(error(kBvh, {.metres_per_unit = 100.0f}).subject == std::string_view("position"));
}

TEST_CASE("the mirror changes sides, and twice is the motion again") {
  const File file(kBvh);
  const auto motion = ReadMotion(file.path(), {.metres_per_unit = 0.1f});
  REQUIRE(motion);
  const Motion mirrored = Mirrored(*motion);
  CHECK(mirrored.positions[0][1][0] == -motion->positions[0][1][0]);
  CHECK(mirrored.rotations[2][1][0] == motion->rotations[1][1][0]);
  CHECK(mirrored.rotations[0][1][2] == -motion->rotations[0][1][2]);
  const Motion twice = Mirrored(mirrored);
  CHECK(twice.rotations == motion->rotations);
  CHECK(twice.positions == motion->positions);
}

TEST_CASE("added bones repeat captured ones, later") {
  const Motion motion = MadeMotion(7, 60, 1);
  const auto more = WithBones(motion, 20);
  REQUIRE(more);
  CHECK(more->Check());
  CHECK(more->skeleton.size() == 20);
  const auto find = [&](const std::string& name) {
    std::uint32_t bone = 0;
    while (more->skeleton[bone].name != name) ++bone;
    return bone;
  };
  for (std::uint32_t i = 0; i < 7; ++i) {
    const std::uint32_t bone = find(motion.skeleton[i].name);
    CHECK(more->rotations[bone] == motion.rotations[i]);
    CHECK(more->positions[bone] == motion.positions[i]);
  }
  const std::uint32_t added = find("added 9");
  CHECK(more->rotations[added][50] == motion.rotations[2][43]);
  CHECK(more->rotations[added][3] == motion.rotations[2][0]);
  CHECK(more->skeleton[more->skeleton[added].parent].name == motion.skeleton[2].name);
  CHECK(!WithBones(motion, 6));
  CHECK(!WithBones(motion, 1'025));
}

}  // namespace
}  // namespace nowait
