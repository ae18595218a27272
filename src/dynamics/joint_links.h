// JointLinks: the bodies that joints connect, listed for a step.
//
// No body knows its joints. This list is made from the store when the set of joints or of bodies
// has changed, and stays as it is otherwise. Three questions are asked of it in each step: which
// bodies wake with a body, which pairs have no contacts, and which joints there are to solve.
//
// Thread safety: Build on one thread of the physics update; after it any thread reads.
// Complexity: Build O(joints + slots of bodies + joints log joints). PartnersOf O(1), KeepsApart
// O(1) for a body without such a joint, otherwise O(log joints).
#ifndef NOWAIT_SRC_DYNAMICS_JOINT_LINKS_H_
#define NOWAIT_SRC_DYNAMICS_JOINT_LINKS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/bodies/body_id.h"
#include "src/bodies/body_storage.h"
#include "src/dynamics/joint_store.h"

namespace nowait {

class JointLinks {
 public:
  // all batches of bodies are settled. Throws std::bad_alloc; then the next call begins anew.
  void Build(const JointStore& joints, const BodyStorage& bodies);
  // Whether the store has changed since. Bodies that were removed are the caller's to know.
  bool IsOf(const JointStore& joints) const { return version_ == joints.version(); }

  // Slots of joints, ascending: those whose bodies are there, and of a gear its joints with theirs;
  // and those of which one is gone.
  std::span<const std::uint32_t> live() const { return live_; }
  std::span<const std::uint32_t> gone() const { return gone_; }

  // Slots of the dynamic bodies that a dynamic body has joints with; one for each joint.
  std::span<const std::uint32_t> PartnersOf(std::uint32_t slot) const {
    if (slot + 1 >= starts_.size()) return {};
    return std::span(partners_).subspan(starts_[slot], starts_[slot + 1] - starts_[slot]);
  }

  // Whether a joint says that the two bodies do not touch.
  bool KeepsApart(BodyId a, BodyId b) const;

 private:
  void ListPartners(const JointStore& joints, const BodyStorage& bodies);
  void ListApart(const JointStore& joints, const BodyStorage& bodies);

  std::uint64_t version_ = 0;
  std::vector<std::uint32_t> live_;
  std::vector<std::uint32_t> gone_;
  // Those of a body are partners_[starts_[slot]] .. partners_[starts_[slot + 1] - 1]; empty without
  // joints between dynamic bodies.
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> partners_;
  std::vector<std::uint64_t> apart_;     // keys of pairs, ascending
  std::vector<std::uint8_t> has_apart_;  // by slot of a body; empty without such pairs
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_JOINT_LINKS_H_
