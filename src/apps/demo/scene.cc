#include "src/apps/demo/scene.h"

#include <algorithm>
#include <span>
#include <utility>

#include "src/apps/demo/ragdoll.h"
#include "src/math/random.h"
#include "src/resource/elevation.h"

namespace nowait {
namespace {

// A side valley in the Cumberland Mountains; its floor is gentle enough for bodies to come to rest.
constexpr std::uint32_t kMiddleRow = 172;
constexpr std::uint32_t kMiddleColumn = 301;
constexpr std::uint32_t kCells = 128;
constexpr float kCellSize = 1.0f;

// The block of falling bodies. Far enough apart that no two of the largest touch at the start.
constexpr float kSpacing = 2.6f;
constexpr float kLayerHeight = 2.4f;
constexpr float kJitter = 0.25f;
constexpr float kLowest = 3.0f;         // above the ground
constexpr std::uint32_t kMaxSide = 40;  // columns: 104 m of the window's 128 m

// Contacts a body: a sphere in a dense heap has six on average, others a few more.
constexpr std::uint32_t kContactsPerBody = 16;

// A small scene gets the room of a larger one: the number of tree nodes follows from the bodies,
// and a query over many frames keeps the same number of them in a scene of any size.
constexpr std::uint32_t kSmallest = 4096;

// Bodies a batch when the scene is built.
constexpr std::size_t kBatch = 256;

BodyDef RandomBody(Random& random) {
  BodyDef def;
  const std::uint32_t kind = random.Below(5);
  if (kind < 2) {
    def.shape = Shape::Sphere(random.Between(0.25f, 0.6f));
    def.rolling_resistance = 0.12f;
  } else if (kind < 4) {
    const Vec3 half = random.InBox({0.2f, 0.2f, 0.2f}, {0.55f, 0.55f, 0.55f});
    def.shape = Shape::Box(half);
  } else {
    const float half_height = random.Between(0.2f, 0.5f);
    def.shape = Shape::Capsule(half_height, random.Between(0.2f, 0.4f));
    def.rolling_resistance = 0.12f;
  }
  def.rotation = random.Rotation();
  def.friction = 0.7f;
  def.user = static_cast<std::uint64_t>(Owner::kScene);
  return def;
}

// The side of a block of columns, five bodies high where there is room for it.
std::uint32_t SideOf(std::uint32_t count) {
  std::uint32_t side = 1;
  while (side < kMaxSide && 5 * side * side < count) ++side;
  return side;
}

Result<std::vector<BodyId>> AddBatch(World& world, std::span<const BodyDef> defs) {
  WaitTime wait;
  auto batch = world.PrepareBatch(defs);
  if (!batch) return std::unexpected(batch.error());
  auto bodies = world.FinaliseBatch(*batch, wait);
  if (!bodies) static_cast<void>(world.AbortBatch(*batch));  // cannot fail: it is this world's
  return bodies;
}

// In columns above those of the bodies.
Result<void> AddFigures(World& world, const Ground& ground, const SceneDef& scene) {
  // Other numbers than those of the bodies, which are the same with and without figures.
  Random random(~scene.seed);
  WaitTime wait;
  const std::uint32_t side = SideOf(scene.bodies);
  const std::uint32_t layers = scene.bodies / (side * side) + 1;
  const float corner = -0.5f * kSpacing * static_cast<float>(side - 1);
  for (std::uint32_t i = 0; i < scene.figures; ++i) {
    const std::uint32_t layer = layers + i / (side * side), place = i % (side * side);
    const float x = corner + kSpacing * static_cast<float>(place % side);
    const float z = corner + kSpacing * static_cast<float>(place / side);
    const float y = ground.HeightAt(x, z) + kLowest + kLayerHeight * static_cast<float>(layer);
    const Ragdoll ragdoll({x, y, z}, random.Rotation());
    std::vector<BodyDef> defs = ragdoll.Bodies();
    for (BodyDef& def : defs) def.user = static_cast<std::uint64_t>(Owner::kFigure);
    const auto bodies = AddBatch(world, defs);
    if (!bodies) return std::unexpected(bodies.error());
    for (const JointDef& joint : ragdoll.Joints(*bodies)) {
      if (auto id = world.CreateJoint(joint, wait); !id) return std::unexpected(id.error());
    }
  }
  return {};
}

}  // namespace

Result<Ground> LoadGround(const std::string& path) {
  const auto elevation = LoadElevation(path);
  if (!elevation) return std::unexpected(elevation.error());
  const float half = 0.5f * kCellSize * static_cast<float>(kCells);
  auto terrain = ResampleWindow(
      *elevation, {.south = static_cast<float>(kMiddleRow) * elevation->row_spacing - half,
                   .east = static_cast<float>(kMiddleColumn) * elevation->column_spacing - half,
                   .cells = kCells,
                   .cell_size = kCellSize});
  if (!terrain) return std::unexpected(terrain.error());
  auto field = HeightField::Create({.columns = terrain->side,
                                    .rows = terrain->side,
                                    .spacing = terrain->cell_size,
                                    .heights = terrain->heights});
  if (!field) return std::unexpected(field.error());
  return Ground{std::move(*terrain), std::move(*field)};
}

BodyDef GroundBody(const Ground& ground) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Ground(ground.field.get());
  def.position = {-ground.terrain.half_size(), 0.0f, -ground.terrain.half_size()};
  def.friction = 0.7f;
  def.user = static_cast<std::uint64_t>(Owner::kGround);
  return def;
}

std::vector<BodyDef> FallingBodies(const Ground& ground, std::uint32_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<BodyDef> defs;
  defs.reserve(count);
  const std::uint32_t side = SideOf(count);
  const float corner = -0.5f * kSpacing * static_cast<float>(side - 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    BodyDef def = RandomBody(random);
    const std::uint32_t layer = i / (side * side), place = i % (side * side);
    const float x =
        corner + kSpacing * static_cast<float>(place % side) + random.Between(-kJitter, kJitter);
    const float z =
        corner + kSpacing * static_cast<float>(place / side) + random.Between(-kJitter, kJitter);
    const float y = ground.HeightAt(x, z) + kLowest + kLayerHeight * static_cast<float>(layer);
    def.position = {x, y, z};
    defs.push_back(def);
  }
  return defs;
}

Result<std::unique_ptr<World>> CreateScene(const Ground& ground, const SceneDef& scene) {
  const auto of_figures = [&](std::size_t each) {
    return scene.figures * static_cast<std::uint32_t>(each);
  };
  WorldDef def;
  def.max_bodies =
      std::max(kSmallest, scene.bodies + of_figures(Ragdoll::kBodies) + scene.more + 1);
  def.max_contacts = kContactsPerBody * def.max_bodies;
  def.max_joints = of_figures(Ragdoll::kJoints);
  auto world = World::Create(def);
  if (!world) return std::unexpected(world.error());
  WaitTime wait;
  if (auto id = (*world)->CreateBody(GroundBody(ground), wait); !id) {
    return std::unexpected(id.error());
  }
  const std::vector<BodyDef> defs = FallingBodies(ground, scene.bodies, scene.seed);
  for (std::size_t first = 0; first < defs.size(); first += kBatch) {
    const std::size_t length = std::min(kBatch, defs.size() - first);
    if (auto bodies = AddBatch(**world, std::span(defs).subspan(first, length)); !bodies) {
      return std::unexpected(bodies.error());
    }
  }
  if (auto done = AddFigures(**world, ground, scene); !done) return std::unexpected(done.error());
  return world;
}

}  // namespace nowait
