// Herd: game objects that update themselves, each as a transaction, on all threads of the pool.
//
//   phase   objects                         a transaction
//   graze   horses, all at once             moves one; one that crosses the middle line also counts
//                                           that in the tally, which all horses share
//   ride    riders, all at once             reads the new place of its horse, and goes there
//   swap    some pairs of riders            exchanges two riders' horses: four objects; its event
//                                           is an effect that is delayed until the commit
//           one watcher a pair              reads a rider of it and then the rider's horse, which
//                                           names the rider: never half a swap
//
// A phase ends before the next one begins: a rider sees where its horse is in this frame. Within a
// phase the transactions commute, so that the objects are the same for any number of threads. An
// update takes for writing what has to be fresh, and relies on nothing else that may change
// meanwhile: kReadCommitted is enough. A watcher writes nothing, and needs kSnapshot.
//
// Thread safety: one thread, which is one of the pool's. Blocking: Update helps and waits.
// Source: [cbloom2011], the transaction and the note on phases.
#ifndef NOWAIT_SRC_APPS_DEMO_HERD_H_
#define NOWAIT_SRC_APPS_DEMO_HERD_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "src/apps/demo/scene.h"
#include "src/base/result.h"
#include "src/events/lanes.h"
#include "src/game/object_table.h"
#include "src/game/transaction.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "src/math/vec3.h"
#include "src/sync/index_pool.h"

namespace nowait {

// A horse, a rider, or the tally.
struct Actor {
  Vec3 place;
  Vec3 velocity;            // of a horse
  ObjectHandle other;       // a horse's rider, a rider's horse
  std::uint64_t count = 0;  // a rider's swaps; in the tally: crossings of the middle line
};

struct HerdReport {
  std::uint32_t riders = 0;
  std::uint32_t mounted = 0;  // riders whose horse names them
  std::uint64_t crossings = 0;
  std::uint64_t swaps = 0;
  std::uint64_t looks = 0;         // of watchers
  std::uint64_t whole = 0;         // of them: the horse named the rider
  TransactionCounts transactions;  // of all threads
  std::uint32_t checksum = 0;      // CRC-32 of all objects
};

class Herd {
 public:
  // A horse for each rider. threads: of the pool. kCapacity "memory". The ground outlives it.
  static Result<std::unique_ptr<Herd>> Create(std::uint32_t riders, const Ground& ground,
                                              std::uint32_t threads, std::uint64_t seed);

  // How many sections of events an update opens at once.
  static std::uint32_t SectionsOf(std::uint32_t threads);

  // One frame. Errors of the pool, of the events, and of transactions.
  Result<void> Update(std::uint32_t frame, TaskPool& pool, EventLanes& events);

  HerdReport report();

 private:
  using Table = ObjectTable<Actor>;

  // The transactions of a thread, for a piece of a phase.
  struct alignas(64) Worker {
    explicit Worker(Table& table);
    // Nobody else changes a horse or a rider meanwhile: revisions seldom collide.
    Transaction<Table, Revisions> alone;
    // Many ask for the tally at once, and each changes it: exclusive.
    Transaction<Table, Exclusive> together;
    Transaction<Table, Revisions> watching;
    std::uint64_t looks = 0;
    std::uint64_t whole = 0;
    Result<void> done;  // the first error of the thread
  };

  Herd(std::uint32_t riders, const Ground& ground, std::uint32_t threads);
  Result<void> Populate(std::uint32_t riders, std::uint64_t seed);
  // Calls one(worker, i) for each i below count, on all threads.
  template <class F>
  Result<void> Phase(TaskPool& pool, std::uint32_t count, const F& one);

  static Result<void> Graze(Worker& worker, ObjectHandle self, ObjectHandle tally,
                            const Ground& ground);
  static Result<void> Ride(Worker& worker, ObjectHandle self);
  static Result<void> Swap(Worker& worker, ObjectHandle a, ObjectHandle b,
                           EventLanes::Section& section);
  static Result<void> Watch(Worker& worker, ObjectHandle watched);

  const Ground& ground_;
  Table actors_;
  std::vector<ObjectHandle> horses_;
  std::vector<ObjectHandle> riders_;
  ObjectHandle tally_;
  std::deque<Worker> workers_;
  IndexPool<> free_workers_;
  JobBatch batch_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_HERD_H_
