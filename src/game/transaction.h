// Transaction: an update of several game objects that happens as a whole, or not at all.
//
//   Transaction<ObjectTable<Actor>, Revisions> transaction(actors);    // one a thread, kept
//   const auto done = transaction.Run([&](auto& tx) -> Result<void> {
//     const auto rider = tx.Write(self);                               // a private copy
//     if (!rider) return std::unexpected(rider.error());
//     const auto horse = tx.Read((*rider)->horse);                     // a const view
//     if (!horse) return std::unexpected(horse.error());
//     (*rider)->place = (*horse)->place;
//     return tx.AfterCommit([=]() noexcept { Announce(self); });       // happens once
//   });                                                                if (!done) ...
//
// Run calls the update again, with new copies, if another transaction was in its way.
//
// Thread safety: a transaction belongs to one thread. Any number of transactions use one table.
// Progress: blocking. While a thread is stopped in its commit, or under Exclusive in its update,
// transactions that change its objects eventually wait. Views (ObjectTable::Read) never wait.
// Promise: see Isolation. A commit of several objects is one step for transactions that read with
// kSnapshot or more; views are of several moments. An update that was restarted `attempts` times
// gets a turn alone (last_resort.h): it commits for certain, unless an endless sequence of Commits
// outside transactions gets in first.
//
// Source: [cbloom2011]. Model: models/game/transaction.
#ifndef NOWAIT_SRC_GAME_TRANSACTION_H_
#define NOWAIT_SRC_GAME_TRANSACTION_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/game/delayed_effects.h"
#include "src/game/isolation.h"
#include "src/game/last_resort.h"
#include "src/game/object_table.h"
#include "src/game/transaction_object.h"
#include "src/game/update_scope.h"
#include "src/sync/held_locks.h"

namespace nowait {

// The two variants of [cbloom2011]. Both may be used on one table at the same time.
//
// Exclusive: Write makes the object the transaction's own until the end. If another transaction
// owns it, the update is restarted, and all objects that it had asked for are taken first, in the
// order of their slots, waiting for each. At kReadCommitted and kSnapshot the commit cannot fail.
struct Exclusive {
  static constexpr bool kOwnsAtWrite = true;
};
// Revisions: Write copies, and any number of transactions may do so at once. The commit fails if
// one of the objects has another version by then, changed or not. No attempt waits for another.
struct Revisions {
  static constexpr bool kOwnsAtWrite = false;
};

struct TransactionDef {
  std::uint32_t objects = 8;   // that an update may ask for
  std::uint32_t effects = 8;   // that an update may delay
  std::uint32_t attempts = 8;  // before the last resort
  Isolation isolation = Isolation::kSerializable;
};

struct TransactionCounts {
  std::uint64_t commits = 0;
  std::uint64_t restarts = 0;      // an update was restarted before its end
  std::uint64_t conflicts = 0;     // a commit has failed
  std::uint64_t last_resorts = 0;  // a transaction had its turn alone

  TransactionCounts& operator+=(const TransactionCounts& other) {
    commits += other.commits;
    restarts += other.restarts;
    conflicts += other.conflicts;
    last_resorts += other.last_resorts;
    return *this;
  }
};

template <class Table, class Policy = Revisions>
class Transaction {
  using T = typename Table::Value;
  using Sync = typename Table::SyncPolicy;
  using Object = TransactionObject<Table>;

 public:
  // An object as the update sees it, including the update's own changes. Valid until the update
  // ends.
  class View {
   public:
    decltype(auto) operator*() const { return **object_; }  // a const T&; in a model a T
    const T* operator->() const { return &**this; }

   private:
    friend class Transaction;
    explicit View(const Object& object) : object_(&object) {}
    const Object* object_;
  };

  // table: must outlive this object. Throws std::bad_alloc.
  explicit Transaction(Table& table, const TransactionDef& def = {})
      : table_(table), def_(def), effects_(def.effects) {
    objects_.reserve(def.objects);
    changed_.reserve(def.objects);
    wanted_.reserve(def.objects);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // update(Transaction&): returns a Result<void>, and has no effect except on Write's copies. It
  // must pass on the errors of Read, Write and AfterCommit, and must neither wait nor call
  // functions that assert !InUpdate(). An error of its own ends the transaction, and Run returns
  // it: nothing has changed then. kWrongPhase "transaction": the thread is inside an update, or
  // this transaction inside its effects. kCapacity "object versions". An exception of the update
  // passes through, and nothing has changed.
  template <class Update>
  Result<void> Run(Update&& update) {
    if (running_ || InUpdate<Sync>()) {
      return Fail(ErrorCode::kWrongPhase, "transaction", 0, "begun inside another one");
    }
    const Running running(*this);
    const Result<void> committed = Repeat(update);
    if (committed) effects_.Run();
    return committed;
  }

  // For the update. Returns a const view of the object, whose version stays the same to the end.
  // kStaleId "object handle"; kCapacity "objects of a transaction"; kNotOwner "object": the update
  // will be restarted. O(objects).
  Result<View> Read(ObjectHandle handle) {
    // A transaction with a turn alone also owns what it reads: no thread can make its commit fail.
    const auto object = Find(handle, alone_);
    if (!object) return std::unexpected(object.error());
    return View(**object);
  }

  // For the update. Returns the private copy, the same one each time, valid until the update ends.
  // Errors: those of Read.
  Result<T*> Write(ObjectHandle handle) {
    const auto object = Find(handle, Policy::kOwnsAtWrite || alone_);
    if (!object) return std::unexpected(object.error());
    return &(*object)->Copy();
  }

  // For the update. The effect is called once, after the commit, behind those added before it; see
  // delayed_effects.h. kCapacity "delayed effects".
  template <DelayedEffect F>
  Result<void> AfterCommit(const F& effect) {
    return effects_.Add(effect);
  }

  const TransactionCounts& counts() const { return counts_; }

 private:
  // However Run ends, nothing remains owned or kept.
  struct Running {
    explicit Running(Transaction& of) : transaction(of) { of.running_ = true; }
    ~Running() {
      transaction.Forget();
      transaction.wanted_.clear();
      transaction.running_ = false;
      transaction.updating_ = false;  // after an exception
    }
    Transaction& transaction;
  };
  struct Alone {
    explicit Alone(Transaction& of) : turn(of.table_.last_resort_), transaction(of) {
      of.alone_ = true;
    }
    ~Alone() { transaction.alone_ = false; }
    typename LastResort<Sync>::Turn turn;
    Transaction& transaction;
  };

  template <class Update>
  Result<void> Repeat(Update& update) {
    for (std::uint32_t attempt = 0; attempt < def_.attempts; ++attempt) {
      if (table_.last_resort_.IsBusy()) table_.last_resort_.Await();
      const Result<bool> committed = Attempt(update);
      if (!committed) return std::unexpected(committed.error());
      if (*committed) return {};
    }
    const Alone alone(*this);
    ++counts_.last_resorts;
    const Result<bool> committed = Attempt(update);
    if (!committed) return std::unexpected(committed.error());
    NOWAIT_ASSERT(*committed, "a transaction that owns all of its objects commits");
    return {};
  }

  // Returns whether it has committed. Owns nothing afterwards.
  template <class Update>
  Result<bool> Attempt(Update& update) {
    if (!alone_ && !Retake()) return Again(counts_.restarts);
    Result<void> updated;
    {
      const UpdateScope<Sync> scope;
      updating_ = true;
      updated = update(*this);
      updating_ = false;
    }
    if (begins_again_) return Again(counts_.restarts);
    if (!updated) return std::unexpected(updated.error());
    const Result<bool> committed = Commit();
    if (!committed) return committed;
    if (!*committed) return Again(counts_.conflicts);
    ++counts_.commits;
    objects_.clear();
    return true;
  }

  // Ends an attempt that has not committed.
  bool Again(std::uint64_t& count) {
    ++count;
    for (const Object& object : objects_) {
      if (Policy::kOwnsAtWrite && object.for_writing()) Want(object.handle());
    }
    Forget();
    return false;
  }
  void Forget() {
    objects_.clear();
    effects_.Clear();
    begins_again_ = false;
  }
  void Want(ObjectHandle handle) {
    if (std::ranges::find(wanted_, handle) == wanted_.end()) wanted_.push_back(handle);
  }

  // Owns the wanted objects, in the order of their slots. False: it waits for another object, with
  // some of them owned, while another transaction has its turn.
  bool Retake() {
    std::ranges::sort(wanted_, {}, &ObjectHandle::slot);
    for (const ObjectHandle handle : wanted_) {
      for (;;) {
        auto object = Object::Take(table_, handle);
        if (!object) break;  // gone: the update learns that when it asks
        const Owning owning = object->Own();
        if (owning == Owning::kDone) {
          objects_.push_back(std::move(*object));
          break;
        }
        while (object->IsOwned()) {
          if (table_.last_resort_.IsBusy()) return false;
          Sync::Yield();
        }
      }
    }
    wanted_.clear();
    return true;
  }

  // Returns the object, which is taken if it is not there yet, and owned if it has to be.
  Result<Object*> Find(ObjectHandle handle, bool owned) {
    NOWAIT_ASSERT(updating_, "only an update reads and writes, and no effect");
    if (begins_again_) return BeginAgain(handle);
    const auto known = std::ranges::find(objects_, handle, &Object::handle);
    if (known != objects_.end()) {
      if (!owned || known->owned() || known->Own() == Owning::kDone) return &*known;
      Want(handle);
      return BeginAgain(handle);
    }
    if (objects_.size() == def_.objects) {
      // The last attempt may have asked for objects that this one does not ask for.
      if (!alone_ && std::ranges::any_of(objects_, IsLeftOver)) return BeginAgain(handle);
      return Fail(ErrorCode::kCapacity, "objects of a transaction", def_.objects);
    }
    const auto taken = Take(handle, owned);
    // An object that is gone counts: its handle may come from a version that has been replaced.
    const bool only_one = taken && objects_.size() == 1;
    if (def_.isolation != Isolation::kReadCommitted && !only_one && !AreCurrent()) {
      return BeginAgain(handle);
    }
    if (!taken) return std::unexpected(taken.error());
    return &objects_.back();
  }

  Result<void> Take(ObjectHandle handle, bool owned) {
    for (;;) {
      auto object = Object::Take(table_, handle);
      if (!object) return std::unexpected(object.error());
      const Owning owning = owned ? object->Own() : Owning::kDone;
      if (owning == Owning::kDone) {
        objects_.push_back(std::move(*object));
        return {};
      }
      if (owning == Owning::kOwned && !alone_) {
        Want(handle);
        return BeginAgain(handle);
      }
      while (object->IsOwned()) Sync::Yield();
    }
  }

  // Owned without being asked for, or asked for reading alone.
  static bool IsLeftOver(const Object& object) { return object.owned() && !object.for_writing(); }

  std::unexpected<Error> BeginAgain(ObjectHandle handle) {
    begins_again_ = true;
    return Fail(ErrorCode::kNotOwner, "object", handle.slot, "the update begins again");
  }

  // Whether all objects, and that the last one was gone, were seen as of one moment.
  bool AreCurrent() const {
    return std::ranges::all_of(
        objects_, [](const Object& object) { return object.owned() || object.IsCurrent(); });
  }

  // Whether the commit needs the object's version to be current, besides those that it changes.
  bool IsChecked(const Object& object) const {
    if (object.owned() || object.prepared()) return false;
    const bool reads_count = def_.isolation == Isolation::kSerializable && !changed_.empty();
    return object.for_writing() || reads_count;
  }

  // Returns false if another transaction came first. kCapacity "object versions".
  Result<bool> Commit() {
    changed_.clear();
    for (Object& object : objects_) {
      if (!object.IsChanged()) continue;
      if (!object.Prepare()) return table_.NoVersion();
      changed_.push_back(&object);
    }
    const bool checks =
        std::ranges::any_of(objects_, [this](const Object& object) { return IsChecked(object); });
    if (changed_.size() == 1 && !checks) return changed_.front()->Replace();
    // In one order for all transactions: of colliding commits, one gets all its objects.
    std::ranges::sort(changed_, {}, [](const Object* object) { return object->handle().slot; });
    for (Object* object : changed_) {
      if (!object->Mark()) return false;
    }
    for (const Object& object : objects_) {
      if (IsChecked(object) && !object.IsCurrent()) return false;
    }
    for (Object* object : changed_) object->Publish();
    return true;
  }

  Table& table_;
  const TransactionDef def_;
  std::vector<Object> objects_;
  DelayedEffects effects_;
  std::vector<Object*> changed_;      // of Commit
  std::vector<ObjectHandle> wanted_;  // at the beginning of the next attempt
  bool running_ = false;
  bool updating_ = false;  // within running_: an attempt's update, and not the effects
  bool begins_again_ = false;
  bool alone_ = false;
  TransactionCounts counts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_GAME_TRANSACTION_H_
