#include "src/apps/peer_scenes/jointed.h"

#include "src/apps/peer_scenes/figure.h"
#include "src/apps/peer_scenes/stacks.h"

namespace nowait {

PeerScene JointGrid(std::uint32_t rows) {
  PeerScene scene;
  scene.motion = PeerScene::Motion::kHeld;
  scene.steps = 100;
  scene.untimed = 1;
  scene.collides = false;
  scene.world.gravity = {0, -10, 0};
  scene.world.user_layers = {{.name = "curtain", .touches = {}}};
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t k = 0; k < rows; ++k) {
      BodyDef def;
      def.type = i == 0 ? BodyType::kStatic : BodyType::kDynamic;
      def.layer = UserLayer(0);
      def.shape = Shape::Sphere(0.4f);
      def.position = {static_cast<float>(k), -static_cast<float>(i), 0.0f};
      def.friction = 0.6f;
      def.angular_damping = 0.0f;
      def.may_sleep = false;
      scene.bodies.push_back(def);
      const std::uint32_t here = i * rows + k;
      if (i == 0) continue;
      scene.joints.push_back(
          {here - rows, here, {{0, -0.5f, 0}, {}}, {{0, 0.5f, 0}, {}}, PointJoint{}});
      if (k == 0) continue;
      scene.joints.push_back(
          {here - 1, here, {{0.5f, 0, 0}, {}}, {{-0.5f, 0, 0}, {}}, PointJoint{}});
    }
  }
  return scene;
}

PeerScene Ragdolls(std::uint32_t figures) {
  constexpr float kFriction = 0.2f, kPile = 4.0f, kAbove = 0.6f;
  constexpr std::uint32_t kPiles = 4;
  constexpr Quat kTenth{0, 0.309016994f, 0, 0.951056516f};  // sin and cos of pi / 10
  PeerScene scene;
  scene.motion = PeerScene::Motion::kHeld;
  scene.steps = 500;
  scene.bodies = {SceneFloor(50.0f, kFriction)};
  BodyDef like;
  like.friction = kFriction;
  like.linear_damping = 0.05f;
  like.angular_damping = 0.05f;
  for (std::uint32_t pile = 0; pile < kPiles * kPiles; ++pile) {
    Vec3 place{kPile * (static_cast<float>(pile % kPiles) - 1.5f), 0.5f,
               kPile * (static_cast<float>(pile / kPiles) - 1.5f)};
    Quat yaw;
    for (std::uint32_t i = 0; i < figures; ++i) {
      AddFigure(scene, place, yaw, like);
      place.y += kAbove;
      yaw = Normalise(kTenth * yaw);
    }
  }
  return scene;
}

}  // namespace nowait
