// Pose: a rotation and a position for each bone, component by component, so that four bones are
// four lanes.
//
// A local pose is in the frames of the bones' parents, a global one in the frame of the character;
// both are this class. Behind the last bone there is room for lanes that are not read.
//
// Thread safety: a value. Its memory is allocated at creation (std::bad_alloc).
#ifndef NOWAIT_SRC_ANIMATION_POSE_H_
#define NOWAIT_SRC_ANIMATION_POSE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/animation/skeleton.h"
#include "src/math/quat.h"
#include "src/math/simd.h"
#include "src/math/vec3.h"

namespace nowait {

class Pose {
 public:
  static constexpr int kComponents = 7;  // x, y, z, w of the rotation; x, y, z of the position

  // Each bone at its place of rest, not turned.
  explicit Pose(const Skeleton& skeleton)
      : bones_(skeleton.size()), row_((skeleton.size() + 6) / 4 * 4), rows_(kComponents * row_) {
    std::fill_n(Row(3), row_, 1.0f);
    for (std::uint32_t i = 0; i < bones_; ++i) SetPosition(i, skeleton[i].rest);
  }

  std::uint32_t bones() const { return bones_; }

  // A component of all bones, and at least 3 more floats.
  float* Row(int component) { return rows_.data() + component * row_; }
  const float* Row(int component) const { return rows_.data() + component * row_; }

  // Four bones from `bone` on, which may reach behind the last one.
  std::array<Float4, 4> Rotations(std::uint32_t bone) const { return LoadRows<4>(0, bone); }
  std::array<Float4, 3> Positions(std::uint32_t bone) const { return LoadRows<3>(4, bone); }
  void SetRotations(std::uint32_t bone, const std::array<Float4, 4>& lanes) {
    for (int k = 0; k < 4; ++k) Store(Row(k) + bone, lanes[k]);
  }
  void SetPositions(std::uint32_t bone, const std::array<Float4, 3>& lanes) {
    for (int k = 0; k < 3; ++k) Store(Row(4 + k) + bone, lanes[k]);
  }

  Quat rotation(std::uint32_t bone) const {
    return {Row(0)[bone], Row(1)[bone], Row(2)[bone], Row(3)[bone]};
  }
  Vec3 position(std::uint32_t bone) const { return {Row(4)[bone], Row(5)[bone], Row(6)[bone]}; }
  void SetRotation(std::uint32_t bone, Quat q) {
    Row(0)[bone] = q.x;
    Row(1)[bone] = q.y;
    Row(2)[bone] = q.z;
    Row(3)[bone] = q.w;
  }
  void SetPosition(std::uint32_t bone, Vec3 p) {
    Row(4)[bone] = p.x;
    Row(5)[bone] = p.y;
    Row(6)[bone] = p.z;
  }

 private:
  static Float4 Load(const float* from) {
    std::array<float, 4> lanes;
    std::copy_n(from, 4, lanes.begin());
    return Float4(lanes);
  }
  static void Store(float* to, Float4 lanes) {
    const std::array<float, 4> stored = lanes.ToArray();
    std::copy_n(stored.begin(), 4, to);
  }
  template <int N>
  std::array<Float4, N> LoadRows(int first, std::uint32_t bone) const {
    std::array<Float4, N> lanes;
    for (int k = 0; k < N; ++k) lanes[k] = Load(Row(first + k) + bone);
    return lanes;
  }

  std::uint32_t bones_;
  std::size_t row_;
  std::vector<float> rows_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_POSE_H_
