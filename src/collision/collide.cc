#include "src/collision/collide.h"

#include <utility>

namespace nowait {
namespace {

void Flip(Manifold& manifold) {
  for (ContactPoint& point : manifold.points()) point.normal = -point.normal;
}

}  // namespace

void Collide(const Placed& a, const Placed& b, float margin, Manifold& manifold) {
  manifold.Clear();
  const ShapeKind kind_a = a.shape->kind;
  const ShapeKind kind_b = b.shape->kind;
  if (kind_a == ShapeKind::kSphere && kind_b == ShapeKind::kSphere) {
    CollideSpheres(a, b, margin, manifold);
  } else if (kind_a == ShapeKind::kBox && kind_b == ShapeKind::kBox) {
    CollideBoxes(a, b, margin, manifold);
  } else if (kind_a == ShapeKind::kSphere && kind_b == ShapeKind::kBox) {
    CollideSphereBox(a, b, margin, manifold);
  } else if (kind_a == ShapeKind::kHeightField && kind_b == ShapeKind::kSphere) {
    CollideFieldSphere(a, b, margin, manifold);
  } else if (kind_a == ShapeKind::kHeightField && kind_b == ShapeKind::kBox) {
    CollideFieldBox(a, b, margin, manifold);
  } else if (kind_a != kind_b) {
    Collide(b, a, margin, manifold);
    Flip(manifold);
  }
}

}  // namespace nowait
