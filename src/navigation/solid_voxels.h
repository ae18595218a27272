// SolidVoxels: the bodies of a cell as columns of filled voxels.
//
// Recast's voxels are those that a triangle's surface passes. A body of this engine is solid, so
// here a column is filled from the body's lowest surface to its highest, and below ground to the
// bottom: otherwise the inside of a large rock would be a place to walk. Only a mesh stays as it
// is, since it may be a house; its faces that look down are no places to walk. One field takes the
// surface of one body at a time; what is found in it is moved to the field of the whole cell.
//
// Thread safety: one thread. Errors: kCapacity "voxels": no memory.
// Complexity: of Add, in the columns that the body's box covers and the voxels that it passes.
// Source: Recast's rasterisation. Lecture: background jobs that outlast frames.
#ifndef NOWAIT_SRC_NAVIGATION_SOLID_VOXELS_H_
#define NOWAIT_SRC_NAVIGATION_SOLID_VOXELS_H_

#include <array>
#include <cstdint>
#include <span>

#include "src/base/result.h"
#include "src/collision/triangles.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"
#include "src/navigation/nav_settings.h"
#include "src/navigation/recast.h"

namespace nowait {

using NavTriangle = std::array<Vec3, 3>;

class SolidVoxels {
 public:
  // box: of the cell with its border; its height is that of all bodies, a whole number of voxels.
  static Result<SolidVoxels> Create(const NavSettings& settings, const Bounds<3>& box);

  // The triangles of one body, counter-clockwise seen from outside.
  Result<void> Add(std::span<const NavTriangle> triangles, Fill fill);

  rcHeightfield& field() { return *cell_; }
  rcContext& log() { return log_; }

 private:
  SolidVoxels(const NavSettings& settings) : settings_(settings) {}

  bool IsWalkable(const NavTriangle& triangle) const;
  bool Rasterise(std::span<const NavTriangle> triangles);
  bool AddSpan(int x, int z, unsigned bottom, unsigned end, unsigned area);
  bool MoveColumn(int x, int z, Fill fill);

  NavSettings settings_;
  rcContext log_{false};
  OwnedVoxels cell_, body_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_NAVIGATION_SOLID_VOXELS_H_
