#include "src/game/object_table.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/math/random.h"

namespace nowait {
namespace {

struct Horse {
  int health = 0;
  std::array<float, 3> place{};
};
using Table = ObjectTable<Horse>;

// A view is read, and not written: that does not compile.
static_assert(std::same_as<decltype(*std::declval<Table::View&>()), const Horse&>);
static_assert(!std::is_assignable_v<decltype(((*std::declval<Table::View&>()).health)), int>);
static_assert(std::is_assignable_v<decltype(((*std::declval<Table::Copy&>()).health)), int>);

int HealthOf(Table& table, ObjectHandle handle) {
  const auto view = table.Read(handle);
  REQUIRE(view);
  return (*view)->health;
}

TEST_CASE("an object is created, read, replaced and destroyed") {
  Table table(2, 6);
  const auto horse = table.Create({5, {1, 2, 3}});
  REQUIRE(horse);
  CHECK(HealthOf(table, *horse) == 5);
  {
    auto edit = table.Edit(*horse);
    REQUIRE(edit);
    CHECK((*edit)->place[2] == 3);
    (*edit)->health = 6;
    CHECK(HealthOf(table, *horse) == 5);  // a private copy
    CHECK(edit->Commit());
  }
  CHECK(HealthOf(table, *horse) == 6);
  CHECK(table.Destroy(*horse));
  const auto gone = table.Read(*horse);
  REQUIRE(!gone);
  CHECK(gone.error() == Error{ErrorCode::kStaleId, "object handle", horse->slot});
  CHECK(!table.Edit(*horse));
  CHECK(!table.Destroy(*horse));
}

TEST_CASE("a view stays as it is when newer versions and the end of the object come") {
  Table table(1, 8);
  const auto horse = table.Create({1});
  REQUIRE(horse);
  std::vector<Table::View> views;
  for (int health = 2; health < 5; ++health) {
    auto view = table.Read(*horse);
    REQUIRE(view);
    views.push_back(std::move(*view));
    auto edit = table.Edit(*horse);
    REQUIRE(edit);
    (*edit)->health = health;
    REQUIRE(edit->Commit());
  }
  REQUIRE(table.Destroy(*horse));
  const auto cow = table.Create({77});
  REQUIRE(cow);
  CHECK(cow->slot == horse->slot);
  for (int i = 0; i < 3; ++i) CHECK(views[static_cast<std::size_t>(i)]->health == i + 1);
  CHECK(HealthOf(table, *cow) == 77);
  CHECK(!table.Read(*horse));
}

TEST_CASE(
    "a thread that is stopped with a view and a copy costs what the bound says, and stops nobody") {
  // Two objects; one view; twice two copies: the stopped one and that of the thread that goes on.
  constexpr std::uint32_t kVersions = 2 + 1 + 2 * 2;
  Table table(2, kVersions);
  const auto horse = table.Create({1}), cow = table.Create({2});
  REQUIRE((horse && cow));
  {
    const auto view = table.Read(*horse);
    const auto copy = table.Edit(*cow);
    REQUIRE((view && copy));
    for (int i = 0; i < 1000; ++i) {
      for (const ObjectHandle object : {*horse, *cow}) {
        auto edit = table.Edit(object);
        REQUIRE(edit);
        (*edit)->health += 10;
        REQUIRE(edit->Commit());
      }
    }
    CHECK((*view)->health == 1);
    CHECK(HealthOf(table, *horse) == 10001);
  }
  // Both have ended: there is room for one copy of each version beyond the objects'.
  std::vector<Table::Copy> copies;
  for (std::uint32_t i = 0; i < kVersions - 2; ++i) {
    auto edit = table.Edit(*horse);
    REQUIRE(edit);
    copies.push_back(std::move(*edit));
  }
  CHECK(table.Edit(*horse).error() == Error{ErrorCode::kCapacity, "object versions", kVersions});
}

TEST_CASE("of two copies of one version the first commit wins") {
  Table table(1, 5);
  const auto horse = table.Create({1});
  REQUIRE(horse);
  auto one = table.Edit(*horse);
  auto other = table.Edit(*horse);
  REQUIRE((one && other));
  (*one)->health = 2;
  (*other)->health = 3;
  CHECK(other->Commit());
  CHECK(!one->Commit());
  CHECK(HealthOf(table, *horse) == 3);
}

TEST_CASE("a copy of an object that is gone is not committed, nor into the next one in its slot") {
  Table table(1, 5);
  const auto horse = table.Create({1});
  REQUIRE(horse);
  auto edit = table.Edit(*horse);
  REQUIRE(edit);
  REQUIRE(table.Destroy(*horse));
  const auto cow = table.Create({9});
  REQUIRE(cow);
  CHECK(!edit->Commit());
  CHECK(HealthOf(table, *cow) == 9);
}

TEST_CASE("a copy that ends without a commit has changed nothing and holds nothing") {
  Table table(1, 3);
  const auto horse = table.Create({1});
  REQUIRE(horse);
  for (int i = 0; i < 10; ++i) {
    auto edit = table.Edit(*horse);
    REQUIRE(edit);
    (*edit)->health = 100;
  }
  CHECK(HealthOf(table, *horse) == 1);
}

TEST_CASE("handles of no object of the table are stale") {
  Table table(2, 4);
  CHECK(!table.Read({}));
  CHECK(!table.Read({0, 1}));  // not created yet
  CHECK(!table.Read({2, 1}));  // there is no such slot
  const auto horse = table.Create({1});
  REQUIRE(horse);
  CHECK(!table.Read({horse->slot, horse->generation + 1}));
  CHECK(!table.Read({horse->slot, 0}));
  CHECK(HealthOf(table, *horse) == 1);
}

TEST_CASE("what is full says what, and is as it was") {
  Table table(2, 3);
  const auto horse = table.Create({1});
  const auto cow = table.Create({2});
  REQUIRE((horse && cow));
  const auto more = table.Create({3});
  REQUIRE(!more);
  CHECK(more.error() == Error{ErrorCode::kCapacity, "objects", 2});
  std::optional<Table::View> old;
  {
    auto edit = table.Edit(*horse);
    REQUIRE(edit);
    const auto second = table.Edit(*cow);
    REQUIRE(!second);
    CHECK(second.error() == Error{ErrorCode::kCapacity, "object versions", 3});
    old.emplace(std::move(*table.Read(*horse)));
    REQUIRE(edit->Commit());
  }
  CHECK(!table.Edit(*cow));  // the view has the old version
  old.reset();
  CHECK(table.Edit(*cow));
  REQUIRE(table.Destroy(*cow));
  old.emplace(std::move(*table.Read(*horse)));
  auto edit = table.Edit(*horse);
  REQUIRE(edit);
  REQUIRE(edit->Commit());
  CHECK(table.Create({4}));
  CHECK(!table.Create({5}));
}

TEST_CASE("an object that found no version has taken no room for an object") {
  Table table(2, 2);
  const auto horse = table.Create({1});
  REQUIRE(horse);
  {
    const auto edit = table.Edit(*horse);  // has the other version
    REQUIRE(edit);
    for (int i = 0; i < 3; ++i) {
      const auto cow = table.Create({2});
      REQUIRE(!cow);
      CHECK(cow.error() == Error{ErrorCode::kCapacity, "object versions", 2});
    }
  }
  CHECK(table.Create({2}));
}

TEST_CASE("any order of calls is that of a table that copies everything") {
  const auto seed = GENERATE(range(1u, 31u));
  CAPTURE(seed);
  Random random(seed);
  constexpr std::uint32_t kObjects = 4, kViews = 6, kEdits = 3;
  // The bound of the header: with so many no version is missing. Counts move after two reads.
  ObjectTable<int, EngineSync, 2> table(kObjects, kObjects + kViews + 2 * kEdits + 1);
  using T = decltype(table);
  struct Object {
    ObjectHandle handle;
    int value;
    int version;
    bool alive = true;
  };
  std::vector<Object> objects;  // all that have ever been
  std::vector<std::pair<T::View, int>> views;
  struct Edit {
    T::Copy copy;
    std::size_t object;
    int version;
  };
  std::vector<Edit> edits;
  int next = 1;
  const auto alive = [&] {
    return std::count_if(objects.begin(), objects.end(), [](const Object& o) { return o.alive; });
  };
  for (int step = 0; step < 3000; ++step) {
    const std::uint32_t choice = random.Below(8);
    if (objects.empty() || choice == 0) {
      const bool room = alive() < kObjects;
      const auto created = table.Create(next);
      REQUIRE(created.has_value() == room);
      if (created) objects.push_back({*created, next, next});
      ++next;
      continue;
    }
    // Mostly one of the last ones.
    const std::size_t back = std::min<std::size_t>(random.Below(8), objects.size() - 1);
    const std::size_t which = objects.size() - 1 - back;
    Object& object = objects[which];
    switch (choice) {
      case 1:
        REQUIRE(table.Destroy(object.handle).has_value() == object.alive);
        object.alive = false;
        break;
      case 2:
      case 3: {
        auto view = table.Read(object.handle);
        REQUIRE(view.has_value() == object.alive);
        if (!view) break;
        REQUIRE(**view == object.value);
        if (views.size() < kViews) views.emplace_back(std::move(*view), object.value);
        break;
      }
      case 4:
        if (!views.empty()) views.pop_back();
        break;
      case 5: {
        if (edits.size() == kEdits) break;
        auto edit = table.Edit(object.handle);
        REQUIRE(edit.has_value() == object.alive);
        if (!edit) break;
        REQUIRE(**edit == object.value);
        **edit = next++;
        edits.push_back({std::move(*edit), which, object.version});
        break;
      }
      default: {
        if (edits.empty()) break;
        Edit& edit = edits.back();
        Object& of = objects[edit.object];
        const int value = *edit.copy;
        const bool fits = of.alive && of.version == edit.version;
        REQUIRE(edit.copy.Commit() == fits);
        if (fits) of.value = of.version = value;
        edits.pop_back();
        break;
      }
    }
    for (const auto& [view, value] : views) REQUIRE(*view == value);
    if (random.Below(3) == 0 && !views.empty()) views.pop_back();
  }
}

TEST_CASE("a commit in vain gives its version back, whatever was in its way") {
  Table table(1, 4);
  const auto horse = table.Create({1});
  REQUIRE(horse);
  for (int i = 0; i < 5; ++i) {
    auto loser = table.Edit(*horse);
    auto winner = table.Edit(*horse);
    REQUIRE((loser && winner));
    REQUIRE(winner->Commit());
    REQUIRE(!loser->Commit());
  }
  REQUIRE(table.Destroy(*horse));
  // A stale handle is refused without taking a version.
  for (int i = 0; i < 9; ++i) CHECK(!table.Edit(*horse));
  const auto cow = table.Create({2});
  REQUIRE(cow);
  const auto one = table.Edit(*cow), other = table.Edit(*cow), third = table.Edit(*cow);
  CHECK((one && other && third));
  CHECK(!table.Edit(*cow));
}

}  // namespace
}  // namespace nowait
