// Compounds for tests, drawn at random.
#ifndef NOWAIT_TESTS_COLLISION_COMPOUNDS_H_
#define NOWAIT_TESTS_COLLISION_COMPOUNDS_H_

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "src/collision/compound_shape.h"
#include "tests/collision/convex_shapes.h"

namespace nowait::test {

inline std::unique_ptr<const CompoundShape> CompoundOf(std::span<const CompoundChild> children) {
  auto compound = CompoundShape::Create({.children = children});
  if (!compound) FAIL(ToString(compound.error()));
  return std::move(*compound);
}

// Children of every kind within two metres of a place, and the hulls that they are made from.
class Compounds {
 public:
  std::vector<CompoundChild> DrawChildren(Random& random, std::uint32_t count) {
    std::vector<CompoundChild> children;
    const Vec3 at = random.InBox({-3, -3, -3}, {3, 3, 3});
    for (std::uint32_t i = 0; i < count; ++i) {
      const ShapeKind kind = kConvex[random.Below(kConvex.size())];
      const Shape shape = shapes_.Draw(kind, random, 0.6f);
      const Vec3 position = at + random.InBox({-2, -2, -2}, {2, 2, 2});
      const Quat rotation = random.Rotation();
      children.push_back({shape, position, rotation, random.Between(0.5f, 2.0f)});
    }
    return children;
  }

  Shape Draw(Random& random, std::uint32_t count) {
    compounds_.push_back(CompoundOf(DrawChildren(random, count)));
    return Shape::Compound(compounds_.back().get());
  }

  Shapes& shapes() { return shapes_; }

 private:
  Shapes shapes_;
  std::vector<std::unique_ptr<const CompoundShape>> compounds_;
};

inline std::vector<Placed> ChildrenOf(const Placed& compound) {
  std::vector<Placed> placed;
  for (const CompoundShape::Child& child : compound.shape->compound->children()) {
    placed.push_back(PlacedChild(compound, child));
  }
  return placed;
}

}  // namespace nowait::test

#endif  // NOWAIT_TESTS_COLLISION_COMPOUNDS_H_
