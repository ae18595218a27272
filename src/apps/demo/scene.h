// Scene: the contents of the demo's world.
//
// A window of measured ground, 128 m to a side, and above its middle a loose block of spheres,
// boxes and capsules that fall on it; above them figures on joints (ragdoll.h), if any are wanted.
// Sizes, rotations and places are drawn from the seed; the same seed gives the same scene
// everywhere.
#ifndef NOWAIT_SRC_APPS_DEMO_SCENE_H_
#define NOWAIT_SRC_APPS_DEMO_SCENE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/collision/height_field.h"
#include "src/resource/terrain.h"
#include "src/world/world.h"

namespace nowait {

// The owner of a body, kept in BodyDef::user.
enum class Owner : std::uint64_t { kGround, kScene, kGameMover, kGameBatch, kFigure };

struct Ground {
  Terrain terrain;
  std::unique_ptr<const HeightField> field;

  // The height of the ground at (x, z) of the world.
  float HeightAt(float x, float z) const {
    return field->SurfaceAt(x + terrain.half_size(), z + terrain.half_size());
  }
};

// The window around the valley that the demo plays in, from an elevation file.
Result<Ground> LoadGround(const std::string& path);

// The ground as a body.
BodyDef GroundBody(const Ground& ground);

// `count` bodies above the middle of the ground.
std::vector<BodyDef> FallingBodies(const Ground& ground, std::uint32_t count, std::uint64_t seed);

struct SceneDef {
  std::uint32_t bodies = 0;   // that fall
  std::uint32_t figures = 0;  // likewise
  std::uint32_t more = 0;     // bodies that there is room for
  std::uint64_t seed = 0;
};

// A world with the ground, the bodies and the figures in it.
Result<std::unique_ptr<World>> CreateScene(const Ground& ground, const SceneDef& scene);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_SCENE_H_
