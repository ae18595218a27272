#include "src/streaming/retired_shapes.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace nowait {
namespace {

Shapes Some(float size) {
  const std::vector<Vec3> points = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}};
  auto hull = ConvexHull::Create({.points = points});
  REQUIRE(hull);
  Shapes shapes;
  shapes.hulls.push_back(std::move(*hull));
  return shapes;
}

TEST_CASE("without a guard shapes are destroyed in the second collection, and not in the first") {
  RetiredShapes retired(4);
  retired.Collect();  // of nothing
  const std::size_t bytes = Some(1).bytes();
  REQUIRE(bytes > 0);
  retired.Add(Some(1));
  retired.Collect();
  retired.Add(Some(2));
  CHECK(retired.count() == 2);
  CHECK(retired.bytes() == 2 * bytes);
  retired.Collect();
  CHECK(retired.count() == 1);
  CHECK(retired.bytes() == bytes);
  retired.Collect();
  CHECK(retired.count() == 0);
  CHECK(retired.bytes() == 0);
}

TEST_CASE("a guard that was there keeps shapes, one that came later and the end of it do not") {
  RetiredShapes retired(4);
  std::optional<RetiredShapes::Guard> guard(retired.Pin());
  retired.Add(Some(1));
  for (int i = 0; i < 10; ++i) retired.Collect();
  CHECK(retired.count() == 1);
  guard.reset();
  for (int i = 0; i < 3; ++i) retired.Collect();
  CHECK(retired.count() == 0);
  // Guards one behind the other, each there for a collection: none of them was there before.
  retired.Add(Some(1));
  for (int i = 0; i < 6 && retired.count() > 0; ++i) {
    std::optional<RetiredShapes::Guard> next(retired.Pin());
    guard = std::move(next);
    retired.Collect();
  }
  CHECK(retired.count() == 0);
}

TEST_CASE("it is full with as many as it was made for, and has room again behind a collection") {
  RetiredShapes retired(2);
  CHECK_FALSE(retired.full());
  retired.Add(Some(1));
  CHECK_FALSE(retired.full());
  retired.Add({});  // a scene without shapes counts as well
  CHECK(retired.full());
  for (int i = 0; i < 2; ++i) retired.Collect();
  CHECK_FALSE(retired.full());
}

}  // namespace
}  // namespace nowait
