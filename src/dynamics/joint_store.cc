#include "src/dynamics/joint_store.h"

#include <algorithm>
#include <numeric>
#include <variant>

#include "src/base/assert.h"
#include "src/sync/scoped_lock.h"

namespace nowait {

JointStore::JointStore(std::uint32_t capacity, std::uint32_t world)
    : world_(world),
      joints_(capacity),
      generations_(capacity, 0),
      free_ring_(capacity),
      free_count_(capacity) {
  std::iota(free_ring_.begin(), free_ring_.end(), 0u);
}

Result<JointId> JointStore::Create(const JointDef& def) {
  const ScopedLock lock(mutex_);
  if (free_count_ == 0) {
    return Fail(ErrorCode::kCapacity, "joints", static_cast<std::int64_t>(joints_.size()));
  }
  const std::uint32_t slot = free_ring_[free_head_];
  free_head_ = static_cast<std::uint32_t>((free_head_ + 1) % free_ring_.size());
  --free_count_;
  Joint& joint = joints_[slot];
  joint = {};
  joint.id = JointId(world_, slot, generations_[slot]++);
  joint.def = def;
  end_ = std::max(end_, slot + 1);
  ++count_;
  ++version_;
  return joint.id;
}

Result<void> JointStore::Find(JointId id) const {
  const auto bits = static_cast<std::int64_t>(id.bits());
  if (id.valid() && id.world() != world_) {
    return Fail(ErrorCode::kInvalidArgument, "joint id", bits, "it is another world's");
  }
  return Names(id) ? Result<void>() : Fail(ErrorCode::kStaleId, "joint id", bits);
}

Result<Joint> JointStore::Destroy(JointId id) {
  const ScopedLock lock(mutex_);
  if (const Result<void> found = Find(id); !found) return std::unexpected(found.error());
  const Joint joint = joints_[id.slot()];
  Remove(id.slot());
  return joint;
}

Result<Joint> JointStore::Change(JointId id, const JointKind& kind) {
  const ScopedLock lock(mutex_);
  if (const Result<void> found = Find(id); !found) return std::unexpected(found.error());
  Joint& joint = joints_[id.slot()];
  if (joint.def.kind.index() != kind.index()) {
    return Fail(ErrorCode::kInvalidArgument, "kind", 0, "a joint stays of its kind");
  }
  if (const auto* gear = std::get_if<GearJoint>(&kind)) {
    const auto& now = std::get<GearJoint>(joint.def.kind);
    if (gear->first != now.first || gear->second != now.second) {
      return Fail(ErrorCode::kInvalidArgument, gear->first != now.first ? "first" : "second", 0,
                  "a gear keeps its joints");
    }
  }
  joint.def.kind = kind;
  return joint;
}

Result<Joint> JointStore::Get(JointId id) const {
  const ScopedLock lock(mutex_);
  if (const Result<void> found = Find(id); !found) return std::unexpected(found.error());
  return joints_[id.slot()];
}

void JointStore::Remove(std::uint32_t slot) {
  NOWAIT_ASSERT(Has(slot), "a joint is removed once");
  joints_[slot].id = {};
  free_ring_[(free_head_ + free_count_) % free_ring_.size()] = slot;
  ++free_count_;
  --count_;
  ++version_;
}

SlotOrder JointStore::slot_order() const {
  SlotOrder slots{.generations = generations_, .free = {}, .end = end_};
  slots.free.reserve(free_count_);
  for (std::uint32_t i = 0; i < free_count_; ++i) {
    slots.free.push_back(free_ring_[(free_head_ + i) % free_ring_.size()]);
  }
  return slots;
}

void JointStore::Restore(std::span<const Joint> joints, const SlotOrder& slots) {
  for (Joint& joint : joints_) joint.id = {};
  for (const Joint& joint : joints) joints_[joint.id.slot()] = joint;
  count_ = static_cast<std::uint32_t>(joints.size());
  end_ = slots.end;
  std::ranges::copy(slots.generations, generations_.begin());
  std::ranges::copy(slots.free, free_ring_.begin());
  free_head_ = 0;
  free_count_ = static_cast<std::uint32_t>(slots.free.size());
  ++version_;
}

}  // namespace nowait
