// Purses in a table of objects, for tests of transactions.
#ifndef NOWAIT_TESTS_GAME_PURSES_H_
#define NOWAIT_TESTS_GAME_PURSES_H_

#include <catch2/catch.hpp>
#include <cstdint>
#include <expected>
#include <thread>
#include <vector>

#include "src/game/object_table.h"

namespace nowait {

struct Purse {
  int coins = 0;
  int owner = 0;
};
using Table = ObjectTable<Purse>;

inline std::vector<ObjectHandle> Create(Table& table, int count, int coins = 10) {
  std::vector<ObjectHandle> handles;
  for (int i = 0; i < count; ++i) {
    const auto created = table.Create({coins, i});
    REQUIRE(created);
    handles.push_back(*created);
  }
  return handles;
}

inline int CoinsOf(Table& table, ObjectHandle handle) {
  const auto view = table.Read(handle);
  REQUIRE(view);
  return (*view)->coins;
}

// tx.Write(handle)->coins += coins, with the errors passed on.
template <class Tx>
Result<void> Add(Tx& tx, ObjectHandle handle, int coins) {
  const auto purse = tx.Write(handle);
  if (!purse) return std::unexpected(purse.error());
  (*purse)->coins += coins;
  return {};
}

template <class Tx>
Result<void> Move(Tx& tx, ObjectHandle from, ObjectHandle to, int coins) {
  if (auto taken = Add(tx, from, -coins); !taken) return taken;
  return Add(tx, to, coins);
}

// A commit that is no transaction's, on another thread: this one is inside an update.
inline void CommitElsewhere(Table& table, ObjectHandle handle, int coins) {
  std::jthread([&] {
    for (bool done = false; !done;) {
      auto edit = table.Edit(handle);
      if (!edit) return;
      (*edit)->coins += coins;
      done = edit->Commit();
    }
  }).join();
}

// Every version is free again.
inline void RequireNothingIsHeld(Table& table, const std::vector<ObjectHandle>& handles,
                                 std::uint32_t versions) {
  for (const ObjectHandle handle : handles) static_cast<void>(table.Destroy(handle));  // or gone
  std::vector<ObjectHandle> all;
  for (std::uint32_t i = 0; i < versions; ++i) {
    const auto created = table.Create({});
    REQUIRE(created);
    all.push_back(*created);
  }
  REQUIRE(!table.Create({}));
  for (const ObjectHandle handle : all) REQUIRE(table.Destroy(handle));
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_GAME_PURSES_H_
