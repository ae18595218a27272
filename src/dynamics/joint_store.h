// JointStore: a fixed array of joints, named by ids with generations.
//
// Thread safety: Create, Destroy, Change and Get in the game update, from any thread. Everything
// else in the physics update, which no thread overlaps with the former: on one thread, but for
// operator[], whose joint belongs to one island at a time.
// Progress: blocking (a mutex, for a copy of one joint).
//
// Invariants
//   1. A slot is free or has one joint. An id names at most one joint among the 2^32 that use its
//      slot one after the other.
//   2. Slots leave the ring of free ones in the order in which they came, so slots and generations
//      depend on the order of calls alone.
//   3. version() differs after each change of the set of joints.
//
// Errors: kStaleId "joint id" for a joint that is gone; kInvalidArgument "joint id" for one of
// another world; kCapacity "joints".
#ifndef NOWAIT_SRC_DYNAMICS_JOINT_STORE_H_
#define NOWAIT_SRC_DYNAMICS_JOINT_STORE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/slot_order.h"
#include "src/dynamics/joint.h"
#include "src/dynamics/joint_def.h"
#include "src/dynamics/joint_id.h"
#include "src/sync/policy.h"

namespace nowait {

class JointStore {
 public:
  // capacity: at most JointId::kMaxJoints. world: as of a BodyId.
  JointStore(std::uint32_t capacity, std::uint32_t world);

  // --- Game update, any thread. O(1).

  Result<JointId> Create(const JointDef& def);
  // Returns the joint that was removed.
  Result<Joint> Destroy(JointId id);
  // Gives the joint another kind of the same alternative, and returns it. kInvalidArgument "kind"
  // for another alternative, "first" or "second" for another joint of a gear.
  Result<Joint> Change(JointId id, const JointKind& kind);
  Result<Joint> Get(JointId id) const;

  // --- Physics update.

  std::uint64_t version() const { return version_; }
  std::uint32_t count() const { return count_; }
  // Every slot that ever had a joint is below end().
  std::uint32_t end() const { return end_; }
  bool Has(std::uint32_t slot) const { return joints_[slot].id.valid(); }
  // Whether the joint is there.
  bool Names(JointId id) const {
    return id.valid() && id.slot() < joints_.size() && joints_[id.slot()].id == id;
  }
  Joint& operator[](std::uint32_t slot) { return joints_[slot]; }
  const Joint& operator[](std::uint32_t slot) const { return joints_[slot]; }
  void Remove(std::uint32_t slot);

  // For saving all joints, and for putting back what was saved; as BodyStorage has them.
  SlotOrder slot_order() const;
  void Restore(std::span<const Joint> joints, const SlotOrder& slots);

 private:
  // kStaleId or kInvalidArgument "joint id", or nothing.
  Result<void> Find(JointId id) const;

  const std::uint32_t world_;
  mutable EngineSync::mutex mutex_;  // of everything below, in the game update
  std::vector<Joint> joints_;        // a free slot's has no id
  std::vector<std::uint32_t> generations_;
  std::vector<std::uint32_t> free_ring_;
  std::uint32_t free_head_ = 0;
  std::uint32_t free_count_;
  std::uint32_t end_ = 0;
  std::uint32_t count_ = 0;
  std::uint64_t version_ = 1;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_JOINT_STORE_H_
