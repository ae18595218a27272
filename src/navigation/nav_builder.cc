#include "src/navigation/nav_builder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

constexpr float kFarthestNeed = 1'000.0f;  // metres
constexpr float kNearer = 1.0f;            // metres in an update, of a cell that waits

}  // namespace

NavBuilder::NavBuilder(const World& world, TaskPool& pool, NavBuilderDef def)
    : world_(world), pool_(pool), def_(std::move(def)) {}

Result<std::unique_ptr<NavBuilder>> NavBuilder::Create(const World& world, TaskPool& pool,
                                                       NavBuilderDef def) {
  if (def.sizes.empty() || def.sizes.size() > 8) {
    return Fail(ErrorCode::kInvalidArgument, "sizes", static_cast<std::int64_t>(def.sizes.size()),
                "1 .. 8");
  }
  if (def.max_building < 1 || def.max_building > 64) {
    return Fail(ErrorCode::kInvalidArgument, "building", def.max_building, "1 .. 64");
  }
  if (def.replay && def.pace != NavPace::kBackground) {
    return Fail(ErrorCode::kInvalidArgument, "replay", *def.replay, "only at background pace");
  }
  return OrNoMemory([&]() -> Result<std::unique_ptr<NavBuilder>> {
    std::unique_ptr<NavBuilder> made(new NavBuilder(world, pool, std::move(def)));
    for (const NavSettings& size : made->def_.sizes) {
      auto mesh = NavMesh::Create(size, made->def_.max_cells);
      if (!mesh) return std::unexpected(mesh.error());
      made->meshes_.push_back(std::move(*mesh));
    }
    made->marked_.resize(made->meshes_.size());
    made->sites_.reserve(made->def_.max_building);
    return made;
  });
}

// All are cancelled first, so that no task begins a further stage while another is waited for.
NavBuilder::~NavBuilder() {
  for (Site& site : sites_) site.task->Cancel();
}

Result<void> NavBuilder::Changed(const Bounds<3>& box) {
  if (!box.IsUsable()) return Fail(ErrorCode::kInvalidArgument, "box", 0, "not ordered and finite");
  for (auto& [key, cell] : cells_) {
    const NavSettings& settings = def_.sizes[key.size];
    const float border = static_cast<float>(VoxelsOf(settings).border) * settings.voxel;
    Bounds<3> looked_at = BoundsOf(key.cell);
    for (const std::size_t axis : {0, 2}) {
      looked_at.min[axis] -= border;
      looked_at.max[axis] += border;
    }
    if (!Overlaps(looked_at, box)) continue;
    if (cell.seen == cell.changes) cell.since = update_;
    ++cell.changes;
  }
  return {};
}

Result<void> NavBuilder::Check(std::span<const NavNeed> needs) const {
  for (const NavNeed& need : needs) {
    if (need.size >= def_.sizes.size()) {
      return Fail(ErrorCode::kInvalidArgument, "size", need.size, "the builder has no such agent");
    }
    if (!IsFinite(need.centre) || std::abs(need.centre.x) > kNavReach ||
        std::abs(need.centre.z) > kNavReach) {
      return Fail(ErrorCode::kInvalidArgument, "centre", 0, "within 10,240 metres of the origin");
    }
    if (!(need.radius >= 0.0f && need.radius <= kFarthestNeed)) {
      return Fail(ErrorCode::kInvalidArgument, "radius", 0, "0 .. 1,000 metres");
    }
  }
  return {};
}

void NavBuilder::MarkCell(const Key& key, const NavNeed& need) {
  const float distance = DistanceTo(key.cell, need.centre);
  if (distance > need.radius + kNavCellSide) return;
  const bool is_needed = distance <= need.radius;
  auto at = cells_.find(key);
  if (at == cells_.end() && !is_needed) return;
  if (at == cells_.end() || at->second.kept != update_) {
    if (marked_[key.size] == def_.max_cells) {
      if (is_needed) ++stats_.left_out;
      return;
    }
    ++marked_[key.size];
  }
  if (at == cells_.end()) at = cells_.emplace(key, Cell{.since = update_}).first;
  Cell& cell = at->second;
  cell.distance = cell.kept == update_ ? std::min(cell.distance, distance) : distance;
  cell.kept = update_;
  if (is_needed) cell.needed = update_;
}

// The cells whose larger difference from the middle, along x or z, is `ring`.
void NavBuilder::MarkRing(const NavNeed& need, std::int32_t ring) {
  const NavCellId middle = NavCellAt(need.centre);
  for (std::int32_t z = -ring; z <= ring; ++z) {
    const std::int32_t step = std::abs(z) == ring ? 1 : 2 * ring;
    for (std::int32_t x = -ring; x <= ring; x += step) {
      const NavCellId cell{middle.x + x, middle.z + z};
      if (IsInReach(cell)) MarkCell({need.size, cell}, need);
    }
  }
}

// From the middles of all needs outwards: where there is no room, the farthest are left out.
void NavBuilder::Mark(std::span<const NavNeed> needs) {
  stats_.left_out = 0;
  std::fill(marked_.begin(), marked_.end(), 0u);
  float farthest = 0.0f;
  for (const NavNeed& need : needs) farthest = std::max(farthest, need.radius);
  const auto rings = [](float radius) {
    return static_cast<std::int32_t>(radius / kNavCellSide) + 2;
  };
  for (std::int32_t ring = 0; ring <= rings(farthest); ++ring) {
    for (const NavNeed& need : needs) {
      if (ring <= rings(need.radius)) MarkRing(need, ring);
    }
  }
}

Result<void> NavBuilder::Take(Site& site, WaitTime& wait) {
  stats_.times += site.task->times();
  Cell& cell = cells_.at(site.key);
  cell.building = false;
  if (site.task->is_cancelled()) {
    ++stats_.cancelled;
    return {};
  }
  cell.seen = site.changes;
  cell.since = update_;
  auto built = site.task->Take();
  if (built) {
    const std::uint32_t polygons = built->polygons;
    if (auto inserted = meshes_[site.key.size]->Insert(std::move(*built), wait); inserted) {
      ++stats_.built;
      stats_.polygons += polygons;
      if (cell.in_mesh) ++stats_.rebuilt;
      cell.in_mesh = true;
      return {};
    } else {
      built = std::unexpected(inserted.error());
    }
  }
  // The cell in the mesh is of a world that has changed.
  if (cell.in_mesh) meshes_[site.key.size]->Remove(site.key.cell, wait);
  cell.in_mesh = false;
  ++stats_.failed;
  stats_.failure = built.error();
  return {};
}

// A cell whose build is cancelled is known until the task has ended.
void NavBuilder::RemoveUnneeded(WaitTime& wait) {
  for (Site& site : sites_) {
    if (cells_.at(site.key).kept != update_ && !site.task->is_cancelled()) site.task->Cancel();
  }
  for (auto at = cells_.begin(); at != cells_.end();) {
    auto& [key, cell] = *at;
    if (cell.kept == update_) {
      ++at;
      continue;
    }
    if (std::exchange(cell.in_mesh, false)) {
      meshes_[key.size]->Remove(key.cell, wait);
      ++stats_.removed;
    }
    if (cell.building) {
      ++at;
      continue;
    }
    at = cells_.erase(at);
  }
}

std::optional<NavBuilder::Key> NavBuilder::NextMissing() const {
  std::optional<Key> best;
  float nearest = 0.0f;
  for (const auto& [key, cell] : cells_) {
    if (cell.building || cell.needed != update_ || cell.seen == cell.changes) continue;
    const float distance = cell.distance - kNearer * static_cast<float>(update_ - cell.since);
    if (best && distance >= nearest) continue;
    best = key;
    nearest = distance;
  }
  return best;
}

Result<void> NavBuilder::BeginBuilds() {
  while (sites_.size() < def_.max_building) {
    const std::optional<Key> key = NextMissing();
    if (!key) break;
    Cell& cell = cells_.at(*key);
    sites_.push_back({*key, cell.changes, update_,
                      std::make_unique<NavTask>(pool_, def_.pace, world_, def_.sizes[key->size],
                                                key->cell, def_.filter, def_.pin)});
    cell.building = true;
    if (def_.replay) sites_.back().task->CopyBodies();
  }
  for (Site& site : sites_) {
    const auto advanced = site.task->Advance();
    if (!advanced && advanced.error().code != ErrorCode::kCapacity) return advanced;
  }
  return {};
}

bool NavBuilder::IsLookedAt(const Site& site, std::uint64_t update) const {
  return !def_.replay || update >= site.begun + *def_.replay;
}

TaskId NavBuilder::Due() const {
  if (!def_.replay) return {};
  for (const Site& site : sites_) {
    if (IsLookedAt(site, update_ + 1) && !site.task->IsIdle()) return site.task->task();
  }
  return {};
}

Result<void> NavBuilder::TakeFinished(WaitTime& wait) {
  std::uint32_t taken = 0;
  for (std::size_t i = 0; i < sites_.size() && taken < kMostInserts;) {
    if (!IsLookedAt(sites_[i], update_) || !sites_[i].task->IsOver()) {
      ++i;
      continue;
    }
    if (auto took = Take(sites_[i], wait); !took) return took;
    sites_.erase(sites_.begin() + static_cast<std::ptrdiff_t>(i));
    ++taken;
  }
  return {};
}

Result<void> NavBuilder::Update(std::span<const NavNeed> needs, WaitTime& wait) {
  NOWAIT_ASSERT(!Due().IsTask(), "a replay's build is complete when it is due");
  if (auto good = Check(needs); !good) return good;
  return OrNoMemory([&]() -> Result<void> {
    ++update_;
    if (auto took = TakeFinished(wait); !took) return took;
    Mark(needs);
    RemoveUnneeded(wait);
    return BeginBuilds();
  });
}

Result<void> NavBuilder::Finish(std::span<const NavNeed> needs, WaitTime& wait) {
  for (;;) {
    if (auto updated = Update(needs, wait); !updated) return updated;
    if (sites_.empty()) return {};
    for (Site& site : sites_) {
      if (auto waited = site.task->Wait(); !waited) return waited;
    }
  }
}

bool NavBuilder::IsReady(std::uint32_t size, Vec3 place) const {
  if (!IsInNavReach(place)) return false;
  const auto at = cells_.find({size, NavCellAt(place)});
  return at != cells_.end() && at->second.seen == at->second.changes && at->second.in_mesh;
}

NavBuilderStats NavBuilder::Stats() const {
  NavBuilderStats stats = stats_;
  stats.cells = static_cast<std::uint32_t>(cells_.size());
  for (const auto& [key, cell] : cells_) {
    if (cell.seen != cell.changes) ++stats.missing;
  }
  return stats;
}

}  // namespace nowait
