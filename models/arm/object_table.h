// Scenarios of src/game/object_table.h.
#ifndef NOWAIT_MODELS_ARM_OBJECT_TABLE_H_
#define NOWAIT_MODELS_ARM_OBJECT_TABLE_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "src/game/object_table.h"

namespace nowait::arm {

// One object, whose value is 1, and copies of it.
template <class Sync, std::uint64_t kFold = std::uint64_t{1} << 36>
struct OneHorse {
  using Table = ObjectTable<int, Sync, kFold>;
  using Copy = typename Table::Copy;

  explicit OneHorse(std::uint32_t versions) : table(3, versions), horse(*table.Create(1)) {}
  // A copy that becomes 2.
  Copy Edited() {
    Copy copy = *table.Edit(horse);
    *copy = 2;
    return copy;
  }

  Table table;
  ObjectHandle horse;
};

template <class Sync>
struct TableCommitsOnce : OneHorse<Sync> {
  static constexpr const char* kName = "object_table commits_once";
  static constexpr const char* kPromise = "of two Commits to one version one succeeds";
  static constexpr int kThreads = 2;

  TableCommitsOnce() : OneHorse<Sync>(3) {}

  void Thread(int t) { committed[t] = copies[t].Commit(); }
  bool Holds() { return committed[0] != committed[1] && **this->table.Read(this->horse) == 2; }

  typename OneHorse<Sync>::Copy copies[2] = {this->Edited(), this->Edited()};
  bool committed[2] = {};
};

// A thread replaces the version while another one reads the object.
template <class Sync>
struct TableReads : OneHorse<Sync> {
  static constexpr const char* kName = "object_table reads";
  static constexpr const char* kPromise = "a view is a whole version, the old one or the new one";
  static constexpr int kThreads = 2;

  TableReads() : OneHorse<Sync>(2) {}

  void Thread(int t) {
    if (t == 0) {
      committed = copy.Commit();
      return;
    }
    const auto view = this->table.Read(this->horse);
    if (view) seen = **view;
  }
  bool Holds() { return committed && (seen == 1 || seen == 2); }

  typename OneHorse<Sync>::Copy copy = this->Edited();
  bool committed = false;
  int seen = 0;
};

// Two threads have views of a version that is no longer current. One of them then makes another
// object, for which no other version is left.
template <class Sync>
struct TableReuses : OneHorse<Sync> {
  using View = typename OneHorse<Sync>::Table::View;

  static constexpr const char* kName = "object_table reuses";
  static constexpr const char* kPromise =
      "a version is reused behind all that was read of it, and stays as it is until then";
  static constexpr int kThreads = 2;

  TableReuses() : OneHorse<Sync>(2) {
    for (auto& view : views) view.emplace(*this->table.Read(this->horse));
    auto copy = this->Edited();
    replaced = copy.Commit();
  }

  void Thread(int t) {
    seen[t] = **views[t];
    views[t].reset();
    if (t == 0) made = this->table.Create(kOther).has_value();
  }
  bool Holds() {
    return replaced && seen[0] == 1 && seen[1] == 1 &&
           made != this->table.Create(kOther).has_value();
  }

  static constexpr int kOther = 3;

  std::optional<View> views[2];
  bool replaced = false;
  bool made = false;
  int seen[2] = {};
};

// The reader moves the word's count into the version, which the other thread is replacing.
template <class Sync>
struct TableFolds : OneHorse<Sync, 1> {
  using View = typename OneHorse<Sync, 1>::Table::View;

  static constexpr const char* kName = "object_table folds";
  static constexpr const char* kPromise = "a version is returned once, behind its last use";
  static constexpr int kThreads = 2;

  TableFolds() : OneHorse<Sync, 1>(2) { copy.emplace(this->Edited()); }

  void Thread(int t) {
    if (t == 0) {
      committed = copy->Commit();
      return;
    }
    if (auto read = this->table.Read(this->horse)) view.emplace(std::move(*read));
  }
  // How many versions are free. Takes them.
  int Free() {
    int free = 0;
    while (this->table.Create(1).has_value()) ++free;
    return free;
  }
  bool Holds() {
    if (!committed || !view) return false;
    const bool is_old = **view == 1;
    copy.reset();
    if (Free() != (is_old ? 0 : 1)) return false;
    view.reset();
    return Free() == (is_old ? 1 : 0);
  }

  std::optional<typename OneHorse<Sync, 1>::Copy> copy;
  std::optional<View> view;
  bool committed = false;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_OBJECT_TABLE_H_
