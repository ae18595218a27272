// Paths: the open world's navigation mesh, around the player and the machines that patrol.
//
//   paths.Hear(event);                       a tile or a scene has come or gone: its cells change
//   paths.Update(player, patrols, wait);     takes finished cells, begins builds
//   paths.Find(here, there, points);         a path, for a machine
//
// Cells are built by tasks beside the frames (src/navigation/nav_builder.h). A build has copied
// bodies whose tile may be let go: it pins their shapes (src/streaming/retired_shapes.h).
//
// Thread safety: in the game update, one thread at a time. The end by a main thread, outside tasks,
// before the streamer stops.
// Promise: with replay, the same calls give the same paths for any number of threads.
// Source: [rouwe2022], "Background NavMesh job".
#ifndef NOWAIT_SRC_APPS_OPENWORLD_PATHS_H_
#define NOWAIT_SRC_APPS_OPENWORLD_PATHS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"
#include "src/navigation/nav_builder.h"
#include "src/navigation/nav_query.h"
#include "src/streaming/streamer.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"

namespace nowait {

struct PathsReport {
  NavBuilderStats cells;
  std::uint64_t longest_update = 0;  // nanoseconds
  std::uint64_t whole = 0;           // paths that lead to their goals
  std::uint64_t part = 0;            // as near as one can get
  std::uint64_t no_mesh = 0;         // at one of the ends
  std::uint64_t longest_path = 0;    // nanoseconds
  std::vector<NavPolygon> polygons;  // of the mesh at the end
  WaitTime wait;                     // of paths, for the mesh

  std::uint64_t paths() const { return whole + part + no_mesh; }
};

class Paths {
 public:
  // player: its body is no obstacle. replay: as StreamerDef::replay.
  static Result<std::unique_ptr<Paths>> Create(const World& world, TaskPool& pool,
                                               Streamer& streamer, BodyId player,
                                               std::optional<std::uint32_t> replay);

  // As NavBuilder::Due.
  TaskId Due() const { return builder_->Due(); }
  void Hear(const StreamEvent& event);
  // Bodies in the box have come, gone or moved.
  void Changed(const Bounds<3>& box);
  // The errors of NavBuilder::Update.
  Result<void> Update(Vec3 player, std::span<const Vec3> patrols, WaitTime& wait);

  // Whether there is a path, or a part of one; the points are empty otherwise.
  bool Find(Vec3 from, Vec3 to, std::vector<Vec3>& points);

  PathsReport Report();

 private:
  Paths(const WorldIndex& index, std::unique_ptr<NavBuilder> builder, NavQuery query);
  void Need(Vec3 place, float radius);

  const WorldIndex& index_;
  std::unique_ptr<NavBuilder> builder_;
  NavQuery query_;
  std::vector<NavNeed> needs_;
  PathsReport report_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_PATHS_H_
