// NavQuery: paths through a mesh, for one thread at a time.
//
//   auto query = NavQuery::Create(mesh);
//   if (!query) return std::unexpected(query.error());
//   std::vector<Vec3> points;
//   const auto reach = query->FindPath(here, there, points, wait);
//   if (!reach) return std::unexpected(reach.error());       no mesh at one of the ends
//   if (*reach != NavReach::kWhole) ...                      points lead as near as one can get
//
// Thread safety: one thread at a time; any number of queries at once. The mesh outlives them.
// Progress: blocking; the mesh's lock for reading, from the beginning of a search to its end.
// Promise: the points are a path of the mesh as it was during the call. From one to the next an
// agent of the mesh's size walks straight on. After a change of the mesh it may lead through a gate
// that is closed by now: it is short-lived, like any answer about a world that changes.
// Complexity: O(n log n) in the polygons that are looked at, at most `nodes`. No allocation in
// steady state.
//
// Source: A* over polygons, and the funnel that draws a path tight, by Detour; P. Hart, N. Nilsson,
// B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968.
// Lecture: background jobs that outlast frames.
#ifndef NOWAIT_SRC_NAVIGATION_NAV_QUERY_H_
#define NOWAIT_SRC_NAVIGATION_NAV_QUERY_H_

#include <cstdint>
#include <vector>

#include "src/base/result.h"
#include "src/math/vec3.h"
#include "src/navigation/nav_mesh.h"
#include "src/navigation/recast.h"
#include "src/sync/rw_lock.h"

namespace nowait {

enum class NavReach : std::uint8_t {
  kWhole,   // the path ends at `to`
  kPart,    // no path leads to `to`; it ends in the nearest place that can be reached
  kCutOff,  // the search ran out of nodes; the path ends in the nearest place found by then
};

class NavQuery {
 public:
  // nodes: polygons that a search may look at, 16 .. 65,535. kInvalidArgument "nodes"; kCapacity
  // "memory".
  static Result<NavQuery> Create(const NavMesh& mesh, std::uint32_t nodes = 2048);

  // A short path from `from` to `to`, in metres; both are moved to the nearest place of the mesh
  // within twice the radius to the side and the agent's height up and down. Replaces what is in
  // `points`: at least one, the first where the agent is, the last where the path ends.
  // kInvalidArgument "from" or "to", not finite; kNotFound "mesh at from" or "mesh at to"; then
  // `points` is empty.
  Result<NavReach> FindPath(Vec3 from, Vec3 to, std::vector<Vec3>& points, WaitTime& wait);

  // The place of the mesh nearest to `near`, with the errors of FindPath for "place".
  Result<Vec3> FindPlace(Vec3 near, WaitTime& wait);

 private:
  struct Place {
    dtPolyRef polygon = 0;
    float at[3] = {};
  };

  explicit NavQuery(const NavMesh& mesh) : mesh_(&mesh) {}
  Result<Place> Nearest(Vec3 near, const char* argument, const char* mesh_there) const;

  const NavMesh* mesh_;
  OwnedQuery query_;
  dtQueryFilter filter_;
  std::vector<dtPolyRef> corridor_;  // the polygons of a path
  std::vector<float> corners_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_NAVIGATION_NAV_QUERY_H_
