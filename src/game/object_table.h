// ObjectTable: game objects that many threads read and replace concurrently, by versions.
//
//   if (const auto view = table.Read(horse)) Ride((*view)->place);  // one version, until it ends
//   for (bool done = false; !done;) {
//     auto edit = table.Edit(horse);                                // a private copy
//     if (!edit) return edit.error();
//     (*edit)->health -= 1;
//     done = edit->Commit();                                        // false: another was first
//   }
//
// Thread safety: every function from any thread, any time; a view or an edit belongs to one thread
// at a time. The table must outlive all of them. Handles of other tables are not detected.
// Progress: Read is wait-free, unless its object ends meanwhile. Ending a view, Edit and Create are
// lock-free (index_pool.h). So are Commit and Destroy: a try fails only because of another call.
// But while a transaction owns the object (transaction.h), Commit fails, and Destroy waits.
//
// Promise: each object is linearizable, with compare-and-swap of whole versions: Commit succeeds if
// the version is still the one that was copied. Views of several objects are of several moments. A
// view stays as it is when newer versions or the end of the object come. Its version is reused
// after its last view has ended, whose reads happen before that.
// Bound: objects + views + 2 * edits versions are in use at most, where a call under way counts as
// a view; with so many, kCapacity does not occur. A long view keeps one version and nothing else.
//
// Source: [cbloom2011], rdlock and wrlock. Counts in two parts: behind the class. Model:
// models/game/object_table.
#ifndef NOWAIT_SRC_GAME_OBJECT_TABLE_H_
#define NOWAIT_SRC_GAME_OBJECT_TABLE_H_

#include <atomic>
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/game/last_resort.h"
#include "src/sync/held_locks.h"
#include "src/sync/index_pool.h"
#include "src/sync/policy.h"

namespace nowait {

// Names an object, for as long as anyone keeps the name. An object's slot is later given to another
// object with another generation; a slot that has had 2^32 - 1 generations is not given out again.
struct ObjectHandle {
  std::uint32_t slot = ~std::uint32_t{0};
  std::uint32_t generation = 0;
  friend bool operator==(const ObjectHandle&, const ObjectHandle&) = default;
};

// A version is plain bytes, or has a type that is copied, moved and destroyed. The thread that ends
// the last use of such a version also destroys it: ~T may run on any thread that uses the table,
// and must not use the table. Several threads may copy one version at once: T's const functions
// must allow that. A copy that throws has changed nothing.
template <class T>
concept CopiedAndMoved = std::copy_constructible<T> && std::is_nothrow_move_constructible_v<T> &&
    std::is_nothrow_move_assignable_v<T> && std::is_nothrow_destructible_v<T>;
template <class T>
concept GameObject = std::is_trivially_copyable_v<T> || CopiedAndMoved<T>;

// T: the part of an object that changes. Its definition, which never changes, is named in it and
// lies outside, where it outlives the table. kFold: see invariant 4; models use a small one.
template <GameObject T, class Sync = EngineSync, std::uint64_t kFold = std::uint64_t{1} << 36>
class ObjectTable {
 public:
  using Value = T;
  using SyncPolicy = Sync;

  static constexpr std::uint32_t kMostVersions = (1u << 24) - 1;

  // A version, unchanged until the view ends. Movable.
  class View {
   public:
    View(View&& other) noexcept
        : table_(std::exchange(other.table_, nullptr)), version_(other.version_) {}
    View& operator=(View&&) = delete;
    ~View() {
      if (table_ != nullptr) table_->Release(version_, 1);
    }

    // Returns a const T&; in a model a T.
    decltype(auto) operator*() const { return table_->ValueOf(version_); }
    const T* operator->() const { return &**this; }

   private:
    friend class ObjectTable;
    View(ObjectTable* table, std::uint32_t version) : table_(table), version_(version) {}

    ObjectTable* table_;
    std::uint32_t version_;
  };

  // A private copy. It ends without effect unless it is committed. Movable.
  class Copy {
   public:
    Copy(Copy&& other) noexcept
        : view_(std::move(other.view_)),
          slot_(other.slot_),
          next_(std::exchange(other.next_, kNone)),
          value_(std::move(other.value_)) {}
    Copy& operator=(Copy&&) = delete;
    ~Copy() {
      if (next_ != kNone) view_.table_->Free(next_);
    }

    T& operator*() { return value_; }
    T* operator->() { return &value_; }

    // Makes the copy the object's version. Returns false, without effect, if the object has
    // another version than the one that was copied, is gone, or is owned by a transaction. At most
    // once, and the copy is not used afterwards.
    [[nodiscard]] bool Commit() {
      NOWAIT_ASSERT(next_ != kNone && !InUpdate<Sync>(), "committed once, and not by an update");
      ObjectTable& table = *view_.table_;
      table.versions_[next_].value.set(std::move(value_));
      if (!table.Replace(slot_, view_.version_, next_)) return false;
      next_ = kNone;
      return true;
    }

   private:
    friend class ObjectTable;
    Copy(View&& view, std::uint32_t slot) : view_(std::move(view)), slot_(slot), value_(*view_) {}

    View view_;  // the version that was copied
    std::uint32_t slot_;
    std::uint32_t next_ = kNone;  // where it is put when committed; kNone afterwards
    T value_;
  };

  // objects: at most 2^32 - 2; versions: at most kMostVersions. Throws std::bad_alloc.
  ObjectTable(std::uint32_t objects, std::uint32_t versions)
      : free_slots_(objects), free_versions_(versions), slots_(objects), versions_(versions) {
    NOWAIT_ASSERT(versions <= kMostVersions, "a version has a number of 24 bits");
  }

  // kCapacity "objects" or "object versions".
  Result<ObjectHandle> Create(T value) {
    NOWAIT_ASSERT(!InUpdate<Sync>(), "an update delays what may not happen twice");
    const std::uint32_t slot = free_slots_.Take();
    if (slot == kNone) return Fail(ErrorCode::kCapacity, "objects", free_slots_.capacity());
    const std::uint32_t version = free_versions_.Take();
    if (version == kNone) {
      free_slots_.Return(slot);
      return NoVersion();
    }
    const std::uint32_t generation = slots_[slot].generation.get() + 1;
    slots_[slot].generation.set(generation);
    versions_[version].value.set(std::move(value));
    Prepare(version, generation);
    // release: pairs with the acquire in Find: the version. Counts of readers that came too late
    // for the former object are forgotten with it: such a reader has no version.
    slots_[slot].current.store(Word(version, 0), std::memory_order::release);
    return ObjectHandle{slot, generation};
  }

  // The current version. kStaleId "object handle".
  Result<View> Read(ObjectHandle handle) {
    const std::uint32_t version = Find(handle);
    if (version == kNone) return Stale(handle);
    return View(this, version);
  }

  // Returns a copy of the current version. kStaleId "object handle"; kCapacity "object versions".
  Result<Copy> Edit(ObjectHandle handle) {
    NOWAIT_ASSERT(!InUpdate<Sync>(), "an update asks its transaction for copies");
    Result<View> view = Read(handle);
    if (!view) return std::unexpected(view.error());
    Copy copy(std::move(*view), handle.slot);  // first, because T's constructor may throw
    copy.next_ = free_versions_.Take();
    if (copy.next_ == kNone) return NoVersion();
    Prepare(copy.next_, handle.generation);
    return copy;
  }

  // The object is gone when this returns; existing views of it stay. kStaleId "object handle".
  Result<void> Destroy(ObjectHandle handle) {
    NOWAIT_ASSERT(!InUpdate<Sync>(), "an update delays what may not happen twice");
    for (;;) {
      const Result<View> view = Read(handle);
      if (!view) return std::unexpected(view.error());
      if (Replace(handle.slot, view->version_, kNoVersion)) break;
      while (IsOwned(handle.slot, view->version_)) Sync::Yield();
    }
    if (handle.generation != ~std::uint32_t{0}) free_slots_.Return(handle.slot);
    return {};
  }

 private:
  template <class Table>
  friend class TransactionObject;
  template <class Table, class Policy>
  friend class Transaction;

  static constexpr std::uint32_t kNone = IndexPool<Sync>::kNone;
  static constexpr std::uint32_t kNoVersion = kMostVersions;  // in a word
  // A word, from its highest bit on: version, kOwned, kPublishing, count.
  static constexpr int kVersionShift = 40;
  static constexpr int kCountBits = 38;
  static constexpr std::uint64_t kOwned = std::uint64_t{1} << 39;       // by a transaction
  static constexpr std::uint64_t kPublishing = std::uint64_t{1} << 38;  // together with others
  static constexpr std::uint64_t kCurrent = std::uint64_t{1} << 62;
  static_assert(kFold >= 1 && kFold < std::uint64_t{1} << kCountBits);

  static constexpr std::uint64_t Word(std::uint32_t version, std::uint64_t count) {
    return std::uint64_t{version} << kVersionShift | count;
  }
  static constexpr std::uint32_t VersionOf(std::uint64_t word) {
    return static_cast<std::uint32_t>(word >> kVersionShift);
  }
  static constexpr std::uint64_t CountOf(std::uint64_t word) {
    return word & ((std::uint64_t{1} << kCountBits) - 1);
  }

  // A version with resources is destroyed, and not assigned to: an assignment may keep memory.
  static constexpr bool kIsBytes = std::is_trivially_copyable_v<T>;
  using Stored = std::conditional_t<kIsBytes, T, std::optional<T>>;

  // On separate cache lines: every reader writes both.
  struct alignas(64) Slot {
    typename Sync::template atomic<std::uint64_t> current{Word(kNoVersion, 0)};
    typename Sync::template plain<std::uint32_t> generation{0};
  };
  struct alignas(64) Version {
    typename Sync::template atomic<std::uint64_t> uses{0};
    typename Sync::template plain<std::uint32_t> generation{0};
    typename Sync::template plain<Stored> value{};
  };

  static std::unexpected<Error> Stale(ObjectHandle handle) {
    return Fail(ErrorCode::kStaleId, "object handle", handle.slot);
  }
  std::unexpected<Error> NoVersion() const {
    return Fail(ErrorCode::kCapacity, "object versions", free_versions_.capacity());
  }

  // Of a version of which the caller has a use. Returns a const T&; in a model a T.
  decltype(auto) ValueOf(std::uint32_t version) const {
    const auto& value = versions_[version].value;
    if constexpr (kIsBytes) {
      return value.get();
    } else {
      using Found = std::conditional_t<std::is_reference_v<decltype(value.get())>, const T&, T>;
      return static_cast<Found>(*value.get());
    }
  }

  // Prepares a version that only the caller knows.
  void Prepare(std::uint32_t version, std::uint32_t generation) {
    versions_[version].generation.set(generation);
    // relaxed: published with the version.
    versions_[version].uses.store(kCurrent, std::memory_order::relaxed);
  }

  // Returns the object's current version, with one use of it for the caller; kNone if it is gone.
  std::uint32_t Find(ObjectHandle handle) {
    if (handle.slot >= slots_.size()) return kNone;
    auto& current = slots_[handle.slot].current;
    // The object's creation happens before any use of its handle: a slot without a version is one
    // that has lost it. acquire: pairs with the seq_cst in Replace: what came before the object's
    // end is seen by those that find it gone; transactions rest on that.
    if (VersionOf(current.load(std::memory_order::acquire)) == kNoVersion) return kNone;
    // acquire: pairs with the releases in Create and Replace: the version.
    const std::uint64_t word = current.fetch_add(1, std::memory_order::acquire);
    const std::uint32_t version = VersionOf(word);
    if (version == kNoVersion) return kNone;
    if (CountOf(word) >= kFold) Fold(current, word + 1);
    if (versions_[version].generation.get() == handle.generation) return version;
    Release(version, 1);
    return kNone;
  }

  // Moves the count of the word into the version, of which the caller has a use. If another
  // operation changes the word meanwhile, another reader will do it.
  void Fold(typename Sync::template atomic<std::uint64_t>& current, std::uint64_t word) {
    const std::uint32_t version = VersionOf(word);
    const std::uint64_t without_count = word - CountOf(word);
    // relaxed: the exchange publishes it.
    versions_[version].uses.fetch_add(CountOf(word), std::memory_order::relaxed);
    // release: pairs with the acquire in Replace: the uses are there before the word's count is
    // gone. Failure relaxed: what was found is not used.
    std::uint64_t expected = word;
    if (!current.compare_exchange_strong(expected, without_count, std::memory_order::release,
                                         std::memory_order::relaxed)) {
      Release(version, CountOf(word));
    }
  }

  // Puts `next` in place of a version of which the caller has a use, unless the object is
  // owned.
  bool Replace(std::uint32_t slot, std::uint32_t version, std::uint32_t next) {
    auto& current = slots_[slot].current;
    // relaxed, and on failure: the exchange compares the version.
    std::uint64_t word = current.load(std::memory_order::relaxed);
    while (VersionOf(word) == version && (word & kOwned) == 0) {
      // release: pairs with the acquire in Find: the new version. acquire: pairs with Fold's
      // release. seq_cst: it is a commit, and all commits have one order, see transaction_object.h.
      if (current.compare_exchange_retry(word, Word(next, 0), std::memory_order::seq_cst,
                                         std::memory_order::relaxed)) {
        Release(version, kCurrent - CountOf(word));
        return true;
      }
    }
    return false;
  }

  // Whether a transaction owns the object, and it still has this version. For loops that wait.
  bool IsOwned(std::uint32_t slot, std::uint32_t version) const {
    // relaxed: the caller tries again what has failed.
    const std::uint64_t word = slots_[slot].current.load(std::memory_order::relaxed);
    return VersionOf(word) == version && (word & kOwned) != 0;
  }

  void Release(std::uint32_t version, std::uint64_t uses) {
    // release: our reads happen before the version's reuse. acquire: so do those of all others,
    // whose releases are in the release sequences that this one ends.
    if (versions_[version].uses.fetch_sub(uses, std::memory_order::acq_rel) == uses) Free(version);
  }

  // Of a version that no other thread uses.
  void Free(std::uint32_t version) {
    if constexpr (!kIsBytes) versions_[version].value.set(std::nullopt);
    free_versions_.Return(version);
  }

  LastResort<Sync> last_resort_;  // of transactions
  IndexPool<Sync> free_slots_;
  IndexPool<Sync> free_versions_;
  SyncArray<Sync, Slot> slots_;
  SyncArray<Sync, Version> versions_;
};

// Implementation: why this is right
//
// Invariants
//   1. A slot's word names its current version, and counts the readers that have found that version
//      in it. Both change in one operation: a reader knows its version, and has a use of it, at
//      the moment of its fetch_add, and never knows a version of which it has no use.
//   2. `uses` of a version is kCurrent while a word names it, plus the counts that were moved there
//      from the word, minus the uses that were given back. Replace takes kCurrent away and adds the
//      word's last count. Then it is the number of uses that are left. While a word names the
//      version, `uses` is close to kCurrent and cannot be zero: no thread frees it. Afterwards it
//      only falls, to zero once, and the thread that makes it zero returns the version.
//   3. A version whose uses are not all given back is not in free_versions_: a number that a copy
//      has found in a word cannot come back with other contents (ABA) as long as the copy lives.
//   4. A word's count is below kFold but for readers between their fetch_add and Fold, so that it
//      does not grow into the bits above: for that 2^38 - kFold exchanges in a row would have to
//      fail.
//      Fold raises `uses` first. Otherwise a Replace between the two would find too small a number
//      and might free the version under its readers. That no Replace which finds the moved count
//      gone misses it in `uses` is the pairing of Fold's release with Replace's acquire.
//   5. Only its owner writes a version: from Take to the operation that puts it into a word, and
//      once more before its Return.
//      generation of a slot is written between Take and Return of the slot.
//   6. While a word is owned, only its owner changes its version and its marks; readers still
//      count in it. Transactions set the marks (transaction_object.h).
//
// Linearization points: Read and Edit at the fetch_add, or, of an object that is gone, where the
// word has no version or one of a later generation. Create at its store. Commit and Destroy at the
// exchange; a Commit that fails, where it finds another version.
//
// Source of the counts in two parts: the external and internal counts of [williams2019], section
// 7.2.4. There a reader gives its use back by a compare-exchange on the word, in a loop; here
// always by one fetch_sub on the version, which the kCurrent makes possible.

}  // namespace nowait

#endif  // NOWAIT_SRC_GAME_OBJECT_TABLE_H_
