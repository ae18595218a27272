#include "src/navigation/nav_cell_build.h"

#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/RecastAlloc.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/collision/compound_shape.h"
#include "src/collision/polygon.h"
#include "src/collision/triangles.h"

namespace nowait {
namespace {

// Region and edge sizes, in voxels: they trade the number of polygons for their shape.
constexpr int kSmallestRegion = 16;  // in voxels; a smaller one without a neighbour is left out
constexpr int kMergedRegion = 400;   // in voxels; a smaller one is joined to its neighbour
constexpr int kLongestEdge = 40;
constexpr float kDetailDistance = 6.0f;  // between samples of the height

// Recast does not look at all of its allocations: without memory it would write to address zero. So
// its allocator, one for the process, throws. Recast's objects are freed on the way, as of any C++,
// and Step returns an error. Memory is zeroed, because half-made objects free pointers that they
// have not set.
void* AllocateOrThrow(std::size_t size, rcAllocHint) {
  void* const memory = std::calloc(1, size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// Before any thread is made.
[[maybe_unused]] const bool allocator_throws = [] {
  rcAllocSetCustom(&AllocateOrThrow, &std::free);
  return true;
}();

std::unexpected<Error> Refused(const char* product) {
  return Fail(ErrorCode::kCapacity, product, 0, "no memory, or more than Recast can number");
}

// The heights of the part of a triangle that is above the cell; not inside out if there is any.
void IncludeHeights(const NavTriangle& triangle, const Bounds<3>& cell, float& low, float& high) {
  Polygon part;
  for (const Vec3 vertex : triangle) part.Add(vertex);
  part.Clip({-1, 0, 0}, -cell.min[0], 0);
  part.Clip({1, 0, 0}, cell.max[0], 1);
  part.Clip({0, 0, -1}, -cell.min[2], 2);
  part.Clip({0, 0, 1}, cell.max[2], 3);
  for (std::uint32_t i = 0; i < part.count(); ++i) {
    low = std::min(low, part[i].position.y);
    high = std::max(high, part[i].position.y);
  }
}

// Whether the body is a plane on which nothing walks.
bool IsWall(const BodySnapshot& body, const NavSettings& settings) {
  if (body.shape.kind != ShapeKind::kPlane) return false;
  const Vec3 normal = Rotate(body.rotation, body.shape.normal);
  const float across = normal.x * normal.x + normal.z * normal.z;
  const float steepest = settings.max_slope * normal.y;
  return !(normal.y > 0.0f) || across > steepest * steepest;
}

}  // namespace

NavCellBuild::NavCellBuild(const World& world, const NavSettings& settings, NavCellId cell,
                           QueryFilter filter, PinShapes pin)
    : world_(world),
      settings_(settings),
      voxels_(VoxelsOf(settings)),
      filter_(std::move(filter)),
      pin_(std::move(pin)),
      box_(BoundsOf(cell)) {
  NOWAIT_ASSERT(Validate(settings).has_value(), "a build's settings are valid");
  cell_.id = cell;
  const float border = static_cast<float>(voxels_.border) * settings.voxel;
  for (const int axis : {0, 2}) {
    box_.min[static_cast<std::size_t>(axis)] -= border;
    box_.max[static_cast<std::size_t>(axis)] += border;
  }
}

Result<void> NavCellBuild::Step(WaitTime& wait) {
  NOWAIT_ASSERT(next_ != NavStage::kDone, "a build that is done has no next stage");
  return OrNoMemory([&]() -> Result<void> {
    const NavStage stage = next_;
    next_ = NavStage::kDone;  // after an error, too
    Result<void> done;
    switch (stage) {
      case NavStage::kBodies:
        done = CollectBodies(wait);
        break;
      case NavStage::kTriangles:
        done = CollectTriangles();
        break;
      case NavStage::kVoxels:
        done = FillVoxels();
        break;
      case NavStage::kWalkable:
        done = FindWalkable();
        break;
      case NavStage::kRegions:
        done = FindRegions();
        break;
      case NavStage::kContours:
        done = FindContours();
        break;
      case NavStage::kPolygons:
        done = MakePolygons();
        break;
      case NavStage::kTile:
        return MakeTile();
      case NavStage::kDone:
        return done;
    }
    if (done) next_ = static_cast<NavStage>(static_cast<std::uint8_t>(stage) + 1);
    return done;
  });
}

NavCell NavCellBuild::Take() {
  NOWAIT_ASSERT(next_ == NavStage::kDone, "a cell is taken when its build is done");
  return std::move(cell_);
}

Result<void> NavCellBuild::CollectBodies(WaitTime& wait) {
  if (!IsInReach(cell_.id)) {
    return Fail(ErrorCode::kInvalidArgument, "cell", 0, "within 10,240 metres of the origin");
  }
  if (pin_) pinned_.emplace(pin_());
  world_.Read().Collect(box_, filter_, bodies_, wait);
  return {};
}

Result<void> NavCellBuild::CollectTriangles() {
  float low = kLargeFloat, high = -kLargeFloat;
  const auto add = [&](const BodySnapshot& body, const Bounds<3>& box) {
    float lowest = kLargeFloat;
    VisitParts(body.shape, body.position, body.rotation,
               [&](const Shape& part, Vec3 at, Quat turn) {
                 VisitTriangles(part, at, turn, box, [&](Vec3 a, Vec3 b, Vec3 c) {
                   triangles_.push_back({a, b, c});
                   IncludeHeights(triangles_.back(), box_, lowest, high);
                 });
                 parts_.push_back({triangles_.size(), FillOf(part, turn)});
               });
    low = std::min(low, lowest);
    return lowest;
  };
  const auto is_wall = [&](const BodySnapshot& body) { return IsWall(body, settings_); };
  // Below the highest ground without end nothing counts. The other grounds may be kilometres below.
  float solid_up_to = -kLargeFloat;
  for (const BodySnapshot& body : bodies_) {
    if (is_wall(body)) continue;
    const float lowest = add(body, box_);
    const bool is_plane = body.shape.kind == ShapeKind::kPlane && lowest < kLargeFloat;
    if (is_plane) solid_up_to = std::max(solid_up_to, lowest);
  }
  low = std::max(low, solid_up_to);
  // Walls without end are as high as an agent needs them beside the rest.
  Bounds<3> beside = box_;
  beside.min[1] = low;
  beside.max[1] = high + settings_.agent_height;
  for (const BodySnapshot& body : bodies_) {
    if (is_wall(body)) add(body, beside);
  }
  bodies_ = {};
  pinned_.reset();
  if (low > high) {
    triangles_ = {};  // none of them is above the cell
    parts_ = {};
    return {};
  }
  // From a whole voxel below to one above, so that neighbours have the same layers.
  const float first = std::floor(low / settings_.voxel_height) - 1;
  const float last = std::ceil(high / settings_.voxel_height) + 1;
  if (last - first > static_cast<float>(RC_SPAN_MAX_HEIGHT)) {
    return Fail(ErrorCode::kCapacity, "voxels of height", RC_SPAN_MAX_HEIGHT,
                "the bodies of a cell are too far above each other");
  }
  box_.min[1] = first * settings_.voxel_height;
  box_.max[1] = last * settings_.voxel_height;
  return {};
}

Result<void> NavCellBuild::FillVoxels() {
  if (triangles_.empty()) return {};
  auto solid = SolidVoxels::Create(settings_, box_);
  if (!solid) return std::unexpected(solid.error());
  std::size_t begin = 0;
  for (const Part& part : parts_) {
    const std::span<const NavTriangle> all(triangles_);
    if (auto added = solid->Add(all.subspan(begin, part.end - begin), part.fill); !added) {
      return added;
    }
    begin = part.end;
  }
  solid_.emplace(std::move(*solid));
  triangles_ = {};
  parts_ = {};
  return {};
}

Result<void> NavCellBuild::FindWalkable() {
  if (!solid_) return {};
  rcHeightfield& field = solid_->field();
  rcFilterLowHangingWalkableObstacles(&log_, voxels_.climb, field);
  rcFilterLedgeSpans(&log_, voxels_.height, voxels_.climb, field);
  rcFilterWalkableLowHeightSpans(&log_, voxels_.height, field);
  surface_.reset(rcAllocCompactHeightfield());
  if (!surface_ ||
      !rcBuildCompactHeightfield(&log_, voxels_.height, voxels_.climb, field, *surface_) ||
      !rcErodeWalkableArea(&log_, voxels_.clearance, *surface_)) {
    return Refused("walkable voxels");
  }
  solid_.reset();
  return {};
}

Result<void> NavCellBuild::FindRegions() {
  if (!surface_) return {};
  if (!rcBuildDistanceField(&log_, *surface_) ||
      !rcBuildRegions(&log_, *surface_, voxels_.border, kSmallestRegion, kMergedRegion)) {
    return Refused("regions");
  }
  return {};
}

Result<void> NavCellBuild::FindContours() {
  if (!surface_) return {};
  contours_.reset(rcAllocContourSet());
  if (!contours_ ||
      !rcBuildContours(&log_, *surface_, NavVoxels::kEdgeError, kLongestEdge, *contours_)) {
    return Refused("contours");
  }
  return {};
}

Result<void> NavCellBuild::MakePolygons() {
  if (!contours_) return {};
  polygons_.reset(rcAllocPolyMesh());
  if (!polygons_ || !rcBuildPolyMesh(&log_, *contours_, DT_VERTS_PER_POLYGON, *polygons_)) {
    return Refused("polygons");
  }
  contours_.reset();
  detail_.reset(rcAllocPolyMeshDetail());
  if (!detail_ ||
      !rcBuildPolyMeshDetail(&log_, *polygons_, *surface_, kDetailDistance * settings_.voxel,
                             settings_.voxel_height, *detail_)) {
    return Refused("detail");
  }
  surface_.reset();
  return {};
}

Result<void> NavCellBuild::MakeTile() {
  if (!polygons_ || polygons_->npolys == 0) return {};
  // Every polygon can be walked on; Detour's filter asks for a flag.
  std::fill_n(polygons_->flags, polygons_->npolys, static_cast<unsigned short>(1));
  dtNavMeshCreateParams params{};
  params.verts = polygons_->verts;
  params.vertCount = polygons_->nverts;
  params.polys = polygons_->polys;
  params.polyFlags = polygons_->flags;
  params.polyAreas = polygons_->areas;
  params.polyCount = polygons_->npolys;
  params.nvp = polygons_->nvp;
  params.detailMeshes = detail_->meshes;
  params.detailVerts = detail_->verts;
  params.detailVertsCount = detail_->nverts;
  params.detailTris = detail_->tris;
  params.detailTriCount = detail_->ntris;
  params.tileX = cell_.id.x;
  params.tileY = cell_.id.z;
  std::copy_n(polygons_->bmin, 3, params.bmin);
  std::copy_n(polygons_->bmax, 3, params.bmax);
  params.walkableHeight = settings_.agent_height;
  params.walkableRadius = settings_.agent_radius;
  params.walkableClimb = settings_.max_climb;
  params.cs = settings_.voxel;
  params.ch = settings_.voxel_height;
  params.buildBvTree = true;
  unsigned char* data = nullptr;
  int size = 0;
  if (!dtCreateNavMeshData(&params, &data, &size)) return Refused("tile");
  cell_.tile.reset(data);
  cell_.size = static_cast<std::uint32_t>(size);
  cell_.polygons = static_cast<std::uint32_t>(polygons_->npolys);
  polygons_.reset();
  detail_.reset();
  return {};
}

}  // namespace nowait
