#include "src/navigation/solid_voxels.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nowait {
namespace {

std::unexpected<Error> NoMemory() { return Fail(ErrorCode::kCapacity, "voxels", 0, "no memory"); }

OwnedVoxels MakeField(rcContext& log, const NavSettings& settings, const Bounds<3>& box) {
  OwnedVoxels field(rcAllocHeightfield());
  if (!field) return nullptr;
  const NavVoxels voxels = VoxelsOf(settings);
  const int side = voxels.side + 2 * voxels.border;
  const bool made = rcCreateHeightfield(&log, *field, side, side, box.min.data(), box.max.data(),
                                        settings.voxel, settings.voxel_height);
  return made ? std::move(field) : nullptr;
}

}  // namespace

Result<SolidVoxels> SolidVoxels::Create(const NavSettings& settings, const Bounds<3>& box) {
  SolidVoxels voxels(settings);
  voxels.cell_ = MakeField(voxels.log_, settings, box);
  voxels.body_ = MakeField(voxels.log_, settings, box);
  if (!voxels.cell_ || !voxels.body_) return NoMemory();
  return voxels;
}

// The normal's slope is compared without an angle: Recast's own test calls the cosine of libm.
bool SolidVoxels::IsWalkable(const NavTriangle& triangle) const {
  const Vec3 normal = Cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
  if (!(normal.y > 0.0f)) return false;
  const float across = normal.x * normal.x + normal.z * normal.z;
  return across <= settings_.max_slope * settings_.max_slope * normal.y * normal.y;
}

bool SolidVoxels::Rasterise(std::span<const NavTriangle> triangles) {
  for (const NavTriangle& t : triangles) {
    const unsigned char area = IsWalkable(t) ? RC_WALKABLE_AREA : RC_NULL_AREA;
    const float a[3] = {t[0].x, t[0].y, t[0].z};
    const float b[3] = {t[1].x, t[1].y, t[1].z};
    const float c[3] = {t[2].x, t[2].y, t[2].z};
    if (!rcRasterizeTriangle(&log_, a, b, c, area, *body_)) return false;
  }
  return true;
}

bool SolidVoxels::AddSpan(int x, int z, unsigned bottom, unsigned end, unsigned area) {
  return rcAddSpan(&log_, *cell_, x, z, static_cast<unsigned short>(bottom),
                   static_cast<unsigned short>(end), static_cast<unsigned char>(area),
                   VoxelsOf(settings_).climb);
}

// Takes the body's spans out of the column, and puts one that fills it into the cell's. Those of a
// sheet go there as they are.
bool SolidVoxels::MoveColumn(int x, int z, Fill fill) {
  rcSpan*& column = body_->spans[x + z * body_->width];
  if (column == nullptr) return true;
  bool moved = true;
  const unsigned bottom = fill == Fill::kBelow ? 0 : column->smin;
  rcSpan* top = column;
  for (rcSpan* span = column; span != nullptr; span = span->next) {
    top = span;
    if (fill == Fill::kNothing) moved &= AddSpan(x, z, span->smin, span->smax, span->area);
  }
  if (fill != Fill::kNothing) moved = AddSpan(x, z, bottom, top->smax, top->area);
  top->next = body_->freelist;
  body_->freelist = column;
  column = nullptr;
  return moved;
}

Result<void> SolidVoxels::Add(std::span<const NavTriangle> triangles, Fill fill) {
  if (triangles.empty()) return {};
  if (!Rasterise(triangles)) return NoMemory();
  Vec3 low = triangles[0][0], high = low;
  for (const NavTriangle& triangle : triangles) {
    for (const Vec3 vertex : triangle) {
      low = Min(low, vertex);
      high = Max(high, vertex);
    }
  }
  // One column more on each side, for rounding.
  const auto column = [&](float at, float from, float room) {
    const float within = std::floor((at - from) / settings_.voxel) + room;
    return static_cast<int>(std::clamp(within, 0.0f, static_cast<float>(cell_->width - 1)));
  };
  const int first_x = column(low.x, cell_->bmin[0], -1), last_x = column(high.x, cell_->bmin[0], 1);
  const int first_z = column(low.z, cell_->bmin[2], -1), last_z = column(high.z, cell_->bmin[2], 1);
  for (int z = first_z; z <= last_z; ++z) {
    for (int x = first_x; x <= last_x; ++x) {
      if (!MoveColumn(x, z, fill)) return NoMemory();
    }
  }
  return {};
}

}  // namespace nowait
