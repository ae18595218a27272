// Streamer: keeps the tiles and scenes around a player in a world, and no frame waits for it.
//
//   absent ─> loading ─> waiting ─> resident ─> leaving ─> absent
//                │                            the game update removes some bodies a frame
//                └─> missing: a read failed, or the blob is damaged; it is tried again when it
//                    has been let go and is wanted once more. Or the world has no room for its
//                    bodies; it is tried again when others have been removed
//
// A scene enters when the ground below its encounter area is resident, and leaves before that does.
// It is active while the player is within its activation radius.
//
// Thread safety: Update, Stop and the accessors by one thread at a time, in the game update. Pin by
// any thread (retired_shapes.h).
// Blocking: Update takes body locks to remove bodies, one at a time, and waits for nothing else: a
// load that is not there yet is looked at again in the next frame. Stop helps until all are over.
// Promise: at most Residency::kMostTiles tiles are resident or wanted, at most most_parcels parcels
// have memory; a failure is said once for each tile and scene.
// Complexity: of Update: O(scenes of the index + parcels + bodies removed).
// Errors: kInvalidArgument names the field of a definition, or "motion". A failed load is an event,
// not an error.
// Test: tests/streaming/streamer_test.cc, streamer_property_test.cc; in a game:
// tests/apps/openworld/ride_test.cc.
// Source: [rouwe2022], "Streaming open world"; [cbloom2011]: a thread for the disk. Lecture:
// streaming an open world.
#ifndef NOWAIT_SRC_STREAMING_STREAMER_H_
#define NOWAIT_SRC_STREAMING_STREAMER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/streaming/parcel.h"
#include "src/streaming/residency.h"
#include "src/streaming/retired_shapes.h"
#include "src/streaming/world_index.h"
#include "src/world/world.h"

namespace nowait {

struct StreamerDef {
  std::string folder;  // with the files of the index
  WorldIndex index;

  std::uint32_t most_parcels = 96;          // tiles and scenes with memory at the same time
  std::uint32_t loads = 8;                  // of them loading at the same time
  std::uint32_t entries_per_update = 4;     // finalised at most, in an Update
  std::uint32_t removals_per_update = 512;  // bodies
  // If given: a load is looked at so many updates after it was begun, not as soon as it is
  // complete, and Due has to be heeded. Then the same calls give the same world for any number of
  // threads and any disk.
  std::optional<std::uint32_t> replay = {};
  // The files; injected: a test has a slow disk, or one that fails.
  Parcel::ReadFunction read = &ReadParcelFile;
};

enum class ParcelState : std::uint8_t {
  kAbsent,
  kLoading,
  kWaiting,  // loaded; for its turn, or for the ground of a scene
  kResident,
  kLeaving,
  kMissing,
};

struct StreamEvent {
  enum class Kind : std::uint8_t { kEntered, kLetGo, kMissing, kActivated, kDeactivated } kind;
  ParcelName name;
  std::string why;  // of kMissing, one line

  friend bool operator==(const StreamEvent&, const StreamEvent&) = default;
};

struct StreamCounts {
  std::uint64_t begun = 0;
  std::uint64_t tiles_entered = 0;
  std::uint64_t scenes_entered = 0;
  std::uint64_t tiles_let_go = 0;
  std::uint64_t scenes_let_go = 0;
  std::uint64_t missing = 0;
  std::uint64_t cancelled = 0;            // let go before they had entered
  std::uint64_t scenes_without_room = 0;  // that could not begin, added over the updates
  std::uint64_t bytes_read = 0;           // of loads that were not cancelled
  std::uint64_t bodies_entered = 0;
  std::uint64_t bodies_removed = 0;
  std::uint64_t longest_load = 0;  // updates, from its beginning until it could enter
};

class Streamer {
 public:
  // pool: with a device "disk". world: with room for the bodies of all parcels. Both are there
  // until Stop has returned. The world ends before this does: its bodies have the shapes of this.
  static Result<std::unique_ptr<Streamer>> Create(const StreamerDef& def, TaskPool& pool,
                                                  World& world);
  // After Stop, if Update was called.
  ~Streamer();
  Streamer(const Streamer&) = delete;
  Streamer& operator=(const Streamer&) = delete;

  // With StreamerDef::replay, a load that has to be complete before the next Update, or no task. A
  // task puts itself off until then (RunLater, src/jobs/run_later.h), a main thread waits. Then
  // there may be another one.
  TaskId Due() const;

  // Once a frame. kInvalidArgument "motion": it is not valid; then nothing has happened.
  Result<void> Update(const PlayerMotion& motion, WaitTime& wait);
  // Ends all loads, after the read in progress; the bodies stay in the world. No Update after it.
  // By a main thread, outside tasks. The errors are those of TaskPool::Wait.
  Result<void> Stop();

  // Of the last Update, in a fixed order.
  std::span<const StreamEvent> events() const { return events_; }
  const Residency& residency() const { return residency_; }
  const StreamCounts& counts() const { return counts_; }
  const WorldIndex& index() const { return def_.index; }

  // For a tile or a scene that the index does not have: kAbsent, false and null.
  ParcelState StateOf(TileCoord tile) const;
  ParcelState StateOf(SceneNumber scene) const;
  bool IsActive(SceneNumber scene) const;
  // Of a resident parcel; null otherwise. Valid until the next Update.
  const Parcel* Find(const ParcelName& name) const;
  // Whether each tile of the index that the circle touches is resident. Metres; false if one of
  // them is not finite.
  bool IsCovered(float x, float z, float radius) const;

  // For a query that goes on over an Update; it ends before the guard does, and that before Stop.
  [[nodiscard]] RetiredShapes::Guard Pin() { return retired_.Pin(); }

  // Of all parcels that have shapes, but those that are loading: waiting, resident and leaving
  // ones.
  std::size_t shape_bytes() const;
  std::size_t retired_bytes() const { return retired_.bytes(); }

 private:
  using Slot = std::uint32_t;
  static constexpr Slot kNoSlot = ~Slot{0};
  // Tiles that come and tiles that go have room of their own. Scenes that wait for their ground
  // could otherwise have all of it.
  std::size_t most_scenes() const { return entries_.size() - 2 * Residency::kMostTiles; }
  struct Entry {
    std::unique_ptr<Parcel> parcel;
    ParcelState state = ParcelState::kAbsent;
    std::uint64_t begun = 0;    // the update
    bool cancelled = false;     // since then
    std::uint64_t removed = 0;  // bodies, when it was found missing
  };
  struct Place {  // of a tile or a scene of the index
    Slot slot = kNoSlot;
    bool said = false;    // that it is missing
    bool active = false;  // of a scene
  };

  Streamer(const StreamerDef& def, TaskPool& pool, World& world);

  // Of a tile or a scene of the index; const if the streamer is.
  template <class Self>
  static auto& PlaceIn(Self& self, const ParcelName& name) {
    if (IsScene(name)) return self.scenes_[std::get<SceneNumber>(name).number];
    return self.tiles_[self.def_.index.NumberOf(std::get<TileCoord>(name))];
  }
  // Whether the index has it.
  bool Has(const ParcelName& name) const;
  ParcelState StateOf(const Place& place) const;
  bool IsWanted(const ParcelName& name) const;
  bool IsLookedAt(const Entry& entry) const;
  bool MayHaveRoom(const Entry& entry) const;
  void Miss(Entry& entry);
  void LetGo(Slot slot);
  void BeginLoads();
  void Begin(const ParcelName& name);
  void Settle(Slot slot);
  void EnterWaiting(WaitTime& wait);
  bool MayEnter(const Entry& entry) const;
  void Remove(WaitTime& wait);
  bool RemoveFrom(Slot slot, std::size_t& left, WaitTime& wait);
  void Activate();
  void Forget(Slot slot);
  void Say(StreamEvent::Kind kind, const ParcelName& name, std::string why = {});

  const StreamerDef def_;
  TaskPool& pool_;
  Residency residency_;
  std::vector<Entry> entries_;
  std::vector<Slot> free_;
  std::vector<Slot> order_;   // those in use, in the order in which they were begun
  std::vector<Slot> walked_;  // a copy of it, while entries are forgotten
  std::vector<Place> tiles_;
  std::vector<Place> scenes_;
  std::vector<StreamEvent> events_;
  RetiredShapes retired_;
  StreamCounts counts_;
  std::uint64_t update_ = 0;
  std::uint32_t loading_ = 0;
  std::uint32_t scenes_with_memory_ = 0;
};

// Implementation: why a replay is the same for any number of threads
//
// The world's state depends on the calls that change it and on their order: PrepareBatch gives out
// slots of bodies, FinaliseBatch makes them part of the world, RemoveBodies gives slots back. With
// StreamerDef::replay, Update makes all of these calls itself; a loading task makes only shapes and
// definitions, which depend on the file alone. The choice and the order of the calls follow from
// the player's places and from numbers of updates: a load is looked at in a fixed update, whether
// it is wanted then or was let go, and it is complete by then (Due). The time at which it was
// complete is looked at nowhere.
// Without replay the calls of PrepareBatch are made by loading tasks, in any order, and a parcel
// enters as soon as it can.

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_STREAMER_H_
