// The narrow phase: the contact points of two placed shapes.
//
// Thread safety: pure functions; any thread. No allocation.
// Bound: constant time, even for a body of kilometres on ground with a sample a millimetre
// (field_blocks.h); for a hull, linear in its vertices and faces; for a mesh, linear in the
// triangles that the other shape's box touches; for a compound, the sum over its children.
// Lectures: contacts, the plain solver and the whole physics update; the narrow phase. Determinism:
// the points and their order depend on the arguments alone.
#ifndef NOWAIT_SRC_COLLISION_COLLIDE_H_
#define NOWAIT_SRC_COLLISION_COLLIDE_H_

#include "src/collision/manifold.h"
#include "src/collision/placed.h"

namespace nowait {

// Fills `manifold` with the points at which `a` and `b` are closer than `margin`; normals go from
// `a` to `b`. Two shapes that do not move, height fields, meshes and planes, do not collide.
void Collide(const Placed& a, const Placed& b, float margin, Manifold& manifold);

// The pairs, as Collide calls them: each for shapes of these kinds, in this order.
void CollideSpheres(const Placed& a, const Placed& b, float margin, Manifold& manifold);
void CollideSphereCapsule(const Placed& sphere, const Placed& capsule, float margin,
                          Manifold& manifold);
void CollideSphereBox(const Placed& sphere, const Placed& box, float margin, Manifold& manifold);
void CollideCapsules(const Placed& a, const Placed& b, float margin, Manifold& manifold);
void CollideCapsuleBox(const Placed& capsule, const Placed& box, float margin, Manifold& manifold);
void CollideBoxes(const Placed& a, const Placed& b, float margin, Manifold& manifold);
void CollideFieldSphere(const Placed& field, const Placed& sphere, float margin,
                        Manifold& manifold);
void CollideFieldCapsule(const Placed& field, const Placed& capsule, float margin,
                         Manifold& manifold);
void CollideFieldBox(const Placed& field, const Placed& box, float margin, Manifold& manifold);
// Of any convex shapes; for those that have no function of their own.
void CollideConvex(const Placed& a, const Placed& b, float margin, Manifold& manifold);
void CollideFieldConvex(const Placed& field, const Placed& convex, float margin,
                        Manifold& manifold);
void CollideMeshSphere(const Placed& mesh, const Placed& sphere, float margin, Manifold& manifold);
// Of any convex shape.
void CollidePlaneConvex(const Placed& plane, const Placed& convex, float margin,
                        Manifold& manifold);
// other: of any kind but a compound.
void CollideCompound(const Placed& compound, const Placed& other, float margin, Manifold& manifold);
void CollideCompounds(const Placed& a, const Placed& b, float margin, Manifold& manifold);
void CollideMeshConvex(const Placed& mesh, const Placed& convex, float margin, Manifold& manifold);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_COLLIDE_H_
