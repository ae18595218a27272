// Worlds to walk in, and meshes of them, for tests.
#ifndef NOWAIT_TESTS_NAVIGATION_NAV_SCENE_H_
#define NOWAIT_TESTS_NAVIGATION_NAV_SCENE_H_

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/math/random.h"
#include "src/navigation/nav_builder.h"
#include "src/navigation/nav_cell_build.h"
#include "src/navigation/nav_query.h"
#include "src/navigation/walk.h"
#include "tests/collision/convex_shapes.h"
#include "tests/world/scene.h"

namespace nowait::test {

inline const QueryFilter kStatics{.dynamics = false};

inline BodyDef StaticBox(Vec3 half, Vec3 position, Quat rotation = {}) {
  BodyDef def = BoxAt(half, position);
  def.type = BodyType::kStatic;
  def.rotation = rotation;
  return def;
}

// A floor at height zero, from -50 to 50.
inline std::unique_ptr<World> FlatWorld() {
  auto world = MakeWorld();
  Add(*world, Floor());
  return world;
}

// Runs all stages.
inline NavCell BuildCell(const World& world, NavCellId cell, const NavSettings& settings = {}) {
  WaitTime wait;
  NavCellBuild build(world, settings, cell, kStatics);
  while (build.next() != NavStage::kDone) {
    const auto step = build.Step(wait);
    if (!step) FAIL(ToString(step.error()));
  }
  return build.Take();
}

// Cells (0, 0) .. (side - 1, side - 1).
inline std::unique_ptr<NavMesh> MeshOf(const World& world, std::int32_t side,
                                       const NavSettings& settings = {}) {
  WaitTime wait;
  auto mesh = std::move(*NavMesh::Create(settings, 64));
  for (std::int32_t z = 0; z < side; ++z) {
    for (std::int32_t x = 0; x < side; ++x) {
      const auto inserted = mesh->Insert(BuildCell(world, {x, z}, settings), wait);
      if (!inserted) FAIL(ToString(inserted.error()));
    }
  }
  return mesh;
}

inline NavReach PathBetween(const NavMesh& mesh, Vec3 from, Vec3 to, std::vector<Vec3>& points) {
  WaitTime wait;
  auto query = std::move(*NavQuery::Create(mesh));
  const auto reach = query.FindPath(from, to, points, wait);
  if (!reach) FAIL(ToString(reach.error()));
  return *reach;
}

// Boxes, ramps, balls, cylinders, capsules and hulls on a floor of four cells.
class Clutter {
 public:
  explicit Clutter(std::uint64_t seed, int bodies = 25) : random_(seed), world_(FlatWorld()) {
    for (int i = 0; i < bodies; ++i) {
      BodyDef def;
      def.type = BodyType::kStatic;
      def.position = random_.InBox({0, -0.5f, 0}, {25.6f, 1.5f, 25.6f});
      const ShapeKind kind = kConvex[random_.Below(kConvex.size())];
      def.shape = shapes_.Draw(kind, random_, 2.0f);
      def.rotation = random_.Rotation();
      if (kind == ShapeKind::kBox) {
        // A step or a wall, or a slope.
        const bool upright = random_.Below(2) == 0;
        if (!upright) def.shape.half = {2.5f, 0.15f, 2.0f};
        const Vec3 across = NormaliseOr(random_.InBox({-1, 0, -1}, {1, 0, 1}), {1, 0, 0});
        def.rotation = FromAxisAngle(upright ? Vec3{0, 1, 0} : across, random_.Between(0, 1));
      }
      Add(*world_, def);
    }
  }

  World& world() { return *world_; }
  Random& random() { return random_; }
  Vec3 Place() { return random_.InBox({0, 0, 0}, {25.6f, 2, 25.6f}); }

 private:
  Random random_;
  Shapes shapes_;
  std::unique_ptr<World> world_;
};

}  // namespace nowait::test

#endif  // NOWAIT_TESTS_NAVIGATION_NAV_SCENE_H_
