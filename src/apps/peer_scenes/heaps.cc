#include "src/apps/peer_scenes/heaps.h"

#include <array>
#include <utility>

#include "src/apps/peer_scenes/stacks.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::uint32_t kCells = 100;

// sin(i / 2) and cos(i / 2), turned on by half a radian each, without libm.
struct Wave {
  double sine = 0.0;
  double cosine = 1.0;

  void Next() {
    constexpr double kSine = 0.47942553860420300, kCosine = 0.87758256189037271;
    const double next = sine * kCosine + cosine * kSine;
    cosine = cosine * kCosine - sine * kSine;
    sine = next;
  }
};

// 5 sin(i / 2) cos(k / 2) metres high, in cells of 3 m.
Result<std::unique_ptr<const TriangleMesh>> MakeHills() {
  constexpr float kCell = 3.0f;
  constexpr double kHeight = 5.0;
  constexpr std::uint32_t kSide = kCells + 1;
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> indices;
  Wave along_x;
  for (std::uint32_t i = 0; i < kSide; ++i, along_x.Next()) {
    Wave along_z;
    for (std::uint32_t k = 0; k < kSide; ++k, along_z.Next()) {
      vertices.push_back({kCell * static_cast<float>(i),
                          static_cast<float>(kHeight * along_x.sine * along_z.cosine),
                          kCell * static_cast<float>(k)});
    }
  }
  for (std::uint32_t i = 0; i < kCells; ++i) {
    for (std::uint32_t k = 0; k < kCells; ++k) {
      const std::uint32_t corner = i * kSide + k;
      // Counter-clockwise seen from above.
      for (const std::uint32_t step : {0u, 1u, kSide + 1, 0u, kSide + 1, kSide}) {
        indices.push_back(corner + step);
      }
    }
  }
  return TriangleMesh::Create({.vertices = vertices, .indices = indices});
}

}  // namespace

Result<PeerScene> ConvexOverMesh(std::uint32_t side) {
  constexpr float kFriction = 0.5f, kRestitution = 0.6f, kSpacing = 7.5f;
  PeerScene scene;
  scene.motion = PeerScene::Motion::kFalls;
  scene.steps = 500;
  auto mesh = MakeHills();
  if (!mesh) return std::unexpected(mesh.error());
  scene.mesh = std::move(*mesh);
  constexpr std::array<Vec3, 5> kPoints = {Vec3{0, 1, 0}, Vec3{1, 0, 0}, Vec3{-1, 0, 0},
                                           Vec3{0, 0, 1}, Vec3{0, 0, -1}};
  auto hull = ConvexHull::Create({.points = kPoints});
  if (!hull) return std::unexpected(hull.error());
  scene.hull = std::move(*hull);
  const std::array<Shape, 4> shapes = {Shape::Box({0.5f, 0.75f, 1.0f}), Shape::Sphere(0.5f),
                                       Shape::Capsule(0.75f, 0.5f),
                                       Shape::Hull(scene.hull.get())};
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Mesh(scene.mesh.get());
  ground.position = {-150.0f, 5.0f, -150.0f};
  ground.friction = kFriction;
  ground.restitution = kRestitution;
  scene.bodies = {ground};
  const float half = 0.5f * static_cast<float>(side - 1);
  for (std::uint32_t i = 0; i < 4 * side * side; ++i) {
    const std::uint32_t x = i / (4 * side), y = i / side % 4, z = i % side;
    BodyDef def;
    def.shape = shapes[i % 4];
    def.position = {kSpacing * (static_cast<float>(x) - half), 15.0f + 2.0f * static_cast<float>(y),
                    kSpacing * (static_cast<float>(z) - half)};
    if (def.shape.kind == ShapeKind::kHull) {
      def.position += scene.hull->centre();
      def.rotation = scene.hull->rotation();
    }
    def.friction = kFriction;
    def.restitution = kRestitution;
    def.linear_damping = 0.05f;
    def.angular_damping = 0.05f;
    scene.bodies.push_back(def);
  }
  return scene;
}

Result<PeerScene> ConvexPile(std::uint32_t layers) {
  constexpr std::uint32_t kSide = 8, kPoints = 32;
  constexpr std::uint64_t kSeed = 1;
  constexpr float kFriction = 0.6f, kRadius = 2.0f;
  PeerScene scene;
  scene.motion = PeerScene::Motion::kFalls;
  scene.steps = 500;
  scene.untimed = 1;
  scene.world.gravity = {0, -10, 0};
  Random random(kSeed);
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < kPoints; ++i) points.push_back(random.Direction() * kRadius);
  auto hull = ConvexHull::Create({.points = points});
  if (!hull) return std::unexpected(hull.error());
  scene.hull = std::move(*hull);
  scene.bodies = {SceneFloor(400.0f, kFriction)};
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    for (std::uint32_t place = 0; place < kSide * kSide; ++place) {
      BodyDef def;
      def.shape = Shape::Hull(scene.hull.get());
      def.position = Vec3{4.0f * (static_cast<float>(place % kSide) - 4.0f),
                          2.0f + 4.0f * static_cast<float>(layer),
                          4.0f * (static_cast<float>(place / kSide) - 4.0f)} +
                     scene.hull->centre();
      def.rotation = scene.hull->rotation();
      def.friction = kFriction;
      def.angular_damping = 0.0f;
      scene.bodies.push_back(def);
    }
  }
  return scene;
}

}  // namespace nowait
