// BodyStorage: a fixed array of bodies, named by ids with generations.
//
// Thread safety
//   Reserve, Release      any thread, any time.
//   Install, Remove, Prepare, Withdraw, Settle, SetState
//                         any thread; the caller holds the body's lock for writing (body_locks.h),
//                         and an assertion checks it where the storage knows the locks.
//   Has, IsPrepared, StateOf
//                         the caller holds the body's lock, or no thread may change bodies (the
//                         physics update).
//   InstalledState        no thread may install or remove bodies; it may prepare them meanwhile.
//   end, count            any thread, any time; exact while no thread installs or removes.
//   slot_order, reserved, Restore
//                         no other thread uses the storage.
// Blocking: all but the third row share one mutex, held for a few instructions.
//
// Source: handles with generations: [cbloom2011]. Lecture: body locks.
#ifndef NOWAIT_SRC_BODIES_BODY_STORAGE_H_
#define NOWAIT_SRC_BODIES_BODY_STORAGE_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/bodies/body.h"
#include "src/bodies/body_id.h"
#include "src/bodies/body_locks.h"
#include "src/bodies/proxy_id.h"
#include "src/bodies/slot_order.h"
#include "src/sync/policy.h"

namespace nowait {

class BodyStorage {
 public:
  // capacity: 1 .. BodyId::kMaxBodies. world: the number in all its ids; 0 .. kMaxWorlds. locks:
  // the bodies' locks; null if a single thread uses the storage.
  explicit BodyStorage(std::uint32_t capacity, std::uint32_t world = 0,
                       const BodyLocks* locks = nullptr);

  std::uint32_t capacity() const { return static_cast<std::uint32_t>(bodies_.size()); }
  std::uint32_t world() const { return world_; }

  // Returns an id whose slot the caller then owns; the id names no body yet. kCapacity "bodies".
  Result<BodyId> Reserve();

  // Returns a reserved slot in which no body was installed.
  void Release(BodyId id);

  // Puts a body into its reserved slot, body.id. state: not kVacant.
  void Install(const Body& body, BodyState state);

  // Takes the body out and frees its slot. Requires Has(id) or IsPrepared(id).
  void Remove(BodyId id);

  // Puts a body into its reserved slot without showing it to scans. state: as for Install.
  void Prepare(const Body& body, BodyState state);
  // Takes a prepared body out of its slot, which stays reserved.
  void Withdraw(BodyId id);
  // Counts prepared bodies that are becoming part of the world. end: above their slots. O(1).
  void CountPrepared(std::uint32_t bodies, std::uint32_t end);
  // Makes a prepared body visible to scans. Returns false, and does nothing, if it is already
  // visible or gone.
  bool Settle(BodyId id) {
    if (!IsPrepared(id)) return false;
    SetState(id.slot(), bodies_[id.slot()].prepared_as);
    return true;
  }

  // Whether the body is installed.
  bool Has(BodyId id) const { return IsOccupied(id.slot()) && IsNamed(id); }
  // Whether a body that the tree knows by this name is installed.
  bool Has(ProxyId id) const { return IsOccupied(id.slot()) && IsNamed(id); }

  // Whether the body is in its slot but only prepared. Id: BodyId or ProxyId.
  template <class Id>
  bool IsPrepared(Id id) const {
    return id.slot() < capacity() && states_[id.slot()] == BodyState::kVacant &&
           bodies_[id.slot()].prepared_as != BodyState::kVacant && IsNamed(id);
  }

  // The state of an installed or prepared body.
  BodyState StateOf(std::uint32_t slot) const {
    return states_[slot] != BodyState::kVacant ? states_[slot] : bodies_[slot].prepared_as;
  }
  // The state of an installed body; kVacant for any other.
  BodyState InstalledState(std::uint32_t slot) const { return states_[slot]; }
  void SetState(std::uint32_t slot, BodyState state) {
    NOWAIT_ASSERT(MayChange(bodies_[slot].id), kUnlocked);
    states_[slot] = state;
  }

  Body& operator[](std::uint32_t slot) { return bodies_[slot]; }
  const Body& operator[](std::uint32_t slot) const { return bodies_[slot]; }

  // For saving all bodies, and for putting back what was saved. reserved: slots that are neither
  // free nor a body's. Restore replaces everything; it allocates nothing, and cannot fail. Each
  // slot is free or has one of the bodies, and the order is that of a storage of this capacity.
  SlotOrder slot_order() const;
  std::uint32_t reserved() const;
  void Restore(std::span<const std::pair<Body, BodyState>> bodies, const SlotOrder& slots);

  // Every slot that ever held a body is below end().
  std::uint32_t end() const;
  // The number of installed bodies, and of prepared ones that were counted.
  std::uint32_t count() const;

 private:
  static constexpr const char* kUnlocked = "a body is changed only under its lock for writing";

  bool MayChange(BodyId id) const { return locks_ == nullptr || locks_->AreHeldFor(id); }
  // For any slot number, even one beyond the storage.
  bool IsOccupied(std::uint32_t slot) const {
    return slot < capacity() && states_[slot] != BodyState::kVacant;
  }
  bool IsNamed(BodyId id) const { return bodies_[id.slot()].id == id; }
  bool IsNamed(ProxyId id) const { return bodies_[id.slot()].id.proxy() == id; }
  // Puts the slot at the end of the free ring. The caller holds mutex_.
  void Free(BodyId id);

  const std::uint32_t world_;
  const BodyLocks* const locks_;
  std::vector<Body> bodies_;
  // Separate from the bodies: a scan for awake bodies reads one byte per body.
  std::vector<BodyState> states_;

  mutable EngineSync::mutex mutex_;  // of everything below
  std::uint32_t end_ = 0;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> generations_;  // of the next id of each slot
  std::vector<std::uint32_t> free_ring_;
  std::uint32_t free_head_ = 0;
  std::uint32_t free_count_;
};

// Implementation: why this is right
//
// Invariants
//   1. A slot has one owner: the free ring, a caller that reserved it, or a body. A body of a batch
//      is prepared in its slot first. It is there, but no scan sees it, for the states that a scan
//      reads are written only when it is settled. A batch of any size can therefore become part of
//      the world in one step elsewhere (src/world/world_bodies.h), and a thread may prepare while
//      another one scans.
//   2. The generation of a slot rises each time the slot leaves the free ring. An id names at most
//      one body among the 2^32 that use its slot one after the other, and a proxy one among 1,024
//      (proxy_id.h).
//   3. Slots leave the ring in the order in which they entered it: the slot that has been free the
//      longest is next. That delays the repetition of generations as far as possible, and makes
//      slots and generations depend only on the order of calls.

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_BODY_STORAGE_H_
