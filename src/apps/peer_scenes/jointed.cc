#include "src/apps/peer_scenes/jointed.h"

namespace nowait {

PeerScene JointGrid(std::uint32_t rows) {
  PeerScene scene;
  scene.motion = PeerScene::Motion::kHangs;
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

}  // namespace nowait
