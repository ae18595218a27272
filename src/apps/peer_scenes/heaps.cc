#include "src/apps/peer_scenes/heaps.h"

#include <array>

#include "src/apps/peer_scenes/stacks.h"

namespace nowait {

PeerScene ConvexOverMesh(const PeerShapes& shapes, std::uint32_t side) {
  constexpr float kFriction = 0.5f, kRestitution = 0.6f, kSpacing = 7.5f;
  PeerScene scene;
  scene.motion = PeerScene::Motion::kFalls;
  scene.steps = 500;
  const std::array<Shape, 4> kinds = {Shape::Box({0.5f, 0.75f, 1.0f}), Shape::Sphere(0.5f),
                                      Shape::Capsule(0.75f, 0.5f),
                                      Shape::Hull(shapes.five_points.get())};
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Mesh(shapes.hills.get());
  ground.position = {-150.0f, 5.0f, -150.0f};
  ground.friction = kFriction;
  ground.restitution = kRestitution;
  scene.bodies = {ground};
  const float half = 0.5f * static_cast<float>(side - 1);
  for (std::uint32_t i = 0; i < 4 * side * side; ++i) {
    const std::uint32_t x = i / (4 * side), y = i / side % 4, z = i % side;
    BodyDef def;
    def.shape = kinds[i % 4];
    def.position = {kSpacing * (static_cast<float>(x) - half), 15.0f + 2.0f * static_cast<float>(y),
                    kSpacing * (static_cast<float>(z) - half)};
    if (def.shape.kind == ShapeKind::kHull) {
      def.position += shapes.five_points->centre();
      def.rotation = shapes.five_points->rotation();
    }
    def.friction = kFriction;
    def.restitution = kRestitution;
    def.linear_damping = 0.05f;
    def.angular_damping = 0.05f;
    scene.bodies.push_back(def);
  }
  return scene;
}

PeerScene ConvexPile(const PeerShapes& shapes, std::uint32_t layers) {
  constexpr std::uint32_t kSide = 8;
  constexpr float kFriction = 0.6f, kSpacing = 4.0f;
  PeerScene scene;
  scene.motion = PeerScene::Motion::kFalls;
  scene.steps = 500;
  scene.untimed = 1;
  scene.world.gravity = {0, -10, 0};
  scene.bodies = {SceneFloor(400.0f, kFriction)};
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    for (std::uint32_t place = 0; place < kSide * kSide; ++place) {
      BodyDef def;
      def.shape = Shape::Hull(shapes.stone.get());
      def.position = Vec3{kSpacing * (static_cast<float>(place % kSide) - 4.0f),
                          2.0f + kSpacing * static_cast<float>(layer),
                          kSpacing * (static_cast<float>(place / kSide) - 4.0f)} +
                     shapes.stone->centre();
      def.rotation = shapes.stone->rotation();
      def.friction = kFriction;
      def.angular_damping = 0.0f;
      scene.bodies.push_back(def);
    }
  }
  return scene;
}

}  // namespace nowait
