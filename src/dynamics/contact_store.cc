#include "src/dynamics/contact_store.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "src/base/assert.h"

namespace nowait {
namespace {

constexpr std::size_t kPrefetched = 8;   // contacts of a body
constexpr std::size_t kUsualPoints = 4;  // of a contact
// Bytes of a contact, up to its points.
constexpr std::size_t kOrigin =
    sizeof(ContactMaterial) + 2 * sizeof(BodyId) + sizeof(ContactOrigin);

void PrefetchBytes(const void* from, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  for (std::size_t at = 0; at < bytes; at += kLine) {
    __builtin_prefetch(static_cast<const char*>(from) + at);
  }
}

// The new manifold with the old impulses, point by point.
void Continue(const FoundContact& found, Contact& contact) {
  std::array<PointImpulse, Manifold::kMaxPoints> impulses{};
  const auto points = found.manifold.points();
  const auto old_points = contact.manifold.points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < old_points.size(); ++k) {
      if (old_points[k].feature == points[i].feature) impulses[i] = contact.impulses[k];
    }
  }
  contact.origin = found.origin;
  contact.manifold = found.manifold;
  contact.impulses = impulses;
  contact.Take(found.material);
}

bool IsSortedByPair(std::span<const FoundContact* const> found) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!(found[i]->a.slot() < found[i]->b.slot())) return false;
    if (i != 0 && !(found[i - 1]->key() < found[i]->key())) return false;
  }
  return true;
}

bool IsOf(const Contact& contact, const FoundContact& found) {
  return contact.a == found.a && contact.b == found.b;
}

bool IsBefore(const ContactEvent& one, const ContactEvent& other) {
  return one.a != other.a ? one.a < other.a : one.b < other.b;
}

}  // namespace

ContactStore::ContactStore(std::uint32_t capacity, std::uint32_t slots)
    : contacts_(capacity), first_(slots) {
  free_.reserve(capacity);
  FreeAll();
  entries_.reserve(capacity);
  merged_.reserve(capacity);
}

void ContactStore::FreeAll() {
  free_.clear();
  for (std::uint32_t i = capacity(); i-- > 0;) free_.push_back(i);
}

void ContactStore::Restore(std::span<const Contact> contacts) {
  FreeAll();
  entries_.clear();
  for (const Contact& contact : contacts) {
    const std::uint32_t index = free_.back();
    free_.pop_back();
    contacts_[index] = contact;
    entries_.push_back({PairKey(contact.a, contact.b), index, contact.sensor});
  }
  NoteFirsts();
}

void ContactStore::NoteFirsts() {
  std::uint32_t last = ~std::uint32_t{0};
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    const std::uint32_t slot = entries_[i].slot_a();
    if (slot != last) first_[slot] = i;
    last = slot;
  }
}

void ContactStore::Prefetch(std::uint32_t slot) const {
  const std::size_t end = std::min<std::size_t>(entries_.size(), first_[slot] + kPrefetched);
  for (std::size_t i = first_[slot]; i < end && entries_[i].slot_a() == slot; ++i) {
    const Contact& contact = contacts_[entries_[i].index];
    PrefetchBytes(&contact, kOrigin);
  }
}

void ContactStore::PrefetchPoints(std::uint32_t index) const {
  PrefetchBytes(&contacts_[index].manifold, kUsualPoints * sizeof(ContactPoint));
}

// A body has few contacts, and the ground has most of them: the steps of the search double before
// they halve.
const Contact* ContactStore::Find(BodyId a, BodyId b) const {
  if (first_[a.slot()] >= entries_.size()) return nullptr;
  const std::uint64_t key = PairKey(a, b);
  auto begin = entries_.begin() + first_[a.slot()];
  std::ptrdiff_t width = 1;
  while (entries_.end() - begin > width && begin[width].key <= key) {
    begin += width;
    width *= 2;
  }
  const auto end = begin + std::min(width, entries_.end() - begin);
  const auto entry = std::lower_bound(
      begin, end, key, [](const Entry& one, std::uint64_t of) { return one.key < of; });
  if (entry == end || entry->key != key) return nullptr;
  const Contact& contact = contacts_[entry->index];
  return contact.a == a && contact.b == b ? &contact : nullptr;
}

bool ContactStore::HasBodies(const Entry& entry, const BodyStorage& bodies) const {
  const Contact& contact = contacts_[entry.index];
  const auto is_dynamic = [&](BodyId id) { return IsDynamic(bodies.StateOf(id.slot())); };
  return bodies.Has(contact.a) && bodies.Has(contact.b) &&
         (is_dynamic(contact.a) || is_dynamic(contact.b));
}

bool ContactStore::Waits(const Entry& entry, const StepBodies& step) const {
  const std::uint32_t a = entry.slot_a(), b = entry.slot_b();
  if (step.awake.Contains(a) || step.awake.Contains(b)) return false;
  // The bodies themselves are read only if one may be gone: each would be a line of memory.
  if (!step.changes[a].any() && !step.changes[b].any()) {
    NOWAIT_ASSERT(HasBodies(entry, step.bodies), "a slot without a change has the body it had");
    return true;
  }
  const auto is_static = [&](std::uint32_t slot) {
    return std::ranges::binary_search(step.statics, slot);
  };
  if (entry.sensor && (is_static(a) || is_static(b))) return false;
  return HasBodies(entry, step.bodies);
}

std::size_t ContactStore::CountAfter(std::span<const FoundContact* const> found,
                                     const StepBodies& step) const {
  std::size_t count = found.size();
  for (const Entry& entry : entries_) {
    if (Waits(entry, step)) ++count;
  }
  return count;
}

void ContactStore::Begin(const FoundContact& found, std::vector<ContactEvent>& events) {
  const std::uint32_t index = free_.back();
  free_.pop_back();
  Contact contact;
  contact.a = found.a;
  contact.b = found.b;
  contact.origin = found.origin;
  contact.manifold = found.manifold;
  contact.Take(found.material);
  contact.sensor = found.sensor;
  contacts_[index] = contact;
  merged_.push_back({found.key(), index, found.sensor});
  events.push_back({ContactEvent::Kind::kBegan, found.a, found.b});
}

void ContactStore::End(const Entry& entry, std::vector<ContactEvent>& events) {
  const Contact& contact = contacts_[entry.index];
  events.push_back({ContactEvent::Kind::kEnded, contact.a, contact.b});
  free_.push_back(entry.index);
}

Result<void> ContactStore::Merge(std::span<const FoundContact* const> found,
                                 const BodyStorage& bodies, const AwakeSet<>& awake,
                                 std::span<const Changes> changes,
                                 std::vector<ContactEvent>& events,
                                 std::span<const std::uint32_t> statics) {
  const StepBodies step{bodies, awake, changes, statics};
  // Counted only where the bound does not do.
  if (found.size() + entries_.size() > capacity() && CountAfter(found, step) > capacity()) {
    return Fail(ErrorCode::kCapacity, "contacts", capacity());
  }
  NOWAIT_ASSERT(IsSortedByPair(found), "each pair was found once, the lower slot first, in order");
  // Room for all events first: nothing fails once the lists change. Each entry of either list
  // causes at most one event.
  events.reserve(events.size() + entries_.size() + found.size());
  // Ended contacts first, to make room for those that begin.
  const auto first_event = static_cast<std::ptrdiff_t>(events.size());
  std::size_t next = 0;
  std::size_t kept = 0;
  for (const Entry& entry : entries_) {
    while (next < found.size() && found[next]->key() < entry.key) ++next;
    const bool again = next < found.size() && found[next]->key() == entry.key &&
                       IsOf(contacts_[entry.index], *found[next]);
    if (again || Waits(entry, step)) {
      entries_[kept++] = entry;
    } else {
      End(entry, events);
    }
  }
  entries_.resize(kept);
  const auto first_begun = static_cast<std::ptrdiff_t>(events.size());

  merged_.clear();
  auto old = entries_.begin();
  for (const FoundContact* contact : found) {
    const std::uint64_t key = contact->key();
    while (old != entries_.end() && old->key < key) merged_.push_back(*old++);
    if (old != entries_.end() && old->key == key) {
      NOWAIT_ASSERT(IsOf(contacts_[old->index], *contact),
                    "a contact continues between the same bodies, not between their slots");
      if (contact->recycled != nullptr) {
        NOWAIT_ASSERT(contact->recycled == &contacts_[old->index], "a contact goes on as itself");
        contacts_[old->index].Take(contact->material);
      } else {
        Continue(*contact, contacts_[old->index]);
      }
      merged_.push_back(*old++);
    } else {
      NOWAIT_ASSERT(contact->recycled == nullptr, "a contact that goes on was there");
      Begin(*contact, events);
    }
  }
  merged_.insert(merged_.end(), old, entries_.end());
  entries_.swap(merged_);
  NoteFirsts();
  std::inplace_merge(events.begin() + first_event, events.begin() + first_begun, events.end(),
                     IsBefore);
  return {};
}

}  // namespace nowait
