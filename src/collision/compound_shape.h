// CompoundShape: several convex shapes as one, which many bodies may have as their shape.
//
//   const std::array children = {
//       CompoundChild{.shape = Shape::Sphere(0.3f), .position = {1, 0, 0}},
//       CompoundChild{.shape = Shape::Capsule(0.7f, 0.1f)}};
//   const auto compound = CompoundShape::Create({.children = children});
//   if (!compound) return std::unexpected(compound.error());
//   def.shape = Shape::Compound(compound->get());
//   def.position = position + Rotate(rotation, (*compound)->centre());
//   def.rotation = rotation * (*compound)->rotation();
//
// A body's frame has its centre of mass at the origin and its principal axes of inertia as axes.
// So the children are moved and turned into that frame, as a hull's points are (convex_hull.h).
// Children may overlap; each counts in full for the mass.
//
// Each answer about a compound is that of its children: the first hit, the least distance, all
// contacts. Where it overlaps a shape, the way out is that of the child that is deepest, and need
// not lead out of the others. Between children that lie edge to edge, a body that slides across
// may touch the hidden edge; a floor is better a mesh, whose inner edges are known (mesh_edges.h).
//
// Thread safety: immutable after Create; any thread. No allocation after Create.
// Errors: kInvalidArgument "compound children" with their number; "child shape", "child position",
// "child rotation", "child density" or the name of a shape's size, with the number of the child.
// Complexity: of Create, n log n; of a walk, the children whose boxes it meets. Lecture: the narrow
// phase.
#ifndef NOWAIT_SRC_COLLISION_COMPOUND_SHAPE_H_
#define NOWAIT_SRC_COLLISION_COMPOUND_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/radii.h"
#include "src/bodies/shape.h"
#include "src/collision/compound_child.h"
#include "src/collision/mesh_tree.h"
#include "src/collision/placed.h"
#include "src/math/bounds.h"
#include "src/math/mat3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

struct CompoundShapeDef {
  std::span<const CompoundChild> children;  // 1 .. 256
  // One for each child, below 256 and each once; empty: their places in the list.
  std::span<const std::uint32_t> numbers = {};
};

// A child's new place, in the frame of the compound that is edited.
struct MovedChild {
  std::uint32_t number = 0;
  Vec3 position = {};
  Quat rotation = {};
};

// Places are in the frame of the compound that is edited, which is that of its bodies.
struct CompoundEdit {
  std::span<const std::uint32_t> removed = {};  // numbers
  std::span<const MovedChild> moved = {};
  std::span<const CompoundChild> added = {};
};

class CompoundShape {
 public:
  static constexpr std::size_t kMaxChildren = kMaxCompoundChildren;

  static Result<std::unique_ptr<const CompoundShape>> Create(const CompoundShapeDef& def);

  // This compound with children removed, moved and added. This one stays: readers may have it. The
  // children that stay keep their numbers, and contacts, which are known by the numbers, keep their
  // impulses. An added child gets the lowest number that no child here has; where all are taken,
  // that of a removed one. The new frame is seen from this one's by centre() and rotation().
  // kInvalidArgument "removed child" or "moved child" with a number that no child has or that is
  // named twice; Create's errors for the new list, with the numbers of the children.
  // Complexity: of Create.
  Result<std::unique_ptr<const CompoundShape>> Edited(const CompoundEdit& edit) const;

  // In the body's frame.
  struct Child {
    Shape shape;
    Radii radii;
    Vec3 position;
    Quat rotation;
    Mat3 frame;            // the same rotation
    std::uint32_t number;  // that of the definition
    float density;         // likewise
  };

  // In the order of the tree.
  std::span<const Child> children() const { return children_; }
  const MeshTree& tree() const { return tree_; }

  // Radii of the compound about its centre: `inner` is the least inner radius of a child, because a
  // body may pass through another one with its thinnest part. `outer` and `reach` are upper bounds.
  const Radii& radii() const { return radii_; }

  bool is_faceted() const { return is_faceted_; }  // its children are boxes and hulls

  float mass() const { return mass_; }       // of a density of one
  Vec3 inertia() const { return inertia_; }  // about the axes, likewise

  // Where a point p of the body's frame was: centre + Rotate(rotation, p).
  Vec3 centre() const { return centre_; }
  Quat rotation() const { return rotation_; }

 private:
  friend class CompoundBlobReader;
  CompoundShape() = default;

  void MoveIntoFrame(const CompoundShapeDef& def);
  // A child with its place in the body's frame becomes the last one.
  void Take(const CompoundChild& child, std::uint32_t number);
  static Bounds<3> BoundsOfChild(const Child& child);  // likewise
  void BuildTree();

  std::vector<Child> children_;
  MeshTree tree_;
  Radii radii_;
  bool is_faceted_ = true;
  float mass_ = 0.0f;
  Vec3 inertia_;
  Vec3 centre_;
  Quat rotation_;
};

// A child of a placed compound, placed.
inline Placed PlacedChild(const Placed& compound, const CompoundShape::Child& child) {
  Placed placed(child.shape, compound.ToWorld(child.position), Quat{});
  placed.rotation = compound.rotation * child.frame;
  return placed;
}

// Calls visit(const Shape& part, Vec3 position, Quat rotation) for each child of a compound, and
// for a shape of any other kind itself.
template <class Visit>
void VisitParts(const Shape& shape, Vec3 position, Quat rotation, Visit&& visit) {
  if (shape.kind != ShapeKind::kCompound) {
    visit(shape, position, rotation);
    return;
  }
  for (const CompoundShape::Child& child : shape.compound->children()) {
    visit(child.shape, position + Rotate(rotation, child.position), rotation * child.rotation);
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_COMPOUND_SHAPE_H_
