// Walkers: agents of several sizes that go from place to place through the valley.
//
// A walker has a body, a path and a goal. Each frame it goes on along its path; before each step it
// asks the world whether the step is free, because a gate may have closed since the path was found.
// Then it stops, and looks for another path after a while.
//
// Thread safety: one thread. Update runs on all threads of the pool, each with a share of the
// walkers; it may be called in a task.
#ifndef NOWAIT_SRC_APPS_NAVIGATION_WALKERS_H_
#define NOWAIT_SRC_APPS_NAVIGATION_WALKERS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "src/apps/navigation/valley.h"
#include "src/base/result.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/navigation/nav_builder.h"
#include "src/navigation/nav_query.h"

namespace nowait {

struct WalkerCounts {
  std::uint64_t whole = 0, part = 0, cut_off = 0, no_mesh = 0;  // paths by their answer
  std::uint64_t goals = 0;                                      // reached
  std::uint64_t stops = 0;                                      // because something was in the way
  double metres = 0.0;
  std::chrono::nanoseconds paths{0};  // in path queries, of all threads
  std::chrono::nanoseconds longest_path{0};
  WaitTime wait;  // for bodies' locks and the mesh's

  WalkerCounts& operator+=(const WalkerCounts& other);
};

class Walkers {
 public:
  // A walker's way, a place each half second.
  using Track = std::vector<Vec3>;

  Walkers(Valley& valley, const NavBuilder& builder, std::span<const NavSettings> sizes,
          std::uint32_t count, std::uint64_t seed);

  // Puts the bodies into the world. Errors of World::CreateBody and NavQuery::Create.
  Result<void> Spawn();
  // The circles in which the walkers need a mesh.
  std::span<const NavNeed> Needs();
  // A frame of `dt` seconds.
  Result<void> Update(float dt, TaskPool& pool);

  WalkerCounts Counts() const;
  const std::vector<Track>& tracks() const { return tracks_; }

 private:
  struct Walker {
    std::uint32_t size = 0;
    BodyId body;
    Vec3 feet;
    bool placed = false;  // on the mesh: before its first path a walker may be in a rock
    std::vector<Vec3> path;
    std::size_t next = 0;   // of the path's points
    float patience = 0.0f;  // seconds until it looks for a path
    Random random{0};
  };
  // Walkers that one thread updates together, with its own queries.
  struct Group {
    std::uint32_t begin = 0, end = 0;
    std::vector<NavQuery> queries;  // of each size
    WalkerCounts counts;
    Result<void> result;
  };

  Result<void> UpdateGroup(Group& group, float dt);
  Result<void> UpdateWalker(Walker& walker, Group& group, const WorldView& view, float dt);
  void FindPath(Walker& walker, Group& group);
  Result<void> Step(Walker& walker, Group& group, const WorldView& view, float dt);
  Vec3 BodyPlace(const Walker& walker) const;

  Valley& valley_;
  const NavBuilder& builder_;
  const std::vector<NavSettings> sizes_;
  std::vector<Walker> walkers_;
  std::vector<Group> groups_;
  std::vector<NavNeed> needs_;
  std::vector<Track> tracks_;
  std::uint64_t frame_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_NAVIGATION_WALKERS_H_
