#include "src/apps/peer_scenes/stacks.h"

namespace nowait {

BodyDef SceneFloor(float half, float friction) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Box({half, 1.0f, half});
  def.position = {0.0f, -1.0f, 0.0f};
  def.friction = friction;
  return def;
}

PeerScene SquarePyramid(std::uint32_t layers) {
  constexpr float kFriction = 0.2f;
  PeerScene scene;
  scene.steps = 500;
  // Half of the floor is 50 m in the original, for 15 layers.
  scene.bodies = {SceneFloor(35.0f + static_cast<float>(layers), kFriction)};
  for (std::uint32_t i = 0; i < layers; ++i) {
    const float shift = (i % 2 == 1 ? 1.0f : 0.0f) - static_cast<float>(layers);
    const std::uint32_t begin = i / 2, end = layers - (i + 1) / 2;
    for (std::uint32_t j = begin; j < end; ++j) {
      for (std::uint32_t k = begin; k < end; ++k) {
        BodyDef def;
        def.shape = Shape::Box({1, 1, 1});
        def.position = {shift + 2.0f * static_cast<float>(j), 1.0f + 2.5f * static_cast<float>(i),
                        shift + 2.0f * static_cast<float>(k)};
        def.friction = kFriction;
        def.linear_damping = 0.05f;
        def.angular_damping = 0.05f;
        def.may_sleep = false;
        scene.bodies.push_back(def);
      }
    }
  }
  return scene;
}

PeerScene PlanarPyramids(std::uint32_t base, std::uint32_t side) {
  constexpr float kFriction = 0.6f, kColumn = 11.0f, kRow = 11.7f;
  PeerScene scene;
  scene.untimed = 1;
  scene.world.gravity = {0, -10, 0};
  const float last = static_cast<float>(side - 1);
  scene.bodies = {SceneFloor(20.0f + static_cast<float>(base) + 0.5f * kRow * last, kFriction)};
  for (std::uint32_t place = 0; place < side * side; ++place) {
    const Vec3 middle{kColumn * (static_cast<float>(place % side) - 0.5f * last), 0.5f,
                      kRow * (static_cast<float>(place / side) - 0.5f * last)};
    for (std::uint32_t layer = 0; layer < base; ++layer) {
      const float corner = -0.5f * static_cast<float>(base - layer - 1);
      for (std::uint32_t i = 0; i < base - layer; ++i) {
        BodyDef def;
        def.shape = Shape::Box({0.5f, 0.5f, 0.5f});
        def.position =
            middle + Vec3{corner + static_cast<float>(i), static_cast<float>(layer), 0.0f};
        def.friction = kFriction;
        def.density = 100.0f;
        def.angular_damping = 0.0f;
        def.may_sleep = false;
        scene.bodies.push_back(def);
      }
    }
  }
  return scene;
}

}  // namespace nowait
