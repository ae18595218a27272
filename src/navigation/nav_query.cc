#include "src/navigation/nav_query.h"

#include <algorithm>
#include <cstddef>

#include "src/base/or_no_memory.h"

namespace nowait {

Result<NavQuery> NavQuery::Create(const NavMesh& mesh, std::uint32_t nodes) {
  if (nodes < 16 || nodes > 65'535) {
    return Fail(ErrorCode::kInvalidArgument, "nodes", nodes, "16 .. 65,535");
  }
  return OrNoMemory([&]() -> Result<NavQuery> {
    NavQuery made(mesh);
    made.query_.reset(dtAllocNavMeshQuery());
    // Keeps the mesh's address and reads nothing of it.
    if (!made.query_ ||
        dtStatusFailed(made.query_->init(mesh.mesh_.get(), static_cast<int>(nodes)))) {
      return Fail(ErrorCode::kCapacity, "memory");
    }
    // No path has more polygons than the search has nodes, nor more corners than edges and ends.
    made.corridor_.resize(nodes);
    made.corners_.resize(std::size_t{3} * (nodes + 2));
    return made;
  });
}

// Under the mesh's lock.
Result<NavQuery::Place> NavQuery::Nearest(Vec3 near, const char* argument,
                                          const char* mesh_there) const {
  if (!IsFinite(near)) return Fail(ErrorCode::kInvalidArgument, argument, 0, "not finite");
  const NavSettings& settings = mesh_->settings();
  const float around[3] = {2 * settings.agent_radius, settings.agent_height,
                           2 * settings.agent_radius};
  const float centre[3] = {near.x, near.y, near.z};
  Place place;
  const bool is_far = std::max(std::abs(near.x), std::abs(near.z)) > 2 * kNavReach;
  if (is_far ||
      dtStatusFailed(query_->findNearestPoly(centre, around, &filter_, &place.polygon, place.at)) ||
      place.polygon == 0) {
    return Fail(ErrorCode::kNotFound, mesh_there);
  }
  return place;
}

Result<Vec3> NavQuery::FindPlace(Vec3 near, WaitTime& wait) {
  const ReadScope lock(mesh_->lock_, wait);
  const auto place = Nearest(near, "place", "mesh at place");
  if (!place) return std::unexpected(place.error());
  return Vec3{place->at[0], place->at[1], place->at[2]};
}

Result<NavReach> NavQuery::FindPath(Vec3 from, Vec3 to, std::vector<Vec3>& points, WaitTime& wait) {
  points.clear();
  const ReadScope lock(mesh_->lock_, wait);
  const auto start = Nearest(from, "from", "mesh at from");
  if (!start) return std::unexpected(start.error());
  const auto end = Nearest(to, "to", "mesh at to");
  if (!end) return std::unexpected(end.error());
  int length = 0;
  const dtStatus found =
      query_->findPath(start->polygon, end->polygon, start->at, end->at, &filter_, corridor_.data(),
                       &length, static_cast<int>(corridor_.size()));
  if (dtStatusFailed(found) || length == 0) return Fail(ErrorCode::kCorrupt, "navigation mesh");
  // The end of a path that does not lead to the end.
  float last[3] = {end->at[0], end->at[1], end->at[2]};
  const dtPolyRef last_polygon = corridor_[static_cast<std::size_t>(length) - 1];
  if (last_polygon != end->polygon &&
      dtStatusFailed(query_->closestPointOnPoly(last_polygon, end->at, last, nullptr))) {
    return Fail(ErrorCode::kCorrupt, "navigation mesh");
  }
  int corners = 0;
  if (dtStatusFailed(query_->findStraightPath(start->at, last, corridor_.data(), length,
                                              corners_.data(), nullptr, nullptr, &corners,
                                              static_cast<int>(corners_.size() / 3)))) {
    return Fail(ErrorCode::kCorrupt, "navigation mesh");
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(corners); ++i) {
    points.push_back({corners_[3 * i], corners_[3 * i + 1], corners_[3 * i + 2]});
  }
  if (dtStatusDetail(found, DT_OUT_OF_NODES)) return NavReach::kCutOff;
  return last_polygon == end->polygon ? NavReach::kWhole : NavReach::kPart;
}

}  // namespace nowait
