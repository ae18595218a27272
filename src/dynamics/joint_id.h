// JointId: names a joint of a world, for as long as anyone keeps the name.
//
// It is laid out like a BodyId: the slot, the number of the world, and the generation of the slot,
// which rises whenever the slot is given to another joint. A handle that has outlived its joint, or
// that belongs to another world, is therefore noticed.
#ifndef NOWAIT_SRC_DYNAMICS_JOINT_ID_H_
#define NOWAIT_SRC_DYNAMICS_JOINT_ID_H_

#include <cstdint>

#include "src/bodies/body_id.h"

namespace nowait {

class JointId {
 public:
  static constexpr std::uint32_t kMaxJoints = BodyId::kMaxBodies;

  // No joint.
  constexpr JointId() = default;

  // world: as of a BodyId. slot: below kMaxJoints.
  constexpr JointId(std::uint32_t world, std::uint32_t slot, std::uint32_t generation)
      : bits_(BodyId(world, slot, generation).bits()) {}

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr std::uint32_t slot() const { return BodyId::FromBits(bits_).slot(); }
  constexpr std::uint32_t world() const { return BodyId::FromBits(bits_).world(); }
  constexpr std::uint32_t generation() const { return BodyId::FromBits(bits_).generation(); }
  constexpr bool valid() const { return slot() != kMaxJoints; }

  friend constexpr bool operator==(JointId, JointId) = default;

 private:
  std::uint64_t bits_ = BodyId().bits();
};

static_assert(sizeof(JointId) == 8);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_JOINT_ID_H_
