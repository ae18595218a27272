// ContactStore: the contacts of all bodies, kept from step to step and listed by pair.
//
// The narrow phase finds contacts on many threads, in any order. Here they are sorted by pair and
// merged with those of the step before: a pair that still touches keeps its impulses, one that no
// longer touches is dropped, and one whose bodies both sleep stays unchanged. No body knows its
// contacts; only this list has them.
//
// Thread safety: Merge on one thread, while no other thread uses the store (phases: after kCollide
// has been joined). operator[] from any thread; during the solving each contact belongs to one
// island.
//
// Invariants
//   1. entries() ascends by key; each key occurs once.
//   2. An entry's index names its contact until the pair parts: contacts do not move.
//   3. Of a contact that waits, a step reads the entry alone: an open world has tens of thousands.
//
// Source: matching by feature: E. Catto, "Iterative Dynamics with Temporal Coherence", 2005. The
// effect of an unsorted list on determinism: [avian712].
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_STORE_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_STORE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_changes.h"
#include "src/bodies/body_storage.h"
#include "src/dynamics/contact.h"
#include "src/dynamics/contact_event.h"
#include "src/islands/awake_set.h"

namespace nowait {

class ContactStore {
 public:
  struct Entry {
    std::uint64_t key;
    std::uint32_t index;
    bool sensor;  // as in the contact

    std::uint32_t slot_a() const { return static_cast<std::uint32_t>(key >> 32); }
    std::uint32_t slot_b() const { return static_cast<std::uint32_t>(key); }
  };

  // slots: of bodies. The store allocates nothing later but for events.
  ContactStore(std::uint32_t capacity, std::uint32_t slots);

  std::uint32_t capacity() const { return static_cast<std::uint32_t>(contacts_.size()); }
  std::span<const Entry> entries() const { return entries_; }
  Contact& operator[](std::uint32_t index) { return contacts_[index]; }
  const Contact& operator[](std::uint32_t index) const { return contacts_[index]; }
  // The contact of the two bodies, or null. a.slot() < b.slot(). Any thread, while no thread
  // merges. O(log contacts of a's slot).
  const Contact* Find(BodyId a, BodyId b) const;
  // Asks for the memory that Find and MayRecycle will read of the contacts whose a is in `slot`. As
  // Find otherwise.
  void Prefetch(std::uint32_t slot) const;
  // Asks for the memory of the contact's points.
  void PrefetchPoints(std::uint32_t index) const;

  // Makes `found` the contacts of all pairs in which a body is awake, and appends contacts that
  // began and ended to `events`. found: ascending by key, each key once. awake: the bodies whose
  // pairs were searched. changes: by slot, since the last call that did its work. statics: slots,
  // ascending, of changed static bodies whose pairs with sleepers were searched as well; the
  // sleepers that they touch are awake, but for those of a sensor. kCapacity "contacts": nothing
  // has changed then. O(contacts); O(1) for each that waits unchanged.
  Result<void> Merge(std::span<const FoundContact* const> found, const BodyStorage& bodies,
                     const AwakeSet<>& awake, std::span<const Changes> changes,
                     std::vector<ContactEvent>& events,
                     std::span<const std::uint32_t> statics = {});

  // Replaces all contacts, without an event. contacts: ascending by key, each key once, at most
  // capacity(). Allocates nothing.
  void Restore(std::span<const Contact> contacts);

 private:
  // A step's knowledge of the bodies: the parameters of Merge.
  struct StepBodies {
    const BodyStorage& bodies;
    const AwakeSet<>& awake;
    std::span<const Changes> changes;
    std::span<const std::uint32_t> statics;
  };

  void FreeAll();
  // Sets first_ for the entries that there are now.
  void NoteFirsts();
  // Whether both bodies exist and one is dynamic.
  bool HasBodies(const Entry& entry, const BodyStorage& bodies) const;
  // Whether the contact stays although it was not found again: it has its bodies, and the pairs of
  // neither were searched.
  bool Waits(const Entry& entry, const StepBodies& step) const;
  std::size_t CountAfter(std::span<const FoundContact* const> found, const StepBodies& step) const;
  void Begin(const FoundContact& found, std::vector<ContactEvent>& events);
  void End(const Entry& entry, std::vector<ContactEvent>& events);

  std::vector<Contact> contacts_;
  std::vector<std::uint32_t> free_;  // indices of contacts that are in no entry
  std::vector<Entry> entries_;
  std::vector<Entry> merged_;  // entries_ of the next step while it is made
  // By slot: where the entries begin of which it is the first one. Of a slot without an entry: any
  // number.
  std::vector<std::uint32_t> first_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_STORE_H_
