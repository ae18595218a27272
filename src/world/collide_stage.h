// CollideStage: broad phase, narrow phase and linking of one step, on all threads.
//
// Each awake body asks the tree for its neighbours and tests those that may touch. A contact goes
// into the buffer of the piece of work that found it, and its bodies are linked in the union-find.
//
// Waking. A sleeping body that an awake body touches wakes in this same step, and so do the bodies
// that it touches, and so on: a sleeping pile wakes as a whole. A static body does not look for
// neighbours, unless the game has created or moved it since the last step: then it wakes the bodies
// that sleep there. A new static body leaves new sleepers asleep: the game has made both together.
// A kinematic body is like a static one that is moved in each step in which it moves, and once more
// where it comes to a stand; it wakes the sleepers, too, that it would pass (kinematic_stage.h).
//
// Sensors. A contact of a sensor is found like any other; it links and wakes no body. A contact
// that the world's hook refuses is not found (contact_hook.h).
//
// Recycling. Two bodies that have hardly moved against each other since their contact's points were
// found keep these points (src/dynamics/contact_recycling.h). A game's change of one of them, other
// than by a kinematic body's own motion, makes the step look again.
//
// Joints. Bodies that a joint connects are linked without a test, and wake together. A joint may
// say that its two bodies have no contacts with each other.
//
// Sleepers. A body that fell asleep keeps its contacts from before. A body that was created asleep
// has no contacts at first, and the removal of its support could not wake it. So a last round looks
// for the contacts of new bodies that still sleep; it wakes and links no body.
//
// Thread safety: Run on one thread, phase kCollide; results by the same thread until the next Run.
//
// Source: [rouwe2022], "Lock free island building" (bodies that wake while others link).
// Lecture: union-find islands.
#ifndef NOWAIT_SRC_WORLD_COLLIDE_STAGE_H_
#define NOWAIT_SRC_WORLD_COLLIDE_STAGE_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "src/dynamics/contact.h"
#include "src/dynamics/contact_store.h"
#include "src/dynamics/joint_links.h"
#include "src/islands/awake_set.h"
#include "src/islands/find_stats.h"
#include "src/islands/union_find.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "src/sync/quota.h"
#include "src/world/kinematic_stage.h"
#include "src/world/world_state.h"

namespace nowait {

// Slots of the bodies that look for others in a step.
struct Lookers {
  std::span<const std::uint32_t> awake;         // dynamic bodies, with each one its partners
  std::span<const std::uint32_t> statics;       // new or moved, kinematic ones included
  std::span<const std::uint32_t> new_sleepers;  // those that wake meanwhile look as awake ones
};

class CollideStage {
 public:
  // joints: built before each Run; kinematics: listed before it; contacts: those of the step
  // before. All three live as long.
  CollideStage(WorldState& state, const JointLinks& joints, const KinematicStage& kinematics,
               const ContactStore& contacts);

  // Rebuilds the tree alongside, if with_rebuild; rebuilt() says whether that succeeded. kCapacity
  // "memory": the results are of no use, and the next Run begins anew.
  Result<void> Run(const Lookers& lookers, bool with_rebuild, TaskPool& pool);
  // Likewise, before a Run without.
  void RebuildTree();

  const Result<void>& rebuilt() const { return rebuilt_; }
  const UnionFind<>& sets() const { return sets_; }
  // The bodies that are awake now.
  const AwakeSet<>& awake() const { return awake_; }
  std::span<const std::uint32_t> slots() const { return slots_; }  // theirs, ascending
  // The contacts found, by ascending pair, each pair once. Cut short when there are more than twice
  // as many as the contact store has room for; ContactStore::Merge then fails.
  std::span<const FoundContact* const> found() const { return found_; }
  std::uint32_t pairs() const { return pairs_; }
  std::uint32_t recycled() const { return recycled_; }  // of them, counted as the pairs are
  const FindStats& find_stats() const { return find_stats_; }

 private:
  static constexpr std::uint32_t kPieces = 64;
  static constexpr std::uint32_t kSmallestPiece = 8;

  // The findings of one piece of work; by piece, not by thread.
  struct alignas(64) Piece {
    std::vector<FoundContact> found;
    std::vector<std::uint32_t> woken;  // slots
    FindStats find_stats;
    std::uint32_t pairs = 0;
    std::uint32_t recycled = 0;
    bool ended = false;  // there was no room for a contact: the step fails in any case
  };

  enum class LooksAs : std::uint8_t { kAwake, kStatic, kAsleep };  // kStatic: also a kinematic one

  Result<void> RunRounds(const Lookers& lookers, bool with_rebuild, TaskPool& pool);
  void Start(std::span<const std::uint32_t> awake);
  // Collides the bodies in `slots` with their neighbours.
  Result<void> Round(std::span<const std::uint32_t> slots, bool with_rebuild, TaskPool& pool);
  void CollideBody(std::uint32_t slot, const BroadPhase::View& view, Piece& piece);
  LooksAs AsWhat(std::uint32_t slot) const;
  // Whether the body in `slot` is the one that tests its pair with the body in `other`.
  bool Mine(std::uint32_t slot, LooksAs as, std::uint32_t other) const;
  void Test(std::uint32_t slot, LooksAs as, std::uint32_t other, Piece& piece);
  // The contact of the two that keeps its points; null: the narrow phase is asked.
  const Contact* Recycled(const Body& a, const Body& b) const;
  bool Find(const Body& a, const Body& b, FoundContact& found) const;
  bool IsKept(const Body& a, const Body& b, FoundContact& found) const;
  // Whether the kinematic body in `slot` would pass through the sleeping one in `other`.
  bool WouldPass(std::uint32_t slot, std::uint32_t other) const;
  void LinkPartners(std::uint32_t slot, Piece& piece);
  // Gathers in woken_ the bodies that the round's pieces have woken, and wakes their partners.
  void CollectWoken();
  void Collect();

  WorldState& state_;
  const JointLinks& joints_;
  const KinematicStage& kinematics_;
  const ContactStore& contacts_;
  JobBatch batch_;
  UnionFind<> sets_;
  AwakeSet<> awake_;
  AwakeSet<> awake_at_start_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint32_t> looking_;  // in the first round, and in the last one
  std::vector<std::uint32_t> woken_;    // in the round before
  std::vector<Piece> pieces_;
  Quota<> quota_;  // of contacts to keep
  std::vector<std::pair<std::uint64_t, const FoundContact*>> sorted_;
  std::vector<const FoundContact*> found_;
  std::uint32_t pairs_ = 0;
  std::uint32_t recycled_ = 0;
  FindStats find_stats_;
  Result<void> rebuilt_;
};

// Implementation: why this is right
//
// Rounds. A round collides the bodies that the round before has woken, until a round wakes no body.
// The bodies that end up awake are the least set that contains the bodies awake at the start, the
// sleepers that new or moved static bodies touch, and every body that touches a member or has a
// joint with one. That set does not depend on the order in which contacts are found.
//
// Invariant: the first thread that finds a contact of a sleeping body wakes it
// (src/islands/awake_set.h) and adds it to the list of the next round. The order of that list
// differs from run to run, and nothing may depend on it.
//
// Which body tests a pair; every pair is covered, and nothing is left to chance:
//   both awake at the start            by the one with the lower slot
//   one awake at the start             by that one
//   both asleep at the start           by each one that is woken (twice if both are)
//   a static or kinematic body         by the other one
//   one of these that wakes the other  by both
//   both asleep at the end             by the new one; of two, by the one with the lower slot
// A pair of layers that do not touch is never tested: the matrix is symmetric. A pair tested twice
// gives the same points twice; the copy is dropped when they are sorted.

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_COLLIDE_STAGE_H_
