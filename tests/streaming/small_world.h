// SmallWorld: tiles and scenes of a made-up hill in a folder, for tests of streaming.
//
// Thread safety: one thread.
#ifndef NOWAIT_TESTS_STREAMING_SMALL_WORLD_H_
#define NOWAIT_TESTS_STREAMING_SMALL_WORLD_H_

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "src/jobs/task_pool.h"
#include "src/resource/elevation.h"
#include "src/streaming/world_compiler.h"
#include "src/streaming/world_source.h"

namespace nowait {

// posts x posts of them, 90 m apart, with heights that differ by less than `rise` metres.
inline Elevation SmallHill(int posts = 40, int rise = 11) {
  Elevation elevation;
  elevation.rows = elevation.columns = static_cast<std::uint32_t>(posts);
  elevation.row_spacing = elevation.column_spacing = 90.0f;
  elevation.row_degrees = elevation.column_degrees = 0.001;
  for (int row = 0; row < posts; ++row) {
    for (int column = 0; column < posts; ++column) {
      elevation.posts.push_back(static_cast<std::int16_t>(300 + (row * 37 + column * 53) % rise));
    }
  }
  return elevation;
}

// columns x rows tiles with a few objects, and a scene in each.
inline WorldSource SmallSource(std::uint32_t columns = 10, std::uint32_t rows = 8) {
  WorldSource source;
  source.south = source.east = 200.0;
  source.columns = columns;
  source.rows = rows;
  source.scenes_per_tile = 2;
  source.scatter = {
      {PlacedObject::kHull, PlacedObject::kStatic, {1, 1, 1}, {2, 2, 2}, 6, false},
      {PlacedObject::kBox, PlacedObject::kAsleep, {.3f, .3f, .3f}, {1, 1, 1}, 6, true},
      {PlacedObject::kCylinder, PlacedObject::kStatic, {.3f, 1, .3f}, {.5f, 3, .5f}, 6}};
  SceneKind scene{
      .file = "heap.json", .encounter = 30, .activation = 190, .objects = {}, .spawn_points = {}};
  scene.objects = {{PlacedObject::kSphere,
                    PlacedObject::kAwake,
                    {.4f, .4f, .4f},
                    {0, 1, 0},
                    {3, 2, 3},
                    {1, 1, 1}},
                   {PlacedObject::kHull,
                    PlacedObject::kAwake,
                    {.5f, .5f, .5f},
                    {5, 1, 0},
                    {2, 2, 2},
                    {1.5f, 1.5f, 1.5f}}};
  scene.spawn_points = {{0, 10}, {10, 0}};
  source.scenes = {scene};
  source.hash = 7;
  return source;
}

// A folder that is gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_((std::filesystem::temp_directory_path() / "streaming.XXXXXX").string()) {
    REQUIRE(mkdtemp(path_.data()) != nullptr);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct SmallWorld {
  TemporaryFolder folder;
  Elevation elevation;
  WorldSource source;
  WorldIndex index;

  // A soak gives the real terrain and its documents.
  explicit SmallWorld(WorldSource made_from = SmallSource(), Elevation hills = SmallHill())
      : elevation(std::move(hills)), source(std::move(made_from)) {
    const auto pool = TaskPool::Create({.workers = 1});
    REQUIRE(pool);
    const auto here = (*pool)->Register("main");
    REQUIRE(here);
    const auto made = CompileWorld(**pool, source, elevation, {.folder = folder.path(), .seed = 1});
    INFO((made ? "" : made.error().text));
    REQUIRE(made);
    index = *made;
  }
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_STREAMING_SMALL_WORLD_H_
