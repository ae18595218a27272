// NavMesh: the cells of one agent size, joined to a mesh in which paths are found.
//
// A cell comes and goes as a whole: Insert takes the place of the cell that was there. Neighbours
// are joined where their edges meet; which of two came first makes no difference.
//
// Thread safety: any thread, any time. A reader-writer lock stands around the mesh: a path query
// holds it for reading, and a change for writing while one cell is linked to its neighbours.
// Progress: blocking. A query waits for at most one change, a change for the queries that run when
// it comes (src/sync/rw_lock.h). Waits are counted.
// Promise: a query sees each cell as a whole, before a change or after it, and no change happens
// during it.
// Errors: kCapacity "cells" or "polygons of a cell"; then the mesh is as it was before.
// Complexity: of a change, linear in the polygons of the cell and of its neighbours.
//
// Source: Detour's mesh of tiles. Lecture: background jobs that outlast frames.
#ifndef NOWAIT_SRC_NAVIGATION_NAV_MESH_H_
#define NOWAIT_SRC_NAVIGATION_NAV_MESH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "src/base/result.h"
#include "src/math/vec3.h"
#include "src/navigation/nav_cell.h"
#include "src/navigation/nav_settings.h"
#include "src/navigation/recast.h"
#include "src/sync/rw_lock.h"

namespace nowait {

// A polygon, for pictures and tests.
struct NavPolygon {
  NavCellId cell;
  std::vector<Vec3> corners;
};

class NavMesh {
 public:
  static constexpr std::uint32_t kMaxCells = 4096;

  // max_cells: 1 .. kMaxCells; fewer cells may have more polygons each, since Detour numbers both
  // in 22 bits. kInvalidArgument names the field; kCapacity "memory".
  static Result<std::unique_ptr<NavMesh>> Create(const NavSettings& settings,
                                                 std::uint32_t max_cells);

  const NavSettings& settings() const { return settings_; }
  // Of a cell.
  std::uint32_t max_polygons() const { return max_polygons_; }

  // Puts the cell where it belongs. A cell without polygons leaves its place empty.
  Result<void> Insert(NavCell cell, WaitTime& wait);
  // False when there was no cell with polygons.
  bool Remove(NavCellId cell, WaitTime& wait);

  // How many cells have polygons.
  std::uint32_t CountCells(WaitTime& wait) const;
  // All polygons by cell, replacing what is in `out`.
  void CopyPolygons(std::vector<NavPolygon>& out, WaitTime& wait) const;

 private:
  friend class NavQuery;
  NavMesh(const NavSettings& settings) : settings_(settings) {}

  const NavSettings settings_;
  std::uint32_t max_cells_ = 0;
  std::uint32_t max_polygons_ = 0;
  mutable RwLock<> lock_;  // guards what follows
  OwnedMesh mesh_;
  std::uint32_t cells_ = 0;
};

// Implementation: why a lock, and why this one
//
// Detour links the polygons of neighbours by changing the neighbours' data, so a change of one cell
// writes into up to nine. Copies of the mesh that take each other's place would cost the memory and
// the linking of all cells for each change. A change takes some tens of microseconds, a few times a
// second; a query takes some hundred. With a phase-fair lock neither can hold the other up for
// longer than one of its kind, and queries do not hold up each other. The world is not involved:
// neither holds a body's lock meanwhile.

}  // namespace nowait

#endif  // NOWAIT_SRC_NAVIGATION_NAV_MESH_H_
