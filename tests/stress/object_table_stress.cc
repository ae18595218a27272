// Threads read, replace, create and destroy objects: no update is lost, and no version changes
// while a view of it lives. Versions are plain data: what the table does not order is a race.
#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "src/game/object_table.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

constexpr std::uint32_t kThreads = 4;

// Large enough to be torn.
struct Purse {
  std::int64_t coins = 0;
  std::array<std::int64_t, 15> same{};
};
Purse Of(std::int64_t coins) {
  Purse purse{coins, {}};
  purse.same.fill(coins);
  return purse;
}
bool IsWhole(const Purse& purse) {
  return std::ranges::all_of(purse.same, [&](std::int64_t same) { return same == purse.coins; });
}

// kFold: counts move all the time, or never.
template <std::uint64_t kFold>
void Collide(std::uint32_t objects, int rounds) {
  // One view and one copy a thread, and one view that it keeps.
  ObjectTable<Purse, EngineSync, kFold> table(objects, objects + kThreads * 4);
  std::vector<ObjectHandle> purses;
  for (std::uint32_t i = 0; i < objects; ++i) {
    const auto purse = table.Create(Of(0));
    REQUIRE(purse);
    purses.push_back(*purse);
  }
  Findings wrong;
  Together(kThreads, [&](std::uint32_t thread) {
    using View = typename ObjectTable<Purse, EngineSync, kFold>::View;
    std::optional<View> kept;
    std::int64_t coins_of_kept = 0;
    for (int round = 0; round < rounds; ++round) {
      const ObjectHandle handle = purses[(thread + static_cast<std::uint32_t>(round)) % objects];
      for (bool done = false; !done;) {
        auto edit = table.Edit(handle);
        if (!edit) return wrong.Add("no copy: round", round);
        if (!IsWhole(**edit)) wrong.Add("a copy is torn: round", round);
        **edit = Of((*edit)->coins + 1);
        done = edit->Commit();
      }
      if (kept && ((*kept)->coins != coins_of_kept || !IsWhole(**kept))) {
        wrong.Add("a view has changed: round", round);
      }
      if (round % 5 != 0) continue;
      kept.reset();
      auto view = table.Read(handle);
      if (!view) return wrong.Add("no view: round", round);
      coins_of_kept = (*view)->coins;
      if (coins_of_kept < round / static_cast<int>(objects)) wrong.Add("coins are lost", round);
      kept.emplace(std::move(*view));
    }
  });
  REQUIRE(wrong.Words() == "");
  std::int64_t sum = 0;
  for (const ObjectHandle handle : purses) {
    const auto view = table.Read(handle);
    REQUIRE(view);
    sum += (*view)->coins;
  }
  REQUIRE(sum == std::int64_t{kThreads} * rounds);
}

TEST_CASE("no update is lost, by one object that all write, or by several") {
  const std::uint32_t objects = GENERATE(1u, 3u, 64u);
  SECTION("counts stay in the word") { Collide<std::uint64_t{1} << 30>(objects, 8000); }
  SECTION("counts move after every read") { Collide<1>(objects, 8000); }
}

TEST_CASE("objects come and go under the eyes of threads that have their handles") {
  constexpr std::uint32_t kObjects = 2;
  ObjectTable<Purse, EngineSync, 2> table(kObjects, kObjects + kThreads * 4);
  // A handle is published with release, and taken with acquire: its object's creation comes first.
  std::array<std::atomic<std::uint64_t>, kObjects> shared{};
  const auto packed = [](ObjectHandle handle) {
    return std::uint64_t{handle.generation} << 32 | handle.slot;
  };
  Findings wrong;
  std::atomic<std::uint32_t> created{0}, destroyed{0};
  Together(kThreads, [&](std::uint32_t thread) {
    for (int round = 0; round < 8000; ++round) {
      auto& place = shared[static_cast<std::uint32_t>(round) % kObjects];
      const std::uint64_t bits = place.load(std::memory_order::acquire);
      const ObjectHandle handle{static_cast<std::uint32_t>(bits),
                                static_cast<std::uint32_t>(bits >> 32)};
      if (thread < 2) {
        if (table.Destroy(handle)) destroyed.fetch_add(1, std::memory_order::relaxed);
        // An object's coins are its generation and slot, which identify it.
        const auto made = table.Create(Of(0));
        if (!made) continue;
        created.fetch_add(1, std::memory_order::relaxed);
        auto edit = table.Edit(*made);
        if (!edit) {
          wrong.Add("a new object is gone: round", round);
          continue;
        }
        **edit = Of(static_cast<std::int64_t>(packed(*made)));
        if (!edit->Commit()) wrong.Add("a new object was written by another: round", round);
        place.store(packed(*made), std::memory_order::release);
      } else if (const auto view = table.Read(handle)) {
        if (!IsWhole(**view)) wrong.Add("a version is torn: round", round);
        if ((*view)->coins != static_cast<std::int64_t>(bits)) {
          wrong.Add("a handle reads another object: round", round);
        }
      }
    }
  });
  REQUIRE(wrong.Words() == "");
  REQUIRE(created > 0);
  REQUIRE(created >= destroyed);
  REQUIRE(created - destroyed <= kObjects);
}

}  // namespace
}  // namespace nowait
