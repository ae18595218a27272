#include "src/animation/local_to_global.h"

#include <algorithm>

#include "src/base/assert.h"
#include "src/math/simd.h"

namespace nowait {
namespace {

using Four = std::array<Float4, 4>;
using Three = std::array<Float4, 3>;

// As operator* of Quat, in lanes.
Four Times(const Four& a, const Four& b) {
  return {((a[3] * b[0] + a[0] * b[3]) + a[1] * b[2]) - a[2] * b[1],
          ((a[3] * b[1] - a[0] * b[2]) + a[1] * b[3]) + a[2] * b[0],
          ((a[3] * b[2] + a[0] * b[1]) - a[1] * b[0]) + a[2] * b[3],
          ((a[3] * b[3] - a[0] * b[0]) - a[1] * b[1]) - a[2] * b[2]};
}

Three Cross(const Four& a, const Three& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// As Rotate of Quat, in lanes.
Three Rotated(const Four& q, const Three& v) {
  Three t = Cross(q, v);
  for (Float4& component : t) component = component + component;
  const Three u = Cross(q, t);
  return {(v[0] + q[3] * t[0]) + u[0], (v[1] + q[3] * t[1]) + u[1], (v[2] + q[3] * t[2]) + u[2]};
}

template <int N>
std::array<Float4, N> Gather(const Pose& pose, int first, const std::uint16_t* bones) {
  std::array<Float4, N> lanes;
  for (int k = 0; k < N; ++k) {
    const float* row = pose.Row(first + k);
    lanes[k] =
        Float4(std::array<float, 4>{row[bones[0]], row[bones[1]], row[bones[2]], row[bones[3]]});
  }
  return lanes;
}

}  // namespace

void LocalToGlobal(const Skeleton& skeleton, const Pose& local, Pose& global) {
  NOWAIT_ASSERT(skeleton.size() == local.bones() && local.bones() == global.bones(),
                "poses of this skeleton");
  const auto levels = skeleton.levels();
  for (std::uint32_t bone = 0; bone < levels[1]; bone += 4) {
    global.SetRotations(bone, local.Rotations(bone));
    global.SetPositions(bone, local.Positions(bone));
  }
  for (std::size_t level = 1; level + 1 < levels.size(); ++level) {
    for (std::uint32_t bone = levels[level]; bone < levels[level + 1]; bone += 4) {
      const std::uint16_t* parents = skeleton.parents().data() + bone;
      const Four turned = Gather<4>(global, 0, parents);
      const Three from = Gather<3>(global, 4, parents);
      const Three along = Rotated(turned, local.Positions(bone));
      global.SetRotations(bone, Times(turned, local.Rotations(bone)));
      global.SetPositions(bone, {from[0] + along[0], from[1] + along[1], from[2] + along[2]});
    }
  }
}

void ToMatrices(const Pose& global, Vec3 origin, std::span<Affine> to) {
  NOWAIT_ASSERT(to.size() == global.bones(), "a matrix for each bone");
  const Float4 one(1.0f);
  for (std::uint32_t bone = 0; bone < global.bones(); bone += 4) {
    const Four q = global.Rotations(bone);
    const Three p = global.Positions(bone);
    const Float4 x2 = q[0] + q[0], y2 = q[1] + q[1], z2 = q[2] + q[2];
    const Float4 xx = q[0] * x2, yy = q[1] * y2, zz = q[2] * z2;
    const Float4 xy = q[0] * y2, xz = q[0] * z2, yz = q[1] * z2;
    const Float4 wx = q[3] * x2, wy = q[3] * y2, wz = q[3] * z2;
    const std::array<std::array<Float4, 4>, 3> lanes = {
        {{one - (yy + zz), xy - wz, xz + wy, p[0] + Float4(origin.x)},
         {xy + wz, one - (xx + zz), yz - wx, p[1] + Float4(origin.y)},
         {xz - wy, yz + wx, one - (xx + yy), p[2] + Float4(origin.z)}}};
    const std::uint32_t count = std::min(4u, global.bones() - bone);
    for (int r = 0; r < 3; ++r) {
      std::array<std::array<float, 4>, 4> columns;
      for (int c = 0; c < 4; ++c) columns[c] = lanes[r][c].ToArray();
      for (std::uint32_t i = 0; i < count; ++i) {
        to[bone + i].row[r] = {columns[0][i], columns[1][i], columns[2][i], columns[3][i]};
      }
    }
  }
}

}  // namespace nowait
