#include "src/apps/peer_scenes/peer_scene.h"

#include <algorithm>
#include <array>
#include <utility>

#include "src/apps/peer_scenes/figure.h"
#include "src/apps/peer_scenes/heaps.h"
#include "src/apps/peer_scenes/jointed.h"
#include "src/apps/peer_scenes/stacks.h"

namespace nowait {
namespace {

constexpr std::uint32_t kContactsPerBody = 16;

PeerScene WithSteps(PeerScene scene, std::uint32_t steps) {
  scene.steps = steps;
  return scene;
}

struct Entry {
  std::string_view name;
  std::uint32_t size;  // its authors'
  std::uint32_t most;
  std::uint64_t (*moving)(std::uint64_t size);  // bodies that can move
  PeerScene (*make)(const PeerShapes& shapes, std::uint32_t size);
};

constexpr std::array<Entry, 7> kEntries = {{
    {"square_pyramid", 15, 100, [](std::uint64_t n) { return n * (n + 1) * (2 * n + 1) / 6; },
     [](const PeerShapes&, std::uint32_t size) { return SquarePyramid(size); }},
    {"convex_vs_mesh", 21, 39, [](std::uint64_t n) { return 4 * n * n; }, &ConvexOverMesh},
    {"ragdolls", 10, 50, [](std::uint64_t n) { return 16 * kFigureBodies * n; },
     [](const PeerShapes&, std::uint32_t size) { return Ragdolls(size); }},
    {"large_pyramid", 100, 1000, [](std::uint64_t n) { return n * (n + 1) / 2; },
     [](const PeerShapes&, std::uint32_t size) { return WithSteps(PlanarPyramids(size, 1), 200); }},
    {"many_pyramids", 14, 100, [](std::uint64_t n) { return 55 * n * n; },
     [](const PeerShapes&, std::uint32_t size) {
       return WithSteps(PlanarPyramids(10, size), 100);
     }},
    {"joint_grid", 100, 500, [](std::uint64_t n) { return n * (n - 1); },
     [](const PeerShapes&, std::uint32_t size) { return JointGrid(size); }},
    {"convex_pile", 80, 1000, [](std::uint64_t n) { return 64 * n; }, &ConvexPile},
}};

const Entry* Find(std::string_view name) {
  const auto* found = std::ranges::find(kEntries, name, &Entry::name);
  return found == kEntries.end() ? nullptr : found;
}

}  // namespace

std::vector<std::string> PeerSceneNames() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) names.emplace_back(entry.name);
  return names;
}

bool IsPeerScene(std::string_view name) { return Find(name) != nullptr; }

Result<PeerScene> MakePeerScene(std::string_view name, const PeerShapes& shapes,
                                std::optional<std::uint32_t> size) {
  const Entry* entry = Find(name);
  if (entry == nullptr) return Fail(ErrorCode::kNotFound, "scene");
  const std::uint32_t chosen = size.value_or(entry->size);
  if (chosen == 0 || chosen > entry->most) {
    return Fail(ErrorCode::kInvalidArgument, "size", chosen);
  }
  PeerScene scene = entry->make(shapes, chosen);
  scene.name = name;
  scene.world.max_bodies = static_cast<std::uint32_t>(scene.bodies.size());
  scene.world.max_contacts =
      scene.collides ? kContactsPerBody * scene.world.max_bodies : std::uint32_t{1};
  scene.world.max_joints = static_cast<std::uint32_t>(scene.joints.size());
  return scene;
}

Result<std::uint32_t> SizeFor(std::string_view name, std::uint32_t moving) {
  const Entry* entry = Find(name);
  if (entry == nullptr) return Fail(ErrorCode::kNotFound, "scene");
  std::uint32_t size = 1;
  while (size < entry->most && entry->moving(size) < moving) ++size;
  return size;
}

Result<std::unique_ptr<World>> CreateWorld(const PeerScene& scene, std::uint32_t more) {
  WorldDef def = scene.world;
  def.max_bodies += more;
  def.max_contacts += kContactsPerBody * more;
  auto world = World::Create(def);
  if (!world) return world;
  WaitTime wait;
  auto batch = (*world)->PrepareBatch(scene.bodies);
  if (!batch) return std::unexpected(batch.error());
  const auto ids = (*world)->FinaliseBatch(*batch, wait);
  if (!ids) return std::unexpected(ids.error());
  for (const SceneJoint& joint : scene.joints) {
    JointDef made;
    made.a = (*ids)[joint.a];
    made.b = (*ids)[joint.b];
    made.frame_a = joint.frame_a;
    made.frame_b = joint.frame_b;
    made.kind = joint.kind;
    if (const auto id = (*world)->CreateJoint(made, wait); !id) return std::unexpected(id.error());
  }
  return world;
}

}  // namespace nowait
