// CollideStage: broad phase, narrow phase and linking of one step, on all threads.
//
// Each awake body asks the tree for its neighbours and tests those that may touch. A contact goes
// into the buffer of the piece of work that found it, and its bodies are linked in the union-find.
//
// Waking. A sleeping body that an awake body touches wakes in this same step, and so does what it
// touches, and so on: rounds go on until one wakes nobody. A static body looks for nobody, unless the game
// has put it where it is since the last step: then it wakes what sleeps there. If it is new, a sleeper
// that is as new sleeps on: the game has made both together. The bodies that end up awake are the least set that
// contains the ones awake at the start, the sleepers that such static bodies touch, and whatever
// touches a member. That set does not depend on who found whom first, and a sleeping pile wakes as a
// whole.
//
// Sleepers. A body that fell asleep keeps its contacts from before. A body that was created asleep begins
// without any, and no removal of what it rests on could wake it. So a last round looks for the contacts
// of new bodies that still sleep; it wakes and links nobody.
//
// Which pairs are tested, so that each is, and none by chance:
//   both awake at the start            by the one with the lower slot
//   one awake at the start             by that one
//   both asleep at the start           by each one that is woken (twice if both are)
//   a static body                      by the other one
//   a static body that wakes the other by both
//   both asleep at the end             by the new one, of two new ones by the one with the lower slot
// A pair of layers that do not touch is not tested by anybody: the matrix is symmetric.
// A pair tested twice gives the same points twice; the copy is dropped when they are sorted.
//
// Thread safety: Run on one thread, phase kCollide; results by the same thread until the next Run.
//
// Invariant: a body is woken by whoever touches it first (src/islands/awake_set.h), and that one puts it
// on the list of those whose neighbours the next round looks for. In which order they come there is
// another one in each run, and nothing may depend on it.
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
#include "src/islands/awake_set.h"
#include "src/islands/find_stats.h"
#include "src/islands/union_find.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "src/sync/quota.h"
#include "src/world/world_state.h"

namespace nowait {

// Slots of the bodies that look for others in a step.
struct Lookers {
  std::span<const std::uint32_t> awake;         // dynamic bodies
  std::span<const std::uint32_t> statics;       // new or moved
  std::span<const std::uint32_t> new_sleepers;  // those of them that wake meanwhile look as awake ones
};

class CollideStage {
 public:
  explicit CollideStage(WorldState& state);

  // Rebuilds the tree alongside: whether that worked is rebuilt(). kCapacity "memory": the results are of
  // no use, and the next Run begins anew.
  Result<void> Run(const Lookers& lookers, TaskPool& pool);

  const Result<void>& rebuilt() const { return rebuilt_; }
  const UnionFind<>& sets() const { return sets_; }
  // The bodies that are awake now.
  const AwakeSet<>& awake() const { return awake_; }
  std::span<const std::uint32_t> slots() const { return slots_; }  // theirs, ascending
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
    std::vector<std::uint32_t> woken;  // slots
    FindStats find_stats;
    std::uint32_t pairs = 0;
    bool ended = false;  // there was no room for a contact: the step fails, whatever else is found
  };

  enum class LooksAs : std::uint8_t { kAwake, kStatic, kAsleep };

  Result<void> RunRounds(const Lookers& lookers, TaskPool& pool);
  void Start(std::span<const std::uint32_t> awake);
  // Collides the bodies in `slots` with their neighbours.
  Result<void> Round(std::span<const std::uint32_t> slots, bool with_rebuild, TaskPool& pool);
  void CollideBody(std::uint32_t slot, const BroadPhase::View& view, Piece& piece);
  LooksAs AsWhat(std::uint32_t slot) const;
  // Whether it falls to the body in `slot` to test its pair with the one in `other`.
  bool Mine(std::uint32_t slot, LooksAs as, std::uint32_t other) const;
  void Test(std::uint32_t slot, LooksAs as, std::uint32_t other, Piece& piece);
  // Brings together in woken_ what the round's pieces have woken.
  void CollectWoken();
  void Collect();

  WorldState& state_;
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
  FindStats find_stats_;
  Result<void> rebuilt_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_COLLIDE_STAGE_H_
