// Owners of the objects that Recast and Detour allocate.
//
// Thread safety: values.
#ifndef NOWAIT_SRC_NAVIGATION_RECAST_H_
#define NOWAIT_SRC_NAVIGATION_RECAST_H_

#include <recastnavigation/DetourAlloc.h>
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshQuery.h>
#include <recastnavigation/Recast.h>

#include <memory>

namespace nowait {

template <auto kFree>
struct FreeBy {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};

template <class T, auto kFree>
using Owned = std::unique_ptr<T, FreeBy<kFree>>;

using OwnedVoxels = Owned<rcHeightfield, &rcFreeHeightField>;
using OwnedSurface = Owned<rcCompactHeightfield, &rcFreeCompactHeightfield>;
using OwnedContours = Owned<rcContourSet, &rcFreeContourSet>;
using OwnedPolygons = Owned<rcPolyMesh, &rcFreePolyMesh>;
using OwnedDetail = Owned<rcPolyMeshDetail, &rcFreePolyMeshDetail>;
using OwnedTile = Owned<unsigned char, &dtFree>;
using OwnedMesh = Owned<dtNavMesh, &dtFreeNavMesh>;
using OwnedQuery = Owned<dtNavMeshQuery, &dtFreeNavMeshQuery>;

}  // namespace nowait

#endif  // NOWAIT_SRC_NAVIGATION_RECAST_H_
