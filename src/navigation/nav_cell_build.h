// NavCellBuild: one cell of a navigation mesh, made from the live world in eight stages.
//
//   NavCellBuild build(*world, settings, cell, filter);
//   while (build.next() != NavStage::kDone) {
//     if (const auto step = build.Step(wait); !step) return std::unexpected(step.error());
//   }
//   return build.Take();
//
// Only the first stage looks at the world, through a view that ends with the stage. It copies the
// bodies, one lock at a time; the second one looks at their grounds, hulls and meshes, which are
// pinned from the first one on. Then the build has all that it needs. It may go on over any number
// of frames and updates, one stage in each. To cancel it is to end it between two stages.
//
// Thread safety: one thread at a time; any phase of the world. Blocking: body locks, in the first
// stage, each only to copy a body.
// Promise: the cell is a function of settings, cell and the bodies that the first stage has copied;
// it has the same bytes on any thread. Bodies that move during that stage are seen in one of their
// places each. Polygons keep the agent's radius from all that it cannot climb (nav_settings.cc).
// Errors: kInvalidArgument "cell" beyond kNavReach. kCapacity "voxels of height": the bodies of the
// cell are 8,191 voxels high or more; "memory", or the stage's product, which Recast cannot make.
// After an error the build is over.
// Complexity: as Recast; linear in the voxels' columns for most stages.
//
// Source: [rouwe2022], "Background NavMesh job". Lecture: background jobs that outlast frames.
#ifndef NOWAIT_SRC_NAVIGATION_NAV_CELL_BUILD_H_
#define NOWAIT_SRC_NAVIGATION_NAV_CELL_BUILD_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_snapshot.h"
#include "src/navigation/nav_cell.h"
#include "src/navigation/nav_settings.h"
#include "src/navigation/recast.h"
#include "src/navigation/solid_voxels.h"
#include "src/sync/reader_epochs.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"

namespace nowait {

enum class NavStage : std::uint8_t {
  kBodies,     // those that overlap the cell and its border are copied
  kTriangles,  // their surfaces
  kVoxels,     // solid columns
  kWalkable,   // where the agent has room and can climb, less its radius
  kRegions,    // the walkable ground in parts
  kContours,   // their outlines, simplified
  kPolygons,   // convex ones, with their heights
  kTile,       // Detour's data
  kDone,
};
inline constexpr std::size_t kNavStages = static_cast<std::size_t>(NavStage::kDone);

// Keeps shapes alive: one that a body has when a guard is made outlives that guard, though the body
// may be removed meanwhile. Made and dropped by the threads that run stages. Empty: each shape
// outlives the builds that look at it.
using PinShapes = std::function<ReaderEpochs<>::Guard()>;

class NavCellBuild {
 public:
  // settings: valid. filter: the bodies that agents walk on or around. The world outlives the first
  // stage.
  NavCellBuild(const World& world, const NavSettings& settings, NavCellId cell, QueryFilter filter,
               PinShapes pin = {});

  NavStage next() const { return next_; }

  // Runs the next stage, not after kDone. The first one counts its waits in `wait`.
  Result<void> Step(WaitTime& wait);

  // The cell, once, after the last stage.
  NavCell Take();

 private:
  Result<void> CollectBodies(WaitTime& wait);
  Result<void> CollectTriangles();
  Result<void> FillVoxels();
  Result<void> FindWalkable();
  Result<void> FindRegions();
  Result<void> FindContours();
  Result<void> MakePolygons();
  Result<void> MakeTile();

  // The end of each body's triangles in the list, and what it fills.
  struct Part {
    std::size_t end;
    Fill fill;
  };

  const World& world_;
  const NavSettings settings_;
  const NavVoxels voxels_;
  const QueryFilter filter_;
  const PinShapes pin_;
  Bounds<3> box_;  // with the border; its height is known after the second stage
  NavStage next_ = NavStage::kBodies;
  NavCell cell_;
  rcContext log_{false};

  // Each is made by one stage, and given up by the last one that needs it.
  std::optional<ReaderEpochs<>::Guard> pinned_;  // outlives what lies behind it
  std::vector<BodySnapshot> bodies_;
  std::vector<NavTriangle> triangles_;
  std::vector<Part> parts_;
  std::optional<SolidVoxels> solid_;
  OwnedSurface surface_;
  OwnedContours contours_;
  OwnedPolygons polygons_;
  OwnedDetail detail_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_NAVIGATION_NAV_CELL_BUILD_H_
