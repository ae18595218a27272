// Scaled: the shape that a shape becomes when its frame's axes are stretched.
//
//   const auto large = Scaled(Shape::Hull(stone.get()), {2, 3, -2});      if (!large) ...
//   change.shape = large->shape;                                       // keep *large as long
//   change.frame = large->frame;
//
// Exact or refused: the result is the set of the stretched points. A hull keeps its vertices within
// 1e-3 of the inner radius or 2e-6 of the radius, a mesh all its triangles. A box, a hull, a mesh
// and a plane take any factors; a cylinder takes equal ones across its axis, a sphere and a capsule
// three equal ones. A height field takes factors above zero, equal along x and z. A factor below
// zero mirrors: triangles keep their fronts, and a mirrored ball is a ball. Of a compound all
// children are stretched, and so are their places. A child that is turned, and not by right angles,
// takes factors of one size, unless it is a hull. Right angles may be off by as much as moves no
// point by more than 1e-3 of the inner radius. A scaled hull, mesh, field or compound has data of
// its own, as if it had been made from stretched points.
//
// Thread safety: a pure function; any thread.
// Errors: kInvalidArgument "scale", `amount` is the axis: a factor that is not a number of
// kLeastScale .. kMostScale or its negative, or that the shape cannot take; of a compound "child
// scale", `amount` is the number of the child. The errors of the shape's Create, or of Validate,
// for a result that is too large, too small or too flat; "scaled hull", a vertex's number, and
// "scaled mesh", how many triangles, where Create left them out. kCapacity "memory".
// Complexity: as Create, and of a hull vertices times faces; constant without shared data.
// Source: [ericson2005], chapter 4. Test: tests/collision/scaled_shape_test.cc.
#ifndef NOWAIT_SRC_COLLISION_SCALED_SHAPE_H_
#define NOWAIT_SRC_COLLISION_SCALED_SHAPE_H_

#include <memory>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/shape.h"
#include "src/bodies/shape_frame.h"
#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/height_field.h"
#include "src/collision/triangle_mesh.h"
#include "src/math/vec3.h"

namespace nowait {

inline constexpr float kLeastScale = 1e-3f;
inline constexpr float kMostScale = 1e3f;

// Owns what its shape refers to.
struct ScaledShape {
  Shape shape;
  // Where the shape's frame lies in the stretched one: a compound's centre of mass moves, and
  // rounding turns a hull. The same frame for all others.
  ShapeFrame frame;
  std::vector<std::unique_ptr<const ConvexHull>> hulls;  // of a compound, those of its children
  std::unique_ptr<const TriangleMesh> mesh;
  std::unique_ptr<const HeightField> height_field;
  std::unique_ptr<const CompoundShape> compound;
};

// shape: valid (Validate in shape_geometry.h).
Result<ScaledShape> Scaled(const Shape& shape, Vec3 factors);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SCALED_SHAPE_H_
