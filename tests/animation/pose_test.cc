#include "src/animation/pose.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "src/animation/blend.h"
#include "src/animation/local_to_global.h"
#include "src/math/random.h"
#include "tests/animation/made_motion.h"

namespace nowait {
namespace {

Pose RandomPose(const Skeleton& skeleton, Random& random) {
  Pose pose(skeleton);
  for (std::uint32_t i = 0; i < skeleton.size(); ++i) {
    pose.SetRotation(i, random.Rotation());
    pose.SetPosition(i, random.InBox({-1, -1, -1}, {1, 1, 1}));
  }
  return pose;
}

TEST_CASE("lanes over levels give the bits of one bone after the other") {
  // Numbers of bones at which levels end within a group of four, and at its end.
  const std::uint32_t bones = GENERATE(1u, 2u, 3u, 4u, 5u, 8u, 9u, 31u, 90u);
  CAPTURE(bones);
  Random random(bones);
  const Skeleton skeleton = MadeMotion(bones, 2, 1).skeleton;
  Pose global(skeleton);
  for (int round = 0; round < 10; ++round) {
    const Pose local = RandomPose(skeleton, random);
    LocalToGlobal(skeleton, local, global);
    std::vector<Quat> rotation(bones);
    std::vector<Vec3> position(bones);
    for (std::uint32_t i = 0; i < bones; ++i) {
      rotation[i] = local.rotation(i);
      position[i] = local.position(i);
      const std::uint16_t parent = skeleton[i].parent;
      if (parent != Skeleton::kNoParent) {
        position[i] = position[parent] + Rotate(rotation[parent], position[i]);
        rotation[i] = rotation[parent] * rotation[i];
      }
      REQUIRE(global.rotation(i) == rotation[i]);
      REQUIRE(global.position(i) == position[i]);
    }
    std::vector<Affine> matrices(bones);
    const Vec3 origin{5, 6, 7};
    ToMatrices(global, origin, matrices);
    for (std::uint32_t i = 0; i < bones; ++i) {
      const Mat3 matrix = ToMatrix(rotation[i]);
      for (int r = 0; r < 3; ++r) {
        REQUIRE(matrices[i].row[r][3] == position[i][r] + origin[r]);
        for (int c = 0; c < 3; ++c) {
          REQUIRE(matrices[i].row[r][c] == Approx(matrix.Column(c)[r]).margin(1e-5));
        }
      }
    }
  }
}

TEST_CASE("a blend goes from one pose to the other along the shorter way") {
  Random random(2);
  const Skeleton skeleton = MadeMotion(7, 2, 1).skeleton;
  const Pose a = RandomPose(skeleton, random);
  const Pose b = RandomPose(skeleton, random);
  Pose out(skeleton);
  const auto same = [](Quat p, Quat q) {
    return std::abs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w) == Approx(1.0f).margin(1e-5);
  };
  for (const float weight : {0.0f, 0.25f, 0.5f, 1.0f}) {
    Blend(a, b, weight, out);
    for (std::uint32_t i = 0; i < 7; ++i) {
      CHECK(LengthSquared(out.rotation(i)) == Approx(1.0f));
      if (weight == 0.0f) CHECK(same(out.rotation(i), a.rotation(i)));
      if (weight == 1.0f) CHECK(same(out.rotation(i), b.rotation(i)));
      const Vec3 between = a.position(i) * (1 - weight) + b.position(i) * weight;
      CHECK(Length(out.position(i) - between) < 1e-5f);
      // Halfway, both ends are equally near.
      if (weight != 0.5f) continue;
      const auto near = [&](Quat q) {
        const Quat d = Conjugate(q) * out.rotation(i);
        return std::abs(d.w);
      };
      CHECK(near(a.rotation(i)) == Approx(near(b.rotation(i))).margin(1e-5));
      CHECK(near(a.rotation(i)) > 0.7f);
    }
  }
}

TEST_CASE("a blend may write over one of its poses") {
  Random random(3);
  const Skeleton skeleton = MadeMotion(5, 2, 1).skeleton;
  Pose a = RandomPose(skeleton, random);
  const Pose b = RandomPose(skeleton, random);
  Pose out(skeleton);
  Blend(a, b, 0.3f, out);
  Blend(a, b, 0.3f, a);
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(a.rotation(i) == out.rotation(i));
}

}  // namespace
}  // namespace nowait
