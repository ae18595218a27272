// Objects whose versions have resources: they are copied, moved, and end with their last use.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/game/object_table.h"
#include "src/game/transaction.h"

namespace nowait {
namespace {

int alive = 0;        // chests with a treasure
int copies_left = 0;  // until a copy throws; 0: never

// Counts those that have a treasure. A copy may find no memory.
class Chest {
 public:
  Chest() noexcept = default;
  explicit Chest(std::string treasure) : treasure_(std::move(treasure)) { ++alive; }
  Chest(const Chest& other) : treasure_(Copied(other)) { alive += IsFull(); }
  Chest(Chest&& other) noexcept : treasure_(std::exchange(other.treasure_, std::nullopt)) {}
  Chest& operator=(Chest&& other) noexcept {
    alive -= IsFull();
    treasure_ = std::exchange(other.treasure_, std::nullopt);
    return *this;
  }
  ~Chest() { alive -= IsFull(); }

  const std::string& treasure() const { return *treasure_; }
  void Put(const std::string& more) { *treasure_ += more; }

 private:
  static std::optional<std::string> Copied(const Chest& other) {
    if (copies_left != 0 && --copies_left == 0) throw std::bad_alloc();
    return other.treasure_;
  }
  int IsFull() const { return treasure_.has_value() ? 1 : 0; }

  std::optional<std::string> treasure_;
};
using Table = ObjectTable<Chest>;

// Compared by ==; a Chest is not.
struct Bag {
  std::vector<int> coins;
  bool operator==(const Bag&) const = default;
};

std::size_t letters = 0;  // bytes of memory that texts have

template <class T>
struct Counting {
  using value_type = T;
  T* allocate(std::size_t count) {
    letters += count;
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* at, std::size_t count) {
    letters -= count;
    std::allocator<T>().deallocate(at, count);
  }
  bool operator==(const Counting&) const = default;
};
// Without a default constructor. When a short text is moved into a long one, that keeps its memory.
struct Scroll {
  explicit Scroll(std::size_t length) : text(length, 'x') {}
  std::basic_string<char, std::char_traits<char>, Counting<char>> text;
};

static_assert(GameObject<Chest> && GameObject<Bag> && GameObject<Scroll> && GameObject<int>);
struct MovedWithThrow {
  MovedWithThrow() noexcept = default;
  MovedWithThrow(const MovedWithThrow&) {}
  MovedWithThrow& operator=(const MovedWithThrow&) { return *this; }
};
static_assert(!GameObject<MovedWithThrow>);

ObjectHandle Made(Table& table, const std::string& treasure) {
  const auto made = table.Create(Chest(treasure));
  REQUIRE(made);
  return *made;
}

TEST_CASE("a version's resources end with its last view") {
  {
    Table table(1, 4);
    const ObjectHandle chest = Made(table, "gold");
    CHECK(alive == 1);
    std::optional<Table::View> view(std::move(*table.Read(chest)));
    {
      auto edit = table.Edit(chest);
      REQUIRE(edit);
      CHECK(alive == 2);
      (*edit)->Put(" and silver");
      REQUIRE(edit->Commit());
    }
    CHECK(alive == 2);
    CHECK((*view)->treasure() == "gold");
    view.reset();
    CHECK(alive == 1);
    CHECK((*table.Read(chest))->treasure() == "gold and silver");
    REQUIRE(table.Destroy(chest));
    CHECK(alive == 0);
    Made(table, "copper");  // ends with the table
  }
  CHECK(alive == 0);
}

TEST_CASE("a version's memory ends with its last use, where an assignment would keep it") {
  ObjectTable<Scroll> table(1, 4);
  const auto scroll = table.Create(Scroll(1000));
  REQUIRE(scroll);
  const std::size_t one = letters;
  CHECK(one > 1000);
  for (int i = 0; i < 8; ++i) {
    auto edit = table.Edit(*scroll);
    REQUIRE(edit);
    CHECK(edit->Commit());
  }
  CHECK(letters == one);
  REQUIRE(table.Destroy(*scroll));
  CHECK(letters == 0);
}

TEST_CASE("a copy that is dropped, or comes too late, ends with its resources") {
  Table table(1, 4);
  const ObjectHandle chest = Made(table, "gold");
  {
    auto late = table.Edit(chest);
    auto first = table.Edit(chest);
    REQUIRE(late);
    REQUIRE(first);
    CHECK(alive == 3);
    CHECK(first->Commit());
    CHECK(!late->Commit());
  }
  CHECK(alive == 1);
  { CHECK(table.Edit(chest)); }
  CHECK(alive == 1);
  REQUIRE(table.Destroy(chest));
  CHECK(alive == 0);
}

TEST_CASE("a copy that throws takes no version and keeps no view") {
  Table table(1, 2);
  const ObjectHandle chest = Made(table, "gold");
  for (int i = 0; i < 5; ++i) {
    copies_left = 1;
    CHECK_THROWS_AS(table.Edit(chest), std::bad_alloc);
  }
  CHECK(alive == 1);
  // Both versions can be had: the object's, and one for a copy.
  auto edit = table.Edit(chest);
  REQUIRE(edit);
  CHECK(edit->Commit());
}

TEMPLATE_TEST_CASE("a transaction commits objects with resources", "", Exclusive, Revisions) {
  Table table(2, 6);
  const ObjectHandle from = Made(table, "gold");
  const ObjectHandle to = Made(table, "");
  Transaction<Table, TestType> transaction(table);
  const auto move = [&](auto& tx) -> Result<void> {
    const auto giver = tx.Write(from);
    const auto taker = tx.Write(to);
    if (!giver || !taker) return Fail(ErrorCode::kNotFound, "chest");
    (*taker)->Put((*giver)->treasure());
    **giver = Chest("");
    return {};
  };
  REQUIRE(transaction.Run(move));
  CHECK(alive == 2);
  CHECK((*table.Read(to))->treasure() == "gold");
  CHECK((*table.Read(from))->treasure().empty());

  // The second copy throws: nothing has changed, and the versions are there again.
  for (int i = 0; i < 5; ++i) {
    copies_left = 2;
    CHECK_THROWS_AS(transaction.Run(move), std::bad_alloc);
  }
  CHECK(alive == 2);
  REQUIRE(transaction.Run(move));
  REQUIRE(table.Destroy(from));
  REQUIRE(table.Destroy(to));
  CHECK(alive == 0);
}

TEMPLATE_TEST_CASE("an object that equals its version is not replaced", "", Exclusive, Revisions) {
  ObjectTable<Bag> table(1, 4);
  const auto bag = table.Create({{1, 2, 3}});
  REQUIRE(bag);
  const auto version = [&] { return (*table.Read(*bag))->coins.data(); };
  const int* const before = version();
  Transaction<ObjectTable<Bag>, TestType> transaction(table);
  const auto with = [&](int coin) {
    return transaction.Run([&](auto& tx) -> Result<void> {
      const auto copy = tx.Write(*bag);
      if (!copy) return std::unexpected(copy.error());
      (*copy)->coins.back() = coin;
      return {};
    });
  };
  REQUIRE(with(3));
  CHECK(version() == before);
  REQUIRE(with(4));
  CHECK(version() != before);
  CHECK((*table.Read(*bag))->coins == std::vector{1, 2, 4});
}

}  // namespace
}  // namespace nowait
