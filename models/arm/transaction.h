// Scenarios of src/game/transaction.h: the steps of its commits (src/game/transaction_object.h).
#ifndef NOWAIT_MODELS_ARM_TRANSACTION_H_
#define NOWAIT_MODELS_ARM_TRANSACTION_H_

#include "src/game/object_table.h"
#include "src/game/transaction_object.h"

namespace nowait::arm {

template <class Sync>
struct TwoHorses {
  using Table = ObjectTable<int, Sync>;
  using Object = TransactionObject<Table>;

  TwoHorses() : horses{*table.Create(1), *table.Create(1)} {}
  Object Taken(int horse) { return *Object::Take(table, horses[horse]); }
  // The object with a new version, which no other thread sees yet.
  Object Changed(int horse) {
    Object object = Taken(horse);
    object.Copy() = 2;
    object.Prepare();
    return object;
  }
  int ValueOf(int horse) { return **table.Read(horses[horse]); }

  Table table{2, 6};
  ObjectHandle horses[2];
};

// Each of two transactions has read one object and changes the other one.
template <class Sync>
struct CommitsExclude : TwoHorses<Sync> {
  static constexpr const char* kName = "transaction commits_exclude";
  static constexpr const char* kPromise =
      "of two commits, each of which writes what the other one has read, one fails";
  static constexpr int kThreads = 2;

  using typename TwoHorses<Sync>::Object;

  void Thread(int t) {
    committed[t] = written[t].Mark() && read[t].IsCurrent();
    if (committed[t]) written[t].Publish();
  }
  bool Holds() {
    if (committed[0] && committed[1]) return false;
    for (int t = 0; t < 2; ++t) {
      if (this->ValueOf(t) != (committed[t] ? 2 : 1)) return false;
    }
    return true;
  }

  Object written[2] = {this->Changed(0), this->Changed(1)};
  Object read[2] = {this->Taken(1), this->Taken(0)};
  bool committed[2] = {};
};

// A commit of two objects, and a transaction that has seen one of them and asks for the other one.
template <class Sync>
struct CommitIsOneStep : TwoHorses<Sync> {
  static constexpr const char* kName = "transaction commit_is_one_step";
  static constexpr const char* kPromise =
      "a transaction sees all of a commit of two objects or nothing of it";
  static constexpr int kThreads = 2;

  using typename TwoHorses<Sync>::Object;

  void Thread(int t) {
    if (t == 0) {
      if (!written[0].Mark() || !written[1].Mark()) return;
      written[0].Publish();
      written[1].Publish();
      return;
    }
    const Object second = this->Taken(1);
    torn = *second != 1 && first.IsCurrent() && second.IsCurrent();
  }
  bool Holds() { return !torn && this->ValueOf(0) == 2 && this->ValueOf(1) == 2; }

  Object written[2] = {this->Changed(0), this->Changed(1)};
  Object first = this->Taken(0);
  bool torn = false;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_TRANSACTION_H_
