// The choice of the pair function by the two kinds, from a table.
#include "src/collision/collide.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "src/collision/height_field.h"
#include "src/collision/mesh_contacts.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {
namespace {

using PairFunction = void (*)(const Placed& a, const Placed& b, float margin, Manifold& manifold);

// A function for each pair of kinds. It stands in the table twice, and one of the two entries says
// that the shapes change places. There is no function for two shapes that do not move.
class PairTable {
 public:
  struct Entry {
    PairFunction collide = nullptr;
    bool is_turned = false;
  };

  constexpr PairTable() {
    Set(ShapeKind::kSphere, ShapeKind::kSphere, CollideSpheres);
    Set(ShapeKind::kSphere, ShapeKind::kCapsule, CollideSphereCapsule);
    Set(ShapeKind::kSphere, ShapeKind::kBox, CollideSphereBox);
    Set(ShapeKind::kCapsule, ShapeKind::kCapsule, CollideCapsules);
    Set(ShapeKind::kCapsule, ShapeKind::kBox, CollideCapsuleBox);
    Set(ShapeKind::kBox, ShapeKind::kBox, CollideBoxes);
    for (const ShapeKind other : {ShapeKind::kSphere, ShapeKind::kCapsule, ShapeKind::kBox,
                                  ShapeKind::kCylinder, ShapeKind::kHull}) {
      Set(other, ShapeKind::kCylinder, CollideConvex);
      Set(other, ShapeKind::kHull, CollideConvex);
    }
    Set(ShapeKind::kHeightField, ShapeKind::kSphere, CollideFieldSphere);
    Set(ShapeKind::kHeightField, ShapeKind::kCapsule, CollideFieldCapsule);
    Set(ShapeKind::kHeightField, ShapeKind::kBox, CollideFieldBox);
    Set(ShapeKind::kHeightField, ShapeKind::kCylinder, CollideFieldConvex);
    Set(ShapeKind::kHeightField, ShapeKind::kHull, CollideFieldConvex);
    Set(ShapeKind::kMesh, ShapeKind::kSphere, CollideMeshSphere);
    for (const ShapeKind other :
         {ShapeKind::kCapsule, ShapeKind::kBox, ShapeKind::kCylinder, ShapeKind::kHull}) {
      Set(ShapeKind::kMesh, other, CollideMeshConvex);
    }
    for (const ShapeKind other : {ShapeKind::kSphere, ShapeKind::kCapsule, ShapeKind::kBox,
                                  ShapeKind::kCylinder, ShapeKind::kHull}) {
      Set(ShapeKind::kPlane, other, CollidePlaneConvex);
    }
    for (const ShapeKind other :
         {ShapeKind::kSphere, ShapeKind::kCapsule, ShapeKind::kBox, ShapeKind::kCylinder,
          ShapeKind::kHull, ShapeKind::kHeightField, ShapeKind::kMesh, ShapeKind::kPlane}) {
      Set(ShapeKind::kCompound, other, CollideCompound);
    }
    Set(ShapeKind::kCompound, ShapeKind::kCompound, CollideCompounds);
  }

  constexpr const Entry& operator()(ShapeKind a, ShapeKind b) const {
    return entries_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  }

 private:
  constexpr void Set(ShapeKind a, ShapeKind b, PairFunction collide) {
    entries_[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = {collide, true};
    entries_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = {collide, false};
  }

  std::array<std::array<Entry, kShapeKinds>, kShapeKinds> entries_;
};

constexpr PairTable kPairs;

void Flip(Manifold& manifold) {
  for (ContactPoint& point : manifold.points()) point.normal = -point.normal;
}

// A point of a mesh names its triangle; the cell of a field is the one at the point.
void AddMaterials(const Placed& surface, Manifold& manifold) {
  const Shape& shape = *surface.shape;
  const auto add = [&](const SurfaceMaterials& materials, auto number_of) {
    if (materials.empty()) return;
    for (ContactPoint& point : manifold.points()) {
      point.material = number_of(point);
      const SurfaceMaterial& material = materials.table()[point.material];
      point.friction = material.friction;
      point.restitution = material.restitution;
    }
  };
  if (shape.kind == ShapeKind::kMesh) {
    add(shape.mesh->materials(), [&](const ContactPoint& point) {
      return shape.mesh->materials().NumberOf(TriangleOf(point.feature));
    });
  } else if (shape.kind == ShapeKind::kHeightField) {
    add(shape.height_field->materials(), [&](const ContactPoint& point) {
      const Vec3 at = point.position - surface.position;
      return shape.height_field->MaterialAt(at.x, at.z);
    });
  }
}

}  // namespace

void Collide(const Placed& a, const Placed& b, float margin, Manifold& manifold) {
  manifold.Clear();
  const PairTable::Entry& pair = kPairs(a.shape->kind, b.shape->kind);
  if (pair.collide == nullptr) return;
  if (!pair.is_turned) {
    pair.collide(a, b, margin, manifold);
    AddMaterials(a, manifold);
  } else {
    pair.collide(b, a, margin, manifold);
    AddMaterials(b, manifold);
    Flip(manifold);
  }
}

}  // namespace nowait
