// PeerScene: a scene with which other physics engines are measured, re-created from its numbers.
//
//   square_pyramid  1,240 boxes in a pyramid of 15 square layers (Jolt's Pyramid)
//   convex_vs_mesh  1,764 bodies of four shapes fall on hills of triangles (Jolt's ConvexVsMesh)
//   ragdolls        160 figures of 23 bodies in 16 piles, held by motors (Jolt's Ragdoll)
//   large_pyramid   5,050 cubes in one plane, base 100 (Box3D's)
//   many_pyramids   196 such pyramids of base 10 (Box3D's)
//   joint_grid      a curtain of 100 x 100 balls that hangs by point joints (Box3D's)
//   convex_pile     5,120 hulls of 32 points fall in 64 columns (Box3D's)
//
// A scene is a list of definitions, without a world: the player, the tests and the benchmark beside
// other engines are given the same one. Each has a size in place of its own for smaller worlds.
// Where the numbers leave something open, the maker of the scene says what was chosen.
//
// Thread safety: plain data, which does not change once it is made.
// Determinism: no libm beyond std::sqrt; the same name and size give the same bits.
// Errors: as values; a size names its field.
// Complexity: linear in bodies and joints.
#ifndef NOWAIT_SRC_APPS_PEER_SCENES_PEER_SCENE_H_
#define NOWAIT_SRC_APPS_PEER_SCENES_PEER_SCENE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/collision/convex_hull.h"
#include "src/collision/triangle_mesh.h"
#include "src/dynamics/joint_def.h"
#include "src/world/world.h"

namespace nowait {

// A joint of two bodies of the scene, which never touch each other.
struct SceneJoint {
  std::uint32_t a;  // places in PeerScene::bodies
  std::uint32_t b;
  JointFrame frame_a;
  JointFrame frame_b;
  JointKind kind;
};

// The shapes that scenes share, whatever their size.
struct PeerShapes {
  std::unique_ptr<const TriangleMesh> hills;      // 100 x 100 cells of 3 m, from the origin on
  std::unique_ptr<const ConvexHull> five_points;  // a pyramid over a square
  // 32 points of a ball of radius 2, drawn with a fixed seed: the original's are not known here.
  std::unique_ptr<const ConvexHull> stone;
};

// Errors: ConvexHull::Create's and TriangleMesh::Create's.
Result<PeerShapes> MakePeerShapes();

struct PeerScene {
  // The way in which the bodies should move. It decides which error counts (tests/bench/outcome.h).
  enum class Motion : std::uint8_t {
    kStands,  // each body stays above its place
    kFalls,   // a heap comes about, anywhere
    kHeld,    // joints hold the bodies
  };

  std::string name;
  Motion motion = Motion::kStands;
  std::uint32_t steps = 0;    // as many as its authors run, of kStep seconds
  std::uint32_t untimed = 0;  // of these, at the beginning
  WorldDef world;             // gravity, layers, and capacities for exactly this scene
  // All bodies have the same friction and restitution: engines mix those of two bodies by rules of
  // their own, which agree where both are equal or their roots are multiplied.
  std::vector<BodyDef> bodies;
  std::vector<SceneJoint> joints;
  bool collides = true;  // otherwise no two bodies touch

  static constexpr float kStep = 1.0f / 60.0f;
};

std::vector<std::string> PeerSceneNames();
bool IsPeerScene(std::string_view name);

// shapes: outlive the scene. size: layers of square_pyramid (up to 100) and of convex_pile (1,000),
// the base of large_pyramid (1,000), pyramids along a side of many_pyramids (100), rows of
// joint_grid (500), figures in a pile of ragdolls (50), and of convex_vs_mesh the bodies along a
// side (39, for the hills end there); without one, its authors'. kNotFound "scene";
// kInvalidArgument "size".
Result<PeerScene> MakePeerScene(std::string_view name, const PeerShapes& shapes,
                                std::optional<std::uint32_t> size = {});

// The smallest size with at least `moving` bodies that can move, or the largest that there is.
// kNotFound "scene".
Result<std::uint32_t> SizeFor(std::string_view name, std::uint32_t moving);

// A world with the scene in it, and room for `more` bodies; the scene outlives it. The bodies have
// the slots 0, 1, ... in the scene's order. Errors as those of World::Create and its functions.
Result<std::unique_ptr<World>> CreateWorld(const PeerScene& scene, std::uint32_t more = 0);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PEER_SCENES_PEER_SCENE_H_
