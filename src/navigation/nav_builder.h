// NavBuilder: keeps the navigation meshes of a world up to date around those that need them.
//
//   auto builder = NavBuilder::Create(*world, pool, {.sizes = {human, machine}});
//   if (!builder) return std::unexpected(builder.error());
//   if (auto said = (*builder)->Changed(gate_box); !said) return said;          each frame
//   if (auto done = (*builder)->Update(needs, wait); !done) return done;
//
// A need is a circle in which an agent wants a mesh of its size. The cells that it touches are
// built, and cells in a changed box are built again: the nearest first, where a cell counts as
// nearer by a metre for each update that it has waited. Each build is a task of the pool that no
// frame waits for. A cell that nobody needs is removed, and its build is cancelled between two
// stages; it is kept while it is within a cell's side of a need, so that an agent at an edge does
// not have it built over and over.
//
// Thread safety: any thread calls mesh(), one at a time all else. Update and Changed: game update,
// by a thread of the pool. Finish and the destructor wait, so they belong to a main thread of the
// pool, outside tasks, before the pool is closed. The world and the pool outlive this.
// Blocking: Update waits for no build, but for path queries that run while it puts a finished cell
// into its mesh, at most kMostInserts of them in a call.
// Promise: a mesh changes in Update and Finish alone. When Finish has returned, each needed cell is
// the result of a build of the present world, the same for any number of threads.
// Errors: as below. A build that fails leaves its cell without a mesh until it changes.
// Complexity: of Update, linear in the cells of all needs.
// Source: [rouwe2022], "Background NavMesh job". Lecture: background jobs that outlast frames.
#ifndef NOWAIT_SRC_NAVIGATION_NAV_BUILDER_H_
#define NOWAIT_SRC_NAVIGATION_NAV_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"
#include "src/navigation/nav_mesh.h"
#include "src/navigation/nav_settings.h"
#include "src/navigation/nav_task.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"

namespace nowait {

struct NavBuilderDef {
  std::vector<NavSettings> sizes = {{}};  // of agents, 1 .. 8; each has a mesh
  // Of a mesh, 1 .. NavMesh::kMaxCells. If more are needed, those farthest from their agents are
  // left out.
  std::uint32_t max_cells = 1024;
  // Builds at the same time, 1 .. 64. A thread that builds is not there for a frame: fewer than the
  // pool's threads.
  std::uint32_t max_building = 1;
  NavPace pace = NavPace::kBackground;
  // The bodies that agents walk on and around.
  QueryFilter filter = {.dynamics = false};
  PinShapes pin = {};  // where bodies and their shapes come and go (nav_cell_build.h)
  // If given: Update copies the bodies of the builds that it begins, a build is taken so many
  // updates later, and Due has to be heeded. Then the same calls give the same meshes for any
  // number of threads. NavPace::kBackground alone.
  std::optional<std::uint32_t> replay = {};
};

// The part of the world in which a mesh is needed.
struct NavNeed {
  std::uint32_t size = 0;  // index into NavBuilderDef::sizes
  Vec3 centre;
  float radius = 0.0f;  // metres along x and z, 0 .. 1,000
};

struct NavBuilderStats {
  std::uint64_t built = 0;      // cells that were put into a mesh
  std::uint64_t rebuilt = 0;    // of these, because something had changed
  std::uint64_t removed = 0;    // cells that nobody needed any longer
  std::uint64_t cancelled = 0;  // builds of such cells
  std::uint64_t failed = 0;     // builds that ended with an error
  Error failure{};              // the last one's
  std::uint32_t cells = 0;      // known now, in all meshes
  std::uint32_t missing = 0;    // of these, not built yet or changed since
  std::uint32_t left_out = 0;   // needed cells that max_cells had no room for in the last Update
  std::uint64_t polygons = 0;   // of all cells that were built
  NavTimes times;               // of the builds
};

class NavBuilder {
 public:
  static constexpr std::uint32_t kMostInserts = 4;

  // kInvalidArgument names the field: one of NavSettings, "sizes", "cells", "building",
  // "replay". kCapacity "memory".
  static Result<std::unique_ptr<NavBuilder>> Create(const World& world, TaskPool& pool,
                                                    NavBuilderDef def);
  ~NavBuilder();
  NavBuilder(const NavBuilder&) = delete;
  NavBuilder& operator=(const NavBuilder&) = delete;

  // The world has changed, or will have by the next Update, within the box. Cells beside it that
  // look across their border are built again, too. kInvalidArgument "box": not ordered or not
  // finite.
  Result<void> Changed(const Bounds<3>& box);

  // With NavBuilderDef::replay, a build that has to be complete before the next Update, or no task.
  // A task puts itself off until then (RunLater), a main thread waits. Then there may be another.
  TaskId Due() const;

  // Takes finished cells into the meshes, removes cells that are not needed, and begins builds.
  // kInvalidArgument names "size", "centre" (finite, within kNavReach) or "radius" of a need; then
  // nothing has happened. Errors of TaskPool::Add but kCapacity, for which it begins less.
  Result<void> Update(std::span<const NavNeed> needs, WaitTime& wait);

  // Update until no cell is missing, helping meanwhile: for a loading screen, or a test.
  Result<void> Finish(std::span<const NavNeed> needs, WaitTime& wait);

  // size: below the number of sizes.
  const NavMesh& mesh(std::uint32_t size) const { return *meshes_[size]; }

  // Whether the cell at `place` is built and has not changed since. False where no mesh reaches.
  bool IsReady(std::uint32_t size, Vec3 place) const;
  NavBuilderStats Stats() const;
  // Builds that are under way.
  std::size_t building() const { return sites_.size(); }

 private:
  struct Key {
    std::uint32_t size = 0;
    NavCellId cell;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  // A cell counts the changes in it. It is up to date when its mesh has seen the last one.
  struct Cell {
    std::uint64_t changes = 1;
    std::uint64_t seen = 0;    // by the mesh, or by the build that failed
    std::uint64_t needed = 0;  // the last Update in which a need reached it
    std::uint64_t kept = 0;    // likewise, with the margin
    std::uint64_t since = 0;   // the Update that found it out of date
    float distance = 0.0f;     // to the nearest need
    bool building = false;
    bool in_mesh = false;
  };
  // A build that is under way.
  struct Site {
    Key key;
    std::uint64_t changes = 0;  // of its cell, when it began
    std::uint64_t begun = 0;    // the update
    std::unique_ptr<NavTask> task;
  };

  NavBuilder(const World& world, TaskPool& pool, NavBuilderDef def);
  Result<void> Check(std::span<const NavNeed> needs) const;
  void Mark(std::span<const NavNeed> needs);
  void MarkRing(const NavNeed& need, std::int32_t ring);
  void MarkCell(const Key& key, const NavNeed& need);
  bool IsLookedAt(const Site& site, std::uint64_t update) const;
  Result<void> TakeFinished(WaitTime& wait);
  Result<void> Take(Site& site, WaitTime& wait);
  void RemoveUnneeded(WaitTime& wait);
  Result<void> BeginBuilds();
  std::optional<Key> NextMissing() const;

  const World& world_;
  TaskPool& pool_;
  const NavBuilderDef def_;
  std::vector<std::unique_ptr<NavMesh>> meshes_;
  std::vector<std::uint32_t> marked_;  // cells of each size that the last Update keeps
  std::map<Key, Cell> cells_;
  std::vector<Site> sites_;
  std::uint64_t update_ = 0;
  NavBuilderStats stats_;
};

// Implementation: why nothing is lost
//
// A cell that changes while it is built is taken as it is, because it is no older than the one in
// the mesh, and is then built again: `seen` becomes the count from the beginning of the build,
// which is below `changes`. To cancel it and begin anew would be faster for one change, but where a
// gate never rests it would never be finished. Nor does that gate keep others from their turn: a
// cell that waits comes nearer, and one that was built begins to wait anew.
//
// A build that began between a change and its Changed may have seen a part of the change. The count
// makes sure of another build.
//
// A replay does not depend on threads: the bodies of a cell are copied in Update, beside no change
// of the world, the rest of a build is a function of them, and the update in which a build is taken
// follows from the one in which it began. A pool that is full is an exception: a build waits then
// for room, as without replay.

}  // namespace nowait

#endif  // NOWAIT_SRC_NAVIGATION_NAV_BUILDER_H_
