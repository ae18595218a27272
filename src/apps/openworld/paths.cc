#include "src/apps/openworld/paths.h"

#include <algorithm>
#include <utility>

#include "src/base/assert.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr NavSettings kMachine = {.agent_radius = 0.5f, .agent_height = 2.0f, .voxel = 0.4f};
constexpr float kPlayerNeeds = 36.0f;  // metres around it
constexpr float kPatrolNeeds = 20.0f;
// Builds at the same time. A replay takes each after a number of updates, and needs more.
constexpr std::uint32_t kBuilding = 1;
constexpr std::uint32_t kReplayBuilding = 8;

constexpr float kOverhang = 16.0f;  // metres: objects reach so far out of their tile or scene
constexpr float kAnyHeight = 1e6f;  // metres

Bounds<3> Square(float west, float north, float side) {
  return {{west - kOverhang, -kAnyHeight, north - kOverhang},
          {west + side + kOverhang, kAnyHeight, north + side + kOverhang}};
}

Bounds<3> AreaOf(const ParcelName& name, const WorldIndex& index) {
  if (IsScene(name)) {
    const SceneSite& site = index.scenes[std::get<SceneNumber>(name).number];
    return Square(site.x - site.encounter, site.z - site.encounter, 2 * site.encounter);
  }
  const TileCoord tile = std::get<TileCoord>(name);
  return Square(kTileSide * static_cast<float>(tile.column),
                kTileSide * static_cast<float>(tile.row), kTileSide);
}

}  // namespace

Paths::Paths(const WorldIndex& index, std::unique_ptr<NavBuilder> builder, NavQuery query)
    : index_(index), builder_(std::move(builder)), query_(std::move(query)) {}

Result<std::unique_ptr<Paths>> Paths::Create(const World& world, TaskPool& pool, Streamer& streamer,
                                             BodyId player, std::optional<std::uint32_t> replay) {
  auto builder = NavBuilder::Create(
      world, pool,
      {.sizes = {kMachine},
       .max_building = replay ? kReplayBuilding : kBuilding,
       .filter = {.dynamics = false, .ignore = player, .layers = {Layer::kStatic}},
       .pin = [&streamer] { return streamer.Pin(); },
       .replay = replay});
  if (!builder) return std::unexpected(builder.error());
  auto query = NavQuery::Create((*builder)->mesh(0));
  if (!query) return std::unexpected(query.error());
  return std::unique_ptr<Paths>(
      new Paths(streamer.index(), std::move(*builder), std::move(*query)));
}

void Paths::Hear(const StreamEvent& event) {
  if (event.kind != StreamEvent::Kind::kEntered && event.kind != StreamEvent::Kind::kLetGo) return;
  Changed(AreaOf(event.name, index_));
}

void Paths::Changed(const Bounds<3>& box) {
  const auto said = builder_->Changed(box);
  NOWAIT_ASSERT(said, "a tile, a scene or a gate is a box");
}

// A world may be larger than what a mesh reaches.
void Paths::Need(Vec3 place, float radius) {
  if (IsInNavReach(place)) needs_.push_back({0, place, radius});
}

Result<void> Paths::Update(Vec3 player, std::span<const Vec3> patrols, WaitTime& wait) {
  needs_.clear();
  Need(player, kPlayerNeeds);
  for (const Vec3 place : patrols) Need(place, kPatrolNeeds);
  const std::uint64_t begin = SteadyNanoseconds();
  auto updated = builder_->Update(needs_, wait);
  report_.longest_update = std::max(report_.longest_update, SteadyNanoseconds() - begin);
  return updated;
}

bool Paths::Find(Vec3 from, Vec3 to, std::vector<Vec3>& points) {
  const std::uint64_t begin = SteadyNanoseconds();
  const auto reach = query_.FindPath(from, to, points, report_.wait);
  report_.longest_path = std::max(report_.longest_path, SteadyNanoseconds() - begin);
  if (!reach) {
    ++report_.no_mesh;
    return false;
  }
  ++(*reach == NavReach::kWhole ? report_.whole : report_.part);
  return true;
}

PathsReport Paths::Report() {
  report_.cells = builder_->Stats();
  builder_->mesh(0).CopyPolygons(report_.polygons, report_.wait);
  return std::move(report_);
}

}  // namespace nowait
