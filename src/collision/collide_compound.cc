// A compound against any shape: the contacts of its children, merged.
//
// Each child whose box the other shape's box meets collides with it like a body of its own. All
// points go to one list, and Reduce chooses from it as it does for a mesh: a table on a floor keeps
// the outer corners of its four legs. A manifold for each pair of children would have a table's
// legs hold sixteen points, which support it no better and are four times the work of the solver.
//
// Two children find equal features, such as the corner 3 of the face 1. So a feature is combined
// with the pair of children, by their numbers, which stay when other children come and go. For one
// pair that is one-to-one; two points of different pairs may meet by chance, and then the later one
// takes the next number.
//
// Bound: linear in the pairs of children whose boxes meet; against a height field or a mesh, in the
// children.
#include <algorithm>
#include <cstdint>

#include "src/collision/candidates.h"
#include "src/collision/collide.h"
#include "src/collision/compound_shape.h"
#include "src/collision/in_frame.h"
#include "src/collision/shape_geometry.h"

namespace nowait {
namespace {

// Spreads the numbers of pairs over all bits: 2^32 divided by the golden ratio, odd.
constexpr std::uint32_t kSpread = 0x9e37'79b9u;

class CompoundContacts {
 public:
  explicit CompoundContacts(float margin) : margin_(margin) {}

  void Add(const Placed& a, const Placed& b, std::uint32_t pair) {
    Manifold found;
    Collide(a, b, margin_, found);
    for (ContactPoint point : found.points()) {
      point.feature ^= (pair + 1) * kSpread;
      candidates_.Add(point);
    }
  }

  void ReduceInto(Manifold& manifold) {
    candidates_.ReduceInto(manifold);
    const auto points = manifold.points();
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto before = points.first(i);
      while (std::ranges::find(before, points[i].feature, &ContactPoint::feature) != before.end()) {
        ++points[i].feature;
      }
    }
  }

 private:
  const float margin_;
  Candidates candidates_;
};

// Calls visit(child) for the children that may be within `margin` of the other shape.
template <class Visit>
void ForEachChildNear(const Placed& compound, const Placed& other, float margin, Visit visit) {
  const CompoundShape& shape = *compound.shape->compound;
  const auto children = shape.children();
  const auto visit_range = [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = first; i < first + count; ++i) visit(children[i]);
  };
  // A field's box reaches a kilometre down and a plane's has no end; no surface is as full as its
  // box.
  if (IsSurface(*other.shape)) {
    return visit_range(0, static_cast<std::uint32_t>(children.size()));
  }
  const Placed seen = InFrameOf(compound, other);
  const Bounds<3> box = BoundsIn(*other.shape, seen.position, seen.rotation);
  const Vec3 around{margin, margin, margin};
  shape.tree().VisitLeaves(ToBounds(MinOf(box) - around, MaxOf(box) + around), visit_range);
}

}  // namespace

void CollideCompound(const Placed& compound, const Placed& other, float margin,
                     Manifold& manifold) {
  CompoundContacts contacts(margin);
  ForEachChildNear(compound, other, margin, [&](const CompoundShape::Child& child) {
    contacts.Add(PlacedChild(compound, child), other, child.number);
  });
  contacts.ReduceInto(manifold);
}

void CollideCompounds(const Placed& a, const Placed& b, float margin, Manifold& manifold) {
  CompoundContacts contacts(margin);
  ForEachChildNear(a, b, margin, [&](const CompoundShape::Child& child_a) {
    const Placed placed_a = PlacedChild(a, child_a);
    ForEachChildNear(b, placed_a, margin, [&](const CompoundShape::Child& child_b) {
      const auto all = static_cast<std::uint32_t>(CompoundShape::kMaxChildren);
      contacts.Add(placed_a, PlacedChild(b, child_b), child_a.number * all + child_b.number);
    });
  });
  contacts.ReduceInto(manifold);
}

}  // namespace nowait
