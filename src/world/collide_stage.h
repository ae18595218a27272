// CollideStage: broad phase, narrow phase and linking of one step, on all threads.
//
// Each awake body asks the tree for its neighbours and tests those that may touch. A contact goes
// into the buffer of the piece of work that found it, and its bodies are linked in the union-find.
//
// Waking. A sleeping body that an awake body touches wakes in this same step, and so does what it
// touches, and so on: rounds go on until one wakes nobody. The bodies that end up awake are the
// least set that contains the ones awake at the start and whatever touches a member. That set does
// not depend on who found whom first, and a sleeping pile wakes as a whole.
//
// Which pairs are tested, so that each is, and none by chance:
//   both awake at the start            by the one with the lower slot
//   one awake at the start             by that one
//   both asleep at the start           by each one that is woken (twice if both are)
//   a static body                      by the other one
// A pair of layers that do not touch is not tested by anybody: the matrix is symmetric.
// A pair tested twice gives the same points twice; the copy is dropped when they are sorted.
//
// Thread safety: Run on one thread, phase kCollide; results by the same thread until the next Run.
//
// Invariants
//   1. A body is woken by whoever touches it first (src/islands/body_elements.h). Who comes second
//      may not know its element yet, does not wait for it, and leaves the link for the end of the
//      round.
//   2. Elements are handed out in the order of slots at the start, and in any order to those woken:
//      nothing may depend on their numbers. IslandBuilder sorts by slot.
//
// Source: the talk, "Lock free island building" (bodies that wake while others link). Lecture:
// union-find islands.
#ifndef NOWAIT_SRC_WORLD_COLLIDE_STAGE_H_
#define NOWAIT_SRC_WORLD_COLLIDE_STAGE_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "src/dynamics/contact.h"
#include "src/islands/body_elements.h"
#include "src/islands/find_stats.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "src/sync/quota.h"
#include "src/world/world_state.h"

namespace nowait {

class CollideStage {
 public:
  explicit CollideStage(WorldState& state);

  // awake: slots of dynamic bodies, ascending. Rebuilds the tree alongside: whether that worked is
  // rebuilt().
  void Run(std::span<const std::uint32_t> awake, TaskPool& pool);

  const Result<void>& rebuilt() const { return rebuilt_; }
  const UnionFind<>& sets() const { return elements_.sets(); }
  // The slots of the union-find's elements; from started() on, those of bodies that were woken.
  std::span<const std::uint32_t> slots() const { return slots_; }
  std::uint32_t started() const { return started_; }
  // By slot: whether the body is awake now.
  std::span<const std::uint8_t> awake() const { return awake_; }
  // Only for awake bodies.
  std::uint32_t ElementOf(std::uint32_t slot) const { return elements_.ElementOf(slot); }
  // What was found, by ascending pair, each pair once. Cut short when there is more than twice what
  // the contact store has room for; ContactStore::Merge then fails.
  std::span<const FoundContact* const> found() const { return found_; }
  std::uint32_t pairs() const { return pairs_; }
  const FindStats& find_stats() const { return find_stats_; }

 private:
  static constexpr std::uint32_t kPieces = 64;
  static constexpr std::uint32_t kSmallestPiece = 8;

  // What one piece of work found; by piece, not by thread.
  struct alignas(64) Piece {
    std::vector<FoundContact> found;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> unlinked;  // element, slot
    FindStats find_stats;
    std::uint32_t pairs = 0;
  };

  void Start(std::span<const std::uint32_t> awake);
  // Collides elements begin .. end-1 with their neighbours.
  void Round(std::uint32_t begin, std::uint32_t end, bool with_rebuild, TaskPool& pool);
  void CollideElement(std::uint32_t element, const BroadPhase::View& view, Piece& piece);
  // Whether it falls to the body in `slot` to test its pair with the one in `other`.
  bool Mine(std::uint32_t slot, std::uint32_t other) const;
  void Test(std::uint32_t element, std::uint32_t slot, std::uint32_t other, Piece& piece);
  void Link(std::uint32_t element, std::uint32_t other, Piece& piece);
  void LinkRest();
  void Collect();

  WorldState& state_;
  JobBatch batch_;
  BodyElements<> elements_;
  std::vector<std::uint32_t> slots_;          // by element
  std::vector<std::uint8_t> awake_at_start_;  // by slot
  std::vector<std::uint8_t> awake_;
  std::vector<Piece> pieces_;
  Quota<> quota_;  // of contacts to keep
  std::vector<std::pair<std::uint64_t, const FoundContact*>> sorted_;
  std::vector<const FoundContact*> found_;
  std::uint32_t started_ = 0;
  std::uint32_t pairs_ = 0;
  FindStats find_stats_;
  Result<void> rebuilt_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_COLLIDE_STAGE_H_
