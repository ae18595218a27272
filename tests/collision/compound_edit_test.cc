// Compounds that are made from others by removing, moving and adding children: what they are, the
// numbers that stay, and edits that are refused.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/compound_shape.h"
#include "src/collision/shape_geometry.h"
#include "src/math/random.h"
#include "tests/collision/compounds.h"

namespace nowait {
namespace {

using Edited = std::unique_ptr<const CompoundShape>;

Edited EditOf(const CompoundShape& compound, const CompoundEdit& edit) {
  auto edited = compound.Edited(edit);
  if (!edited) FAIL(ToString(edited.error()));
  return std::move(*edited);
}

std::vector<std::uint32_t> NumbersOf(const CompoundShape& compound) {
  std::vector<std::uint32_t> numbers;
  for (const CompoundShape::Child& child : compound.children()) numbers.push_back(child.number);
  std::ranges::sort(numbers);
  return numbers;
}

// A row of boxes on the x axis, a metre each.
std::vector<CompoundChild> Row(int boxes) {
  std::vector<CompoundChild> children;
  for (int i = 0; i < boxes; ++i) {
    children.push_back({.shape = Shape::Box({0.5f, 0.25f, 0.25f}),
                        .position = {static_cast<float>(i), 0, 0},
                        .density = 1.0f + static_cast<float>(i % 3)});
  }
  return children;
}

// After any edits a compound is the one that is made from the same children at once.
TEST_CASE("an edited compound is the compound of the children that it has then") {
  Random random(1);
  test::Compounds compounds;
  for (int i = 0; i < 30; ++i) {
    auto children = compounds.DrawChildren(random, 3 + random.Below(20));
    // Where they are, in the frame of the first compound, and by their numbers.
    auto first = test::CompoundOf(children);
    std::map<std::uint32_t, CompoundChild> there;
    for (const CompoundShape::Child& child : first->children()) {
      there[child.number] = {child.shape, child.position, child.rotation, child.density};
    }
    Edited now = std::move(first);
    Vec3 centre;  // of the frame of `now`, in the first frame
    Quat rotation;
    for (int round = 0; round < 8; ++round) {
      const auto numbers = NumbersOf(*now);
      std::vector<std::uint32_t> removed;
      std::vector<MovedChild> moved;
      for (const std::uint32_t number : numbers) {
        const std::uint32_t what = random.Below(6);
        if (what == 0 && removed.size() + 1 < numbers.size()) removed.push_back(number);
        if (what == 1)
          moved.push_back({number, random.InBox({-2, -2, -2}, {2, 2, 2}), random.Rotation()});
      }
      const auto added = compounds.DrawChildren(random, random.Below(3));
      Edited next = EditOf(*now, {.removed = removed, .moved = moved, .added = added});
      const auto in_first = [&](CompoundChild child) {
        child.position = centre + Rotate(rotation, child.position);
        child.rotation = Normalise(rotation * child.rotation);
        return child;
      };
      for (const std::uint32_t number : removed) there.erase(number);
      for (const MovedChild& child : moved) {
        CompoundChild& of = there[child.number];
        const CompoundChild to = in_first({of.shape, child.position, child.rotation, of.density});
        of = to;
      }
      // The new numbers ascend.
      std::size_t k = 0;
      for (const std::uint32_t number : NumbersOf(*next)) {
        if (there.contains(number)) continue;
        REQUIRE(k < added.size());
        REQUIRE(std::ranges::find(numbers, number) == numbers.end());
        there[number] = in_first(added[k++]);
      }
      REQUIRE(k == added.size());
      now = std::move(next);
      centre = centre + Rotate(rotation, now->centre());
      rotation = Normalise(rotation * now->rotation());

      std::vector<CompoundChild> list;
      std::vector<std::uint32_t> of_list;
      for (const auto& [number, child] : there) {
        of_list.push_back(number);
        list.push_back(child);
      }
      const auto expected = test::CompoundOf(list);
      CHECK(NumbersOf(*now) == of_list);
      CHECK(now->mass() == Approx(expected->mass()).epsilon(1e-5));
      CHECK(Length(centre - expected->centre()) < 1e-4f);
      for (const CompoundShape::Child& child : now->children()) {
        const CompoundChild& of = there[child.number];
        CHECK(child.shape == of.shape);
        CHECK(child.density == of.density);
        CHECK(Length(centre + Rotate(rotation, child.position) - of.position) < 1e-4f);
      }
      // Its principal axes may come in another order.
      const auto sorted = [](Vec3 of) {
        std::array all = {of.x, of.y, of.z};
        std::ranges::sort(all);
        return all;
      };
      for (std::size_t n = 0; n < 3; ++n) {
        CHECK(sorted(now->inertia())[n] == Approx(sorted(expected->inertia())[n]).epsilon(1e-3));
      }
    }
  }
}

TEST_CASE("features of contacts with children that stay are as before, whatever comes and goes") {
  const auto row = test::CompoundOf(Row(8));
  const Shape floor = Shape::Box({50, 1, 50});
  const auto features = [&](const CompoundShape& compound, Vec3 centre, Quat rotation) {
    const Shape shape = Shape::Compound(&compound);
    Manifold manifold;
    Collide(Placed(shape, centre, rotation), Placed(floor, {0, -1.25f, 0}, Quat{}), 0.02f,
            manifold);
    std::map<std::uint32_t, float> at;  // where along x
    for (const ContactPoint& point : manifold.points()) at[point.feature] = point.position.x;
    return at;
  };
  const auto before = features(*row, {}, {});
  REQUIRE(before.size() == 4);
  // Out of the middle, and one on top; so the ends hold the corners still.
  const std::array removed = {2u, 5u};
  const std::array added = {CompoundChild{.shape = Shape::Sphere(0.2f), .position = {0, 1, 0}}};
  const Edited edited = EditOf(*row, {.removed = removed, .added = added});
  const auto after = features(*edited, edited->centre(), edited->rotation());
  REQUIRE(after.size() == 4);
  for (const auto& [feature, x] : before) {
    REQUIRE(after.contains(feature));
    CHECK(after.at(feature) == Approx(x).margin(1e-4));
  }
}

TEST_CASE("an added child gets a number that no child had, while there is one") {
  const auto row = test::CompoundOf(Row(4));
  const std::array two = {CompoundChild{.shape = Shape::Sphere(0.2f)},
                          CompoundChild{.shape = Shape::Sphere(0.2f), .position = {0, 1, 0}}};
  const std::array second = {1u};
  const Edited once = EditOf(*row, {.removed = second, .added = two});
  CHECK(NumbersOf(*once) == std::vector<std::uint32_t>{0, 2, 3, 4, 5});
  const Edited twice = EditOf(*once, {.added = two});
  CHECK(NumbersOf(*twice) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6});
  const auto full = test::CompoundOf(Row(256));
  const std::array out = {200u, 7u};
  CHECK(NumbersOf(*EditOf(*full, {.removed = out, .added = two})) == NumbersOf(*full));
}

TEST_CASE("an edit that names no child, or removes all, is refused by name and number") {
  const auto row = test::CompoundOf(Row(4));
  const auto refused = [&](const CompoundEdit& edit, const char* subject, std::int64_t amount) {
    const auto edited = row->Edited(edit);
    REQUIRE_FALSE(edited);
    CHECK(edited.error().code == ErrorCode::kInvalidArgument);
    CHECK(edited.error().subject == std::string(subject));
    CHECK(edited.error().amount == amount);
  };
  const std::array missing = {1u, 4u};
  refused({.removed = missing}, "removed child", 4);
  const std::array far = {~0u};
  refused({.removed = far}, "removed child", 0xffff'ffff);
  const std::array twice = {2u, 2u};
  refused({.removed = twice}, "removed child", 2);
  const std::array all = {0u, 1u, 2u, 3u};
  refused({.removed = all}, "compound children", 0);
  const std::array of_none = {MovedChild{.number = 9}};
  refused({.moved = of_none}, "moved child", 9);
  const std::array second = {1u};
  const std::array moved = {MovedChild{.number = 1}};
  refused({.removed = second, .moved = moved}, "moved child", 1);
  const std::array nowhere = {
      MovedChild{.number = 3, .position = {std::numeric_limits<float>::quiet_NaN(), 0, 0}}};
  refused({.moved = nowhere}, "child position", 3);
  const std::array bad = {CompoundChild{.shape = Shape::Sphere(1)},
                          CompoundChild{.shape = Shape::Sphere(-1)}};
  refused({.added = bad}, "radius", 5);
  const std::vector<CompoundChild> many(253, CompoundChild{.shape = Shape::Sphere(1)});
  refused({.added = many}, "compound children", 257);
  // The numbers of a definition, too.
  const auto children = Row(2);
  const std::array same = {3u, 3u}, high = {0u, 256u};
  const auto made = [&](std::span<const std::uint32_t> numbers) {
    return CompoundShape::Create({.children = children, .numbers = numbers}).error();
  };
  CHECK(made(same).subject == std::string("child number"));
  CHECK(made(high).amount == 256);
  CHECK(made(std::span(high).first(1)).subject == std::string("child numbers"));
}

}  // namespace
}  // namespace nowait
