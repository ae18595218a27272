// Actor: makes the calls of one thread or task, and records what came back.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_ACTOR_H_
#define NOWAIT_TESTS_WHOLE_WORLD_ACTOR_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/world/world.h"
#include "tests/whole/world/dictionary.h"
#include "tests/whole/world/history.h"
#include "tests/whole/world/program.h"

namespace nowait::world_programs {

using IdBits = decltype(BodyId().bits());

// A batch goes from thread to thread; each has it for one call. A thread that finds it taken skips
// its call.
struct BatchSlot {
  std::atomic<bool> is_taken{false};
  WorldBatch batch;
};

struct Shared {
  explicit Shared(const WorldProgram& of);

  Stamp Now() { return clock.fetch_add(1, std::memory_order_relaxed); }

  const WorldProgram& program;
  std::vector<std::unique_ptr<World>> worlds;
  // relaxed: an id is all that goes from thread to thread through a cell, and the world's promises
  // have to hold for ids that came without any order.
  std::vector<std::array<std::atomic<IdBits>, kCells>> cells;
  std::vector<std::array<std::atomic<JointId>, kJointCells>> joints;  // likewise
  // kBatches for each world.
  std::vector<BatchSlot> batches;
  std::atomic<Stamp> clock{1};
  // By world, so that a world's bodies have the same numbers whatever is done to the other.
  std::vector<std::atomic<std::uint64_t>> next_number;
  // Plain: what a thread wrote here before it made body n has to be there for each that finds it.
  std::vector<std::uint64_t> written;
};

inline constexpr std::size_t kMostBodies = 1 << 13;  // of each world

class Actor {
 public:
  // puts: whether the ids that it finds go into the cells.
  Actor(Shared& shared, std::string name, bool puts)
      : shared_(shared), name_(std::move(name)), puts_(puts) {}

  void Do(const Call& call);
  // In a game update in which all look through ReadNoLock.
  void DoStill(const Call& call);
  void DropViews();

  std::vector<Record>& records() { return records_; }
  std::vector<Broken>& failures() { return failures_; }

 private:
  void Fail(std::string promise);
  void Change(World& world, Record& record);
  void Prepare(World& world, Record& record);
  void Finalise(World& world, Record& record);
  void Abort(World& world, Record& record);
  void Join(World& world, Record& record);
  void Gear(const World& world, Record& record);
  void Unjoin(World& world, Record& record);
  void Remove(World& world, Record& record);
  void Query(const World& world, const WorldView* view, Record& record);
  void QueryView(const WorldView& view, const QueryFilter& filter, Record& record);

  BatchSlot& SlotOf(const Call& call, std::size_t world);
  BodyId Look(std::uint8_t world, std::uint8_t cell) const;
  void Put(const Record& record, std::size_t offset, BodyId id);
  void Found(const BodySnapshot& body);
  std::vector<BodyDef> Number(const Call& call);
  template <class T>
  static bool Keep(const Result<T>& result, Record& record);

  Shared& shared_;
  const std::string name_;
  const bool puts_;
  WaitTime wait_;
  struct Held {
    std::uint8_t world;
    WorldView view;
  };
  std::array<std::optional<Held>, kViews> views_;
  std::vector<Record> records_;
  std::vector<Broken> failures_;
  bool skipped_ = false;
};

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_ACTOR_H_
