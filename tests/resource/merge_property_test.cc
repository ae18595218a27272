// Random documents, changed at random on two sides.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/math/random.h"
#include "src/resource/document.h"
#include "src/resource/document_text.h"
#include "src/resource/merge.h"

namespace nowait {
namespace {

class Documents {
 public:
  explicit Documents(std::uint64_t seed) : random_(seed) {}

  Value Any(int levels) {
    switch (random_.Below(levels == 0 ? 4 : 7)) {
      case 0:
        return Value::FromNumber(std::to_string(random_.Below(4)));
      case 1:
        return Value::String(std::string(1, "xyz"[random_.Below(3)]));
      case 2:
        return Value::Bool(random_.Below(2) == 0);
      case 3:
        return Value::Null();
      case 4:
        return Object(levels);
      case 5:
        return Identified(levels);
      default: {
        Value::Items items;
        for (std::uint32_t i = random_.Below(5); i > 0; --i) items.push_back(Any(levels - 1));
        return Value::Array(std::move(items));
      }
    }
  }

  Value Object(int levels) {
    Value::Members members;
    for (const char* key : {"a", "b", "c", "d"}) {
      if (random_.Below(2) == 0) members.push_back({key, Any(levels - 1)});
    }
    Shuffle(members);
    return Value::Object(std::move(members));
  }

  // A copy without conflicts: of each one a state that it has.
  Value Decided(const Value& value) {
    if (const Value* merged = value.Find("merged")) return Decided(*merged);
    if (value.Find("$conflict") != nullptr) {
      const Value* const left = value.Find("left");
      const Value* const right = value.Find("right");
      const bool first = right == nullptr || (left != nullptr && random_.Below(2) == 0);
      return first ? *left : *right;
    }
    if (const Value::Members* members = value.members()) {
      Value::Members decided;
      for (const auto& [key, member] : *members) decided.push_back({key, Decided(member)});
      return Value::Object(std::move(decided));
    }
    if (const Value::Items* items = value.items()) {
      Value::Items decided;
      for (const Value& item : *items) {
        Value one = Decided(item);
        const Value* const kind = item.Find("$conflict");
        if (kind != nullptr && kind->string() != nullptr && *kind->string() == "items") {
          for (const Value& of_run : *one.items()) decided.push_back(of_run);
        } else {
          decided.push_back(std::move(one));
        }
      }
      return Value::Array(std::move(decided));
    }
    return value;
  }

  // A copy with some edits: about one in `rarity` values.
  Value Edited(const Value& value, int levels, std::uint32_t rarity) {
    if (random_.Below(rarity) == 0) return Any(levels);
    if (const Value::Members* members = value.members()) {
      Value::Members edited;
      for (const Value::Member& member : *members) {
        if (random_.Below(2 * rarity) == 0) continue;
        edited.push_back({member.key, Edited(member.value, levels - 1, rarity)});
      }
      if (random_.Below(rarity) == 0 && value.Find("e") == nullptr) {
        edited.push_back({"e", Any(std::max(levels - 1, 0))});
      }
      if (random_.Below(rarity) == 0) Shuffle(edited);
      return Value::Object(std::move(edited));
    }
    if (const Value::Items* items = value.items()) {
      Value::Items edited;
      for (const Value& item : *items) {
        if (random_.Below(2 * rarity) == 0) continue;
        edited.push_back(Edited(item, levels - 1, rarity));
      }
      if (random_.Below(rarity) == 0) edited.push_back(Any(std::max(levels - 1, 0)));
      if (random_.Below(rarity) == 0) Shuffle(edited);
      return Value::Array(std::move(edited));
    }
    return value;
  }

 private:
  Value Identified(int levels) {
    Value::Items items;
    for (const char* id : {"1", "2", "3", "4"}) {
      if (random_.Below(2) == 0) continue;
      items.push_back(
          Value::Object({{"id", Value::FromNumber(id)}, {"a", Any(std::max(levels - 2, 0))}}));
    }
    Shuffle(items);
    return Value::Array(std::move(items));
  }

  template <class All>
  void Shuffle(All& all) {
    for (std::size_t i = all.size(); i > 1; --i) {
      std::swap(all[i - 1], all[random_.Below(static_cast<std::uint32_t>(i))]);
    }
  }

  Random random_;
};

std::string Text(const Value& value) {
  return WriteDocument(value, {.indent = "", .lines = false, .newline = false});
}

// With the sides of its conflicts swapped.
Value Mirrored(const Value& value) {
  if (const Value::Items* items = value.items()) {
    Value::Items mirrored;
    for (const Value& item : *items) mirrored.push_back(Mirrored(item));
    return Value::Array(std::move(mirrored));
  }
  if (const Value::Members* members = value.members()) {
    const bool conflict = value.Find("$conflict") != nullptr;
    Value::Members mirrored;
    for (const auto& [key, inner] : *members) {
      const std::string swapped = key == "left" ? "right" : key == "right" ? "left" : key;
      // The base is no side's.
      mirrored.push_back(
          {conflict ? swapped : key, conflict && key == "base" ? inner : Mirrored(inner)});
    }
    return Value::Object(std::move(mirrored));
  }
  return value;
}

// The values that are not containers, with the keys that lead to them.
void Leaves(const Value& value, const std::string& path, std::set<std::string>& leaves) {
  if (const Value::Items* items = value.items()) {
    for (const Value& item : *items) Leaves(item, path, leaves);
  } else if (const Value::Members* members = value.members()) {
    for (const auto& [key, inner] : *members) {
      const bool inside =
          key == "$conflict" || key == "base" || key == "left" || key == "right" || key == "merged";
      Leaves(inner, inside ? path : path + "/" + key, leaves);
    }
  } else {
    leaves.insert(path + "=" + Text(value));
  }
}

// A value that a side added or changed is in the result.
void CheckNothingLost(const Value& base, const Value& left, const Value& right,
                      const Value& merged) {
  std::set<std::string> before, there;
  Leaves(base, "", before);
  Leaves(merged, "", there);
  for (const Value* side : {&left, &right}) {
    std::set<std::string> leaves;
    Leaves(*side, "", leaves);
    for (const std::string& leaf : leaves) {
      INFO(leaf);
      REQUIRE((before.contains(leaf) || there.contains(leaf)));
    }
  }
}

// Merges, and checks the merge's promises: swapping the sides mirrors the result, no edit is lost,
// and the result is JSON. Returns whether there are conflicts.
bool HasConflicts(const Value& base, const Value& left, const Value& right) {
  const auto merged = Merge(&base, left, right, {});
  const auto swapped = Merge(&base, right, left, {});
  REQUIRE(merged);
  REQUIRE(swapped);
  INFO("merged " << Text(merged->document));
  REQUIRE(Equal(Mirrored(merged->document), swapped->document));
  CheckNothingLost(base, left, right, merged->document);
  const auto again = ParseDocument(Text(merged->document));
  REQUIRE(again);
  REQUIRE(Same(*again, merged->document));
  return !merged->conflicts.empty();
}

TEST_CASE("Random merges keep the promises") {
  int with_conflicts = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    Documents documents(seed);
    const Value base = documents.Object(4);
    const std::uint32_t rarity = seed % 2 == 0 ? 4 : 12;
    const Value left = documents.Edited(base, 4, rarity);
    const Value right = documents.Edited(base, 4, rarity);
    INFO("seed " << seed << "\nbase  " << Text(base) << "\nleft  " << Text(left) << "\nright "
                 << Text(right));

    // One side alone, and both alike.
    REQUIRE(Same(Merge(&base, left, base, {})->document, left));
    REQUIRE(Same(Merge(&base, base, right, {})->document, right));
    REQUIRE(Same(Merge(&base, left, left, {})->document, left));

    (HasConflicts(base, left, right) ? with_conflicts : without) += 1;
  }
  CHECK(with_conflicts > 500);
  CHECK(without > 500);
}

TEST_CASE("Random merges whose base holds conflicts keep the promises") {
  int decided_alike = 0, with_conflicts = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    Documents documents(seed);
    const Value root = documents.Object(4);
    const Value one = documents.Edited(root, 4, 6), other = documents.Edited(root, 4, 6);
    const auto crossed = Merge(&root, one, other, {});
    REQUIRE(crossed);
    if (crossed->conflicts.empty()) continue;
    const Value& base = crossed->document;
    const Value decided = documents.Decided(base);
    const bool alike = seed % 2 == 0;
    const Value left = documents.Edited(decided, 4, 12);
    const Value right = documents.Edited(alike ? decided : documents.Decided(base), 4, 12);
    INFO("seed " << seed << "\nbase  " << Text(base) << "\nleft  " << Text(left) << "\nright "
                 << Text(right));
    REQUIRE(Same(Merge(&base, left, left, {})->document, left));
    (HasConflicts(base, left, right) ? with_conflicts : decided_alike) += 1;
  }
  CHECK(decided_alike > 300);
  CHECK(with_conflicts > 300);
}

TEST_CASE("Moves of different items are joined, whichever and wherever they are") {
  constexpr std::uint32_t kItems = 9;
  const std::uint64_t seed = 1;
  INFO("seed " << seed);
  Random random(seed);
  // At least two places, so that no other item can have been the one that moved.
  const auto moved = [&](std::vector<std::uint32_t> order, std::uint32_t item) {
    const auto from = static_cast<std::uint32_t>(std::ranges::find(order, item) - order.begin());
    std::uint32_t to = from;
    while (to + 1 >= from && to <= from + 1) to = random.Below(kItems);
    order.erase(order.begin() + from);
    order.insert(order.begin() + to, item);
    return order;
  };
  const auto document = [](const std::vector<std::uint32_t>& order) {
    Value::Items items;
    for (const std::uint32_t item : order) {
      items.push_back(Value::Object({{"id", Value::FromNumber(std::to_string(item))}}));
    }
    return Value::Array(std::move(items));
  };
  const auto without = [](const Value& list, std::uint32_t item) {
    std::string text;
    for (const Value& one : *list.items()) {
      if (one.Find("id")->number()->text != std::to_string(item)) text += Text(one);
    }
    return text;
  };
  std::vector<std::uint32_t> order(kItems);
  std::iota(order.begin(), order.end(), 0u);
  const Value base = document(order);
  for (int round = 0; round < 3'000; ++round) {
    const std::uint32_t a = random.Below(kItems);
    const std::uint32_t b = (a + 1 + random.Below(kItems - 1)) % kItems;
    const Value left = document(moved(order, a)), right = document(moved(order, b));
    INFO("left " << Text(left) << " right " << Text(right));
    const auto merged = Merge(&base, left, right, {});
    REQUIRE(merged);
    REQUIRE(merged->conflicts.empty());
    // But for the other side's item the order is one's own.
    REQUIRE(without(merged->document, b) == without(left, b));
    REQUIRE(without(merged->document, a) == without(right, a));
  }
}

}  // namespace
}  // namespace nowait
