#include "src/bodies/body_storage.h"

#include <algorithm>
#include <numeric>

#include "src/base/assert.h"
#include "src/sync/scoped_lock.h"

namespace nowait {

BodyStorage::BodyStorage(std::uint32_t capacity, std::uint32_t world, const BodyLocks* locks)
    : world_(world),
      locks_(locks),
      bodies_(capacity),
      states_(capacity, BodyState::kVacant),
      generations_(capacity, 0),
      free_ring_(capacity),
      free_count_(capacity) {
  std::iota(free_ring_.begin(), free_ring_.end(), 0u);
}

Result<BodyId> BodyStorage::Reserve() {
  const ScopedLock lock(mutex_);
  if (free_count_ == 0) return Fail(ErrorCode::kCapacity, "bodies", capacity());
  const std::uint32_t slot = free_ring_[free_head_];
  free_head_ = (free_head_ + 1) % capacity();
  --free_count_;
  return BodyId(world_, slot, generations_[slot]++);
}

void BodyStorage::Release(BodyId id) {
  const ScopedLock lock(mutex_);
  Free(id);
}

void BodyStorage::Free(BodyId id) {
  NOWAIT_ASSERT(free_count_ < capacity(), "a slot was returned twice");
  free_ring_[(free_head_ + free_count_) % capacity()] = id.slot();
  ++free_count_;
}

void BodyStorage::Install(const Body& body, BodyState state) {
  const std::uint32_t slot = body.id.slot();
  NOWAIT_ASSERT(MayChange(body.id), kUnlocked);
  NOWAIT_ASSERT(states_[slot] == BodyState::kVacant, "the slot of a new body is occupied");
  bodies_[slot] = body;
  states_[slot] = state;
  const ScopedLock lock(mutex_);
  end_ = std::max(end_, slot + 1);
  ++count_;
}

void BodyStorage::Remove(BodyId id) {
  NOWAIT_ASSERT(MayChange(id), kUnlocked);
  NOWAIT_ASSERT(Has(id) || IsPrepared(id), "the body is not installed");
  states_[id.slot()] = BodyState::kVacant;
  bodies_[id.slot()].prepared_as = BodyState::kVacant;
  const ScopedLock lock(mutex_);
  --count_;
  Free(id);
}

void BodyStorage::Prepare(const Body& body, BodyState state) {
  const std::uint32_t slot = body.id.slot();
  NOWAIT_ASSERT(MayChange(body.id), kUnlocked);
  NOWAIT_ASSERT(state != BodyState::kVacant, "a prepared body has a state");
  bodies_[slot] = body;
  bodies_[slot].prepared_as = state;
}

void BodyStorage::Withdraw(BodyId id) {
  NOWAIT_ASSERT(MayChange(id), kUnlocked);
  NOWAIT_ASSERT(IsPrepared(id), "the body is not prepared");
  bodies_[id.slot()].prepared_as = BodyState::kVacant;
}

void BodyStorage::CountPrepared(std::uint32_t bodies, std::uint32_t end) {
  const ScopedLock lock(mutex_);
  end_ = std::max(end_, end);
  count_ += bodies;
}

SlotOrder BodyStorage::slot_order() const {
  const ScopedLock lock(mutex_);
  SlotOrder slots{.generations = generations_, .free = {}, .end = end_};
  slots.free.reserve(free_count_);
  for (std::uint32_t i = 0; i < free_count_; ++i) {
    slots.free.push_back(free_ring_[(free_head_ + i) % capacity()]);
  }
  return slots;
}

std::uint32_t BodyStorage::reserved() const {
  const ScopedLock lock(mutex_);
  return capacity() - free_count_ - count_;
}

void BodyStorage::Restore(std::span<const std::pair<Body, BodyState>> bodies,
                          const SlotOrder& slots) {
  const ScopedLock lock(mutex_);
  std::ranges::fill(states_, BodyState::kVacant);
  for (Body& body : bodies_) body.prepared_as = BodyState::kVacant;
  for (const auto& [body, state] : bodies) {
    bodies_[body.id.slot()] = body;
    states_[body.id.slot()] = state;
  }
  count_ = static_cast<std::uint32_t>(bodies.size());
  end_ = slots.end;
  std::ranges::copy(slots.generations, generations_.begin());
  std::ranges::copy(slots.free, free_ring_.begin());
  free_head_ = 0;
  free_count_ = static_cast<std::uint32_t>(slots.free.size());
}

std::uint32_t BodyStorage::end() const {
  const ScopedLock lock(mutex_);
  return end_;
}

std::uint32_t BodyStorage::count() const {
  const ScopedLock lock(mutex_);
  return count_;
}

}  // namespace nowait
