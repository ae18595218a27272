// Parcel: one tile or scene on its way from the disk into the world, and out of it.
//
//   Start ─> read, on the disk's thread ─> make shapes and bodies, a task of low priority
//         ─> Enter: O(1), in the game update ─> Leave, some bodies at a time ─> TakeShapes
//
// Thread safety: one thread at a time, in the game update. The read and the task between Start and
// IsComplete use the parcel meanwhile: it stays in its place.
// Blocking: a mutex for an assignment. Leave takes body locks, one at a time. Nothing waits for the
// disk.
// Errors: the one of the loading is kept (error), as one line.
#ifndef NOWAIT_SRC_STREAMING_PARCEL_H_
#define NOWAIT_SRC_STREAMING_PARCEL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/streaming/contents.h"
#include "src/streaming/scene_site.h"
#include "src/streaming/tile_grid.h"
#include "src/sync/policy.h"
#include "src/world/world.h"

namespace nowait {

struct SceneNumber {
  std::uint32_t number = 0;
  friend bool operator==(const SceneNumber&, const SceneNumber&) = default;
};
using ParcelName = std::variant<TileCoord, SceneNumber>;

inline bool IsScene(const ParcelName& name) { return std::holds_alternative<SceneNumber>(name); }

// The file of a tile or a scene. kCapacity: it is longer than any of them; otherwise as ReadFile.
Result<std::vector<std::byte>> ReadParcelFile(const std::string& path);

class Parcel {
 public:
  // The whole of a file; called on the disk's thread, may stall.
  using ReadFunction = std::function<Result<std::vector<std::byte>>(const std::string& path)>;

  struct Def {
    TaskPool* pool = nullptr;  // with a device "disk"
    World* world = nullptr;
    ReadFunction read;
    // Whether the loading task makes the bodies' subtree, too. Without it, Enter does.
    bool prepares = true;
  };

  explicit Parcel(const Def& def) : def_(def) {}
  Parcel(const Parcel&) = delete;
  Parcel& operator=(const Parcel&) = delete;

  const ParcelName& name() const { return name_; }

  // Begins to load. site: of a scene, as the index has it. kCapacity "open tasks": nothing has
  // begun.
  Result<void> Start(const ParcelName& name, const SceneSite& site, std::string path);
  TaskId task() const { return task_; }
  bool IsComplete() const { return def_.pool->IsComplete(task_); }
  // The load is not wanted any more; it completes early if the disk has not begun.
  void Cancel();

  // --- After IsComplete.
  // Why it could not be loaded; empty: it has been.
  const std::string& error() const { return error_; }
  // Whether that is for want of room in the world.
  bool lacks_room() const { return lacks_room_; }
  std::size_t file_bytes() const { return file_bytes_; }
  // Drops what has been loaded, bodies that were prepared as well.
  void Discard();

  // Makes its bodies part of the world. An error, of a parcel that does not prepare, is kept.
  bool Enter(WaitTime& wait);
  // Removes at most `most` bodies, dynamic ones first and the ground last. Returns how many it had
  // left to look at; a body that is gone already counts.
  std::size_t Leave(std::size_t most, WaitTime& wait);
  // After the last Leave.
  Shapes TakeShapes() { return std::move(contents_.shapes); }

  std::span<const BodyId> bodies() const { return bodies_; }
  // Of a scene.
  const SceneSite& site() const { return site_; }
  std::span<const Vec3> spawn_points() const { return contents_.spawn_points; }
  std::span<const SceneBox> triggers() const { return contents_.triggers; }
  std::span<const SceneBox> gates() const { return contents_.gates; }
  // Of a resident scene, in the order of gates().
  std::span<const BodyId> gate_bodies() const {
    return std::span(bodies_).first(contents_.gates.size());
  }
  const SceneScript& script() const { return contents_.script; }
  std::size_t shape_bytes() const { return contents_.shapes.bytes(); }

 private:
  static Result<void> Read(void* data);
  static void Make(void* data);
  bool IsWanted();
  Result<void> MakeContents();
  Result<void> Prepare();

  const Def def_;
  ParcelName name_;
  SceneSite site_;
  std::string path_;
  std::optional<DeviceRequest> request_;
  TaskId task_;
  std::vector<std::byte> file_;
  std::size_t file_bytes_ = 0;
  std::string error_;
  bool lacks_room_ = false;
  Contents contents_;
  WorldBatch batch_;
  std::vector<BodyId> bodies_;
  // A request is the disk's as soon as it is submitted, and the pool cannot take it back.
  EngineSync::mutex mutex_;
  bool wanted_ = true;  // under the mutex
};

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_PARCEL_H_
