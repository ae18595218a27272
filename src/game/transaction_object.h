// TransactionObject: one object in one attempt of a transaction (transaction.h).
//
//   version     the version that the attempt has seen, which stays while this lives
//   copy        a private copy of it, if the attempt has taken the object for writing
//   owned       no other transaction, Commit or Destroy changes the object
//
// An attempt with several changed objects commits them in three steps: it marks each (Mark), checks
// that all others are current, and publishes each (Publish). The argument is behind the class. The
// destructor undoes everything that was not published.
//
// Thread safety: one thread. The object's word is shared; see the operations.
// Progress: lock-free. An exchange fails only because of another one, or of a reader's count.
// Source: [cbloom2011]; [kung1981] for the commit. Model: models/game/transaction.
#ifndef NOWAIT_SRC_GAME_TRANSACTION_OBJECT_H_
#define NOWAIT_SRC_GAME_TRANSACTION_OBJECT_H_

#include <atomic>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/game/object_table.h"

namespace nowait {

enum class Owning : std::uint8_t {
  kDone,
  kOwned,     // another transaction owns the object
  kReplaced,  // it has another version than the one that was seen, or is gone
};

template <class Table>
class TransactionObject {
  using T = typename Table::Value;

 public:
  // Takes the object's current version. kStaleId "object handle".
  static Result<TransactionObject> Take(Table& table, ObjectHandle handle) {
    const std::uint32_t version = table.Find(handle);
    if (version == Table::kNone) return Table::Stale(handle);
    return TransactionObject(table, handle, version);
  }
  TransactionObject(TransactionObject&& other) noexcept
      : table_(std::exchange(other.table_, nullptr)),
        handle_(other.handle_),
        version_(other.version_),
        next_(other.next_),
        owned_(other.owned_),
        copy_(std::move(other.copy_)) {}
  TransactionObject& operator=(TransactionObject&&) = delete;
  ~TransactionObject() {
    if (table_ == nullptr) return;
    Disown();
    if (next_ != Table::kNone) table_->Free(next_);
    table_->Release(version_, 1);
  }

  ObjectHandle handle() const { return handle_; }
  bool owned() const { return owned_; }
  bool for_writing() const { return copy_.has_value(); }
  bool prepared() const { return next_ != Table::kNone; }

  // The copy if there is one, otherwise the version. Returns a const T&; in a model a T.
  decltype(auto) operator*() const { return copy_ ? *copy_ : seen(); }

  T& Copy() {
    if (!copy_) copy_.emplace(seen());
    return *copy_;
  }
  // Whether the copy differs from the version: in any bit, or by ==. A T with neither always does.
  bool IsChanged() const {
    if (!copy_) return false;
    const T& seen = this->seen();
    if constexpr (std::is_trivially_copyable_v<T>) {
      return std::memcmp(&*copy_, &seen, sizeof(T)) != 0;
    } else if constexpr (std::equality_comparable<T>) {
      return !(*copy_ == seen);
    } else {
      return true;
    }
  }

  // Keeps others from changing the object, if it still has the version that was seen.
  Owning Own() { return SetMarks(Table::kOwned); }

  // Whether another transaction owns the object with the version that was seen.
  bool IsOwned() const { return table_->IsOwned(handle_.slot, version_); }

  // Makes the copy a new version, which no thread sees yet. Returns false if no version is left.
  bool Prepare() {
    next_ = table_->free_versions_.Take();
    if (next_ == Table::kNone) return false;
    table_->Prepare(next_, handle_.generation);
    table_->versions_[next_].value.set(std::move(*copy_));
    return true;
  }

  // Commits this object alone. False where Own returns kOwned or kReplaced; never if it is owned.
  bool Replace() {
    if (owned_) {
      Publish();
      return true;
    }
    if (!table_->Replace(handle_.slot, version_, next_)) return false;
    next_ = Table::kNone;
    return true;
  }

  // Owns the object, and announces that its version may change together with others'. Returns false
  // where Own returns kOwned or kReplaced; never if it is owned.
  bool Mark() {
    if (!owned_) return SetMarks(Table::kOwned | Table::kPublishing) == Owning::kDone;
    // seq_cst: see the argument.
    word().fetch_or(Table::kPublishing, std::memory_order::seq_cst);
    return true;
  }
  // Whether the object has the version that was seen, and no thread is publishing another one.
  bool IsCurrent() const {
    // seq_cst: see the argument.
    const std::uint64_t word = this->word().load(std::memory_order::seq_cst);
    return Table::VersionOf(word) == version_ && (word & Table::kPublishing) == 0;
  }
  // From here on the object, which is owned, has the new version, and neither owner nor mark.
  void Publish() {
    // release: pairs with the acquire in ObjectTable::Find: the version. acquire: pairs with
    // Fold's release. seq_cst: see the argument.
    const std::uint64_t word =
        this->word().exchange(Table::Word(next_, 0), std::memory_order::seq_cst);
    table_->Release(version_, Table::kCurrent - Table::CountOf(word));
    next_ = Table::kNone;
    owned_ = false;
  }

  // Gives the object back as it was.
  void Disown() {
    if (!owned_) return;
    // release: pairs with the acquire in SetMarks, see the argument.
    word().fetch_and(~(Table::kOwned | Table::kPublishing), std::memory_order::release);
    owned_ = false;
  }

 private:
  TransactionObject(Table& table, ObjectHandle handle, std::uint32_t version)
      : table_(&table), handle_(handle), version_(version) {}

  decltype(auto) seen() const { return table_->ValueOf(version_); }
  auto& word() const { return table_->slots_[handle_.slot].current; }

  Owning SetMarks(std::uint64_t marks) {
    // relaxed, and on failure: the exchange compares the version.
    std::uint64_t word = this->word().load(std::memory_order::relaxed);
    while (Table::VersionOf(word) == version_) {
      if ((word & Table::kOwned) != 0) return Owning::kOwned;
      // seq_cst: see the argument.
      if (this->word().compare_exchange_retry(word, word | marks, std::memory_order::seq_cst,
                                              std::memory_order::relaxed)) {
        owned_ = true;
        return Owning::kDone;
      }
    }
    return Owning::kReplaced;
  }

  Table* table_;
  ObjectHandle handle_;
  std::uint32_t version_;
  std::uint32_t next_ = Table::kNone;  // the place of the copy's version, from Prepare on
  bool owned_ = false;
  std::optional<T> copy_;
};

// Implementation: why this is right
//
// S is the one order of all seq_cst operations. The point of a commit is its last Mark in S, or,
// of an object that is committed alone, its exchange.
//
// Invariants
//   1. An owned word has one owner. Its version changes by its owner's exchange alone, which is
//      wait-free: readers change nothing but the count.
//   2. A version that was seen is not reused as long as this object lives (invariant 3 of
//      object_table.h): a word that names it now has named it since it was seen.
//   3. A commit marks all of its words before it publishes the first one, and each word stays
//      marked until it is published.
//
// A look at several objects: a transaction has seen versions, and then loads each of their words
// (IsCurrent). Let r be the place of the first of these loads in S. If all versions are current and
// unmarked, they are those of one moment, r:
//   - A commit that has replaced a version that was seen lies behind r. Otherwise its Mark came
//     before the load of that word in S, and the load finds the mark, or the new version.
//   - A commit from which a version was seen lies before r. That version was found by an acquire,
//     so the marks happen before r, on all words of that commit. If it also wrote another one of
//     the objects, the load of that word finds the mark, or the version of this commit or a later
//     one. An unmarked version is the one that was seen only if it is that.
// Loads that are only acquire loads do not give this. Two transactions that look at two objects
// could each see the one commit and not the other: independent reads of independent writes.
//
// An object that is gone has no word to look at. Its end, which was found by an acquire, comes
// after the commits that had replaced what names it, and the look at the others finds those.
//
// A commit that must not overlap a change of what it has read marks its own words first and looks
// at the others then. Of two commits, each of which writes what the other one has read, one finds
// the other one's mark: its load lies behind that mark in S. This is the shape of store buffering.
//
// Disown is a release, and marking an acquire, for an object that was owned and not changed. A
// transaction with its turn alone owns what it reads. It commits, and disowns. Another one marks
// that object then, and looks at those which the first one has changed: it finds the changes,
// because they happen before its look.

}  // namespace nowait

#endif  // NOWAIT_SRC_GAME_TRANSACTION_OBJECT_H_
